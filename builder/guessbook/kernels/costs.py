"""Costs of a one-step policy for the engine, by how much the candidates of a cell count."""

from __future__ import annotations

import math
from array import array
from operator import mul
from typing import NamedTuple

from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.kernels.binding import address, check, engine
from guessbook.policy.one_step import LOG_BITS, OneStep


class Rule(NamedTuple):
    """A one-step policy for one game; `guessbook.policy.one_step.OneStep` has the definitions.

    Attributes:
        costs: int64, the cost of a cell whose candidates count 0, 1, 2, ... together.
        additive: whether the score is minus the sum of the costs, else minus their maximum.
        credit: what a guess that is a candidate gets on top, times its weight.
        logarithmic: whether the cost of n is n * log2(n), but for the rounding of logarithms.
    """

    costs: array[int]
    additive: bool
    credit: int
    logarithmic: bool

    @classmethod
    def of(cls, policy: OneStep, game: Game, most: int | None = None) -> Rule:
        """Return the tables of a one-step policy for candidates that count at most so much.

        Without a number: for all secrets of the game.
        """
        fitted = policy.of(game)
        costs = cost_table(fitted, total_weight(game) if most is None else most)
        return cls(costs, fitted.additive, fitted.credit, fitted.logarithmic)


def cost_table(policy: OneStep, size: int) -> array[int]:
    """Return int64[size + 1]: `OneStep.costs`, in a tenth of its time."""
    if policy.logarithmic:
        return array("q", map(mul, range(size + 1), log_table(size, policy.bits)))
    return policy.costs(size)


def log_table(size: int, bits: int = LOG_BITS) -> array[int]:
    """Return int64[size + 1]: `one_step.integer_logs`, whose logarithms of primes are Python's."""
    logs = array("q", bytes(8 * (size + 1)))
    is_prime = bytearray([1]) * (size + 1)
    is_prime[:2] = bytes(min(2, size + 1))
    for p in range(2, math.isqrt(size) + 1):
        if is_prime[p]:
            is_prime[p * p :: p] = bytes(len(range(p * p, size + 1, p)))
    scale = 1 << bits
    p = is_prime.find(1)
    while p >= 0:
        logs[p] = round(math.log2(p) * scale)
        p = is_prime.find(1, p + 1)
    check(engine().complete_logs(size, address(logs, "q")))
    return logs
