"""Word games as arrays: their letters are the parts of their guesses."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from guessbook.book.games.words import WordGame
from guessbook.builder.games.hard_mode import hard_words, letter_table
from guessbook.builder.games.sum_ranking import SumRanker
from guessbook.builder.games.sums import SumScorer
from guessbook.policy.one_step import OneStep
from guessbook.policy.search.code_sums import parts_of
from guessbook.policy.search.letters import Sums
from guessbook.policy.search.search import lane_bytes


@lru_cache(maxsize=2, typed=True)
def scorer(game: WordGame, policy: OneStep) -> SumScorer:
    """The scorer of a word game and a one-step policy."""
    numbers: dict[tuple[str, int], int] = {}
    split = [
        [numbers.setdefault(part, len(numbers)) for part in parts_of(guess)]
        for guess in game.guesses
    ]
    width = max(map(len, split))
    parts = np.array([row + [len(numbers)] * (width - len(row)) for row in split])
    lane = lane_bytes(game)
    of = Sums(game, game.secrets)
    sums = np.zeros((len(numbers) + 1, len(game.secrets)), f"u{lane}")
    for part, number in numbers.items():
        data = of.of(part).to_bytes(len(game.secrets) * lane, "little")
        sums[number] = np.frombuffer(data, f"<u{lane}")
    return SumScorer(game, policy, sums, parts)


def ranker(game: WordGame, policy: OneStep) -> SumRanker:
    """The ranker of a word game and a one-step policy, which may be limited."""
    plain = policy._replace(consistent_only=False, hard_mode=False)
    hard = policy.hard_mode and game.has_hard_mode
    allowed = partial(hard_words, game, letter_table(game)) if hard else None
    return SumRanker(scorer(game, plain), policy.consistent_only, allowed)
