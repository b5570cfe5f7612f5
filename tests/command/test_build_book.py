"""The command `build-book`: its options, files, output, progress and interruption."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind
from guessbook.book.summary import file_facts, table
from guessbook.builder import Progress
from guessbook.command import build as commands
from guessbook.command import output
from guessbook.lookup import Book, open_book
from tests.helpers.command import KEYS

if TYPE_CHECKING:
    from pathlib import Path
from tests.helpers.command import START, Run, one_line


def test_build_book(run: Run, tmp_path: Path) -> None:
    """`build-book` writes one file, named after game and policy, and ends with a table."""
    result = run("build-book", "--pegs", 3, "--colors", 4, "--policy", "minimax")
    assert (result.code, result.err) == (0, "")
    (path,) = tmp_path.iterdir()
    assert path.name == "mastermind-3x4-minimax.book"
    known = open_book(path).stats
    assert (known.policy, known.secrets) == ("minimax", 64)
    for words in (f"{known.mean_guesses:.4f}", f"{known.nodes}", "bytes", "seconds", "█"):
        assert words in result.out


def test_build_book_json(run: Run, tmp_path: Path) -> None:
    """`--json` prints JSON alone, with the keys of `info` and the seconds."""
    result = run("build-book", "--pegs", 2, "--colors", 3, "--json", "-o", "a.book")
    data = json.loads(result.out)
    assert list(data) == [*KEYS, "seconds"]
    assert data["seconds"] > 0
    seconds = data.pop("seconds")
    assert isinstance(seconds, float)
    assert json.loads(run("info", "a.book", "--json").out) == data
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


def test_build_book_with_all_options(run: Run, tmp_path: Path) -> None:
    """No repeats, own symbols, a pinned first guess and threads end up in the book."""
    options = "--pegs 3 --colors 5 --no-repeats --symbols abcde --first-guess BCD --jobs 2 --stats"
    result = run("build-book", *options.split())
    assert result.code == 0, result.err
    assert "guess 2      " in result.out
    assert "pairs scored" in result.out
    (path,) = tmp_path.iterdir()
    assert path.name == "bulls-and-cows-3x5-entropy-bcd.book"
    book = open_book(path)
    assert book.game == Mastermind(3, 5, repeats=False, symbols="abcde")
    assert book.stats.options == {"first_guess": "bcd"}
    assert book.root.guess == "bcd"
    assert run("verify", path, "--policy").code == 0


def test_build_book_writes_to_stdout(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-o -` writes the bytes of the file to stdout, all else to stderr, and leaves no file."""
    command = [*START, "build-book", "--pegs", "2", "--colors", "3", "-o", "-"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert not [*tmp_path.iterdir()]
    assert run("build-book", *command[-6:-1], "a.book").code == 0
    assert done.stdout == (tmp_path / "a.book").read_bytes()
    assert b"total        21 guesses" in done.stderr
    assert "--json and -o -" in one_line(run("build-book", "-o", "-", "--json"))
    assert "expected a folder" in one_line(run("build-book", "-o", "-", "--openings", "all"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for arguments in (["build-book"], ["import", "tree.txt"]):
        result = run(*arguments, "-o", "-")
        assert (result.code, "a terminal as stdout, expected a file" in one_line(result)) == (
            2,
            True,
        )


def test_build_book_names_files_that_can_exist(run: Run, tmp_path: Path) -> None:
    """Symbols that no file name holds do not end up in one."""
    result = run(
        "build-book", "--pegs", 2, "--colors", 3, "--symbols", "/.x", "--first-guess", "/."
    )
    assert result.code == 0, result.err
    assert [path.name for path in tmp_path.iterdir()] == ["mastermind-2x3-entropy-1.book"]


def test_build_book_overwrites_only_when_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An existing file stops the command before it builds, and stays; --force replaces it."""
    path = tmp_path / "mastermind-2x2-entropy.book"
    path.write_text("mine")
    options = ("build-book", "--pegs", 2, "--colors", 2)
    with monkeypatch.context() as patch:
        patch.setattr(commands, "write_best", never)
        result = run(*options)
    assert result.code == 1
    assert "--force" in one_line(result)
    assert path.read_text() == "mine"
    assert run(*options, "--force").code == 0
    assert open_book(path).stats.secrets == 4


def never(*_: object) -> None:
    """Stands for what must not be called."""
    raise AssertionError("the build began")


@pytest.mark.parametrize("target", ["nowhere/a.book", "."])
def test_build_book_checks_its_target_first(
    run: Run, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A target that cannot be written is an error before the build."""
    monkeypatch.setattr(commands, "write_best", never)
    result = run("build-book", "-o", target)
    assert result.code == 1
    one_line(result)


def test_build_book_checks_that_the_folder_is_writable(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder without the right to write is an error before the build."""
    monkeypatch.setattr(commands, "write_best", never)
    monkeypatch.setattr(os, "access", lambda *_: False)
    result = run("build-book")
    assert result.code == 1
    assert "not writable" in one_line(result)


@pytest.mark.parametrize(
    "options",
    [
        "--policy luck",
        "--first-guess RY",
        "--first-guess XXXX",
        "--colors 6 --symbols RY",
        "--no-repeats --colors 3",
        "--pegs 15 --colors 36",
    ],
)
def test_build_book_refuses_what_makes_no_book(run: Run, options: str, tmp_path: Path) -> None:
    """A game, policy or first guess that cannot be is exit code 2, one line, and no file."""
    result = run("build-book", *options.split())
    assert result.code == 2
    assert "found" in one_line(result) or "codes" in result.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp437", "nonsense"])
def test_the_table_fits(small_book: Book, width: int, encoding: str) -> None:
    """The table keeps to the width, and to the characters that the output can show."""
    known = {**file_facts(small_book, "a.book", 1234), "seconds": 0.5}
    known["feedbacks_scored"] = {"1": 10**9}
    text = table(known, "entropy", width, encoding)
    assert max(map(len, text.splitlines())) <= width
    if encoding == "nonsense":
        assert text.isascii()
    else:
        text.encode(encoding)


def test_every_bar_that_stands_for_something_shows(small_book: Book) -> None:
    """A distribution with one secret among thousands still shows a bar for it, and none for 0."""
    known: dict[str, Any] = file_facts(small_book, "a.book", 1)
    known["distribution"] = {"1": 1, "2": 0, "3": 99999}
    bars = [line.count("#") for line in table(known, "entropy", 60, "ascii").splitlines()[-3:]]
    assert bars[:2] == [1, 0]
    assert bars[2] > 20


@pytest.mark.posix
def test_ctrl_c_during_a_build_is_quiet_and_leaves_nothing(tmp_path: Path) -> None:
    """An interrupted build exits with 130 at once, without a traceback or a file left behind."""
    if sys.platform == "win32":
        raise NotImplementedError
    leader, follower = os.openpty()
    command = [*START, "build-book", "--pegs", "6", "--colors", "8"]
    # On a dumb terminal there is no bar to wait for.
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm"},
    )
    assert process.stdout is not None
    os.close(follower)
    shown = b""
    try:
        # The engine is at work as soon as the bar shows a stage.
        while b"first guesses" not in shown and b"scoring" not in shown:
            shown += os.read(leader, 4096)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
        with contextlib.suppress(OSError):
            while part := os.read(leader, 4096):
                shown += part
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
        os.close(leader)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in shown
    assert list(tmp_path.iterdir()) == []


def test_progress_outside_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines say how far a build is, and with --quiet there are none."""
    monkeypatch.setattr(output, "PAUSE", 0.0)
    small = ("build-book", "--pegs", 3, "--colors", 3)
    assert "scoring, 100% done, 0:00 left" in run(*small, "-o", "a.book").err
    assert run(*small, "-o", "b.book", "--quiet").err == ""
    assert run("compare", "parts", "--pegs", 3, "--colors", 3, "--quiet").err == ""


def test_lines_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    """They come after ten seconds and then every ten, however often there is something to say."""
    now = [0.0]
    show = output.lines(clock=lambda: now[0])
    for now[0] in (5.0, 11.0, 15.0, 22.0):
        show(Progress("scoring", int(now[0]), 44, 33.0))
    now[0] = 40.0
    show(Progress("proven 7", 0, 0))
    wanted = ["scoring, 25% done, 0:33 left", "scoring, 50% done, 0:33 left", "proven 7"]
    assert capsys.readouterr().err.splitlines() == wanted


@pytest.mark.posix
def test_progress_shows_on_a_terminal_only(tmp_path: Path) -> None:
    """Where stderr is a terminal it shows what is being done; the JSON on stdout stays alone."""
    if sys.platform == "win32":
        raise NotImplementedError
    leader, follower = os.openpty()
    command = [*START, *["build-book", "--pegs", "2", "--colors", "3", "--json"]]
    made = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=follower,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(follower)
    shown = b""
    # While it runs: a terminal holds little. On Linux its end is an error, EIO.
    with contextlib.suppress(OSError):
        while part := os.read(leader, 4096):
            shown += part
    os.close(leader)
    out, _ = made.communicate()
    assert b"100%" in shown
    assert json.loads(out)["secrets"] == 9


def test_symbols_that_are_apart_are_told_to_have_commas(run: Run) -> None:
    """Names of symbols with spaces between them are not just an extra argument."""
    said = run("build-book", "--pegs", 4, "--symbols", "red", "blue", "green").err
    assert "(blue green). Write the symbols with commas: --symbols red,blue,green" in said
    said = run("build-book", "blue").err
    assert said.endswith("Got unexpected extra argument(s) (blue)\n")
