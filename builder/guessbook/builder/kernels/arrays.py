"""The types that the kernels and the growth of trees pass around, and weights as one of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import secret_weights, total_weight
from guessbook.policy.one_step import OneStep

# An array inside a kernel, where numba knows its type; the function that calls the kernel says it.
Array = Any

Integers = np.ndarray[tuple[int], np.dtype[Any]]
Integers2D = np.ndarray[tuple[int, int], np.dtype[Any]]
Bytes2D = np.ndarray[tuple[int, int], np.dtype[np.uint8]]

# The guess of each node (uint32), and how many guesses were scored to find it (int64).
Chosen = tuple[Integers, Integers]
# The score of each guess (int64), and whether it may be right (uint8).
Scored = tuple[Integers, Integers]


class Rule(NamedTuple):
    """A policy for the kernels: see `guessbook.policy.one_step.OneStep`.

    Attributes:
        costs: int64, the cost of a cell whose candidates count 0, 1, 2, ... together.
        additive: whether the score is minus the sum of the costs, else minus their maximum.
        credit: what a guess that is a candidate gets on top, times its weight.
    """

    costs: Integers
    additive: bool
    credit: int

    @classmethod
    def of(cls, policy: OneStep, game: Game) -> Rule:
        """A one-step policy, for the secrets of a game."""
        fitted = policy.of(game)
        costs = np.frombuffer(fitted.costs(total_weight(game)), np.int64)
        return cls(costs, fitted.additive, fitted.credit)


def weight_table(game: Game) -> Integers:
    """int64[secrets]: how much each secret counts; 1 where they have no weights."""
    weights = secret_weights(game)
    return np.ones(len(game.secrets), np.int64) if weights is None else np.array(weights, np.int64)
