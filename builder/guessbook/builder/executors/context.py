"""The context of a build: data that all tasks in one process share, and identifiers of nodes.

A split is a `Batch` of all children of one node. Each process computes the splits that its tasks need.
"""

from __future__ import annotations

from bisect import bisect
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.scorers.batch import Batch, root_batch, step
from guessbook.builder.scorers.scorer import make_scorer
from guessbook.policy.policy import Policy

# The cache of splits holds at most KEPT_LEVELS times as many candidates as the game has secrets.
KEPT_LEVELS = 4


class Nodes(NamedTuple):
    """Neighbouring children of a parent node, with indices from `begin` to `end` - 1.

    `split` has the guesses and feedbacks, alternating, from the root to the guess of the parent node.
    """

    split: tuple[int, ...]
    begin: int
    end: int


# The root is treated as the only child of the empty split.
ROOT = Nodes((), 0, 1)


class Siblings(NamedTuple):
    """Neighbouring children of a node, with indices from `begin` to `end` - 1."""

    begin: int
    end: int
    feedback: int  # the number of the feedback that leads to the first of these children
    size: int  # the total number of candidates of these children


def runs_of(children: Batch, limit: int) -> list[Siblings]:
    """Divide the children of a node into runs: one child, or neighbours with at most `limit` candidates in total."""
    runs: list[Siblings] = []
    starts, feedback, begin = children.starts.tolist(), children.feedback.tolist(), 0
    while begin < len(feedback):
        end = max(bisect(starts, starts[begin] + limit) - 1, begin + 1)
        runs.append(Siblings(begin, end, feedback[begin], starts[end] - starts[begin]))
        begin = end
    return runs


class Context:
    """The game and the policy of a build. Threads share its scorer and its cache of splits.

    `memory` is the limit in bytes for the tables of a search. Pickling omits the scorer and the cache.
    """

    def __init__(self, game: Game, policy: Policy, memory: int) -> None:
        self.game, self.policy, self._memory = game, policy, memory
        self.scorer = make_scorer(game, policy, memory)
        self._splits: OrderedDict[tuple[int, ...], Batch] = OrderedDict()
        self._room = KEPT_LEVELS * len(game.secrets)
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[Context], tuple[Game, Policy, int]]:
        return Context, (self.game, self.policy, self._memory)

    def batch(self, nodes: Nodes) -> Batch:
        """Return the given nodes as a `Batch`: one object with the candidates and the past guesses of all nodes."""
        return self.split(nodes.split).slice(nodes.begin, nodes.end)

    def split(self, name: tuple[int, ...]) -> Batch:
        """Return a node's children as a `Batch`. `name`: the guesses and feedbacks before the node, then its guess."""
        # The loop goes up to the nearest cached ancestor, then down; a recursion could be too deep for Python.
        wanted = [name]
        while (found := self._recall(wanted[-1])) is None:
            wanted.append(wanted[-1][:-2])
        for below in reversed(wanted[:-1]):
            # `below` ends with the feedback that leads to a node, then the guess of the node. For the root it has only
            # the guess.
            child = int(np.argmax(found.feedback == (0, *below)[-2]))
            found = step(self.scorer, found.node(child), below[-1])[1]
            self._keep(below, found)
        return found

    def _recall(self, name: tuple[int, ...]) -> Batch | None:
        if not name:
            return root_batch(len(self.game.secrets))
        with self._lock:
            known = self._splits.get(name)
            if known:
                self._splits.move_to_end(name)
        return known

    def _keep(self, name: tuple[int, ...], made: Batch) -> None:
        # Two threads may compute the same split at once. The results are equal, so only the first is cached.
        with self._lock:
            if name not in self._splits:
                self._splits[name] = made
                self._room -= len(made.candidates)
            while self._room < 0 and len(self._splits) > 1:
                _, oldest = self._splits.popitem(last=False)
                self._room += len(oldest.candidates)
