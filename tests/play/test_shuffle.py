"""The shuffle: a policy seen through a symmetry, at the same strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import InconsistentFeedbackError, Mastermind, UsageError
from guessbook.play import Session
from guessbook.play.run import turns
from guessbook.play.shuffle import random_shuffle
from tests.helpers.plain import plain_book
from tests.helpers.samples import SMALL, WORD_GAME

if TYPE_CHECKING:
    from guessbook.lookup import Book


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000))
def test_a_shuffle_keeps_the_strength(random_seed: int) -> None:
    """Through any symmetry all secrets together take exactly as many guesses, all from the book."""
    book = plain_book(SMALL)
    shuffle = random_shuffle(SMALL, random_seed)
    played = [turns(Session(book, shuffle=shuffle), secret) for secret in SMALL.secrets]
    assert sum(map(len, played)) == book.stats.total_guesses
    assert {turn.source for game in played for turn in game} == {"book"}


@given(st.integers(0, 1000), st.data())
def test_a_shuffle_changes_no_feedback(random_seed: int, data: st.DataObject) -> None:
    """The images of two codes answer each other as the codes do, and come back."""
    game = Mastermind(4, 6)
    shuffle = random_shuffle(game, random_seed)
    a, b = (game.guesses[data.draw(st.integers(0, 1295))] for _ in range(2))
    assert game.feedback_number(shuffle.there(a), shuffle.there(b)) == game.feedback_number(a, b)
    assert shuffle.back(shuffle.there(a)) == a


def test_shuffles_vary_and_repeat() -> None:
    """A seed gives the same shuffle again, different seeds different openings; words have none."""
    game = Mastermind(4, 6)
    assert random_shuffle(game, 5) == random_shuffle(game, 5)
    assert len({random_shuffle(game, seed).there("RYGB") for seed in range(20)}) > 10
    with pytest.raises(UsageError, match="expected a game of codes, such as"):
        random_shuffle(WORD_GAME)


def test_a_shuffled_contradiction_names_what_was_typed(book: Book) -> None:
    """The message has the player's codes, not their images."""
    session = Session(book, "RRRR=1,0 YYYY=1,0 RRYY=0,0", shuffle=random_shuffle(book.game, 1))
    with pytest.raises(InconsistentFeedbackError, match="re-check RRYY=0,0"):
        session.hint()
