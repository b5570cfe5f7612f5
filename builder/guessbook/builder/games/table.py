"""Any game as arrays: a table of the feedbacks of every secret to every guess."""

from functools import lru_cache, partial

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.games.hard_mode import hard_guesses
from guessbook.builder.games.sum_ranking import SumRanker
from guessbook.builder.games.sums import SumScorer
from guessbook.policy.one_step import OneStep
from guessbook.policy.search.search import lane_bytes, sums_of


@lru_cache(maxsize=2, typed=True)
def scorer(game: Game, policy: OneStep) -> SumScorer:
    """Return the scorer of any game and a one-step policy; a guess has one part, itself."""
    secrets = game.secrets
    sums = np.empty((len(game.guesses), len(secrets)), f"u{lane_bytes(game)}")
    of = sums_of(game, secrets)
    for row, guess in zip(sums, game.guesses, strict=True):
        row[:] = of.answers(guess)
    return SumScorer(game, policy, sums, np.arange(len(sums))[:, None])


def ranker(scorer: SumScorer, policy: OneStep) -> SumRanker:
    """Return the ranker of a game and a one-step policy, which may be limited."""
    game = scorer.game
    hard = policy.hard_mode and game.has_hard_mode
    allowed = partial(hard_guesses, game) if hard else None
    return SumRanker(scorer, policy.consistent_only, allowed)
