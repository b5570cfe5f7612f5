"""Installations of Guessbook whose engine is compiled with other flags."""

from __future__ import annotations

import shutil
from pathlib import Path

from build_engine import compile_into

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "builder" / "guessbook" / "engine"


def install(folder: Path, flags: tuple[str, ...]) -> Path:
    """Make an installation in a folder, and return the entry for Python's path."""
    package = folder / "guessbook"
    for portion in ("app", "book", "builder", "lookup"):
        shutil.copytree(ROOT / portion / "guessbook", package, dirs_exist_ok=True)
    shutil.copytree(ROOT / "data", package / "data")
    for source in (package / "engine").glob("*.[ch]"):
        source.unlink()
    compile_into(package / "engine", SOURCES, extra=flags)
    return folder
