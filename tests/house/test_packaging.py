"""Packaging: three portions of one namespace, and a wheel that has them all."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from docs.generate import PACKAGES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.sources

# Modules and type markers; templates, style sheets and tables beside the modules that use them.
KINDS = {".py", ".typed", ".css", ".csv", ".h", ".html", ".js", ".txt"}
SHIPPED = [
    "bulls-and-cows-4x10",
    "bulls-and-cows-4x10-optimal",
    "mastermind-4x6",
    "mastermind-4x6-optimal",
    "mastermind-5x8",
]


def test_no_portion_hides_the_others(root: Path) -> None:
    """`guessbook` is a namespace: an __init__.py in one portion would hide the other two."""
    portions = sorted(path.parent.name for path in root.glob("*/guessbook") if path.is_dir())
    assert portions == ["book", "builder", "lookup"]
    assert not list(root.glob("*/guessbook/__init__.py"))
    for name, portion in PACKAGES.items():
        package = root / portion / "guessbook" / name
        assert (package / "__init__.py").is_file()
        assert (package / "py.typed").is_file()


def test_modules_are_short_and_none_is_empty(root: Path) -> None:
    """A module has one concept and at most 400 lines."""
    for portion in ("book", "builder", "lookup"):
        for path in root.glob(f"{portion}/guessbook/**/*.py"):
            assert 0 < len(path.read_text("utf-8").splitlines()) <= 400, path


@pytest.mark.slow
def test_the_wheel_has_everything(root: Path, tmp_path: Path) -> None:
    """The wheel holds all modules, the type markers, the shipped books and the script."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path), "."]
    subprocess.run(command, cwd=root, check=True)
    (wheel,) = tmp_path.glob("guessbook-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (scripts,) = (name for name in names if name.endswith("entry_points.txt"))
        assert "guessbook = guessbook.command.main:main" in archive.read(scripts).decode()
    assert "guessbook/__init__.py" not in names
    expected = {f"guessbook/data/{name}.book" for name in SHIPPED}
    for portion in ("book", "builder", "lookup"):
        folder = root / portion
        files = [path for path in folder.glob("guessbook/**/*.*") if path.suffix in KINDS]
        expected |= {path.relative_to(folder).as_posix() for path in files}
    assert expected <= names
    strays = {name for name in names - expected if ".dist-info/" not in name}
    assert not strays
