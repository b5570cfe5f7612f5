"""The ranker of games whose feedbacks are sums."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import History
from guessbook.builder.arrays import Integers, Scored
from guessbook.builder.games.automorphisms import inequivalent
from guessbook.builder.games.sums import SumScorer


class SumRanker(NamedTuple):
    """The ranker of a game and a one-step policy.

    Attributes:
        scorer: the scorer of both.
        consistent_only: whether only candidates are ranked.
        hard: returns which guesses hard mode allows after a history, bool[guesses]; None without
            hard mode.
    """

    scorer: SumScorer
    consistent_only: bool = False
    hard: Callable[[History], Integers] | None = None

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        """Return the scores of guesses, and whether each is a candidate."""
        scores = self.scorer.search.scores(
            candidates.astype(np.uint32, copy=False), guesses.astype(np.uint32, copy=False)
        )
        solves = np.isin(guesses, self.scorer.homes[candidates]).astype(np.uint8)
        return np.frombuffer(scores, np.int64), solves

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that no symmetry of the feedbacks maps to a lower one: uint32."""
        if self.scorer.parts.shape[1] > 1:
            # Word games have hardly any symmetries, and the search for them takes a second.
            return np.arange(len(self.scorer.parts), dtype=np.uint32)
        return inequivalent(self.scorer.game, candidates, path)

    def allowed(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that the policy allows: uint32, ascending."""
        if self.consistent_only:
            return self.scorer.homes[candidates]
        if self.hard is None or not len(path):
            return np.arange(len(self.scorer.parts), dtype=np.uint32)
        # All candidates give the same answers to the guesses of the path.
        whole = np.arange(len(path) + 1)
        answers = self.scorer.feedbacks(path, np.repeat(candidates[:1], len(path)), whole)
        history = list(zip(path.tolist(), answers.tolist(), strict=True))
        return np.flatnonzero(self.hard(history)).astype(np.uint32)
