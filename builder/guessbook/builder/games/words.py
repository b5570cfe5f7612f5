"""Word games as arrays: the parts of a guess are its letters in their places."""

from functools import lru_cache, partial
from typing import Any

import numpy as np

from guessbook.book.games.words import WordGame
from guessbook.builder.games.hard_mode import hard_words, letter_table
from guessbook.builder.games.sum_ranking import SumRanker
from guessbook.builder.games.sums import SumScorer
from guessbook.kernels.hints import word_table
from guessbook.policy.one_step import OneStep
from guessbook.policy.search.letters import Sums


@lru_cache(maxsize=2, typed=True)
def scorer(game: WordGame, policy: OneStep) -> SumScorer:
    """Return the scorer of a word game and a one-step policy."""
    table, flat = word_table(game, Sums(game, game.secrets))
    sums = np.frombuffer(table, f"u{table.itemsize}").reshape(-1, len(game.secrets))
    parts = np.frombuffer(flat, np.int32).reshape(len(game.guesses), -1)
    return SumScorer(game, policy, sums, parts)


def ranker(scorer: SumScorer, policy: OneStep) -> SumRanker:
    """Return the ranker of a word game and a one-step policy, which may be limited."""
    game: Any = scorer.game
    hard = policy.hard_mode and game.has_hard_mode
    allowed = partial(hard_words, game, letter_table(game)) if hard else None
    return SumRanker(scorer, policy.consistent_only, allowed)
