"""The plain C++ search as an oracle, compiled from its source if that and g++ are at hand."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


@lru_cache(maxsize=1)
def oracle() -> Path:
    """The path of the compiled oracle; skips the test that asks where it cannot be made."""
    source = SHARED / "bench" / "naive.cpp"
    if not source.exists():
        pytest.skip("the yardstick's source is not beside this repository")
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++ to compile the yardstick with")
    binary = Path(mkdtemp()) / "naive"
    subprocess.run([compiler, "-O3", "-o", binary, source], check=True)
    return binary


def ask_oracle(*arguments: object) -> tuple[int, dict[int, int]]:
    """The total of guesses and the distribution that the oracle finds."""
    command = [str(oracle()), *map(str, arguments)]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return answer["total_guesses"], {int(k): n for k, n in answer["distribution"].items()}
