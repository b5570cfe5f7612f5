"""Array types of the builder, and functions that return costs, weights and codes of a game as numpy arrays."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.engine.partitions import CostFunction
from guessbook.policy.policy import LOG_BITS, OneStep

Integers = np.ndarray[tuple[int], np.dtype[Any]]
Integers2D = np.ndarray[tuple[int, int], np.dtype[Any]]

# A pair of arrays: the guess of each node (uint32), and the number of guesses scored to find it
# (int64).
Chosen = tuple[Integers, Integers]
# A pair of arrays: the score of each guess (int64), and 1 if the guess is a candidate, else 0
# (uint8).
Scored = tuple[Integers, Integers]


def cost_function(policy: OneStep, game: Game) -> CostFunction:
    """Return the cost function of a one-step policy in a game, with costs as a numpy array."""
    fitted, size = policy.of(game), total_weight(game)
    if fitted.logarithmic:
        costs = np.arange(size + 1) * log_table(size, fitted.bits)
    else:
        costs = np.frombuffer(fitted.costs(size), np.int64)
    return CostFunction(costs, fitted.additive, fitted.credit, fitted.logarithmic)


def log_table(size: int, bits: int = LOG_BITS) -> Integers:
    """Return the numbers of `policy.integer_logs`, but faster: log2 of 0 to `size` in units of 2**-bits (int64)."""
    every = np.arange(size + 1)
    factor = every.copy()
    for p in range(2, math.isqrt(size) + 1):
        if factor[p] == p:
            factor[p * p :: p] = p
    logs = np.zeros(size + 1, np.int64)
    primes = np.flatnonzero(factor == every)[2:]
    # `np.log2` may round differently from `math.log2`, which `integer_logs` uses.
    exact = np.fromiter(map(math.log2, primes.tolist()), np.float64, len(primes))
    logs[primes] = np.rint(exact * (1 << bits))
    for power in range(2, size.bit_length()):
        # Proper factors of the numbers in `some` are below 2**power: earlier rounds have computed
        # their logarithms.
        some = slice(1 << power, 2 << power)
        logs[some] = logs[factor[some]] + logs[every[some] // factor[some]]
    return logs


def weight_table(game: Game) -> Integers:
    """Return the weight of each secret as int64[secrets].

    All weights are 1 if the game has none.
    """
    weights = game.weights
    return np.ones(len(game.secrets), np.int64) if weights is None else np.array(weights, np.int64)


def homes_of(game: Game) -> Integers:
    """Return the index of each secret in `game.guesses`: uint32[secrets]."""
    if game.secrets is game.guesses:
        return np.arange(len(game.secrets), dtype=np.uint32)
    wanted = set(game.secrets)
    homes = [index for index, code in enumerate(game.guesses) if code in wanted]
    return np.array(homes, np.uint32)


def symbols_of(codes: Sequence[str], length: int) -> Integers2D:
    """Return the Unicode code points of codes, padded with 0 to `length`: uint32[codes, length]."""
    return np.array(list(codes), f"U{length}").view(np.uint32).reshape(-1, length)
