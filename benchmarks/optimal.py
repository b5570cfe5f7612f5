"""Compare the policies `optimal` and `win` with simple C++ programs in the same run.

The script compiles the references, optimal.cpp and winner.cpp, with g++ -O3 -march=native, and
times them on one thread. Guessbook runs `build-book --json` on two threads; the build alone is
timed. Each result is checked. The script prints a Markdown table; a ratio is the time of Guessbook
divided by the time of the reference. On a busy machine, compare the processor seconds, which
include whole processes and all threads.

    python -m benchmarks.optimal                 five rows; the references take some minutes
    python -m benchmarks.optimal --all           also larger games and Wordle
    python -m benchmarks.optimal 4x6 "4 of 8"    only these rows
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.games import OPTIMA, WORDLE, WORDS, Code, Words, build, optimum

# The reference programs, and the key of the result in their JSON.
REFERENCES = {"optimal": "total", "winner": "found"}
# Builds shorter than SECONDS run RUNS times, and the least time counts: a busy machine only adds
# time.
RUNS, SECONDS = 7, 2


class Case(NamedTuple):
    """A row of the table.

    Attributes:
        name: the name of the row.
        game: the game.
        unit: the game that the reference plays; None if the row has no ratio.
        at_most, aim: the limit and the aim for the ratio, or for the seconds if the row has no
            ratio; None if not set.
        limits: further options of `build-book`.
        total: the known total if optima.csv lacks it; for `win`, the largest number of secrets that
            any strategy finds within K guesses.
        within: the limit K of the policy `win`; None for the policy `optimal`.
    """

    name: str
    game: Code | Words
    unit: Code | None
    at_most: float | None
    aim: float | None
    limits: str = ""
    total: int | None = None
    within: int | None = None


UNIT = Code(4, 7)
EIGHT, SEVEN = Code(4, 8, False), Code(5, 7, False)
COWS = Code(4, 10, False)
CASES = [
    Case("4x6", Code(4, 6), Code(4, 6), 0.5, 0.1),
    Case("4x7", UNIT, UNIT, 1 / 30, 1 / 80),
    Case("4 of 8", EIGHT, EIGHT, 1 / 5, 1 / 20),
    Case("5 of 7", SEVEN, SEVEN, 1 / 10, 1 / 40),
    Case("4x6, most within 4", Code(4, 6), Code(4, 6), 1 / 20, 1 / 100, "", 768, 4),
]
SALET = "--first-guess salet"
# The reference takes 537 s for 4 of 10, and 7.3 s for 4x6.
COWS_UNITS = 537 / 7.3
LONG = [
    Case("4x6, most within 3", Code(4, 6), None, None, None, "", 132, 3),
    Case(
        *("4 of 10, most within 4", COWS, Code(4, 6), COWS_UNITS / 30, COWS_UNITS / 200),
        *("", 864, 4),
    ),
    Case("Wordle, most within 3", WORDLE, None, 20, 4, "", 1388, 3),
    Case("4x6 within 5", Code(4, 6), Code(4, 6), 0.5, 0.1, "--max-guesses 5", 5626),
    Case("4 of 10", COWS, UNIT, 1.5, 0.3),
    Case("4x8", Code(4, 8), UNIT, 2.5, 0.5),
    Case("4x8 within 6", Code(4, 8), UNIT, 2.5, 0.5, "--max-guesses 6", 20473),
    Case("Wordle", WORDLE, None, 60, 10, SALET, 7920),
    Case("Wordle, hard mode", WORDLE, None, None, None, f"--hard-mode {SALET}", 8116),
    Case(
        *("Wordle, hard mode within 6", WORDLE, None, None, None),
        f"--hard-mode --max-guesses 6 {SALET}",
        8122,
    ),
]


def main() -> None:
    """Measure the cases, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    names = [case.name for case in CASES + LONG]
    parser.add_argument("row", nargs="*", help=f"measure only these rows, of {', '.join(names)}")
    parser.add_argument("--all", action="store_true", help="measure all rows")
    options = parser.parse_args()
    for name in options.row:
        if name not in names:
            parser.error(f"there is no row {name!r}; give one of {', '.join(names)}")
    cases = CASES + (LONG if options.all else [])
    if options.row:
        cases = [case for case in CASES + LONG if case.name in options.row]
    with tempfile.TemporaryDirectory() as folder:
        for name in REFERENCES:
            source = str(Path(__file__).with_name(f"{name}.cpp"))
            made = str(Path(folder, name))
            subprocess.run(["g++", "-O3", "-march=native", "-o", made, source], check=True)
        print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}\n")
        print(
            "| game | result (proven) | Guessbook (s) | reference (s) | ratio | limit | aim "
            "| Guessbook, CPU (s) | reference, CPU (s) | ratio of CPU times |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
        for case in cases:
            if isinstance(case.game, Words) and not WORDS.is_dir():
                print(f"{case.name}: skipped, because {WORDS} is missing", file=sys.stderr)
                continue
            print(line(case, folder), flush=True)


def line(case: Case, folder: str) -> str:
    """Measure a case, and return its row of the table."""
    runs = [ours(case, folder)]
    while len(runs) < RUNS and min(runs)[0] < SECONDS:
        runs.append(ours(case, folder))
    mine, worked = (min(column) for column in zip(*runs, strict=True))
    result = f"{least(case):,} " + ("guesses in total" if case.within is None else "secrets")
    if case.unit is None:
        goals = " | ".join(
            "" if goal is None else f"{goal:g} s" for goal in (case.at_most, case.aim)
        )
        return f"| {case.name} | {result} | {mine:.2f} | | | {goals} | {worked:.2f} | | |"
    other, spent = time_of_reference(case.unit, case.within, folder)
    of_unit = "" if case.unit == case.game else f" ({case.unit.pegs}x{case.unit.colors})"
    goals = " | ".join(
        "" if goal is None else f"ratio {shown(goal)}" for goal in (case.at_most, case.aim)
    )
    return (
        f"| {case.name} | {result} | {mine:.2f} | {other:.2f}{of_unit} | {shown(mine / other)} | {goals} "
        f"| {worked:.2f} | {spent:.2f} | {shown(worked / spent)} |"
    )


def shown(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio > 0.29 else f"1/{1 / ratio:.0f}"


def least(case: Case) -> int:
    """The known result of a case: the least total, or the most secrets."""
    total = case.total or optimum(case.game)
    if total is None:
        raise LookupError(f"{OPTIMA} lacks {case.name}")
    return total


@cache
def time_of_reference(code: Code, within: int | None, folder: str) -> tuple[float, float]:
    """The elapsed and the processor seconds of the reference; each game is measured only once."""
    runs: list[tuple[float, float]] = []
    known = next(
        least(case)
        for case in CASES + LONG
        if (case.game, case.within, case.limits) == (code, within, "")
    )
    name = "optimal" if within is None else "winner"
    command = [str(Path(folder, name)), *map(str, (code.pegs, code.colors, int(code.repeats)))]
    if within is not None:
        command = [command[0], "code", *command[1:], str(within)]
    while len(runs) < RUNS and (not runs or min(runs)[0] < SECONDS):
        before = processor_seconds()
        done = subprocess.run(command, check=True, capture_output=True)
        answer = json.loads(done.stdout)
        check("the reference", answer[REFERENCES[name]], known)
        runs.append((answer["seconds"], processor_seconds() - before))
    seconds, processor = zip(*runs, strict=True)
    return min(seconds), min(processor)


def ours(case: Case, folder: str) -> tuple[float, float]:
    """The seconds that `build-book --json` reports, and the processor seconds of its process."""
    before = processor_seconds()
    policy = "optimal" if case.within is None else f"win:within={case.within}"
    options = f"--policy {policy} {case.limits} --jobs 2"
    report = build(case.game, options, Path(folder, "a.book"))
    result = report["total_guesses"]
    if case.within is not None:
        met = report["distribution"].items()
        result = sum(count for guesses, count in met if int(guesses) <= case.within)
    check(case.name, result, least(case))
    return float(report["seconds"]), processor_seconds() - before


def processor_seconds() -> float:
    """The processor seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check(name: str, found: int, expected: int) -> None:
    """Exit if a result is wrong, because its seconds would mean nothing."""
    if found != expected:
        raise SystemExit(f"{name}: the result is {found:,}, but {expected:,} is known")


if __name__ == "__main__":
    main()
