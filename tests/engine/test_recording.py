"""The recording of calls of the engine, which a release plays back on other platforms."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from guessbook.engine import binding

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.sources, pytest.mark.posix]


def test_the_engine_gives_the_recorded_answers(root: Path, tmp_path: Path) -> None:
    """The recorder writes a file, and the engine of this machine gives every answer in it again."""
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no compiler for the program that plays a recording back")
    recording, player = tmp_path / "recording.bin", tmp_path / "selftest"
    folder = root / "wheels" / "selftest"
    command = [sys.executable, str(folder / "record.py"), str(recording)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert int(done.stdout.split()[0].replace(",", "")) > 500
    subprocess.run([compiler, "-o", player, folder / "selftest.c", "-ldl"], check=True)
    subprocess.run([player, binding.FOLDER / binding.LIBRARY, recording], check=True)
