"""Whatever is typed is understood, or refused by the declared error, in a line."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import (
    Game,
    GuessbookError,
    InvalidCodeError,
    InvalidFeedbackError,
    Mastermind,
    TableGame,
    UsageError,
    WordGame,
    parse_history,
)
from guessbook.book.errors import quote
from guessbook.book.games.beyond import read_history
from guessbook.play import Session

# A message is one line for people, whatever it is about.
MAX_MESSAGE = 400

GAMES: list[Game] = [
    Mastermind(1, 1),
    Mastermind(4, 6),
    Mastermind(3, 10, repeats=False),
    Mastermind(15, 4),
    Mastermind(2, 5, symbols="αβγ🐄ß"),
    WordGame(["crane", "slate", "geese"]),
    WordGame(["ёж", "уж"], scoring="loose"),
]
games = st.sampled_from(GAMES)

# What people type by mistake: the signs of all notations in any order, or anything at all.
typed = st.text("RYGBrygb0123456789,= BWbw⬛🟨🟩\ufe0f\n-+.", max_size=12) | st.text(max_size=20)
numbers = st.integers(-3, 20) | st.integers() | st.booleans() | st.floats()
things = st.recursive(
    st.none() | numbers | typed | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.tuples(inner),
    max_leaves=6,
)


def assert_fits(error: GuessbookError) -> None:
    """An error's message is short and can be printed."""
    assert 0 < len(str(error)) <= MAX_MESSAGE


@given(game=games, feedback=things)
def test_any_feedback_is_read_or_refused(game: Game, feedback: object) -> None:
    """A feedback is a number that the game gives, and is written back, or the declared error."""
    try:
        number = game.parse_feedback(feedback)
    except InvalidFeedbackError as error:
        assert_fits(error)
    else:
        assert 0 <= number < game.feedbacks
        assert game.gives(number)
        assert game.parse_feedback(game.format_feedback(number)) == number


@given(game=games, code=things)
def test_any_code_is_read_or_refused(game: Game, code: Any) -> None:
    """A code is the index of a guess that is written back, or the declared error."""
    try:
        index = game.parse_code(code)
    except InvalidCodeError as error:
        assert_fits(error)
    else:
        assert game.parse_code(game.guesses[index]) == index


entry = typed | things | st.tuples(typed, typed) | st.builds("{}={}".format, typed, typed)


@given(game=games, history=st.lists(entry, max_size=4) | things | typed)
def test_any_history_is_read_or_refused(game: Game, history: object) -> None:
    """A history is pairs of numbers of the game, or an error of the command line's usage."""
    try:
        pairs = parse_history(game, history)
    except UsageError as error:
        assert_fits(error)
    else:
        assert len(set(pairs)) == len(pairs)
        for guess, feedback in pairs:
            assert 0 <= guess < len(game.guesses)
            assert game.gives(feedback)


class Unspeakable:
    """A value that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


UNSPEAKABLE = {
    "a number of 5,000 digits": 10**5000,
    "a pair with one": (10**5000, 0),
    "a long text": "R" * 10**6,
    "a long list": ["R"] * 10**5,
    "many bytes": b"x" * 10**6,
    "no representation": Unspeakable(),
}


@pytest.mark.parametrize("name", UNSPEAKABLE)
def test_what_cannot_be_shown_is_refused(name: str) -> None:
    """Values too large for a message, or without one, are the declared error of each parser."""
    value: Any = UNSPEAKABLE[name]
    assert len(quote(value)) <= 40
    for game in GAMES:
        with pytest.raises(InvalidFeedbackError) as caught:
            game.parse_feedback(value)
        assert_fits(caught.value)
        with pytest.raises(InvalidCodeError) as refused:
            game.parse_code(value)
        assert_fits(refused.value)
        with pytest.raises(UsageError) as unread:
            parse_history(game, [value])
        assert_fits(unread.value)


@pytest.mark.parametrize("text", ["=" * 3000, "R=" * 1500], ids=["signs", "codes"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_entry_longer_than_any_guess_and_feedback_is_refused_at_once(
    game: Game, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry of thousands of equals signs is refused before any part of it is read as a guess."""
    read: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(type(game), "parse_code", lambda _, code: read.append(code))
        with pytest.raises(InvalidCodeError, match="of 3,000 characters, expected GUESS=FEEDBACK"):
            parse_history(game, [text])
    assert not read
    for ask in (parse_history, read_history, Session):
        with pytest.raises(InvalidCodeError) as caught:
            ask(game, [text])
        assert_fits(caught.value)


def test_the_longest_labels_make_an_entry() -> None:
    """A guess and an answer of 100 characters each, typed in decomposed Unicode, are an entry."""
    guess, answer = "\u1f82" * 100, "\u1f83" * 100
    game = TableGame([guess], ["a", "b"], [[answer, "no"]])
    text = normalize("NFD", f"{guess}={answer}")
    assert len(text) == 801
    assert parse_history(game, [text]) == [(0, game.parse_feedback(answer))]


# Of another program, for a search within one regular expression ends only with it.
BLANKS = """
from guessbook.book import InvalidFeedbackError, Mastermind
try:
    Mastermind(4, 6).parse_feedback("1" + " " * 300_000 + "x")
except InvalidFeedbackError as error:
    print(error)
"""


def test_a_feedback_of_blanks_takes_no_long_search() -> None:
    """A feedback with 300,000 blanks is refused in one pass: a search of all ways takes hours."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", BLANKS],
        capture_output=True,
        check=True,
        env=environment,
        text=True,
        timeout=60,
    )
    assert done.stdout.startswith("found feedback '1  ")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_gives_what_its_codes_give(game: Game) -> None:
    """Every feedback between codes is one that the game says it gives; others are refused."""
    secrets = list(game.secrets[:200])
    guesses = list(game.guesses[:200])
    given = {game.feedback_number(guess, secret) for guess in guesses for secret in secrets}
    assert all(map(game.gives, given))
    for number in range(-2, min(game.feedbacks, 300) + 2):
        if not game.gives(number):
            assert number not in given
        else:
            assert game.parse_feedback(game.format_feedback(number)) == number
