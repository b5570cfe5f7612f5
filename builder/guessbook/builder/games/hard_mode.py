"""Wordle's hard mode as arrays: the guesses that use all shown letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from guessbook.book.games.game import Game, History
from guessbook.builder.arrays import Integers, Integers2D
from guessbook.policy.reference import keeps_hints

if TYPE_CHECKING:
    from guessbook.book.games.words import WordGame


def letter_table(game: WordGame) -> Integers2D:
    """Return the letters of every guess as code points: uint32[guesses, length]."""
    return np.array(list(game.guesses), f"U{game.length}").view(np.uint32).reshape(-1, game.length)


def hard_words(game: WordGame, letters: Integers2D, history: History) -> Integers:
    """Return which guesses Wordle's hard mode allows after a history: bool[guesses].

    A letter that was in its place has to stay there, and a guess needs each letter at least as
    often as an answer showed it, in its place or elsewhere. Letters that an answer ruled out may be
    guessed again. The game must have standard feedback; `letters` is its `letter_table`.
    """
    allowed = np.ones(len(letters), bool)
    for guess, feedback in history:
        word, marks = letters[guess], game.format_feedback(feedback)
        for place in range(game.length):
            if marks[place] == "2":
                allowed &= letters[:, place] == word[place]
        shown = [letter for letter, mark in zip(word.tolist(), marks, strict=True) if mark != "0"]
        for letter in set(shown):
            allowed &= (letters == letter).sum(axis=1) >= shown.count(letter)
    return allowed


def hard_guesses(game: Game, history: History) -> Integers:
    """Return the guesses that hard mode allows in any game, by the plain definition."""
    return np.array([keeps_hints(game, guess, history) for guess in game.guesses])
