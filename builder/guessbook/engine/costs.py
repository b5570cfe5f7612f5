"""The costs of cells. A one-step policy scores each guess by the costs of the cells of the guess."""

from __future__ import annotations

from typing import Any, NamedTuple

from guessbook.book.games.game import Game
from guessbook.policy.policy import OneStep


class Rule(NamedTuple):
    """The costs and the bonus with which a one-step policy scores guesses in one game."""

    costs: (
        Any  # int64 array; costs[n] is the cost of a cell whose candidates have the total weight n
    )
    additive: bool  # True if the score is minus the sum of the costs, False if it is minus the largest cost
    credit: (
        int  # the bonus for a guess that is a candidate, per unit of the weight of this candidate
    )
    logarithmic: bool  # whether the cost of a cell of weight n is proportional to n * log2(n), apart from rounding

    @classmethod
    def of(cls, policy: OneStep, game: Game, most: int) -> Rule:
        """Return a policy's rule for a game: the costs of cells of weight 0 to `most`, and the bonus for candidates."""
        fitted = policy.of(game)
        return cls(fitted.costs(most), fitted.additive, fitted.credit, fitted.logarithmic)
