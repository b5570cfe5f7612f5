"""The plain C++ search as an oracle: what it found, in data/oracle.csv, and the search itself.

`python -m tests.oracle` asks it again for every case (minutes) and writes the file anew; for that
its source and g++ must be at hand.
"""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import pytest

__all__ = ["CASES", "LARGE_CASES", "SHARED", "Case", "Found", "ask_oracle", "stored"]

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
STORE = Path(__file__).resolve().parent / "data" / "oracle.csv"
COLUMNS = ["pegs", "colors", "repeats", "policy", "total_guesses", "distribution"]


class Case(NamedTuple):
    """A code game and a one-step policy."""

    pegs: int
    colors: int
    repeats: bool
    policy: str


class Found(NamedTuple):
    """A total of guesses, and how many secrets the 1st, 2nd, ... guess solves."""

    total: int
    distribution: tuple[int, ...]


CASES = [
    Case(3, 6, True, "entropy"),
    Case(4, 5, True, "minimax"),
    Case(4, 7, True, "entropy"),
    Case(4, 7, True, "parts"),
    Case(5, 4, True, "expected"),
    Case(5, 5, True, "entropy"),
    Case(6, 3, True, "parts"),
    Case(6, 4, True, "entropy"),
    Case(7, 3, True, "minimax"),
    Case(8, 2, True, "entropy"),
    Case(2, 12, True, "expected"),
    Case(3, 10, False, "entropy"),
    Case(4, 8, False, "minimax"),
    Case(4, 10, False, "entropy"),
    Case(4, 10, False, "parts"),
    Case(5, 7, False, "expected"),
    Case(6, 6, False, "entropy"),
]
# At these sizes both kernels and the top of the tree are at work.
LARGE_CASES = [
    Case(5, 8, True, "entropy"),
    Case(5, 8, True, "parts"),
    Case(6, 6, True, "minimax"),
    Case(5, 9, False, "entropy"),
]


def main() -> None:
    """Write the file."""
    with STORE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for case in [*CASES, *LARGE_CASES]:
            found = ask_oracle(case)
            by_depth = " ".join(map(str, found.distribution))
            row = (case.pegs, case.colors, int(case.repeats), case.policy, found.total, by_depth)
            writer.writerow(row)
            file.flush()


@lru_cache(maxsize=1)
def stored() -> dict[Case, Found]:
    """What the oracle found for each case, from the file."""
    with STORE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        Case(int(row["pegs"]), int(row["colors"]), row["repeats"] == "1", row["policy"]): Found(
            int(row["total_guesses"]), tuple(map(int, row["distribution"].split()))
        )
        for row in rows
    }


def ask_oracle(case: Case) -> Found:
    """What the oracle finds for a case now; skips the test that asks where there is no oracle."""
    arguments = ["code", str(case.pegs), str(case.colors), str(int(case.repeats)), case.policy]
    command = [str(oracle()), *arguments]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    by_depth = {int(depth): n for depth, n in answer["distribution"].items()}
    depths = range(1, max(by_depth) + 1)
    return Found(answer["total_guesses"], tuple(by_depth.get(depth, 0) for depth in depths))


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


if __name__ == "__main__":
    main()
