"""The commands that play and report: what they print, accept and refuse, without a terminal."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Protocol

import pytest

from guessbook.book import WordGame
from guessbook.lookup.main import main
from tests.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet", "tiger", "eerie"]


class Run(Protocol):
    """Runs `guessbook` with lines to read."""

    def __call__(self, *arguments: object, lines: str = "") -> tuple[int, str, str]:
        """The arguments as a shell would split them; exit code, output and errors."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs `guessbook` in this process, in an empty folder, with its input from a pipe."""
    monkeypatch.chdir(tmp_path)
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", "80")):
        monkeypatch.setenv(name, value)

    def start(*arguments: object, lines: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["guessbook", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        capsys.readouterr()
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        else:
            code = 0
        captured = capsys.readouterr()
        assert isinstance(code, int)
        assert "Traceback" not in captured.out + captured.err
        return code, captured.out, captured.err

    return start


@pytest.fixture
def words(tmp_path: Path) -> str:
    """A small book of words."""
    plain_book(WordGame(WORDS[:8], WORDS)).save(tmp_path / "words.book")
    return "words.book"


def test_solve_to_the_end(run: Run) -> None:
    """The assistant takes feedbacks, other guesses, and says when a code is certain and found."""
    code, out, _ = run("solve", lines="1,1\nRGOP=0,2\n2,1\n2,0\n0,4\n")
    assert code == 0
    assert "252 possible" in out
    assert "57 possible" in out
    code, out, _ = run("solve", lines="RRYY=0,4\n4,0\n")
    assert "certain, the only code that fits" in out
    assert "YYRR is the secret. Solved in 2 guesses." in out


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


def test_solve_refuses_what_it_does_not_know(run: Run) -> None:
    """Nothing that is typed ends the assistant: it says what was wrong and asks again."""
    typed = (
        "foo\n9,9\nRYGX=1,1\nedit\nedit 7 1,1\naside x\nundo\nrate\nrate XXXX\n\n=\nhelp\nlist\n"
    )
    code, out, err = run("solve", lines=typed + "rate RRYY\nrows\n?\nquit\n")
    assert (code, err) == (0, "")
    assert out.count("feedback> ") == typed.count("\n") + 4
    for text in ("Found 'X' in code", "Found no guess", "Found row 7", "the number of a row"):
        assert text in out


@pytest.mark.parametrize("command", [["solve"], ["play"], ["hide"], ["solve", "--boards", "2"]])
def test_end_of_input_stops_quietly(run: Run, command: list[str]) -> None:
    """Ctrl-D at the first prompt and at a later one ends the command with exit code 0."""
    for lines in ("", "RYGB=1,1\n"):
        code, out, err = run(*command, lines=lines)
        assert (code, err) == (0, "")
        assert out.endswith("\n")


def test_solve_several_boards(run: Run) -> None:
    """Each open board is asked for its feedback, and a certain one comes first."""
    typed = "RRYY=0,4\nlist\nhelp\nx\n1,0\n4,0\n0,0\nquit\n"
    code, out, _ = run("solve", "--boards", "2", lines=typed)
    assert code == 0
    assert "YYRR: certain on board 1." in out
    assert "bits expected over the open boards" in out
    assert "board 2 (1,296 possible)>" in out
    # A contradiction takes the last round back.
    code, out, _ = run("solve", "--boards", "2", lines="RRRR=0,0\n0,0\nRRRR=1,0\n1,0\n")
    assert "The last guess is taken back" in out


def test_solve_with_words(run: Run, words: str) -> None:
    """The assistant works with words as with codes."""
    code, out, _ = run("solve", words, lines="light=02222\n?\nlist\n00000\n")
    assert code == 0
    assert "⬛🟩🟩🟩🟩" in out
    assert "4 possible:\n  eight  night  might  sight" in out


def test_run(run: Run, words: str) -> None:
    """A game is shown guess by guess with what remained, in text and in JSON."""
    code, out, _ = run("run", "--secret", "pyro")
    assert code == 0
    assert "252 left" in out
    assert "PYRO found in 4 guesses" in out
    code, out, _ = run("run", "--secret", "PYRO", "--first-guess", "RRYY", "--json")
    turns = json.loads(out)["turns"]
    assert (turns[0]["guess"], turns[0]["source"]) == ("RRYY", "first guess")
    assert turns[-1]["feedback"] == "4,0"
    code, out, _ = run("run", words, "--secret", "night", "--secret", "geese", "--json")
    assert json.loads(out)["turns"][-1]["remaining"] == [1, 1]
    code, out, _ = run("run", "--secret", "PYRO", "--shuffle", "--random-seed", "3", "--json")
    assert {turn["source"] for turn in json.loads(out)["turns"]} == {"book"}
    for wrong in ([], ["--secret", "XXXX"], ["--secret", "PYRO", "--random-seed", "3"]):
        code, out, err = run("run", *wrong)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
    assert run("run", words, "--secret", "tiger")[0] == 2
    assert run("run", words, "--secret", "night", "--shuffle")[0] == 2


def test_play_to_the_end(run: Run) -> None:
    """A person guesses, gets hints, and at the end a review and a grid to share."""
    typed = "rygb\n?\n:list\n:nonsense\nfoo\n\npyro\n"
    code, out, err = run("play", "--secret", "PYRO", lines=typed)
    assert (code, err) == (0, "")
    assert "  1  R Y G B  ●○··  1,1   252 left" in out
    assert "Hint: RGOP" in out
    assert "PYRO is the secret. Solved in 2 guesses." in out
    assert "skill 100" in out
    assert out.endswith("Guessbook mastermind-4x6 2 guesses\n\n●○··\n●●●●\n")


def test_play_gives_up_and_shows_what_is_possible(run: Run, words: str) -> None:
    """Giving up shows the secret; what is possible is listed if asked for; letters are kept."""
    code, out, _ = run(
        "play", words, "--secret", "night", "--show-possible", lines="geese\n:give-up\n"
    )
    assert code == 0
    assert "4 possible:" in out
    assert "not in it  E G S" not in out, "g is elsewhere in night"
    assert "elsewhere  G" in out
    assert "The secret is night." in out
    assert "not solved" in out


def test_the_same_seed_is_the_same_secret(run: Run) -> None:
    """A seeded game can be played again."""
    outs = [run("play", "--random-seed", "4", lines=":give-up\n")[1] for _ in range(2)]
    assert outs[0] == outs[1]
    assert "The secret is" in outs[0]


def test_hide(run: Run) -> None:
    """The adversary keeps as many open as it can, and is found in the end."""
    code, out, _ = run("hide", lines="RRYY\n?\n:quit\n")
    assert code == 0
    assert "  1  R R Y Y  ○···  0,1   256 left" in out
    code, out, _ = run("hide", lines="RRYY\nRRRR\nYYYY\n:give-up\n")
    secret = out.partition("There was no secret; ")[2][:4]
    assert run("review", "RRYY=0,1", "--secret", secret)[0] == 0, "what is confessed fits"


def test_simulate(run: Run, tmp_path: Path) -> None:
    """Counts go to a file that is not overwritten, the distribution to the screen or JSON."""
    code, out, _ = run("simulate", "-o", "counts.csv")
    assert code == 0
    assert "4.4151 on average, 6 at most" in out
    lines = (tmp_path / "counts.csv").read_text().splitlines()
    assert lines[0] == "secret,guesses"
    assert sum(int(line.split(",")[1]) for line in lines[1:]) == 5722
    assert run("simulate", "-o", "counts.csv")[0] == 2
    code, out, _ = run("simulate", "--fraction", "0.1", "--random-seed", "1", "--json")
    found = json.loads(out)
    assert found["played"] == sum(found["distribution"].values()) == 130
    assert run("simulate", "--fraction", "2")[0] == 2


def test_explain_and_rate(run: Run) -> None:
    """The reasons and the ratings, in text and in JSON, wide and narrow."""
    code, out, _ = run("explain", "RYGB=1,1", "RGOP=0,2")
    assert code == 0
    assert "PYYG: 3.4511 bits expected, 57 possible" in out
    found = json.loads(run("explain", "RYGB=1,1", "--json", "--count", "3")[1])
    assert len(found["alternatives"]) == 3
    assert set(found["best_by"]) >= {"entropy", "minimax", "parts", "expected"}
    assert run("explain", "RRRR=1,0", "YYYY=1,0", "RRYY=0,0")[0] == 4
    assert json.loads(run("rate", "RYGB=1,1", "RGOP=0,2", "PYYG", "--json")[1])["score"] == 100
    assert "score" in run("rate", "RRYY")[1]
    assert json.loads(run("rate", "--pair", "RYGB", "YGOP", "--json")[1])["cells"] == 101
    assert "RYGB YGOP" in run("rate", "--pair", "RYGB", "YGOP")[1]
    assert run("rate", "RYGB=1,1")[0] == 2
    assert run("explain", "--pairs", "--guess", "RYGB")[0] == 2


def test_explain_finds_the_best_pair(run: Run, words: str) -> None:
    """`explain --pairs` lists pairs, the best first."""
    found = json.loads(run("explain", "--book", words, "--pairs", "--json", "--count", "2")[1])
    assert len(found["pairs"]) == 2
    assert found["pairs"][0]["bits"] >= found["pairs"][1]["bits"]


def test_review_and_share(run: Run, words: str) -> None:
    """A finished game looked at afterwards, and its grid."""
    game = ["RYGB=1,1", "RGOP=0,2", "PYYG=2,1", "GYYO=4,0"]
    found = json.loads(run("review", *game, "--json")[1])
    assert (found["skill"], found["solved"], found["remaining"]) == (100, True, 1)
    assert "the policy takes 4" in run("review", *game)[1]
    assert run("share", *game, "--ascii")[1].splitlines()[2:] == ["BW..", "WW..", "BBW.", "BBBB"]
    out = run("share", "--book", words, "light=02222", "eight=22222")[1]
    assert out.splitlines()[2:] == ["⬛🟩🟩🟩🟩", "🟩🟩🟩🟩🟩"]
    assert run("share", "RRRR=1,0", "YYYY=1,0", "RRYY=0,0")[0] == 4


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "RYGB=1,1"],
        ["rate", "RRYY"],
        ["rate", "--pair", "RYGB", "YGOP"],
        ["review", "RYGB=1,1", "RGOP=0,2"],
        ["run", "--secret", "PYRO"],
    ],
)
def test_reports_fit_40_columns(
    run: Run, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No table is wider than a terminal of 40 columns; only sentences may be."""
    monkeypatch.setenv("COLUMNS", "40")
    code, out, _ = run(*arguments)
    assert code == 0
    assert all(len(line) <= 40 for line in out.splitlines() if line[:1] in " 0123456789")
