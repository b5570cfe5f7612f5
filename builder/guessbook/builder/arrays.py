"""The types of arrays that the builder passes around, and the tables of a game as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import secret_weights
from guessbook.kernels.costs import Rule

Integers = np.ndarray[tuple[int], np.dtype[Any]]
Integers2D = np.ndarray[tuple[int, int], np.dtype[Any]]
Bytes2D = np.ndarray[tuple[int, int], np.dtype[np.uint8]]

# The guess of each node (uint32), and how many guesses were scored to find it (int64).
Chosen = tuple[Integers, Integers]
# The score of each guess (int64), and whether it may be right (uint8).
Scored = tuple[Integers, Integers]


def costs_of(rule: Rule) -> Integers:
    """Return the costs of a policy as an array: int64."""
    return np.frombuffer(rule.costs, np.int64)


def weight_table(game: Game) -> Integers:
    """Return how much each secret counts: int64[secrets]; 1 where secrets have no weights."""
    weights = secret_weights(game)
    return np.ones(len(game.secrets), np.int64) if weights is None else np.array(weights, np.int64)
