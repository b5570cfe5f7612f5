"""Feedback as plain data: what a game gives is what people write, and is accepted everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidCodeError, Mastermind, TableGame, WordGame
from guessbook.book.games.game import plain
from guessbook.builder import build_strategy, fitting
from guessbook.lookup import find, get, hint, open_book
from guessbook.play.board import Board
from guessbook.play.boards import Boards
from guessbook.play.session import Session
from tests.helpers.samples import CODE_GAMES, SMALL, WORD_GAME

if TYPE_CHECKING:
    from guessbook.book import Game

TABLE = TableGame(
    ["shake it", "weigh it"],
    ["one", "two", "three"],
    [["Rattles", "silent", "silent"], [10, 10, "too light"]],
)
GAMES: list[Game] = [*CODE_GAMES, WORD_GAME, WordGame(WORD_GAME.secrets, scoring="loose"), TABLE]
PLAYED: list[Game] = [SMALL, Mastermind(2, 5, repeats=False), WORD_GAME, TABLE]


@given(st.sampled_from(GAMES), st.data())
def test_format_and_back(game: Game, data: st.DataObject) -> None:
    """A feedback that is read, written as text or as plain data and read again is the same one."""
    number = data.draw(st.integers(0, game.feedbacks - 1).filter(game.gives))
    assert game.parse_feedback(game.format_feedback(number)) == number
    assert game.parse_feedback(plain(game, number)) == number
    assert str(plain(game, number)) == game.format_feedback(number)


@given(st.sampled_from(GAMES), st.data())
def test_feedback_is_that_of_its_number(game: Game, data: st.DataObject) -> None:
    """`feedback` gives for codes as people write them what the number inside stands for."""
    guess = data.draw(st.integers(0, len(game.guesses) - 1).map(game.guesses.__getitem__))
    secret = data.draw(st.integers(0, len(game.secrets) - 1).map(game.secrets.__getitem__))
    found = game.feedback(f" {guess.upper()} " if game is not TABLE else guess, secret)
    assert game.parse_feedback(found) == game.feedback_number(guess, secret)


def test_what_it_is() -> None:
    """Codes give black and white pegs, words a pattern, tables an answer."""
    game = Mastermind(4, 6)
    found = game.feedback("r y g b", ("R", "G", "O", "Y"))
    assert (found, found.black, found.white, str(found)) == ((1, 2), 1, 2, "1,2")
    assert WORD_GAME.feedback("LIGHT", "eight") == "02222"
    assert WORD_GAME.feedback("lilts", "light") == "22010"  # not in the list
    assert WORD_GAME.feedback("light", "eerie") == "01000"  # never the secret by the list
    assert WORD_GAME.feedback("light", "fight") == "02222"
    assert TABLE.feedback("shake it", "one") == "Rattles"
    assert TABLE.feedback("Weigh It", "two") == "10"


@pytest.mark.parametrize(
    ("game", "guess", "secret", "message"),
    [
        (SMALL, "RYX", "RYG", "found 'X' in code 'RYX', expected 3 of 'RYGB'"),
        (SMALL, "RYG", "RYGB", "found code 'RYGB' of length 4, expected 3 of 'RYGB'"),
        (SMALL, 5, "RYG", "found code 5, expected 3 of 'RYGB'"),
        (WORD_GAME, "lights", "eight", "found 'lights', expected a word of 5 letters"),
        (WORD_GAME, "light", ["fight"] * 2, "found 'fightfight', expected a word of 5 letters"),
        (
            WORD_GAME,
            "li9ht",
            "light",
            "found '9' in the guess 'li9ht', but no word of this game has it",
        ),
        (TABLE, "drop it", "one", "found 'drop it', expected one of the 5 guesses of this game"),
        (TABLE, "one", "shake it", "found secret shake it, but this game allows it only as a"),
    ],
)
def test_no_codes(game: Game, guess: Any, secret: Any, message: str) -> None:
    """What is no code of the game is refused as everywhere."""
    with pytest.raises(InvalidCodeError) as caught:
        game.feedback(guess, secret)
    assert message in str(caught.value)


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_accepted_wherever_a_feedback_is(game: Game) -> None:
    """What `feedback` gives may be handed on as it is, and says the same as its text."""
    secret = game.secrets[2]
    book = open_book(build_strategy(game).to_bytes())
    guess = book.root.guess
    found = game.feedback(guess, secret)
    told, written = [(guess, found)], [f"{guess}={found}"]
    assert hint(book, told) == hint(book, written)
    assert find(book, told) == get(book, told) == find(book, written)
    assert book.root.child(found) == book.root.children[found] == book.root.child(str(found))
    assert list(fitting(game, told)) == list(fitting(game, written))
    session = Session(book, told)
    session.add_guess(session.hint().guess, game.feedback(session.hint().guess, secret))
    assert secret in session.candidates()
    session.edit(0, guess, found)
    assert session.rows[0] == (guess, str(found), False)
    boards = Boards(book, 2)
    boards.add_guess(guess, [game.feedback(guess, code) for code in (secret, game.secrets[0])])
    assert boards.sessions[0].history == [(guess, str(found))]


def test_a_board_takes_it() -> None:
    """The board of the first documents takes pegs as the game gives them."""
    board = Board()
    board.add_guess("RYGB", board.game.feedback("RYGB", "RGOY"))
    assert board.history == [("RYGB", "1,2")]


def test_a_number_is_no_feedback() -> None:
    """A cursor takes no numbers: in a table whose answers are numbers they would mean another."""
    numbers = TableGame(range(3), range(3), lambda guess, secret: abs(guess - secret))
    book = build_strategy(numbers)
    guess = book.root.guess
    answers = [answer for answer in numbers.answers if book.root.child(answer)]
    assert answers == list(book.root.children)
    for answer in answers:
        assert book.root.child(int(answer)) == book.root.child(answer)
        assert numbers.feedback(guess, book.root.child(answer).guess) == answer  # type: ignore[union-attr]
