"""The scorer of any kind of game, from a table of the feedbacks of every secret to every guess."""

from functools import lru_cache

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.games.sums import SumRanker, SumScorer
from guessbook.policy.one_step import OneStep
from guessbook.policy.search.search import lane_bytes, sums_of

ranker = SumRanker.of


@lru_cache(maxsize=2, typed=True)
def scorer(game: Game, policy: OneStep) -> SumScorer:
    """Return a scorer for any game. The scorer reads the feedbacks to a guess from a row of a table."""
    sums = np.empty((len(game.guesses), len(game.secrets)), f"u{lane_bytes(game)}")
    of = sums_of(game, game.secrets)
    for row, guess in zip(sums, game.guesses, strict=True):
        row[:] = of.answers(guess)
    return SumScorer(game, policy, sums, np.arange(len(sums))[:, None])
