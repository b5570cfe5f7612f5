"""Compare the processor seconds of a command in several installations of Guessbook.

    python -m benchmarks.turns --also OTHER/bin/python build-book --pegs 5 --colors 8 --jobs 1
    python -m benchmarks.turns --also OTHER/bin/python hint mastermind-4x6 RRYG=0,1 BBOP=1,1

Each installation runs `python -m guessbook` with the arguments: once uncounted, to compile its
modules, then --runs times. The installations take turns. Books are discarded, but their sizes and
digests are printed, so that differences show. The least seconds count, because a busy machine can
only add to them.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from pathlib import Path

from benchmarks.waiting import seconds


def main() -> None:
    """Measure and print a line for each installation."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--also", metavar="PYTHON", action="append", default=[])
    parser.add_argument("--runs", type=int, default=3)
    options, command = parser.parse_known_args()
    if not command:
        parser.error("no command; give one such as hint mastermind-4x6")
    pythons = [sys.executable, *options.also]
    times: dict[str, list[float]] = {python: [] for python in pythons}
    digests = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        book = Path(folder, "a.book")
        output = ["--force", "-o", str(book)] if command[0] == "build-book" else []
        for _ in range(options.runs + 1):
            for python in pythons:
                arguments = ["-m", "guessbook", *command, *output]
                times[python].append(seconds([python, *arguments], environment))
                blob = book.read_bytes() if output else b""
                digests[python] = f"{len(blob):,} bytes, {hashlib.sha256(blob).hexdigest()[:12]}"
    unit = min(times[pythons[-1]][1:])
    for python, runs in times.items():
        least = min(runs[1:])
        made = f", {digests[python]}" if output else ""
        print(f"{least:8.3f} s, {least / unit:.2f} of the last{made}, by {python}")


if __name__ == "__main__":
    main()
