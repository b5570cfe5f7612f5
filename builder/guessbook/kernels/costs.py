"""Costs of a one-step policy for the engine, by how much the candidates of a cell count."""

from __future__ import annotations

from typing import Any, NamedTuple

from guessbook.book.games.game import Game
from guessbook.policy.one_step import OneStep


class Rule(NamedTuple):
    """A one-step policy for one game; `guessbook.policy.one_step.OneStep` has the definitions.

    Attributes:
        costs: int64, the cost of a cell whose candidates count 0, 1, 2, ... together.
        additive: whether the score is minus the sum of the costs, else minus their maximum.
        credit: what a guess that is a candidate gets on top, times its weight.
        logarithmic: whether the cost of n is n * log2(n), but for the rounding of logarithms.
    """

    costs: Any
    additive: bool
    credit: int
    logarithmic: bool

    @classmethod
    def of(cls, policy: OneStep, game: Game, most: int) -> Rule:
        """Return a one-step policy for candidates of a game that count at most so much together."""
        fitted = policy.of(game)
        return cls(fitted.costs(most), fitted.additive, fitted.credit, fitted.logarithmic)
