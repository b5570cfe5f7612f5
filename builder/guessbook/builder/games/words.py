"""Word games as arrays: their letters are the parts of their guesses."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from guessbook.book.games.words import WordGame
from guessbook.builder.kernels.arrays import Rule
from guessbook.builder.scorers.hard_mode import letter_table
from guessbook.builder.scorers.sum_ranking import SumRanker
from guessbook.builder.scorers.sums import SumScorer, homes_of
from guessbook.policy.code_sums import parts_of
from guessbook.policy.letters import PartSums, lane_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guessbook.policy.policy import Policy

__all__ = ["ranker", "samples", "scorer"]


@lru_cache(maxsize=2)
def scorer(game: WordGame, policy: Policy) -> SumScorer:
    """The scorer of a word game and a one-step policy."""
    numbers: dict[tuple[str, int], int] = {}
    split = [
        [numbers.setdefault(part, len(numbers)) for part in parts_of(guess)]
        for guess in game.guesses
    ]
    width = max(map(len, split))
    parts = np.array([row + [len(numbers)] * (width - len(row)) for row in split])
    lane = lane_bytes(game.length)
    of = PartSums(game, game.secrets)
    sums = np.zeros((len(numbers) + 1, len(game.secrets)), f"u{lane}")
    for part, number in numbers.items():
        data = of.of(part).to_bytes(len(game.secrets) * lane, "little")
        sums[number] = np.frombuffer(data, f"<u{lane}")
    rule = Rule(
        np.array(policy.weights(len(game.secrets)), np.int64), policy.additive, policy.credit
    )
    return SumScorer(game, rule, sums, parts, homes_of(game))


def ranker(game: WordGame, policy: Policy) -> SumRanker:
    """The ranker of a word game and a one-step policy, which may be limited."""
    plain = policy._replace(consistent_only=False, hard_mode=False)
    letters = letter_table(game) if policy.hard_mode else None
    return SumRanker(scorer(game, plain), policy.consistent_only, letters)


def samples(game: WordGame) -> Iterator[WordGame]:
    """A small game which needs the kernel of this one: any words of this length will do."""
    yield WordGame(game.secrets[:9])
