"""The door for scripts: `python -m guessbook.lookup`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from guessbook.book import WordGame
from guessbook.lookup import open_book
from guessbook.lookup.__main__ import main
from tests.helpers.plain import plain_book
from tests.lookup.test_imports import HEAVY, foreign, modules_of

ON_BOOK = ["mastermind-4x6", "RYGB=1,1", "RGOP=0,2"]


def test_it_loads_what_a_hint_loads() -> None:
    """No typer: the standard library, msgpack and zstandard, and of those the light part."""
    script = "from guessbook.lookup.__main__ import main\nsys.argv[0] = 'x'\nassert main() == 0"
    modules = modules_of(script, *ON_BOOK)
    assert foreign(modules) == {"PYYG"}  # which it prints
    assert modules & HEAVY == set()
    assert not any(name.startswith(("guessbook.builder", "guessbook.play")) for name in modules)


@pytest.mark.parametrize("history", [[], ["RYGB=1,1"], ["POGB=1,1"], ["RRYG=1,1", "BBOO=0,1"]])
def test_it_prints_the_guess(
    history: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is that of `Book.hint`, on the book and off it, and nothing else is printed."""
    monkeypatch.setattr(sys, "argv", ["guessbook.lookup", ON_BOOK[0], *history])
    assert main() == 0
    assert capsys.readouterr() == (open_book(ON_BOOK[0]).hint(history).guess + "\n", "")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "usage: "),
        (["--nonsense"], 2, "usage: "),
        (["nowhere.book"], 2, "Error: cannot read nowhere.book"),
        (["mastermind-4x6", "RYGB"], 2, "Error: found 'RYGB', expected GUESS=FEEDBACK"),
        ([__file__], 3, f"Error: {__file__}: not a book"),
        (["mastermind-4x6", "RYGB=4,0", "RRRR=4,0"], 4, "Error: no secret of mastermind-4x6"),
    ],
)
def test_it_complains_in_a_line(
    arguments: list[str],
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is wrong is said on stderr, with the exit codes of the command."""
    monkeypatch.setattr(sys, "argv", ["guessbook.lookup", *arguments])
    assert main() == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said)
    assert len(err.splitlines()) == (1 if said.startswith("Error") else 3)


def test_it_helps(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What is asked for is no complaint."""
    monkeypatch.setattr(sys, "argv", ["guessbook.lookup", "--help"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("usage: ")


def test_what_the_output_cannot_write_is_an_escape(tmp_path: Path) -> None:
    """A pipe on Windows knows no Cyrillic."""
    plain_book(WordGame(["кошка", "мышка"])).save(tmp_path / "words.book")
    paths = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-m", "guessbook.lookup", tmp_path / "words.book"],
        env={**os.environ, "PYTHONPATH": paths, "PYTHONIOENCODING": "cp1252"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = (r"\u043a\u043e\u0448\u043a\u0430" + "\n", "")
    assert (done.returncode, done.stdout, done.stderr) == (0, *said)


def test_a_full_disk_is_said() -> None:
    """A guess that could not be written is a failure."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with full.open("w") as disk:
        done = subprocess.run(
            [sys.executable, "-m", "guessbook.lookup", "mastermind-4x6"],
            env=environment, stdout=disk, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "Error: cannot write: No space left on device\n")
