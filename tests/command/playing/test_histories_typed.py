"""Histories as people type them on the command line: guesses, answers and the book, told apart."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.helpers.command import Run, complaint

if TYPE_CHECKING:
    from pathlib import Path

ENTRY = "RYGB=1,1"


@pytest.mark.parametrize(
    "words", [["RYGB", "1,1"], ["RYGB 1 1"], ["RYGB", "1", "1"], ["r y g b 1,1"], ["RYGB=1", "1"]]
)
def test_an_entry_is_read_as_solve_reads_it(run: Run, words: list[str]) -> None:
    """A guess and its answer may stand apart, in one argument or in several."""
    expected = run("hint", ENTRY, "RGOP=0,2", "--json")
    assert expected.code == 0
    assert run("hint", *words, "RGOP", "0,2", "--json") == expected
    assert run("hint", "mastermind-4x6", "RGOP=0,2", *words, "--json") == expected


def test_a_digit_a_peg_is_no_second_guess(run: Run) -> None:
    """Where an answer could be a code as well it belongs to the guess before it."""
    found, expected = (
        json.loads(run("hint", *words, "--json").out)["remaining"]
        for words in (["number-mastermind", "1234", "1122"], ["RYGB=2,2"])
    )
    assert found == expected


@pytest.mark.parametrize("text", ["RYGB=1,1 RGOP=0,2", "RYGB 1,1 RGOP 0,2", "RYGB 1,1\nRGOP=0,2"])
def test_a_history_in_one_argument(run: Run, text: str) -> None:
    """A text of several entries is read as these entries, by the command as by the library."""
    assert run("hint", text, "--json") == run("hint", "RYGB=1,1", "RGOP=0,2", "--json")
    assert gb.open().hint(text).guess == "PYYG"


@pytest.mark.parametrize("command", ["explain", "rate"])
def test_the_guess_that_is_asked_about(run: Run, command: str) -> None:
    """`explain` and `rate` take it after the history, or alone."""
    for history in ([], [ENTRY], ["RYGB", "1,1"], ["mastermind-4x6", "RYGB", "1", "1"]):
        result = run(command, *history, "YYYY")
        assert result.code == 0, result
        assert result.out.startswith("YYYY")
    said = complaint(run(command, "YYYY", ENTRY), 2)
    assert said == "Error: found the guess YYYY without its feedback, expected GUESS=FEEDBACK"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["hint", "RYGB"], "found the guess RYGB without its feedback, expected GUESS=FEEDBACK"),
        (["solve", "RYGB"], "found the guess RYGB without its feedback, expected GUESS=FEEDBACK"),
        (["candidates", "RYGB", "RGOP"], "found feedback 'RGOP', expected black and white pegs"),
        (["hint", "RYGB", "9,9"], "found feedback '9,9', expected at most 4 pegs"),
        (["hint", "RYGB", "2"], "found feedback '2', which may be 2,0 (black alone) or 0,2 (wh"),
        (["hint", "RYGB 2"], "found feedback '2', which may be 2,0 (black alone) or 0,2 (white"),
        (["hint", "r y g b 2"], "found feedback '2', which may be 2,0 (black alone) or 0,2 (wh"),
        (["hint", "RYGB=1,1 RGOP=9"], "found feedback '9'"),
        (["hint", ""], "found code '' of length 0"),
        (["hint", "RYGBB", "1,1"], "found code 'RYGBB' of length 5, expected 4 of 'RYGBOP'"),
        (["hint", "mastermind-4x6", "RYGBB"], "found code 'RYGBB' of length 5"),
        (["rate", "RYGB", "1,1"], "found no guess to rate, expected a guess without feedback"),
        (["rate", "YYYY", "--pair", "RYGB", "PYRO"], "found --pair RYGB PYRO and the guess YYYY"),
        (["explain", "YYYY", "--pairs"], "found --pairs and the guess YYYY"),
        (["hint", "masterminds", "RYGB", "1,1"], "found no book 'masterminds', nor GUESS=FEEDBACK"),
        (["rate", ENTRY, "XXXX"], "found 'X' in code 'XXXX', expected 4 of 'RYGBOP'"),
        (["hint", "a.book", ENTRY], "found no book 'a.book', nor GUESS=FEEDBACK"),
    ],
)
def test_what_is_wrong_is_named(run: Run, arguments: list[str], said: str) -> None:
    """The message is about the guess, the feedback or the book, whichever is wrong."""
    assert complaint(run(*arguments), 2).startswith(f"Error: {said}")


@pytest.mark.posix
def test_a_pipe_without_a_writer(run: Run, tmp_path: Path) -> None:
    """A named pipe that nobody writes to is an empty file, and holds up no command."""
    if sys.platform == "win32":
        raise NotImplementedError
    os.mkfifo(tmp_path / "pipe")
    assert complaint(run("hint", "pipe", ENTRY), 3) == "Error: pipe: not a book: the file is empty"


def test_what_looks_like_an_entry_may_be_a_guess(run: Run, tmp_path: Path) -> None:
    """Equations and labels of tables have equals signs and blanks of their own."""
    (tmp_path / "lamp.csv").write_text(
        "Q,bulb,wire\na = b?,no,yes\nbulb,found,no\nwire,yes,found\n"
    )
    assert run("build-book", "--table", "lamp.csv", "-o", "lamp.book").code == 0
    assert run("rate", "lamp.book", "a = b?").out.startswith("a = b?")
    both = [run("hint", "lamp.book", *words).out for words in (["bulb", "no"], ["bulb=no"])]
    assert both[0] == both[1] != ""
    (tmp_path / "signs.csv").write_text("Q,a,b\nx=1 y=2,1,2\nx,1,2\na,!,no\nb,no,!\n")
    assert run("build-book", "--table", "signs.csv", "-o", "signs.book").code == 0
    assert run("rate", "signs.book", "x=1 y=2").out.startswith("x=1 y=2")
    assert "found the guess 4*3=12 without" in run("hint", "nerdle-mini", "4*3=12").err
