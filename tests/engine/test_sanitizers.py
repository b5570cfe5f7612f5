"""The sources in C: no compiler warns, and sanitizers find nothing at the limits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.engine.engines import SOURCES, VARIANTS, WIDTHS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.sources, pytest.mark.posix]
SANITIZERS = ["-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]


def make(compiler: str, flags: list[str], folder: Path) -> Path:
    """Compile the engine with all variants of this machine; returns the library."""
    common = [compiler, "-std=c99", "-fPIC", "-ffp-contract=off", *flags, f"-I{SOURCES}"]
    names = ["engine_plain", "engine_v3", "engine_v4"]
    sources, objects = SOURCES / "engine.c", []
    widths = list(WIDTHS.items()) if len(VARIANTS) > 1 else [(16, "")]
    for name, (width, machine) in zip(names, widths, strict=False):
        objects.append(str(folder / f"{name}.o"))
        own = [f"-march={machine}"] if machine else []
        own += [f"-DLANE_BYTES={width}", f"-DENGINE={name}", f'-DVARIANT="{name}"']
        subprocess.run([*common, *own, "-c", "-o", objects[-1], sources], check=True)
    made = folder / "_engine.so"
    subprocess.run([*common, "-shared", "-o", made, SOURCES / "dispatch.c", *objects], check=True)
    return made


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_no_compiler_warns(compiler: str, tmp_path: Path) -> None:
    """With many warnings on, all of them errors, for every variant."""
    if not shutil.which(compiler):
        pytest.skip(f"there is no {compiler} here")
    make(compiler, ["-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror"], tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="libasan is loaded by name there")
def test_sanitizers_find_nothing(tmp_path: Path, root: Path) -> None:
    """Of addresses and of undefined behaviour, in games up to the limits of the engine."""
    if not shutil.which("gcc"):
        pytest.skip("there is no gcc here")
    make("gcc", [*SANITIZERS, "-fno-sanitize-recover=undefined"], tmp_path)
    asan = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
    ).stdout.strip()
    # Arrays of Python are blocks of their own, with guards, where it asks malloc for each.
    settings = {
        "LD_PRELOAD": asan, "PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }  # fmt: skip
    command = [sys.executable, "-m", "tests.engine.limits", str(tmp_path)]
    done = subprocess.run(
        command, cwd=root, env={**os.environ, **settings}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-5000:]
    assert done.stdout.split("\n")[:-1] == ["codes done", "sums done", "books done"]
    assert "runtime error" not in done.stderr
