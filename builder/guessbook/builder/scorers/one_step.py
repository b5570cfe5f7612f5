"""One-step policies: by the engine, or only guesses that a limit allows."""

from __future__ import annotations

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Chosen, Integers, Integers2D
from guessbook.builder.games.ranking import best_first
from guessbook.builder.games.scoring import scoring_of
from guessbook.builder.scorers.scorer import Derived, Scorer
from guessbook.policy.one_step import OneStep


class LimitedScorer(Derived):
    """A game and a one-step policy that may not make every guess, such as `consistent_only`."""

    def __init__(self, game: Game, policy: OneStep, plain: Scorer) -> None:
        super().__init__(plain)
        self.ranker = scoring_of(game).ranker(game, policy)

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Choose the guess of each node; counts a guess for each candidate."""
        # Candidates are always allowed, and of few the lowest one is best.
        best = self.homes[candidates[starts[:-1]]]
        sizes = np.diff(starts)
        for node in np.flatnonzero(sizes > self.few):
            cell = candidates[starts[node] : starts[node + 1]]
            best[node] = best_first(self.ranker, cell, paths[node], 1)[0]
        return best, np.where(sizes > self.few, sizes, 0)


def one_step_scorer(game: Game, policy: OneStep) -> Scorer:
    """The scorer of a game and a one-step policy."""
    every = policy._replace(consistent_only=False, hard_mode=False)
    plain = scoring_of(game).scorer(game, every)
    return LimitedScorer(game, policy, plain) if policy.limited else plain
