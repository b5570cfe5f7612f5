"""Wordle's hard mode as arrays: the words that use all that earlier answers showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from guessbook.book.games.game import Game, History
from guessbook.builder.arrays import Integers, Integers2D
from guessbook.policy.reference import keeps_hints

if TYPE_CHECKING:
    from guessbook.book.games.words import WordGame


def letter_table(game: WordGame) -> Integers2D:
    """The letters of every guess as code points: uint32[guesses, length]."""
    return np.array(list(game.guesses), f"U{game.length}").view(np.uint32).reshape(-1, game.length)


def hard_words(game: WordGame, letters: Integers2D, history: History) -> Integers:
    """Which guesses Wordle's hard mode allows after a history: bool[guesses].

    A letter that was in its place has to stay there, and a guess needs each letter at least as
    often as an answer showed it, in its place or elsewhere. What an answer ruled out may be
    guessed again.

    Args:
        game: the game, with standard feedback.
        letters: see `letter_table`.
        history: (guess index, feedback number) pairs.
    """
    allowed = np.ones(len(letters), bool)
    for guess, feedback in history:
        marks: list[int] = []
        for _ in range(game.length):
            feedback, mark = divmod(feedback, 3)
            marks.insert(0, mark)
        word = letters[guess]
        shown: dict[int, int] = {}
        for place, mark in enumerate(marks):
            letter = int(word[place])
            shown[letter] = shown.get(letter, 0) + (mark > 0)
            if mark == 2:
                allowed &= letters[:, place] == letter
        for letter, times in shown.items():
            if times:
                allowed &= (letters == letter).sum(axis=1) >= times
    return allowed


def hard_guesses(game: Game, history: History) -> Integers:
    """Return the guesses that hard mode allows in any game, by the plain definition."""
    return np.array([keeps_hints(game, guess, history) for guess in game.guesses])
