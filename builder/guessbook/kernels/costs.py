"""The costs of a one-step policy, by the total weight of the candidates in a cell."""

from __future__ import annotations

from typing import Any, NamedTuple

from guessbook.book.games.game import Game
from guessbook.policy.one_step import OneStep


class Rule(NamedTuple):
    """A one-step policy for one game; `guessbook.policy.one_step.OneStep` has the definitions."""

    costs: Any  # int64, the cost of a cell by the total weight of its candidates: 0, 1, 2, ...
    additive: bool  # whether the score is minus the sum of the costs, else minus their maximum
    credit: int  # the bonus of a guess that is a candidate, for each unit of its weight
    logarithmic: bool  # whether the cost of n is n * log2(n), apart from rounding

    @classmethod
    def of(cls, policy: OneStep, game: Game, most: int) -> Rule:
        """Return the rule of a policy for candidates of a total weight of at most `most`."""
        fitted = policy.of(game)
        return cls(fitted.costs(most), fitted.additive, fitted.credit, fitted.logarithmic)
