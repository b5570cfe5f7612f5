"""Tables at a prompt: what people mistype, and guesses that only name a secret."""

from __future__ import annotations

import builtins
import json
from typing import TYPE_CHECKING

import pytest

from guessbook.book import InvalidCodeError, InvalidFeedbackError, TableGame
from guessbook.book.errors import InvalidTableError
from guessbook.book.games.game import called
from guessbook.builder import build_strategy
from guessbook.export import export
from guessbook.lookup import Book, open_book
from guessbook.play import Session
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.solve import SolveAssistant
from tests.helpers.command import Run, complaint, runner

if TYPE_CHECKING:
    from pathlib import Path

PC = TableGame(
    ["boots?", "beeps?"],
    ["dead PSU", "loose RAM", "broken disk"],
    [["no", "yes", "yes"], ["silent", "three times", "silent"]],
)


@pytest.fixture(scope="module")
def book() -> Book:
    """The book of a computer that does not start."""
    return open_book(build_strategy(PC))


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, book: Book
) -> Run:
    """Runs `guessbook` with some arguments, in a folder with the book."""
    book.save(tmp_path / "pc.book")
    return runner(monkeypatch, capsys, tmp_path)


def test_an_unknown_answer_lists_those_of_the_test(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of all answers of the game only those that this test may get, also at the prompt."""
    said = "ound feedback 'maybe', expected an answer to 'boots?': 'yes', 'no'"
    assert complaint(run("hint", "pc.book", "boots?=maybe"), 2).endswith(said)
    session = Session(PC)
    for attempt in (session.add_guess, lambda guess, answer: Session(PC, [(guess, answer)])):
        with pytest.raises(InvalidFeedbackError, match=r"an answer to 'boots\?': 'yes', 'no'$"):
            attempt("BOOTS?", "maybe")
    lines = iter(["maybe", "boots?=maybe", "boots? maybe", "quit"])
    monkeypatch.setattr(builtins, "input", lambda _: next(lines))
    SolveAssistant(session, Screen(), "boots?").play()
    assert " ".join(capsys.readouterr().out.split()).count(said) == 3


def test_a_guess_that_names_a_secret_is_answered_yes_or_no(run: Run, book: Book) -> None:
    """Another answer of the game is refused as one that it never gets, wherever it is typed."""
    said = "expected an answer to 'name: dead PSU': 'no', 'found'"
    for line in ("name: dead PSU=yes", "dead psu=yes"):
        assert said in complaint(run("hint", "pc.book", line), 2)
        assert said in run("solve", "pc.book", lines=f"{line}\nquit\n").out
    with pytest.raises(InvalidFeedbackError, match="an answer to 'name: "):
        Session(book, "boots?=no").add_guess(None, "yes")


def test_it_looks_different_from_a_test_everywhere(run: Run, tmp_path: Path) -> None:
    """What a book opens with, errors, moves and the printed sheet have `name: ` before it."""
    (tmp_path / "x.csv").write_text("test,a,b,c\nq,1,1,2\nr,1,2,2\n")
    built = run("build-book", "--table", "x.csv", "--first-guess", "c", "-o", "x.book").out
    assert "first guess  name: c\n" in built
    assert "first guess  name: c\n" in run("info", "x.book").out
    assert json.loads(run("info", "x.book", "--json").out)["first_guess"] == "c"
    assert "re-check name: c=no, q=2: " in complaint(run("hint", "x.book", "c=no", "q=2"), 4)
    assert "after name: c=found" in complaint(run("review", "x.book", "c=found", "q=2"), 2)
    assert '"name: c=no"' in run("review", "x.book", "q=1", "a=found").out
    assert "row 1, name: c=no" in complaint(run("review", "x.book", "c=no", "--secret", "c"), 2)
    out = run("solve", "x.book", lines="c=no\nedit 1 name: b=no\naside 1\nno a\nundo\n").out
    for part in ("is now name: b=no", "Row 1, name: b=no, is set", "name: a is", "back name: b=no"):
        assert part in out
    sheet = export(open_book(tmp_path / "x.book"), "sheet")
    assert '<b class="label">name: c</b>' in sheet
    assert "  name: c " in run("compare", "x.book").out


def test_a_mistyped_test_is_named(run: Run) -> None:
    """The guess that is spelled nearly so is suggested."""
    assert complaint(run("hint", "pc.book", "boot=yes"), 2).endswith("; did you mean boots??")
    with pytest.raises(InvalidCodeError, match="did you mean"):
        Session(PC).rate("beep")
    with pytest.raises(InvalidCodeError, match=r"such as 'boots[?]'$"):
        Session(PC).rate("x" * 1000)


def test_a_question_mark_is_no_answer() -> None:
    """It would count as an answer that only this secret gives, and rule it out wrongly."""
    with pytest.raises(InvalidTableError, match=r"secret 'b': found '[?]', .* several secrets"):
        TableGame(["boots?"], ["a", "b"], [["yes", "?"]])


def test_a_guess_that_only_names_a_secret_looks_so(run: Run, book: Book) -> None:
    """Everywhere that people read it; it may be typed so, and data has the label alone."""
    assert called(PC, "dead PSU") == "name: dead PSU"
    assert called(PC, "boots?") == "boots?"
    assert PC.parse_code("name: Dead PSU") == PC.parse_code("dead PSU")
    entry = "boots?=no"
    assert run("hint", "pc.book", entry).out.startswith("guess       name: dead PSU, certain")
    assert '"guess": "dead PSU"' in run("hint", "pc.book", entry, "--json").out
    out = run("solve", "pc.book", lines=f"{entry}\nname: dead PSU=found\n").out
    assert "Guess 2:  name: dead PSU\nname: dead PSU: certain" in out
    assert "  2  name: dead PSU  found" in out
    for command in (
        ["explain", "pc.book", entry],
        ["rate", "pc.book", entry, "dead PSU"],
        ["review", "pc.book", entry, "name: dead PSU=found"],
        ["tree", "pc.book"],
        ["run", "pc.book", "--secret", "dead PSU"],
    ):
        assert "name: dead PSU" in run(*command).out, command
    assert "Hint: name: " in run("play", "pc.book", lines="boots?\nbeeps?\n?\n").out
    for form in ("svg", "dot"):
        assert "name: dead PSU" in export(book, form), form
