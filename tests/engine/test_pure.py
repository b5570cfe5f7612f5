"""Guessbook without its engine: with GUESSBOOK_PURE=1, or without a compiler."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
import guessbook.engine
from guessbook.engine.binding import engine

if TYPE_CHECKING:
    from pathlib import Path


def test_books_give_hints_and_builds_fail_without_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = gb.Mastermind(3, 5)
    live = gb.Session(game).hint()
    monkeypatch.setenv("GUESSBOOK_PURE", "1")
    for module in pkgutil.iter_modules(guessbook.engine.__path__):
        if module.name != "_engine":
            importlib.import_module(f"guessbook.engine.{module.name}")
    with pytest.raises(gb.EngineError, match="GUESSBOOK_PURE"):
        engine()
    with pytest.raises(gb.EngineError, match="GUESSBOOK_PURE"):
        gb.build(game)
    assert gb.open("mastermind-4x6").hint().guess
    assert gb.Session(game).hint() == live
    with pytest.raises(gb.EngineError, match="GUESSBOOK_PURE"):
        gb.Session(gb.Mastermind(6, 9)).hint()


@pytest.mark.slow
@pytest.mark.sources
def test_pure_wheel_has_no_library_and_no_sources_in_c(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path), "."]
    subprocess.run(command, cwd=root, check=True, env={**os.environ, "GUESSBOOK_PURE": "1"})
    (wheel,) = tmp_path.glob("guessbook-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith("guessbook/engine/")]
        archive.extractall(tmp_path / "unpacked")
    assert names
    assert not [name for name in names if name.endswith((".c", ".h", ".so", ".dll"))]
    where = {**os.environ, "PYTHONPATH": str(tmp_path / "unpacked")}
    program = "import guessbook as gb; gb.build(gb.Mastermind(2, 2))"
    told = subprocess.run(
        [sys.executable, "-c", program], env=where, capture_output=True, text=True, check=False
    )
    assert "is missing in guessbook.engine" in told.stderr.splitlines()[-1]
