"""Books whose tree is not that of their game: whatever is asked of them ends, and is told why."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from guessbook.book import (
    GuessbookError,
    InconsistentFeedbackError,
    InvalidBookError,
    Mastermind,
    NotInBookError,
    WrongTreeError,
)
from guessbook.command.app import COMMANDS
from guessbook.lookup import Book
from guessbook.play import Session
from guessbook.play.boards import Boards
from guessbook.play.run import simulate, turns
from tests.helpers.command import Run, complaint
from tests.helpers.plain import plain_book
from tests.helpers.samples import every_nth
from tests.lies.play import ask, commands, counted, of_commands, questions, wrong_book
from tests.lies.wrong_trees import with_guess

# The last guess of the book of 2 pegs and 2 colours, for YR, is another one: it is made already,
# or leads nowhere.
LAST = 3


@pytest.fixture(params=["RY", "YY"])
def wrong(request: pytest.FixtureRequest) -> Book:
    """A book in which one byte is another."""
    true = plain_book(Mastermind(2, 2))
    assert next(node for node in true.nodes if node.index == LAST).guess == "YR"
    return with_guess(true, LAST, request.param)


def test_one_wrong_guess_is_said(wrong: Book) -> None:
    """A game that comes by it ends with an error that is both "not in book" and "no book"."""
    assert turns(Session(wrong), "RY")[-1].guess == "RY"
    for play in (
        lambda: simulate(wrong, wrong.game.secrets),
        lambda: turns(Session(wrong), "YR"),
        lambda: Session(wrong, ["YR=2,0"]).review(),
        lambda: Session(wrong, ["RR=1,0", "YY=1,0"]).review("YR"),
    ):
        with counted(), pytest.raises(WrongTreeError, match="run `verify`") as caught:
            play()
        assert isinstance(caught.value, NotInBookError)
        assert isinstance(caught.value, InvalidBookError)


def test_commands_say_it_in_a_line(run: Run, wrong: Book) -> None:
    """The commands that play a wrong book end with exit code 3, and `verify` names the fault."""
    wrong.save("wrong.book")
    for arguments in (
        ["simulate", "wrong.book"],
        ["run", "wrong.book", "--secret", "YR"],
        ["review", "RR=1,0", "RY=0,2", "--secret", "YR", "--book", "wrong.book"],
    ):
        with counted():
            assert "found no guess in this book" in complaint(run(*arguments), 3)
    for command in (["play", "wrong.book", "--secret", "YR"], ["hide", "wrong.book"]):
        with counted():
            code, out, err = run(*command, lines="RR\nRY\nYY\nYR\nRR\n")
        assert (code, err.count("\n")) == (3, 1)
        assert "Solved in" in out
    assert "YR is not: no guess after" in run("verify", "wrong.book")[1]


def test_answers_that_no_secret_gives_are_no_fault_of_the_book(wrong: Book) -> None:
    """A true book has nothing for them either: what to re-check is said as ever."""
    for book in (wrong, plain_book(wrong.game)):
        with pytest.raises(InconsistentFeedbackError) as caught:
            book.hint(["RR=0,0", "YY=1,0"])
        assert caught.value.suspects == (0, 1)


def test_a_feedback_that_only_the_tree_gives_contradicts_the_others() -> None:
    """A wrong book has a guess for it; whoever counts the candidates says that there are none."""
    book = with_guess(plain_book(Mastermind(3, 4)), 0, "RRR")
    assert book.hint(["RRR=0,1"]).remaining == 9
    for ask_session in (Session.explain, Session.review, Session.best_pairs):
        session = Session(book, ["RRR=0,1"])
        session.hint()
        with pytest.raises(InconsistentFeedbackError) as caught:
            ask_session(session)
        assert caught.value.suspects == (0,)
        assert session.remaining == 0
    boards = Boards(Session(book), 2)
    boards.add_guess("RRR", ["0,1", "1,0"])
    with pytest.raises(InconsistentFeedbackError):
        boards.hint()
    assert boards.contradicted() == [0]


@pytest.mark.parametrize("case", range(25))
def test_every_question_is_answered_or_refused(case: int) -> None:
    """Sessions, boards, the adversary, exports: an answer or a GuessbookError, in few steps."""
    outcomes, steps = ask(questions(wrong_book(case), Random(case)))
    assert outcomes["answered"] > 10
    assert steps < 1000


@pytest.mark.parametrize("case", every_nth(2, range(100, 104)))
def test_every_command_ends_with_an_exit_code(case: int, tmp_path: Path) -> None:
    """All commands that take a book, with somebody at the prompts: at most a line on stderr."""
    outcomes = of_commands(case, tmp_path)
    assert outcomes["exit 0"] > 10


def test_no_command_is_left_out() -> None:
    """What takes a book is asked; the others make books or lists, or wait for a browser."""
    book = wrong_book(0)
    asked = {arguments[0] for arguments, *_ in commands(book, Path("wrong.book"), Random(0))}
    assert set(COMMANDS) - asked == {"build-book", "presets", "table", "words", "import", "serve"}


def test_the_cases_are_worth_their_name() -> None:
    """Most wrong books do not find each of their secrets."""
    lost = 0
    for case in range(40):
        book = wrong_book(case)
        try:
            simulate(book, book.game.secrets)
        except GuessbookError:
            lost += 1
    assert lost > 20


@pytest.mark.slow
def test_a_thousand_wrong_books(root: Path) -> None:
    """Of 1,000 wrong books every question is answered or refused; of each twentieth, every command."""
    arguments = [sys.executable, "-m", "tests.lies.play", "--cases=1000", "--first=1000"]
    done = subprocess.run(arguments, cwd=root, capture_output=True, text=True)
    assert json.loads(done.stdout)["faults"] == [], done.stderr
