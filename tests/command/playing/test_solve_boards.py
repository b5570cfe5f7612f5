"""The command `solve --boards`: several boards, one guess for all of them."""

from __future__ import annotations

import pytest

from guessbook.play.session import Session
from tests.helpers.command import Run


def test_solve_several_boards(run: Run) -> None:
    """Each open board is asked for its feedback, and a certain one comes first."""
    typed = "RRYY=0,4\nlist\nhelp\nx\n1,0\n4,0\n0,0\nquit\n"
    code, out, _ = run("solve", "--boards", "2", lines=typed)
    assert code == 0
    assert "YYRR: certain, the only secret that fits on board 1." in out
    assert "bits expected over the open boards" in out
    assert "board 2 (1,296 possible)>" in out


@pytest.mark.parametrize("way", ["edit 2 0,0", "edit 2 YYYY=1,0", "aside 1", "aside 2", "undo"])
def test_boards_correct_a_wrong_answer(run: Run, way: str) -> None:
    """A contradiction names the board and its rows to re-check; each way out puts it right."""
    wrong = "RRRR=0,0\n1,0\nRRRR=1,0\n1,0\n"
    code, out, _ = run("solve", "--boards", "2", lines=f"{wrong}1,1\n?\nlist\nrate RRRR\n{way}\n")
    assert code == 0
    found = out[out.index("Board 1:") :]
    assert "  2  R R R R  ●···  1,0   <-- re-check" in found
    assert found.count("First put the answers right") == 2
    assert "Nothing is possible" in found
    assert "bits expected over the open boards" in found, f"{way} puts it right"


def test_boards_correct_an_earlier_row(run: Run) -> None:
    """A feedback is corrected on its board alone, a guess on all; the round begins again."""
    typed = "RRRR=1,0\n2,0\n1,1\nedit 1 3,0\nrows\nedit 1 YYYY=1,0\nquit\n"
    code, out, _ = run("solve", "--boards", "2", lines=typed)
    assert code == 0
    assert "Row 1 of board 2 is now RRRR=3,0." in out
    assert "  1  R R R R  ●···  1,0\n" in out.partition("is now RRRR=3,0.")[2], "not on board 1"
    assert out.count("Guess 2: ") == 3
    assert "board 1 (500 possible)> edit 1 YYYY=1,0\nRow 1 of board 1 is now YYYY=1,0." in out


def test_boards_take_one_guess_a_round(run: Run) -> None:
    """The second board refuses another guess and a code that is none; the first may change it."""
    typed = "RRRR=1,0\nFOOO=1,1\n4,0=1,1\nYYYY=1,1\nRRRR=0,0\nquit\n"
    code, out, _ = run("solve", "--boards", "2", lines=typed)
    assert code == 0
    assert "Found guess YYYY on board 2, expected RRRR" in out
    assert out.count("board 2 (1,296 possible)> ") == 4
    assert out.count("Guess 2: ") == 1


def test_boards_are_answered_in_one_line(run: Run) -> None:
    """All answers at once, with another guess before them too; a board alone is asked as ever."""
    typed = "1,1 0,2\nryoo 11 BW..\n1,1 1,1 1,1\nquit\n"
    code, out, _ = run("solve", "--boards", "2", lines=typed)
    assert code == 0
    assert out.count("Guess 3: ") == 1, "the third line is none of two boards"
    assert "board 2" not in out
    assert "Found feedback '1,1 1,1 1,1'" in out


def test_boards_say_what_a_guess_tells(run: Run) -> None:
    """The bits are those of the guess that is proposed; `?` has them board by board."""
    out = run("solve", "--boards", "2", "--first-guess", "RRRR", lines="?\nquit\n")[1]
    out = " ".join(out.split())
    bits = Session().split("RRRR").entropy
    assert f"RRRR: {2 * bits:.2f} bits expected over the open boards." in out
    for board in (1, 2):
        said = f"board {board}: {bits:.2f} bits of 1,296 possible, 5 cells, the largest 625;"
        assert said in out
    assert "by itself RYGB, 3.06 bits" in out
