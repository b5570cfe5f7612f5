"""Any game as arrays: the table of the feedbacks of every guess to every secret."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from guessbook.book.games.words import WordGame
from guessbook.builder.kernels.arrays import Rule
from guessbook.builder.scorers.sum_ranking import SumRanker
from guessbook.builder.scorers.sums import SumScorer, homes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guessbook.book.games.game import Game
    from guessbook.policy.policy import Policy

__all__ = ["lane_bytes", "ranker", "samples", "scorer"]


def lane_bytes(game: Game) -> int:
    """The bytes of a feedback number in the table: 1, 2 or 4."""
    return 1 if game.feedbacks <= 1 << 8 else 2 if game.feedbacks <= 1 << 16 else 4


@lru_cache(maxsize=2)
def scorer(game: Game, policy: Policy) -> SumScorer:
    """The scorer of a game and a one-step policy: each guess is its own only part."""
    secrets = game.secrets
    sums = np.empty((len(game.guesses), len(secrets)), f"u{lane_bytes(game)}")
    for row, guess in zip(sums, game.guesses, strict=True):
        row[:] = [game.feedback(guess, secret) for secret in secrets]
    weights = np.array(policy.weights(len(secrets)), np.int64)
    rule = Rule(weights, policy.additive, policy.credit)
    return SumScorer(game, rule, sums, np.arange(len(sums))[:, None], homes_of(game))


def ranker(game: Game, policy: Policy) -> SumRanker:
    """The ranker of a game and a one-step policy, which may be limited to candidates."""
    plain = policy._replace(consistent_only=False)
    return SumRanker(scorer(game, plain), policy.consistent_only)


def samples(game: Game) -> Iterator[Game]:
    """A small game which needs the kernel of this one: words of as many bytes a feedback."""
    length = {1: 1, 2: 6, 4: 11}[lane_bytes(game)]
    yield WordGame([letter * length for letter in "abcd"])
