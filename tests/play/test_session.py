"""Sessions and boards in Python: whole games, rejected guesses, shared texts, and result values."""

from __future__ import annotations

from typing import Any

import pytest

import guessbook as gb
from tests.hints.definitions import (
    BULLS,
    LAMP,
    SMALL,
    WORD_GAME,
    answer,
)

HISTORY = "RYGB=1,1 RGOP=0,2"


@pytest.mark.parametrize("game", [SMALL, BULLS, WORD_GAME, LAMP], ids=lambda game: game.name)
@pytest.mark.parametrize("source", ["book", "game"])
def test_following_hints_finds_every_secret(source: str, game: gb.Game) -> None:
    book = gb.build(game)
    for secret in game.secrets:
        session = gb.Session(book if source == "book" else game)
        while not session.solved:
            session.add_guess(None, answer(game, session.hint().guess, secret))
            assert len(session.rows) <= book.stats.max_guesses
        assert session.rows[-1].guess == secret
        assert session.candidates() == [secret]


def test_guess_after_solution_is_rejected(book: gb.Book) -> None:
    session = gb.Session(book, "GYYO=4,0 RYGB=1,1")
    assert session.solved
    for call in (session.review, session.share, lambda: session.add_guess("RYGB", "1,1")):
        with pytest.raises(gb.UsageError):
            call()
    assert gb.Session(book, "RYGB=1,1 GYYO=4,0").review().solved


def test_repeated_guess_adds_a_row(book: gb.Book) -> None:
    given, typed = gb.Session(book, f"RYGB=1,1 {HISTORY}"), gb.Session(book)
    for row in given.rows:
        typed.add_guess(row.guess, row.feedback)
    assert given.rows == typed.rows
    assert given.hint() == typed.hint() == gb.Session(book, HISTORY).hint()
    assert [turn.skill for turn in given.review().turns] == [100, 0, 100]
    assert "3 guesses" in given.share()


def test_shared_text_shows_feedback_but_no_guesses(book: gb.Book) -> None:
    session = gb.Session(book, "RYGB=1,1 RGOP=4,0")
    title = "Guessbook mastermind-4x6 2 guesses"
    assert session.share().splitlines() == [title, "", "●○··", "●●●●"]
    assert session.share(ascii_only=True).splitlines() == [title, "", "BW..", "BBBB"]
    words = gb.Session(WORD_GAME, "light=02222")
    assert words.share().splitlines()[2:] == ["⬛🟩🟩🟩🟩"]
    assert words.share(ascii_only=True).endswith("02222")
    assert words.share().startswith("Wordle 1 guess, not solved\n")
    assert gb.Session(WORD_GAME, "eight=02222 light=22222").share().startswith("Wordle 2/6\n")
    assert gb.Session(WORD_GAME, "eight=02222 " * 6).share().startswith("Wordle X/6\n")
    assert gb.Session(LAMP, [("look", "loose")]).share().endswith("\nloose")


def test_results_are_immutable_with_short_reprs(book: gb.Book) -> None:
    session, tiny = gb.Session(book, HISTORY), gb.build("mastermind-1x1")
    means = "4.4151 guesses on average, 6 at most"
    title = "the board game of 1971, and Guess of Tatham's puzzles"
    shown = {
        f"<Preset mastermind: {title}, 1,296 secrets>": gb.presets()[0],
        f"<Stats of entropy: 1,296 secrets, 1,380 nodes, {means}>": book.stats,
        "<Rating YYYY: skill 44, 1.5281 bits, rank 1,168 of 1,206, best PYYG>": session.rate(
            "YYYY"
        ),
        "<PairRating YYYY RRRR: 2.7050 bits, 57 candidates in 8 cells>": session.rate_pair(
            "YYYY", "RRRR"
        ),
        "<Review of 2 guesses: skill 100, luck 22, 57 candidates left>": session.review(),
        "<Review of 1 guess: skill 100, luck 50, solved>": gb.Session(tiny, "R=1,0").review(),
        "<ReviewedTurn RYGB=1,1: skill 100, luck 34, 252 left>": session.review().turns[0],
        "<Verification passed: secrets, candidates, statistics>": tiny.verify(),
        "<Explanation R: 0.0000 bits, 1 candidate in 1 cell>": tiny.explain(),
        "<Explanation PYYG: 3.4511 bits, 57 candidates in 14 cells>": session.explain(),
        "<Simulation of 1 game: 1.0000 guesses on average, 1 at most>": tiny.simulate(),
        "Row(guess='RYGB', feedback='1,1', aside=False)": session.rows[0],
    }
    assert {repr(value): value for value in shown.values()} == shown
    assert repr(tiny) == "<Book mastermind-1x1 entropy: 1 secret, 1 node>"
    assert repr(tiny.root) == "<Node 0: R, 1 candidate>"

    def parts(value: Any) -> list[Any]:
        inner = [part for item in value for part in parts(item)] if isinstance(value, tuple) else []
        return [value, *inner]

    more = [session.hint(), session.split("YYYY"), gb.Boards(book, 2).hint()]
    for result in [*shown.values(), *more]:
        for value in parts(result):
            assert not isinstance(value, (dict, list, set, bytearray)), result
        with pytest.raises(AttributeError):
            result.nonsense = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        session.rows = ()  # type: ignore[misc]


