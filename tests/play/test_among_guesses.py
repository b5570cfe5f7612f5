"""Games in progress beyond the lists of the book: other guesses, and other secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from guessbook.book import InvalidCodeError, WordGame
from guessbook.book.errors import UsageError
from guessbook.play import Session
from guessbook.play.boards import Boards
from guessbook.play.run import secret_of
from guessbook.play.terminal.questions import parse_answers
from tests.helpers.command import complaint
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

SECRETS = ["light", "eight", "night", "tiger", "geese", "sleet", "their", "other", "elite", "hinge"]
GAME = WordGame(SECRETS, [*SECRETS, "sight", "wight", "fight", "eerie", "teeth"])


def said(guess: str, secret: str) -> str:
    """The feedback of a secret to any word."""
    return str(GAME.feedback(guess, secret))


def test_a_session_goes_on_among_all_guesses() -> None:
    """Everything that can be asked is about the guesses that fit, once no secret does."""
    session = Session(GAME, [("tiger", said("tiger", "wight"))])
    assert not session.among_guesses
    session.add_guess("light", said("light", "wight"))
    session.add_guess("night", said("night", "wight"))
    assert session.among_guesses
    assert session.candidates() == ["sight", "wight", "fight"]
    assert (session.remaining, session.hint().source) == (3, "guesses")
    why = session.explain()
    assert why.among_guesses
    assert (why.remaining, sum(cell.size for cell in why.partition)) == (3, 3)
    assert session.rate("sight").remaining == 3
    assert session.split("sight").cells == 2
    session.add_guess("sight", said("sight", "wight"))
    session.add_guess("wight", "22222")
    assert session.solved
    review = session.review()
    # Two secrets, one, and then three of all guesses.
    assert [turn.left for turn in review.turns] == [2, 1, 3, 2, 1]
    assert [turn.remaining for turn in review.turns] == [10, 2, 4, 3, 2]
    assert (review.secret, review.line[-1]) == ("wight", ("wight", "22222"))
    session.undo()
    session.undo()
    session.undo()
    session.undo()
    assert not session.among_guesses


def test_a_session_notes_guesses_that_the_list_lacks() -> None:
    """They may be noted and corrected."""
    session = Session(GAME, ["qqqqq=00000"])
    assert session.remaining == len(SECRETS)
    session.edit(0, "xxxxe", said("light", "other"))
    assert session.rows[0].guess == "xxxxe"
    session.add_guess("O O Z E S", said("oozes", "other"))
    assert [row.guess for row in session.rows] == ["xxxxe", "oozes"]
    assert session.game is GAME
    assert "⬛" in session.share()


@pytest.mark.parametrize("history", [(), ["qqqqq=00000"], [f"tiger={said('tiger', 'other')}"]])
def test_a_guess_that_the_list_lacks_is_explained_and_rated(history: list[str]) -> None:
    """Its numbers are those of its partition; what it is compared with is of the list."""
    session = Session(GAME, history)
    cells: dict[str, list[str]] = {}
    for secret in session.candidates():
        cells.setdefault(said("oozes", secret), []).append(secret)
    why = session.explain("O O Z E S", count=100)
    assert {cell.feedback: cell.size for cell in why.partition} == {
        feedback: len(cell) for feedback, cell in cells.items()
    }
    assert {a.guess for a in why.alternatives} == set(GAME.guesses)
    rated = session.rate("oozes")
    assert (why.guess, why.candidate, rated.guess, rated.chance) == ("oozes", False, "oozes", 0)
    assert (rated.cells, rated.entropy) == (len(cells), why.entropy)
    assert rated.best in GAME.guesses
    assert session.split("oozes").cells == session.rate_pair("oozes", "oozes").cells == len(cells)
    for ask in (session.rate, session.explain, session.split):
        for other in ("ooze", "oozé!"):
            with pytest.raises(InvalidCodeError):
                ask(other)


def test_commands_explain_and_rate_a_guess_that_the_list_lacks(run: Run, tmp_path: Path) -> None:
    """`rate` and `explain` take the words, and the equations, that a history may hold."""
    words, sums = tmp_path / "words.book", tmp_path / "sums.book"
    plain_book(GAME).save(words)
    plain_book(WordGame(["1+9=10", "12-3=9", "2+8=10", "15/5=3"])).save(sums)
    history = f"tiger={said('tiger', 'other')}"
    for arguments in (
        ["rate", words, history, "oozes"],
        ["explain", words, history, "oozes"],
        ["rate", words, history, "--pair", "oozes", "light"],
        ["rate", sums, "9+1=10"],
        ["explain", sums, "9+1=10"],
    ):
        code, out, err = run(*arguments)
        assert (code, err) == (0, ""), err
        assert "oozes" in out or "9+1=10" in out
    assert "found no guess to rate" in complaint(run("rate", words, history), 2)


def test_boards_take_any_guess_and_any_secret() -> None:
    """A board on which no secret fits goes on among all guesses; the others as before."""
    boards = Boards(Session(GAME), 2)
    secrets = ["wight", "other"]
    for guess in ("zzzzz", "tiger", "light", "night"):
        boards.add_guess(guess, [said(guess, secret) for secret in secrets])
    assert boards.sessions[0].among_guesses
    assert not boards.sessions[1].among_guesses
    for _ in range(6):
        hint = boards.hint()
        if hint.solved:
            break
        boards.add_guess(hint.guess, [said(hint.guess, secret) for secret in secrets])
    assert [session.rows[-1].guess for session in boards.sessions] == secrets


def test_a_line_that_names_a_word_of_the_list_means_that() -> None:
    """Other letters are a guess only where nothing else is meant."""
    assert parse_answers(GAME, "zzzzz=00000") == ("zzzzz", ["00000"])
    assert parse_answers(GAME, "zzzzz 00000") == ("zzzzz", ["00000"])
    assert parse_answers(GAME, "z z z z z 00000") == ("zzzzz", ["00000"])
    assert parse_answers(GAME, "bybbg bbbby", boards=2) == (None, ["01002", "00001"])
    assert parse_answers(GAME, "light bbbby", boards=2) == ("light", ["00001"])


def test_a_secret_among_all_guesses_is_asked_for() -> None:
    """Nobody gets one by chance that the book does not promise to find."""
    session = Session(GAME)
    assert secret_of(session, "Wight", any_guess=True) == "wight"
    with pytest.raises(UsageError, match="only as a guess"):
        secret_of(session, "wight")
