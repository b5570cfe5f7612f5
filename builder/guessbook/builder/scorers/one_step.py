"""One-step policies: by the kernels of a kind of game, or only guesses that a limit allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.games.scoring import plain_scorer, ranker_of
from guessbook.builder.scorers.consistent import guesses_of_secrets
from guessbook.builder.scorers.scorer import Derived

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.builder.games.ranking import Ranker
    from guessbook.builder.kernels.arrays import Integers, Integers2D
    from guessbook.builder.scorers.scorer import Scorer
    from guessbook.policy.one_step import OneStep

__all__ = ["LimitedScorer", "one_step_scorer"]


@dataclass(frozen=True, eq=False)
class LimitedScorer(Derived):
    """A game and a one-step policy that may not make every guess: `consistent_only`, `hard_mode`.

    Attributes:
        ranker: ranks the guesses that are allowed.
        secrets: see `guesses_of_secrets`.
    """

    ranker: Ranker
    secrets: Integers

    def choose(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, Integers]:
        """See `scorer.Scorer.choose`; counts as many guesses as there are candidates."""
        # Candidates are always allowed, and of two the lower one is best.
        best = self.secrets[candidates[starts[:-1]]]
        sizes = np.diff(starts)
        for node in np.flatnonzero(sizes > 2):
            cell = candidates[starts[node] : starts[node + 1]]
            best[node] = self.ranker.rank(cell, paths[node], 1)[0]
        return best, np.where(sizes > 2, sizes, 0)


def one_step_scorer(game: Game, policy: OneStep) -> Scorer:
    """The scorer of a game and a one-step policy."""
    plain = plain_scorer(game, policy._replace(consistent_only=False, hard_mode=False))
    if not policy.limited:
        return plain
    return LimitedScorer(plain, ranker_of(game, policy), guesses_of_secrets(game))
