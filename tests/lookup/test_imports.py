"""What a hint loads, and the shape of the namespace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import guessbook
from guessbook.lookup import open_book

# They cost more than the hint itself.
HEAVY = {"dataclasses", "inspect", "pathlib", "importlib.resources", "fractions", "random", "json"}

ON_BOOK = """
with open_book(sys.argv[1]) as book:
    assert book.hint(["RYGB=1,1"]).source == "book"
    assert book.hint(["POGB=1,1"]).source == "symmetry"
"""
LIVE = """
with open_book(sys.argv[1]) as book:
    assert book.hint(["RRYG=1,1", "BBOO=0,1"]).source == "live"
"""
COMMAND = """
from contextlib import redirect_stdout, suppress
from io import StringIO
from guessbook.command.main import main
sys.argv[1:] = ["hint", "RYGB=1,1"]
with redirect_stdout(StringIO()), suppress(SystemExit):
    main()
"""


def modules_of(script: str, *arguments: str) -> set[str]:
    """The modules that `script` loads in an interpreter that has msgpack and zstandard."""
    code = (
        "import sys, msgpack, zstandard\nbefore = set(sys.modules)\n"
        "from guessbook.lookup import open_book\n"
        f"{script}\nprint(*(set(sys.modules) - before))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(result.stdout.split())


def foreign(modules: set[str]) -> set[str]:
    """The top-level packages that are neither standard nor ours."""
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"guessbook"}


def test_import_is_light() -> None:
    """`import guessbook.lookup` loads the standard library, msgpack and zstandard, and no more."""
    modules = modules_of("")
    assert "ctypes" not in modules
    assert "guessbook.lookup" in modules
    assert foreign(modules) == set()
    assert modules & HEAVY == set()
    assert not any(name.startswith("guessbook.builder") for name in modules)


def test_hint_is_light(tmp_path: Path) -> None:
    """A hint from the book or by symmetry loads nothing more, and nothing of the builder."""
    path = tmp_path / "test.book"
    open_book("mastermind-4x6").save(path)
    modules = modules_of(ON_BOOK, str(path))
    assert "ctypes" not in modules
    assert foreign(modules) == set()
    assert modules & HEAVY == set()
    assert not any(name.startswith("guessbook.builder") for name in modules)


def test_live_hint_is_light(tmp_path: Path) -> None:
    """A live hint of a one-step policy loads the engine, and no numpy."""
    path = tmp_path / "test.book"
    open_book("mastermind-4x6").save(path)
    modules = modules_of(LIVE, str(path))
    assert "guessbook.engine.hints" in modules
    assert foreign(modules) == set()


def test_a_game_in_progress_is_light() -> None:
    """To suggest, share and review takes neither rich nor numpy: only `play.terminal` draws."""
    script = "from guessbook.play import Session\nassert Session(history=['RYGB=1,1']).share()"
    modules = modules_of(script)
    assert foreign(modules) == set()
    assert not any(name.startswith("guessbook.builder") for name in modules)


def test_the_command_of_a_hint_is_light() -> None:
    """It takes typer and what that needs; pydantic, of later versions, would double its time."""
    needed = {"typer", "annotated_doc", "shellingham"}
    assert foreign(modules_of(COMMAND)) == needed, 'install again: pip install -e ".[test]"'


def test_the_front_finds_all_portions() -> None:
    """`guessbook` has exactly one __init__.py, the front; it finds the portions without one."""
    found = [folder for folder in guessbook.__path__ if (Path(folder) / "__init__.py").exists()]
    assert found == [guessbook.__path__[0]]
    for package in ("book", "builder", "lookup", "play"):
        assert any((Path(folder) / package).is_dir() for folder in guessbook.__path__)
