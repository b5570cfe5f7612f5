"""The scorer of word games: a feedback number is a sum over the letters of the guess, each with its positions."""

from functools import cached_property, lru_cache

import numpy as np

from guessbook.book.games.game import History
from guessbook.book.games.words import WordGame
from guessbook.builder.arrays import Integers, Integers2D, symbols_of
from guessbook.builder.games.sums import SumRanker, SumScorer
from guessbook.engine.hints import word_table
from guessbook.policy.one_step import OneStep
from guessbook.policy.search.letters import Sums

ranker = SumRanker.of


class WordScorer(SumScorer):
    """The scorer of a word game, with a fast implementation of Wordle's hard mode."""

    @cached_property
    def letters(self) -> Integers2D:
        """The letters of every guess as Unicode code points: uint32[guesses, length]."""
        return symbols_of(self.game.guesses, self.game.length)

    def hard_mode(self, history: History) -> Integers:
        """Return whether Wordle's hard mode allows each guess after a history of Wordle's feedbacks: bool[guesses]."""
        # An allowed guess keeps each letter that was in the right place. If a feedback marked a letter n times (in
        # the right or another place), an allowed guess has this letter at least n times.
        allowed = np.ones(len(self.letters), bool)
        for guess, feedback in history:
            word, marks = self.letters[guess].tolist(), self.game.format_feedback(feedback)
            answered = list(zip(word, marks, strict=True))
            for place, (letter, mark) in enumerate(answered):
                if mark == "2":
                    allowed &= self.letters[:, place] == letter
            shown = [letter for letter, mark in answered if mark != "0"]
            for letter in set(shown):
                allowed &= (self.letters == letter).sum(axis=1) >= shown.count(letter)
        return allowed


@lru_cache(maxsize=2, typed=True)
def scorer(game: WordGame, policy: OneStep) -> WordScorer:
    """Return the scorer for a word game and a one-step policy."""
    table, flat = word_table(game, Sums(game, game.secrets))
    sums = np.frombuffer(table, f"u{table.itemsize}").reshape(-1, len(game.secrets))
    parts = np.frombuffer(flat, np.int32).reshape(len(game.guesses), -1)
    return WordScorer(game, policy, sums, parts)
