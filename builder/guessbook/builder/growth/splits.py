"""Nodes by their history: each process splits them for itself, so that no candidate is ever sent.

A split is the children of a node under its guess. Its name is the history of the node, guess and
feedback in turn, and that guess; what is above the root has no name and is the root alone.
"""

from __future__ import annotations

from bisect import bisect
from collections import OrderedDict
from functools import lru_cache
from threading import Lock, RLock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.builder.growth.progress import weight
from guessbook.builder.scorers.batch import Batch, Split, split_by
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
        end: the one behind the last; 0 stands for what the split knows of all without candidates.
    """

    split: tuple[int, ...]
    begin: int
    end: int


ROOT = Nodes((), 0, 1)

# Some neighbouring children of a node, small ones or a single one of any size: the first, the one
# behind the last, the feedback that leads to the first, how many candidates they have together, and
# what they cost to finish, see `progress.weight`.
Neighbours = tuple[int, int, int, int, float]


def neighbours(split: Split, limit: int) -> list[Neighbours]:
    """The children of a node in runs of up to `limit` candidates in all (but at least one node)."""
    runs: list[Neighbours] = []
    starts, feedback, begin = split.starts, split.feedback, 0
    while begin < len(feedback):
        end = max(bisect(starts, starts[begin] + limit) - 1, begin + 1)
        cost = weight([starts[k + 1] - starts[k] for k in range(begin, end)])
        runs.append((begin, end, feedback[begin], starts[end] - starts[begin], cost))
        begin = end
    return runs


class Splits:
    """The splits of a build in this process; the latest used are kept.

    Args:
        scorer: knows the feedbacks.
    """

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self._kept: OrderedDict[tuple[int, ...], Split] = OrderedDict()
        self._room = KEPT_LEVELS * len(scorer.game.secrets)
        # Each is held while that split is made, so that no two threads make the same;
        self._making: dict[tuple[int, ...], Lock] = {}
        # and this one while it is kept.
        self._lock = Lock()

    def of(self, nodes: Nodes) -> Batch | Split:
        """What a task is given: the nodes with their candidates, or what a split knows of all."""
        return self.batch(nodes) if nodes.end else self.below(nodes.split)

    def batch(self, nodes: Nodes) -> Batch:
        """The nodes with their candidates."""
        split, begin, end = nodes
        return self.below(split).batch(begin, end, split[::2])

    def below(self, split: tuple[int, ...]) -> Split:
        """The children of a node, by the name of the split."""
        with self._lock:
            known = self._kept.get(split)
            if known:
                self._kept.move_to_end(split)
                return known
            making = self._making.setdefault(split, Lock())
        with making:
            # Another thread may have made it meanwhile.
            known = self._kept.get(split)
            if not known:
                known = self._made(split)
                self._keep(split, known)
        return known

    def _keep(self, split: tuple[int, ...], made: Split) -> None:
        """Keep a split as the latest that was used, and forget the oldest if there are many."""
        with self._lock:
            self._kept[split] = made
            self._room -= len(made.candidates)
            while self._room < 0 and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._room += len(oldest.candidates)

    def _made(self, split: tuple[int, ...]) -> Split:
        if not split:
            secrets = len(self.scorer.game.secrets)
            return Split(np.arange(secrets, dtype=np.uint32), [0, secrets], [0])
        *above, guess = split
        siblings = self.below(tuple(above[:-1]))
        child = siblings.feedback.index(above[-1] if above else 0)
        candidates = siblings.candidates[siblings.starts[child] : siblings.starts[child + 1]]
        return split_by(self.scorer, guess, candidates)


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
