"""The commands that play and report: what they print, accept and refuse, without a terminal."""

from __future__ import annotations

import builtins
import io
import json
import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Protocol

import pytest
import typer
from rich.cells import cell_len

from guessbook.book import Mastermind, WordGame, parse_history
from guessbook.builder import build_book
from guessbook.lookup.app import COMMANDS, app
from guessbook.lookup.drawing import Screen, upper
from guessbook.lookup.main import main
from guessbook.lookup.prompt import ask
from guessbook.lookup.session import Session
from tests.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book import Game

WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet", "tiger", "eerie"]
LONG = ["abcdefghijkl", "abcdefghijlk", "mlkjihgfedcb"]


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


def test_solve_takes_the_last_answer_back(run: Run) -> None:
    """A solving feedback that was mistyped can be undone; Enter, quit and Ctrl-D end the game."""
    typed = "RRYY=0,4\n4,0\nundo\n3,0\nundo\n4,0\n"
    for end in ("\n", "quit\n", ""):
        code, out, _ = run("solve", lines=typed + "1,1\n" + end)
        assert code == 0
        assert out.count("YYRR is the secret. Solved in 2 guesses.") >= 2
        assert "Found an answer after the game was solved" in out
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
    assert "Board 1: no secret of mastermind-4x6 fits" in out


def test_boards_take_one_guess_a_round(run: Run) -> None:
    """The second board refuses another guess and a code that is none; the first may change it."""
    typed = "RRRR=1,0\nFOOO=1,1\n4,0=1,1\nYYYY=1,1\nRRRR=0,0\nquit\n"
    code, out, _ = run("solve", "--boards", "2", lines=typed)
    assert code == 0
    assert "Found guess YYYY, but RRRR was made on board 1" in out
    assert out.count("board 2 (1,296 possible)> ") == 4
    assert out.count("Guess 2: ") == 1


def test_boards_say_what_a_guess_tells(run: Run) -> None:
    """The bits are those of the guess that is proposed; `?` has them board by board."""
    out = run("solve", "--boards", "2", "--first-guess", "RRRR", lines="?\nquit\n")[1]
    out = " ".join(out.split())
    bits = Session().split("RRRR").bits
    assert f"RRRR: {2 * bits:.2f} bits expected over the open boards." in out
    for board in (1, 2):
        said = f"board {board}: {bits:.2f} bits of 1,296 possible, 5 cells, the largest 625;"
        assert said in out
    assert "by itself RYGB, 3.06 bits" in out


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
    rows = re.findall(r"^  (\d)  (. . . .)  \S+  (\d,\d)", out, re.MULTILINE)
    answers = {number: f"{code.replace(' ', '')}={feedback}" for number, code, feedback in rows}
    assert len(answers) == 3
    reviewed = run("review", *answers.values(), "--secret", secret)
    assert reviewed[0] == 0, "what is confessed fits all answers"


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


