"""Weights of secrets as arrays."""

from __future__ import annotations

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import secret_weights
from guessbook.builder.kernels.arrays import Integers


def weight_table(game: Game) -> Integers:
    """int64[secrets]: how much each secret counts; 1 where they have no weights."""
    weights = secret_weights(game)
    return np.ones(len(game.secrets), np.int64) if weights is None else np.array(weights, np.int64)
