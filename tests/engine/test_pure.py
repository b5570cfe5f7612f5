"""Guessbook without its engine, as GUESSBOOK_PURE=1 or a platform without a compiler leaves it."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

import guessbook.engine
from guessbook.book import Mastermind, UsageError, WordGame
from guessbook.book.errors import EngineError
from guessbook.builder import build_strategy
from guessbook.engine import binding
from guessbook.lookup import hint, live, open_book

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def pure(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without the library."""
    monkeypatch.setenv("GUESSBOOK_PURE", "1")


@pytest.mark.usefixtures("pure")
def test_everything_can_be_imported() -> None:
    """No module of the kernels needs the library to be loaded."""
    for module in pkgutil.iter_modules(guessbook.engine.__path__):
        if module.name != "_engine":  # which is a library, but no module
            importlib.import_module(f"guessbook.engine.{module.name}")
    with pytest.raises(EngineError):
        binding.engine()


@pytest.mark.usefixtures("pure")
def test_books_give_hints() -> None:
    """A hint from a book needs no engine."""
    assert hint(open_book("mastermind-4x6")).guess
    assert live.choose(Mastermind(4, 6), [(7, 0)], "entropy")


@pytest.mark.usefixtures("pure")
@pytest.mark.parametrize("game", [Mastermind(3, 4), WordGame(["abbey", "cabin", "noble"])])
@pytest.mark.parametrize("policy", ["entropy", "minimax"])
def test_small_live_hints_are_the_same(
    game: Mastermind | WordGame, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain Python answers small games as the engine does."""
    plain = live.choose(game, [], policy)
    monkeypatch.undo()
    quick = live.choose(game, [], policy)
    assert plain
    assert quick
    assert plain._replace(sizes=sorted(plain.sizes)) == quick._replace(sizes=sorted(quick.sizes))


@pytest.mark.usefixtures("pure")
def test_what_needs_the_engine_says_so() -> None:
    """A large live hint, and a build, end with one line that says what to install."""
    with pytest.raises(UsageError, match="GUESSBOOK_PURE") as large:
        live.choose(Mastermind(6, 9), [], "entropy")
    with pytest.raises(EngineError, match="GUESSBOOK_PURE") as built:
        build_strategy(Mastermind(2, 3))
    assert "\n" not in str(large.value) + str(built.value)


@pytest.mark.slow
@pytest.mark.sources
def test_a_pure_wheel(root: Path, tmp_path: Path) -> None:
    """GUESSBOOK_PURE=1 makes a wheel for every platform, without library and sources in C."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path), "."]
    subprocess.run(command, cwd=root, check=True, env={**os.environ, "GUESSBOOK_PURE": "1"})
    (wheel,) = tmp_path.glob("guessbook-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith("guessbook/engine/")]
        archive.extractall(tmp_path / "unpacked")
    assert names
    assert not [name for name in names if name.endswith((".c", ".h", ".so", ".dll"))]
    where = {**os.environ, "PYTHONPATH": str(tmp_path / "unpacked")}
    told = subprocess.run(
        [sys.executable, "-c", "from guessbook.engine.binding import engine; engine()"],
        env=where, capture_output=True, text=True,
    )  # fmt: skip
    assert told.stderr.splitlines()[-1].startswith("guessbook.book.errors.EngineError: found no")
