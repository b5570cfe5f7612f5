"""The ranking of a node in a code game: one guess of those that are equivalent by symmetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.builder.arrays import Integers, Scored
from guessbook.builder.games.ranking import LEFT_OUT

if TYPE_CHECKING:
    from guessbook.builder.games.codes import CodeScorer


class CodeRanker(NamedTuple):
    """The ranker of a code game.

    Attributes:
        scorer: the scorer of the game and the policy.
        consistent_only: whether only candidates are ranked.
    """

    scorer: CodeScorer
    consistent_only: bool = False

    def allowed(self, candidates: Integers, path: Integers) -> Integers:
        """See `Ranker.allowed`."""
        guesses = candidates if self.consistent_only else np.arange(len(self.scorer.codes))
        return guesses.astype(np.uint32)

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the codes that no symmetry of a history carries onto a lower one: uint32."""
        lowest = self.scorer.search.lowest(candidates.astype(np.uint32), path.astype(np.uint32))
        return np.flatnonzero(np.frombuffer(lowest, np.uint8)).astype(np.uint32)

    def scores(self, candidates: Integers, path: Integers | None, guesses: Integers) -> Scored:
        """See `Ranker.scores`."""
        search, codes = self.scorer.search, len(self.scorer.codes)
        wanted = np.zeros(search.tables.multisets, np.uint8)
        wanted[self.scorer.sets[guesses]] = 1
        scores = np.full(codes, LEFT_OUT, np.int64)
        solves = np.zeros(codes, np.uint8)
        used = None if path is None else path.astype(np.uint32)
        search.scores(candidates.astype(np.uint32), used, wanted, scores, solves)
        return scores[guesses], solves[guesses]
