"""The sources in C: warnings of compilers, sanitizers and failing allocations."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.engine.installations import ROOT, install

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.sources,
    pytest.mark.posix,
    pytest.mark.skipif(sys.platform != "linux", reason="needs libasan on Linux"),
    pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed"),
]
SANITIZERS = ("-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
WARNINGS = ("-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror")
TESTS = [
    f"tests/engine/test_{name}.py"
    for name in ("codes", "sums", "sets", "wrong_use", "identification")
]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of an installation whose engine is compiled with sanitizers."""
    folder = tmp_path_factory.mktemp("sanitized")
    failing = ROOT / "tests" / "engine" / "failing.h"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", "gcc")
        site = install(folder, (*SANITIZERS, "-include", str(failing)))
    asan = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
    ).stdout.strip()
    return {
        **os.environ,
        "PYTHONPATH": f"{site}:{ROOT}",
        "LD_PRELOAD": asan,
        # Sanitizers know only the sizes of arrays that malloc returns.
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
    }


def run(environment: dict[str, str], *arguments: str) -> str:
    """Run Python in the installation, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "runtime error" not in done.stderr
    return done.stdout


@pytest.mark.slow
def test_failed_allocation_raises_an_error_and_frees_all_memory(
    environment: dict[str, str],
) -> None:
    lines = run(environment, "-m", "tests.engine.failing").splitlines()
    failures = {name: int(count) for name, _, count in (line.rpartition(" ") for line in lines)}
    assert len(failures) == 10
    assert min(failures.values()) >= 2
    assert failures["guesses"] > 20


@pytest.mark.slow
def test_sanitizers_find_nothing_in_the_tests_of_the_engine(environment: dict[str, str]) -> None:
    where = run(environment, "-c", "from guessbook.engine.binding import FOLDER; print(FOLDER)")
    assert where.startswith(environment["PYTHONPATH"].partition(":")[0])
    assert " passed" in run(environment, "-m", "pytest", "-n", "0", "-q", *TESTS)


@pytest.mark.nightly
def test_sanitizers_find_nothing_in_games_up_to_the_limits(environment: dict[str, str]) -> None:
    assert " passed" in run(environment, "-m", "pytest", "-n", "0", "-q", "-m", "slow", *TESTS)
    tasks = run(environment, "-m", "tests.engine.limits").split()
    assert tasks == ["search_codes", "search_sums", "build_books"]


@pytest.mark.nightly
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_engine_compiles_without_warnings(
    compiler: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setenv("CC", compiler)
    install(tmp_path, WARNINGS)
