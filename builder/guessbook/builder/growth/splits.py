"""Nodes by their history: each process splits them for itself, so that no candidate is ever sent.

A split is the children of a node under its guess. Its name is the history of the node, guess and
feedback in turn, and that guess; what is above the root has no name and is the root alone.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from threading import Lock, RLock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.builder.scorers.batch import Batch, root_batch, step
from guessbook.builder.scorers.scorer import Scorer, scorer_of

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.builder.growth.frontier import Job
    from guessbook.policy.policy import Policy

# So many times the candidates of the root are kept: those of the levels that are at work.
KEPT_LEVELS = 4

LOCK = RLock()


class Nodes(NamedTuple):
    """Some neighbouring children of a split.

    Attributes:
        split: its name.
        begin: the first of them.
        end: the one behind the last.
    """

    split: tuple[int, ...]
    begin: int
    end: int


ROOT = Nodes((), 0, 1)


class Splits:
    """The splits of a build in this process; the latest used are kept.

    Args:
        scorer: knows the feedbacks.
    """

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self._kept: OrderedDict[tuple[int, ...], Batch] = OrderedDict()
        self._room = KEPT_LEVELS * len(scorer.game.secrets)
        # Each is held while that split is made, so that no two threads make the same;
        self._making: dict[tuple[int, ...], Lock] = {}
        # and this one while it is kept.
        self._lock = Lock()

    def batch(self, nodes: Nodes) -> Batch:
        """The nodes with their candidates."""
        return self.below(nodes.split).some(nodes.begin, nodes.end)

    def below(self, split: tuple[int, ...]) -> Batch:
        """The children of a node, by the name of the split."""
        with self._making.setdefault(split, Lock()):
            known = self._kept.get(split)
            made = self._made(split) if known is None else known
            self._keep(split, made)
        return made

    def _keep(self, split: tuple[int, ...], made: Batch) -> None:
        """Keep a split as the latest that was used, and forget the oldest if there are many."""
        with self._lock:
            if split not in self._kept:
                self._room -= len(made.candidates)
            self._kept[split] = made
            self._kept.move_to_end(split)
            while self._room < 0 and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._room += len(oldest.candidates)

    def _made(self, split: tuple[int, ...]) -> Batch:
        if not split:
            return root_batch(len(self.scorer.game.secrets))
        *above, guess = split
        node = self.below(()) if not above else self._child(tuple(above[:-1]), above[-1])
        return step(self.scorer, node, guess)[1]

    def _child(self, split: tuple[int, ...], feedback: int) -> Batch:
        """The child that a feedback leads to."""
        siblings = self.below(split)
        return siblings.node(int(np.searchsorted(siblings.feedback, feedback)))


def splits_of(job: Job) -> Splits:
    """The splits of a build in this process."""
    # One thread makes the scorer, which takes a second in large games, and the others wait for it.
    with LOCK:
        return _kept(job.game, job.policy, job.memory)


@lru_cache(maxsize=1, typed=True)
def _kept(game: Game, policy: Policy, memory: int) -> Splits:
    return Splits(scorer_of(game, policy, memory))


def forget() -> None:
    """Forget all splits: the build is over."""
    with LOCK:
        _kept.cache_clear()
