"""The command `solve` on one board: what it proposes, takes and corrects, without a terminal."""

from __future__ import annotations

import builtins
import io
import re
import sys
from typing import TYPE_CHECKING

import pytest

from guessbook.book import WordGame
from guessbook.play.terminal.prompt import ask
from tests.helpers.plain import plain_book
from tests.helpers.samples import WORDS

if TYPE_CHECKING:
    from pathlib import Path

from tests.helpers.command import Run


def test_solve_to_the_end(run: Run) -> None:
    """The assistant takes feedbacks, other guesses, and says when a code is certain and found."""
    code, out, _ = run("solve", lines="1,1\nRGOP=0,2\n2,1\n2,0\n0,4\n")
    assert code == 0
    assert "252 possible" in out
    assert "57 possible" in out
    code, out, _ = run("solve", lines="RRYY=0,4\n4,0\n")
    assert "certain, the only secret that fits" in out
    assert "YYRR is the secret. Solved in 2 guesses." in out


def test_solve_takes_the_last_answer_back(run: Run) -> None:
    """A solving feedback that was mistyped can be undone; Enter, quit and Ctrl-D end the game."""
    typed = "RRYY=0,4\n4,0\nundo\n3,0\nundo\n4,0\n"
    for end in ("\n", "quit\n", ""):
        code, out, _ = run("solve", lines=typed + "1,1\n" + end)
        assert code == 0
        assert out.count("YYRR is the secret. Solved in 2 guesses.") >= 2
        assert "after the game was solved; take the last guess back first" in out
        assert "Took back YYRR=4,0." in out
    typed = "RRYY=4,0\n4,0\nundo\n1,0\nquit\n"
    code, out, _ = run("solve", "--boards", "2", lines=typed)
    assert "All 2 boards are solved." in out
    assert out.count("board 1 (1,296 possible)> ") == 2


def test_solve_shuffled(run: Run) -> None:
    """`solve --shuffle` opens with an image of the book's guess, drawn again by its seed."""
    seeded = ("solve", "--shuffle", "--random-seed")
    openings = set()
    for seed in range(8):
        code, out, _ = run(*seeded, seed, lines="1,1\nquit\n")
        assert code == 0
        opening = re.search(r"^(\w{4}): 3.06 bits", out, re.MULTILINE)
        assert opening, "an image tells what the book's guess tells"
        assert ": 3.17 bits expected, 252 possible." in out
        openings.add(opening[1])
        assert run(*seeded, seed, lines="1,1\nquit\n")[1] == out
    assert len(openings) > 4
    assert run("solve", "--random-seed", "3")[0] == 2


def test_solve_a_book_with_an_equals_sign(run: Run, tmp_path: Path) -> None:
    """A file is a book whatever its name; without one a `=` makes a history."""
    plain_book(WordGame(WORDS)).save(tmp_path / "a=b.book")
    assert "words-5x10" in run("solve", "./a=b.book", lines="quit\n")[1]
    assert "252 possible" in run("solve", "RYGB=1,1", lines="quit\n")[1]


def test_solve_corrects_a_wrong_answer(run: Run) -> None:
    """A contradiction shows which rows to re-check; each of the three ways out works."""
    wrong = "RRRR=1,0\nYYYY=1,0\nRRYY=0,0\n"
    for way in ("edit 3 1,1", "edit 3 RRYG=1,1", "aside 3", "undo"):
        code, out, _ = run("solve", lines=f"{wrong}?\n{way}\n")
        assert code == 0
        assert "  3  R R Y Y  ····  0,0   <-- re-check" in out
        assert "Type `edit 3 FEEDBACK`, `aside 3` or `undo`." in out
        last = out.rpartition("Type `edit")[2]
        assert "bits expected" in last, f"{way} puts it right"


def test_nothing_is_possible_after_a_contradiction(run: Run) -> None:
    """What cannot be answered before the answers fit says so, and nothing is noted."""
    wrong = "RRRR=1,0\nYYYY=1,0\nRRYY=0,0\n"
    code, out, _ = run("solve", lines=f"{wrong}list\n?\nrate RRRR\n1,1\nnonsense\nrows\n")
    assert code == 0
    assert "Nothing is possible: no code fits all answers." in out
    assert out.count("First put the answers right: `edit`, `aside` or `undo`.") == 3
    assert "Found feedback 'nonsense'" in out
    assert "  4  " not in out


def test_solve_asks_back_what_a_lone_b_is(run: Run) -> None:
    """In Bulls and Cows `1B` is neither noted as a bull nor as a cow: it is asked for again."""
    for typed in ("1B", "0123 1B", "0123=1B"):
        code, out, _ = run("solve", "bulls-and-cows-4x10", lines=f"{typed}\nrows\n1,0\n")
        assert code == 0
        said = " ".join(out.split())
        asked = "Found feedback '1B', which may be 1,0 (B for bulls) or 0,1 (B for cows"
        assert said.index(asked) < said.index("No guesses so far") < said.index("●···")


def test_solve_refuses_what_it_does_not_know(run: Run) -> None:
    """Nothing that is typed ends the assistant: it says what was wrong and asks again."""
    typed = (
        "foo\n9,9\nRYGX=1,1\nedit\nedit 7 1,1\naside x\nundo\nrate\nrate XXXX\n\n=\nhelp\nlist\n"
        "list 0\nlist x\nlist 2\nlist ALL\n"
    )
    code, out, err = run("solve", lines=typed + "rate RRYY\nrows\n?\nquit\n")
    assert (code, err) == (0, "")
    assert out.count("feedback> ") == typed.count("\n") + 4
    assert out.count("at least 1, or `all`") == 2
    for text in ("Found 'X' in code", "Found no guess", "Found row 7", "the number of a row"):
        assert text in out


def test_solve_with_words(run: Run, words: str) -> None:
    """The assistant works with words as with codes."""
    code, out, _ = run("solve", words, lines="light=02222\n?\nlist\n00000\n")
    assert code == 0
    assert "⬛🟩🟩🟩🟩" in out
    assert "4 possible:\n  eight  night  might  sight" in out


def test_a_python_without_readline(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal the prompt works without the module that edits lines."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setitem(sys.modules, "readline", None)
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(builtins, "input", lambda _: " rygb ")
    assert ask("guess 1> ") == "rygb"
