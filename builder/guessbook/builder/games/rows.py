"""The scorer of table games. A guess is a row of the table, or only asks whether one given secret is the secret."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.games.sums import SumRanker, SumScorer
from guessbook.policy.one_step import OneStep

if TYPE_CHECKING:
    from guessbook.book.games.tables import TableGame

ranker = SumRanker.of


@lru_cache(maxsize=2, typed=True)
def scorer(game: TableGame, policy: OneStep) -> SumScorer:
    """Return the scorer for a table game and a one-step policy. `SumGame` explains `sums` and `parts`."""
    secrets = len(game.secrets)
    sums = np.asarray(game.cells).reshape(-1, secrets)
    if not len(sums):
        sums = np.zeros((1, secrets), np.uint8)
    # The game has an extra guess for each secret without a row in the table. These secrets are the last ones.
    added = np.arange(secrets - (len(game.guesses) - game.given), secrets)
    parts = np.concatenate([np.arange(game.given), -1 - added])[:, None]
    return SumScorer(game, policy, sums, parts)