def test_simulate_checks_its_output_first(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written is found before a single game is played."""

    def simulated(*_: object) -> None:
        raise AssertionError("played before the check")

    monkeypatch.setattr("guessbook.lookup.run.simulate", simulated)
    code, out, err = run("simulate", "-o", "nowhere/counts.csv")
    assert (code, out) == (1, "")
    assert "there is no folder nowhere" in err
    assert run("simulate", "-o", ".", "--force")[0] == 1


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
    known = json.loads(run("share", *game, "--json")[1])
    assert (known["guesses"], known["solved"], known["rows"][0]) == (4, True, "●○··")
    assert run("share")[0] == run("review")[0] == 2
    assert run("review", "GYYO=4,0", "RYGB=1,1")[0] == run("share", "RRRR=4,0", "RRRR=4,0")[0] == 2
    assert "3 guesses" in run("share", "RYGB=1,1", "RYGB=1,1", "RGOP=0,2")[1]


@pytest.mark.parametrize(
    "name", [name for name, module in COMMANDS.items() if ".lookup." in module]
)
def test_the_example_of_the_help_works(run: Run, name: str) -> None:
    """What `--help` shows as an example does its job: exit code 0."""
    root: Any = typer.main.get_command(app)
    example = root.get_command(None, name).help.partition("Example: guessbook ")[2]
    code, out, err = run(*shlex.split(example))
    assert (code, err) == (0, "")
    assert out


@pytest.mark.parametrize("name", ["solve", "play", "hide"])
def test_the_help_says_what_can_be_typed(run: Run, name: str) -> None:
    """`--help` alone names every way to go on and to stop."""
    text = " ".join(run(name, "--help")[1].split())
    typed = ("`list`", "`undo`", "`quit`") if name == "solve" else (":list", ":give-up", ":quit")
    assert all(word in text for word in (*typed, "`?`"))
    assert "`play`" in " ".join(run("--help")[1].split())


def test_an_output_without_unicode(words: str, tmp_path: Path) -> None:
    """An ASCII terminal gets ASCII, also for words and for what it cannot show: no traceback."""
    plain_book(WordGame(["straße", "größer", "lustig"])).save(tmp_path / "german.book")
    bare = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "TERM": "screen", "COLUMNS": "40"}
    kept = {**os.environ, **bare, "PYTHONPATH": os.pathsep.join(sys.path)}
    for arguments, typed in (
        (["solve", words], "00000\nquit\n"),
        (["play", words, "--secret", "night"], "light\n?\nstraße\n:give-up\n"),
        (["hide", words], "light\n:quit\n"),
        (["play", "german.book", "--secret", "lustig"], "größer\n:give-up\n"),
        (["explain", "--book", "german.book"], ""),
        (["run", "german.book", "--secret", "lustig"], ""),
        (["share", "--book", words, "light=02222"], ""),
    ):
        command = [sys.executable, "-c", "from guessbook.lookup.main import main; main()"]
        done = subprocess.run(
            [*command, *arguments],
            input=typed.encode(),
            cwd=tmp_path,
            env=kept,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), arguments
        assert done.stdout.isascii()


def test_a_screen_with_colour_and_without_unicode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The keyboard marks absent letters with what the output can show; ß stays one letter."""
    game = WordGame(["straße", "größer", "lustig"])
    history = parse_history(game, "straße=200000")
    for symbols, mark in ((True, "·"), (False, ".")):
        screen = Screen()
        monkeypatch.setattr(screen, "colour", True)
        monkeypatch.setattr(screen, "symbols", symbols)
        screen.known(game, history, ["lustig"])
        assert mark in capsys.readouterr().out
        screen.row(game, 1, "straße", "200000")
        assert " S  T  R  A  ß  E " in capsys.readouterr().out
    assert len(upper("straße")) == 6


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize(
    ("game", "guess", "feedback"),
    [
        (Mastermind(15, 2), "R" * 15, "15,0"),
        (Mastermind(8, 2), "R" * 8, "4,0"),
        (WordGame(LONG), LONG[0], "222222222211"),
    ],
)
def test_a_long_row_fits_a_narrow_screen(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    game: Game,
    guess: str,
    feedback: str,
    colour: bool,
) -> None:
    """What does not fit beside a code comes below it, indented, and nothing is lost."""
    monkeypatch.setenv("COLUMNS", "40")
    screen = Screen()
    monkeypatch.setattr(screen, "colour", colour)
    screen.row(game, 1, guess, feedback, "1,296 left, symmetry")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert max(map(cell_len, lines)) <= 40
    assert all(line.startswith("  ") for line in lines[1:])
    assert feedback in " ".join(lines)
    assert lines[-1].endswith("1,296 left, symmetry")


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


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "RYGB=1,1"],
        ["explain", "RYGB=1,1", "RGOP=0,2"],
        ["rate", "RRYY"],
        ["rate", "--pair", "RYGB", "YGOP"],
        ["review", "RYGB=1,1", "RGOP=0,2"],
        ["review", "RYGB=1,1", "RGOP=0,2", "PYYG=2,1", "GYYO=4,0"],
        ["run", "--secret", "PYRO"],
        ["run", "--secret", "PYRO", "--shuffle", "--first-guess", "RRRR"],
        ["simulate", "--fraction", "0.1"],
        ["run", "long.book", "--secret", "abcdefghijlk"],
        ["explain", "--book", "long.book"],
        ["rate", "--book", "long.book", "abcdefghijkl"],
        ["rate", "--book", "long.book", "--pair", "abcdefghijkl", "mlkjihgfedcb"],
        ["review", "--book", "long.book", "abcdefghijkl=222222222211"],
        ["run", "wide.book", "--secret", "YYRRYRYR"],
        ["review", "--book", "wide.book", "RRRRRRRR=4,0"],
    ],
)
@pytest.mark.parametrize("dumb", ["dumb", "screen"])
def test_reports_fit_40_columns(
    run: Run, arguments: list[str], dumb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is wider than a terminal of 40 columns, also with words of 12 letters and 8 pegs."""
    for name, game in (("long", WordGame(LONG)), ("wide", Mastermind(8, 2))):
        if f"{name}.book" in arguments:
            build_book(game).save(f"{name}.book")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", dumb)
    code, out, _ = run(*arguments)
    assert code == 0
    assert max(map(cell_len, out.splitlines())) <= 40, out
