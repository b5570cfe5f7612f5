"""Run the command line in the process of the tests."""

from __future__ import annotations

import io
import json
import sys
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

import guessbook as gb
from guessbook.command import main
from tests.helpers.samples import SMALL, WORD_GAME

if TYPE_CHECKING:
    from pathlib import Path

# The command in a process of its own.
START = [sys.executable, "-c", "import runpy; runpy.run_module('guessbook', run_name='__main__')"]

# The keys that `info --json` and `build-book --json` print for a book whose symbols are colours.
KEYS = [
    "path",
    "game",
    "note",
    "policy",
    "options",
    "first_guess",
    "secrets",
    "nodes",
    "total_guesses",
    "mean_guesses",
    "max_guesses",
    "distribution",
    "bytes",
]


class Result(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


class Run(Protocol):
    """A function that runs `guessbook` with some arguments and lines of input."""

    def __call__(self, *arguments: object, lines: str = "", columns: int | None = None) -> Result:
        """Run with arguments as a shell splits them, in a terminal of `columns` columns."""


def call(
    *arguments: object,
    folder: Path,
    lines: str = "",
    columns: int = 80,
    encoding: str = "utf-8",
) -> Result:
    """Run `guessbook` with some arguments in this process, in a folder, without colour."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2))
    streams = {"stdin": io.StringIO(lines), "stdout": out, "stderr": err}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["guessbook", *map(str, arguments)])
        for name, value in (("NO_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", str(columns))):
            patch.setenv(name, value)
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        code = main.run()
    result = Result(code, *(stream.buffer.getvalue().decode(encoding) for stream in (out, err)))
    assert "Traceback" not in result.out + result.err
    return result


def runner(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> Run:
    """Return a function that runs `guessbook` in this process, in a folder, without colour."""
    monkeypatch.chdir(folder)
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", "80")):
        monkeypatch.setenv(name, value)

    def run(*arguments: object, lines: str = "", columns: int | None = None) -> Result:
        if columns is not None:
            with monkeypatch.context() as patch:
                patch.setenv("COLUMNS", str(columns))
                return run(*arguments, lines=lines)
        monkeypatch.setattr(sys, "argv", ["guessbook", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        capsys.readouterr()
        code = main.run()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Result(code, captured.out, captured.err)

    return run


@cache
def books() -> dict[str, bytes]:
    """Return the files that tests of the command use: small.book and words.book."""
    games: dict[str, gb.Game] = {"small.book": SMALL, "words.book": WORD_GAME}
    return {name: gb.build(game).to_bytes() for name, game in games.items()}


def write_books(folder: Path) -> None:
    """Write small.book and words.book to a folder."""
    for name, content in books().items():
        (folder / name).write_bytes(content)


def complaint(result: Result, code: int = 1) -> str:
    """Check that a command failed with one line on stderr, and return this line.

    With `--json`, the error is one line of JSON on stdout instead.
    """
    if result.out.startswith('{"error"'):
        found = json.loads(result.out)
        assert list(found) == ["error", "exit_code", "suspects"]
        assert found["exit_code"] == result.code
        result = Result(result.code, "", result.err + f"Error: {found['error']}")
    lines = result.err.splitlines()
    assert (result.code, result.out, len(lines)) == (code, "", 1), result
    assert lines[0].startswith("Error: ")
    assert lines[0].isprintable()
    return lines[0]


def one_line(result: Result) -> str:
    """Check as `complaint` does, but for any exit code except 0, and return the line."""
    assert result.code
    return complaint(result, result.code)
