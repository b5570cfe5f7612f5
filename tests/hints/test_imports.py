"""What a hint imports, and the command `python -m guessbook.lookup` for small machines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import guessbook as gb

# Modules whose import takes longer than a hint.
SLOW = {
    "ctypes",
    "dataclasses",
    "fractions",
    "importlib.resources",
    "inspect",
    "json",
    "numpy",
    "pathlib",
    "random",
}
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def imported(script: str) -> set[str]:
    """The modules that a script imports in addition to msgpack and zstandard."""
    code = (
        "import sys, msgpack, zstandard; before = set(sys.modules)\n"
        f"{script}\nprint(); print(*(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def foreign(modules: set[str]) -> set[str]:
    """The packages that belong neither to the standard library nor to Guessbook."""
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"guessbook"}


@pytest.mark.parametrize(
    ("script", "allowed"),
    [
        ("import guessbook as gb; gb.open", set()),
        ("import guessbook as gb; gb.open().hint('RYGB=1,1')", set()),
        ("import guessbook as gb; gb.open().hint('POGB=1,1')", set()),
        # The computation of a guess needs the engine, and neither numpy nor the builder.
        ("import guessbook as gb; gb.open().hint('RRYG=1,1 BBOO=0,1')", SLOW - {"numpy"}),
        ("import guessbook as gb; gb.Session(history='RYGB=1,1').share()", SLOW - {"numpy"}),
        (
            "import os, runpy; os._exit = print; sys.argv = ['lookup', 'mastermind-4x6'];"
            "runpy.run_module('guessbook.lookup', run_name='__main__')",
            set(),
        ),
    ],
)
def test_hint_imports_no_slow_module_unless_it_is_computed(script: str, allowed: set[str]) -> None:
    modules = imported(script)
    assert "guessbook" in modules
    assert not foreign(modules)
    assert modules & SLOW <= allowed


def test_hint_command_imports_only_typer_and_its_dependencies() -> None:
    script = (
        "import os; os._exit = print; sys.argv = ['guessbook', 'hint', 'RYGB=1,1']\n"
        "from importlib.metadata import entry_points\n"
        "from contextlib import suppress\n"
        "(script,) = entry_points(group='console_scripts', name='guessbook')\n"
        "with suppress(SystemExit): script.load()()"
    )
    # pydantic, which later versions of typer import, would double the time.
    assert foreign(imported(script)) == {"typer", "annotated_doc", "shellingham"}


def lookup(
    *arguments: object, encoding: str = "utf-8", output: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Run `python -m guessbook.lookup`."""
    return subprocess.run(
        [sys.executable, "-m", "guessbook.lookup", *map(str, arguments)],
        env={**ENVIRONMENT, "PYTHONIOENCODING": encoding},
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("history", ["", "RYGB=1,1", "POGB=1,1", "RRYG=1,1 BBOO=0,1"])
def test_lookup_prints_the_guess(history: str) -> None:
    done = lookup("mastermind-4x6", *history.split())
    assert done.stdout == gb.open().hint(history).guess + "\n"
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "usage: "),
        (["--nonsense"], 2, "usage: "),
        (["nowhere.book"], 2, "Error: cannot read nowhere.book"),
        (["mastermind-4x6", "RYGB"], 2, "Error: 'RYGB' is not GUESS=FEEDBACK"),
        ([__file__], 3, f"Error: {__file__}: not a book"),
        (["mastermind-4x6", "RYGB=4,0", "RYGB=0,0"], 4, "Error: no secret of mastermind-4x6 fits"),
    ],
)
def test_lookup_reports_an_error_by_its_exit_code(
    arguments: list[str], code: int, said: str
) -> None:
    done = lookup(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr


def test_lookup_shows_its_usage() -> None:
    done = lookup("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ")


def test_lookup_escapes_what_the_output_cannot_encode(tmp_path: Path) -> None:
    gb.build(gb.WordGame(["кошка", "мышка"])).save(tmp_path / "words.book")
    done = lookup(tmp_path / "words.book", encoding="cp1252")
    assert (done.returncode, done.stdout) == (0, r"\u043a\u043e\u0448\u043a\u0430" + "\n")


@pytest.mark.posix
def test_lookup_reports_a_full_disk() -> None:
    with Path("/dev/full").open("w") as full:
        done = lookup("mastermind-4x6", output=full.fileno())
    assert (done.returncode, done.stderr) == (1, "Error: cannot write: No space left on device\n")
