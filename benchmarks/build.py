"""Compare builds with the naive C++ search in the same run.

The script compiles the reference, naive.cpp, with g++ -O3 -march=native, times it on one thread,
and times `guessbook build-book --json` for the games of the table. It prints a Markdown table of
ratios, and the number of scored pairs at each depth, which is exact, while seconds are noisy.

    python benchmarks/build.py                  the games that take seconds
    python benchmarks/build.py --all            all games, about 5 minutes
    python benchmarks/build.py --variant v3     engine and reference for x86-64-v3 (or v2, v4)
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

from guessbook.engine.binding import engine

SOURCE = Path(__file__).with_name("naive.cpp")
# The numbers of the engine's variants: see `guessbook.engine.binding.engine`.
VARIANTS = {"v2": 0, "v3": 1, "v4": 2}


class Case(NamedTuple):
    """A game, and its reference.

    Attributes:
        pegs, colors, repeats: the game.
        own: whether the reference plays the same game; otherwise it plays 5x8.
        runs: the number of runs of Guessbook, and of the reference if `own` is true; the median
            counts.
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
        """The name of the game in the table."""
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
    """Measure the games, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="measure the long games, too")
    parser.add_argument(
        "--variant",
        choices=VARIANTS,
        help="the variant of the engine [default: the best of this machine]",
    )
    given = parser.parse_args()
    cases = CASES + (LONG if given.all else [])
    variant = VARIANTS[given.variant] if given.variant else -1
    march = f"x86-64-{given.variant}" if given.variant else "native"
    with tempfile.TemporaryDirectory() as folder:
        naive = str(Path(folder, "naive"))
        subprocess.run(["g++", "-O3", f"-march={march}", "-o", naive, str(SOURCE)], check=True)
        ours(
            Case(4, 7, True, True, 1), folder, variant
        )  # a warm-up: afterwards its files are in memory
        reference = seconds(naive, Case(5, 8, True, True, 1))
        print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
        print(f"engine: {engine(variant).variant}, reference: -march={march}")
        print(f"reference, 5x8, one thread: {reference:.2f} s\n")
        print(
            "| game | total guesses of the book | Guessbook (s) | reference (s) | ratio | limit of the ratio "
            "| peak memory of Guessbook (MiB) |"
        )
        print("|---|---|---|---|---|---|---|")
        results = []
        for case in cases:
            runs = []
            for _ in range(case.runs):
                # In turn, so that a change of the machine's speed affects both sides.
                other = seconds(naive, case) if case.own else reference
                runs.append((ours(case, folder, variant), other))
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
    """The seconds that the reference reports for a game."""
    game = [str(case.pegs), str(case.colors), str(int(case.repeats))]
    done = subprocess.run([naive, "code", *game, "entropy"], check=True, capture_output=True)
    return float(json.loads(done.stdout)["seconds"])


# The command `guessbook` with one variant of the engine, as the default argument of `engine`.
COMMAND = """
from guessbook.command.main import main
from guessbook.engine.binding import engine
engine.__defaults__ = ({variant},)
main()
"""


def ours(case: Case, folder: str, variant: int) -> dict[str, Any]:
    """What `build-book --json` reports for a game, and the peak memory of its process in MiB."""
    command = [sys.executable, "-c", COMMAND.format(variant=variant)]
    command += ["build-book", "--json", "--stats", "--force"]
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
