"""The types that the kernels and the growth of trees pass around, and weights as one of them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import secret_weights, total_weight
from guessbook.policy.one_step import LOG_BITS, OneStep

# An array inside a kernel, where numba knows its type; the function that calls the kernel says it.
Array = Any

# A whole number inside a kernel. A part is compiled once more for each constant that it is given,
# but for one that is wrapped: np.int64(1).
Number = int | np.signedinteger[Any]

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
        logarithmic: whether the cost of n is n * log2(n), but for the rounding of logarithms.
    """

    costs: Integers
    additive: bool
    credit: int
    logarithmic: bool

    @classmethod
    def of(cls, policy: OneStep, game: Game) -> Rule:
        """A one-step policy, for the secrets of a game."""
        fitted = policy.of(game)
        costs = cost_table(fitted, total_weight(game))
        return cls(costs, fitted.additive, fitted.credit, fitted.logarithmic)


def cost_table(policy: OneStep, size: int) -> Integers:
    """int64[size + 1]: `OneStep.costs`, in a tenth of its time."""
    if policy.logarithmic:
        return np.arange(size + 1) * log_table(size, policy.bits)
    return np.frombuffer(policy.costs(size), np.int64)


def log_table(size: int, bits: int = LOG_BITS) -> Integers:
    """int64[size + 1]: `integer_logs`."""
    every = np.arange(size + 1)
    factor = every.copy()
    for p in range(2, math.isqrt(size) + 1):
        if factor[p] == p:
            factor[p * p :: p] = p
    logs = np.zeros(size + 1, np.int64)
    primes = np.flatnonzero(factor == every)[2:]
    # Of numpy, the logarithms may be rounded another way.
    exact = np.fromiter(map(math.log2, primes.tolist()), np.float64, len(primes))
    logs[primes] = np.rint(exact * (1 << bits))
    begin = 4
    while begin <= size:
        # Of the numbers up to twice as large all factors are known.
        some = slice(begin, 2 * begin)
        logs[some] = logs[factor[some]] + logs[every[some] // factor[some]]
        begin *= 2
    return logs


def weight_table(game: Game) -> Integers:
    """int64[secrets]: how much each secret counts; 1 where they have no weights."""
    weights = secret_weights(game)
    return np.ones(len(game.secrets), np.int64) if weights is None else np.array(weights, np.int64)