def test_notebook_shows_sessions_and_boards_as_tables(book: gb.Book) -> None:
    session = gb.Session(book, HISTORY)
    session.set_aside(1)
    assert repr(session) == "<Session mastermind-4x6: RYGB=1,1 RGOP=0,2 (set aside)>"
    assert "<td>●○··</td><td>1,1</td>" in session._repr_html_()
    assert "<s>0,2</s>" in session._repr_html_()
    nothing = "<table><caption>mastermind-4x6: no guesses so far</caption></table>"
    board = gb.Board()
    assert board._repr_html_() == session.new_game()._repr_html_() == nothing
    assert repr(board) == "<Board mastermind-4x6: no guesses so far>"
    board.add_guess("RYGB", "1,1")
    assert repr(board) == "<Board mastermind-4x6: RYGB=1,1>"
    assert "<td>●○··</td><td>1,1</td>" in board._repr_html_()
    several = gb.Boards(session, 2)
    several.add_guess("RYGB", ["4,0", "1,1"])
    assert repr(several) == "<Boards mastermind-4x6: 2 boards, 1 open, 1 guess>"
    assert several._repr_html_().count("<td>1,1</td></tr></table>") == 1
    assert several._repr_html_().count("<table>") == 2
    assert "<td>4.4151 guesses</td>" in book._repr_html_()
    assert str(book.export("svg", depth=2)._repr_svg_()).startswith("<svg")


def test_board_suggests_guesses_and_rejects_bad_input() -> None:
    board = gb.Board()
    for code, feedback, text in (
        ("RYGB", (1, 1, 2), "252 candidates. Guess RGOP: 3.1738 bits, 0.40% to be the secret."),
        ("RGOP", (0, 2, 2), "57 candidates. Guess PYYG: 3.4511 bits, 1.75% to be the secret."),
        ("PYYG", (2, 1, 1), "3 candidates. Guess GYYO: 1.5850 bits, 33.33% to be the secret."),
        ("GYYO", (1, 1, 2), "The secret is PYRY."),
    ):
        board.add_guess(tuple(code), feedback)
        assert str(board.best_next_guess()) == text
    history = list(board.history)
    with pytest.raises(gb.InvalidCodeError):
        board.add_guess("RYGX", (1, 1, 2))
    with pytest.raises(gb.InvalidFeedbackError):
        board.add_guess("RYGB", (3, 1, 0))
    assert board.history == history
    board.add_guess("RRRR", "3,0")
    with pytest.raises(gb.InconsistentFeedbackError) as caught:
        board.best_next_guess()
    assert caught.value.suspects == (4,)
    board.undo()
    board.add_guess("PYRY", (4, 0, 0))
    assert str(board.best_next_guess()) == "PYRY is the secret: solved."


@pytest.mark.parametrize(
    "rules", [(3, 5, True, "abcde"), (3, 5, False, None), (4, 6, True, "abcdef")]
)
def test_board_solves_any_code_game(rules: tuple[int, int, bool, str | None]) -> None:
    board = gb.Board(*rules)
    secret = board.game.secrets[-7]
    while not (best := board.best_next_guess()).solved:
        board.add_guess(best.guess, answer(board.game, best.guess, secret))
        assert len(board.history) < 9
    assert best.guess == secret
