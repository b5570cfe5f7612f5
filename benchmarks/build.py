"""Building against the plain C++ search, both sides in one run: `python benchmarks/build.py`.

Compiles the yardstick (naive.cpp beside this) with g++ -O3 -march=native, times its 5x8 on one
thread, and then `guessbook build-book --json` for the games of the table, kernels compiled
beforehand. Prints a markdown table of ratios, and the pairs scored at each depth, which are exact
where seconds are noisy.

    python benchmarks/build.py              the games that take seconds
    python benchmarks/build.py --all        all of them, some 5 minutes
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).with_name("naive.cpp")


class Case(NamedTuple):
    """A game, and what it is measured against.

    Attributes:
        pegs, colors, repeats: of the game.
        own: whether the yardstick plays the same game; else it is its 5x8.
        runs: how often both sides are run; the median counts.
        limit: the largest ratio that the project accepts, as the table shows it; empty if there is
            none.
    """

    pegs: int
    colors: int
    repeats: bool
    own: bool
    runs: int
    limit: str = ""

    @property
    def name(self) -> str:
        """The game as the table shows it."""
        return f"{self.pegs}x{self.colors}" + ("" if self.repeats else " without repeats")


CASES = [
    Case(4, 6, True, True, 7, "1"),
    Case(4, 10, False, True, 7, "1/20"),
    Case(5, 8, True, True, 3, "1/250"),
    Case(5, 10, True, False, 3, "1/60"),
    Case(6, 10, False, False, 1, "1/25"),
    Case(6, 8, True, False, 1, "1/13"),
]
LONG = [
    Case(6, 9, True, False, 1),
    Case(6, 10, True, False, 1, "0.45"),
    Case(7, 7, True, False, 1, "0.6"),
]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="the long games too")
    cases = CASES + (LONG if parser.parse_args().all else [])
    with tempfile.TemporaryDirectory() as folder:
        naive = str(Path(folder, "naive"))
        subprocess.run(["g++", "-O3", "-march=native", "-o", naive, str(SOURCE)], check=True)
        ours(Case(4, 7, True, True, 1), folder)  # from then on its files are in memory
        yardstick = seconds(naive, Case(5, 8, True, True, 1))
        print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
        print(f"reference, 5x8, one thread: {yardstick:.2f} s\n")
        print(
            "| game | total guesses of the book | Guessbook (s) | reference (s) | ratio | limit of the ratio "
            "| peak memory of Guessbook (MiB) |"
        )
        print("|---|---|---|---|---|---|---|")
        results = []
        for case in cases:
            runs = []
            for _ in range(case.runs):
                # In turn, so that a change of the machine's speed meets both sides.
                other = seconds(naive, case) if case.own else yardstick
                runs.append((ours(case, folder), other))
            took = statistics.median(run["seconds"] for run, _ in runs)
            ratio = statistics.median(run["seconds"] / other for run, other in runs)
            other = statistics.median(other for _, other in runs)
            book = runs[0][0]
            against = f"{other:.3f}" if case.own else f"{other:.2f} (5x8)"
            shown = f"{ratio:.2f}" if ratio > 0.3 else f"1/{1 / ratio:.0f}"
            print(
                f"| {case.name} | {book['total_guesses']:,} | {took:.3f} | {against} | {shown} | {case.limit} "
                f"| {book['peak']:.0f} |",
                flush=True,
            )
            results.append((case, book))
    print(
        "\n| game | pairs if every guess is scored | pairs that Guessbook scores | share | by guess: 1st, ... |"
    )
    print("|---|---|---|---|---|")
    for case, book in results:
        codes = book["secrets"]
        # A full search scores every code at every node, against each of its candidates.
        total = codes * book["total_guesses"]
        scored = book["feedbacks_scored"].values()
        share = f"1/{total / sum(scored):.0f}"
        depths = ", ".join(f"{pairs:.2g}" for pairs in scored if pairs)
        print(f"| {case.name} | {total:.2g} | {sum(scored):.2g} | {share} | {depths} |")


def seconds(naive: str, case: Case) -> float:
    """How long the yardstick takes for a game, by its own clock."""
    game = [str(case.pegs), str(case.colors), str(int(case.repeats))]
    done = subprocess.run([naive, "code", *game, "entropy"], check=True, capture_output=True)
    return float(json.loads(done.stdout)["seconds"])


def ours(case: Case, folder: str) -> dict[str, Any]:
    """What `build-book --json` reports for a game, and the peak memory of its process in MiB."""
    command = [sys.executable, "-m", "guessbook", "build-book", "--json", "--stats", "--force"]
    command += ["--pegs", str(case.pegs), "--colors", str(case.colors)]
    command += [] if case.repeats else ["--no-repeats"]
    command += ["-o", str(Path(folder, "a.book"))]
    measured = (
        "import json, resource, subprocess, sys\n"
        "out = subprocess.run(sys.argv[1:], check=True, capture_output=True).stdout\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024\n"
        "print(json.dumps(json.loads(out) | {'peak': peak}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", measured, *command], check=True, capture_output=True
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


if __name__ == "__main__":
    main()
