"""Array types of the builder; costs, weights and codes of a game as numpy arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.engine.costs import cost_table
from guessbook.engine.partitions import CostFunction
from guessbook.policy.policy import OneStep

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
    fitted = policy.of(game)
    costs = cost_table(fitted, total_weight(game))
    return CostFunction(costs, fitted.additive, fitted.credit, fitted.logarithmic)


def weight_table(game: Game) -> Integers:
    """Return the weight of each secret as int64[secrets]; all are 1 if the game has no weights."""
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
