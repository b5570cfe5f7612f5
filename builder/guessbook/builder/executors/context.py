"""The context of a build: the data that its tasks share in one process, and names of nodes.

A task names nodes by their history, and sends no candidates: each process caches its latest splits.
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

# The cached splits have up to this many times the candidates of the root: the levels at work.
KEPT_LEVELS = 4


class Nodes(NamedTuple):
    """The children of a node from `begin` to `end`, without the latter.

    `split` alternates guesses and feedbacks from the root, and ends with the node's guess.
    """

    split: tuple[int, ...]
    begin: int
    end: int


# The root is the only child of an empty split.
ROOT = Nodes((), 0, 1)


class Siblings(NamedTuple):
    """Neighbouring children, the feedback of the first, and the number of their candidates."""

    begin: int
    end: int
    feedback: int
    size: int


def runs_of(children: Batch, limit: int) -> list[Siblings]:
    """Return the children of a node in runs of at most `limit` candidates or of one child."""
    runs: list[Siblings] = []
    starts, feedback, begin = children.starts.tolist(), children.feedback.tolist(), 0
    while begin < len(feedback):
        end = max(bisect(starts, starts[begin] + limit) - 1, begin + 1)
        runs.append(Siblings(begin, end, feedback[begin], starts[end] - starts[begin]))
        begin = end
    return runs


class Context:
    """A game and a policy, ready for the tasks of one build. Threads share it.

    `memory` is the bytes for the tables of a search for the optimum in this process. A pickle has
    the game, the policy and the memory: another process makes its own context of them.
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
        """Return the nodes with their candidates."""
        return self.split(nodes.split).some(nodes.begin, nodes.end)

    def split(self, name: tuple[int, ...]) -> Batch:
        """Return the children of a node, named by its history followed by its guess."""
        # Climb to a cached ancestor, then descend; a recursion could be too deep for Python.
        wanted = [name]
        while (found := self._kept(wanted[-1])) is None:
            wanted.append(wanted[-1][:-2])
        for below in reversed(wanted[:-1]):
            # A name ends with the feedback that leads to the node (not for the root) and its guess.
            child = int(np.argmax(found.feedback == (0, *below)[-2]))
            found = step(self.scorer, found.node(child), below[-1])[1]
            self._keep(below, found)
        return found

    def _kept(self, name: tuple[int, ...]) -> Batch | None:
        if not name:
            return root_batch(len(self.game.secrets))
        with self._lock:
            known = self._splits.get(name)
            if known:
                self._splits.move_to_end(name)
        return known

    def _keep(self, name: tuple[int, ...], made: Batch) -> None:
        # Two threads may make a split at once: the results are equal, and neither waits.
        with self._lock:
            if name not in self._splits:
                self._splits[name] = made
                self._room -= len(made.candidates)
            while self._room < 0 and len(self._splits) > 1:
                _, oldest = self._splits.popitem(last=False)
                self._room += len(oldest.candidates)
