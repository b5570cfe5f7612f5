"""Measure the time of hints, by source, and of whole processes.

    python benchmarks/lookup.py [BOOK]

BOOK is a book of mastermind-4x6, by default the shipped one. Times are medians. Processes that are
compared run in turn, so that a busy machine slows both.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

from guessbook.front import open_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from guessbook.book.strategy import Node
    from guessbook.front import Book

PROCESSES = 21
BARE = "import msgpack, zstandard"
BOOK_HINT = """
from guessbook.front import open_book
with open_book(BOOK) as book:
    assert book.hint(["RYGB=0,2", "YGOP=0,2", "GPBP=0,1", "GOYO=1,0"]).source == "book"
"""
LIVE_HINT = """
from guessbook.front import open_book
with open_book(BOOK) as book:
    assert book.hint(["RRYG=0,1", "BBOP=1,1", "PORB=0,2"]).source == "live"
"""
LIVE_5X8 = """
from guessbook.play.session import Board
board = Board(5, 8)
board._book = None
board.add_guess("RYGBO", "1,1")
board.add_guess("OPWKK", "1,1")
board.best_next_guess()
"""
Entries = list[tuple[str, str]]


class Row(NamedTuple):
    """A line of the table: what was measured, the value with its unit, and the limit."""

    what: str
    value: str
    limit: str


def main(source: str) -> None:
    """Measure and print the table."""
    book = open_book(source)
    if book.game.name != "mastermind-4x6":
        raise SystemExit(f"{source} is a book of {book.game.name}; give one of mastermind-4x6")
    rows = [*in_process(book), *processes(source)]
    width = max(len(row.what) for row in rows)
    print(f"{'':{width}}  {'median':>12}  limit")
    for row in rows:
        print(f"{row.what:{width}}  {row.value:>12}  {row.limit}")


def in_process(book: Book) -> list[Row]:
    """Measure a step from a node to its child, and hints by each source, in this process."""
    rng = random.Random(1)
    paths = list(paths_below(book.root, []))
    deep = [path for path in paths if len(path) == 5]
    root, feedback = book.root, "1,1"

    def step() -> str:
        child = root.child(feedback)
        assert child is not None
        return child.guess

    shuffled = [permuted(book, rng.choice(deep), rng) for _ in range(200)]
    shuffled = [history for history in shuffled if book.hint(history).source == "symmetry"]
    secrets = [rng.choice(book.game.secrets) for _ in range(100)]
    strays = [answers(book, rng.sample(list(book.game.guesses), 3), secret) for secret in secrets]
    strays = [history for history in strays if book.hint(history).source == "live"]
    return [
        Row("one step of a cursor", microseconds([step] * 1000, 20), "2 us"),
        Row("hint, book, 5 guesses", hints(book, [rng.choice(deep) for _ in range(200)]), "30 us"),
        Row("hint, symmetry, 5 guesses", hints(book, shuffled), "1000 us"),
        Row("hint, live, 3 guesses", hints(book, strays), ""),
    ]


def processes(source: str) -> list[Row]:
    """Measure whole processes, from the start of the interpreter to its end."""
    preamble = f"BOOK = {source!r}\n"
    scripts = [BARE, preamble + BOOK_HINT, preamble + LIVE_HINT, LIVE_5X8]
    commands = [["-c", script] for script in scripts]
    commands.append(["-m", "guessbook.lookup", source, "RYGB=0,2", "YGOP=0,2"])
    commands.append(["-m", "guessbook.lookup", "mastermind-5x8", "RRYGB=1,1"])
    with tempfile.TemporaryDirectory() as folder:
        # The first round compiles the modules, as an installation does, and is not counted.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        rounds = [[seconds(each, environment) for each in commands] for _ in range(PROCESSES)]
    times = rounds[1:]
    medians = [statistics.median(column) for column in zip(*times, strict=True)]
    bare, on_book, live, large, door, large_door = medians
    ratios = [statistics.median(row[k] / row[0] for row in times) for k in (1, 4, 5)]
    return [
        Row("process, imports msgpack and zstandard", f"{bare * 1e3:.1f} ms", ""),
        Row("process, hint from the book", f"{on_book * 1e3:.1f} ms", ""),
        Row("  its ratio to the imports", f"{ratios[0]:.2f}", "1.6"),
        Row("process, python -m guessbook.lookup", f"{door * 1e3:.1f} ms", ""),
        Row("  its ratio to the imports", f"{ratios[1]:.2f}", "1.5"),
        Row("process, python -m guessbook.lookup, 5x8", f"{large_door * 1e3:.1f} ms", ""),
        Row("  its ratio to the imports", f"{ratios[2]:.2f}", "1.5"),
        Row("process, live hint, 4x6", f"{live * 1e3:.1f} ms", "100 ms"),
        Row("process, live hint, 5x8", f"{large * 1e3:.1f} ms", "2000 ms"),
    ]


def paths_below(node: Node, history: Entries) -> list[Entries]:
    """The histories of a node and of all nodes below it."""
    found = [history]
    for feedback, child in node.children.items():
        found += paths_below(child, [*history, (node.guess, str(feedback))])
    return found


def permuted(book: Book, history: Entries, rng: random.Random) -> Entries:
    """The same history with permuted symbols, positions and rows."""
    symbols: str = book.game.header()["symbols"]
    table = str.maketrans(symbols, "".join(rng.sample(symbols, len(symbols))))
    order = rng.sample(range(book.game.length), book.game.length)
    changed = [("".join(g[p] for p in order).translate(table), answer) for g, answer in history]
    return rng.sample(changed, len(changed))


def answers(book: Book, guesses: list[str], secret: str) -> Entries:
    """A history of these guesses with their feedback for a secret."""
    game = book.game
    return [(guess, str(game.feedback(guess, secret))) for guess in guesses]


def hints(book: Book, histories: list[Entries]) -> str:
    """The median time of a hint over these histories."""
    return microseconds([lambda h=h: book.hint(h) for h in histories], 1)  # type: ignore[misc]


def microseconds(calls: list[Callable[[], object]], at_a_time: int) -> str:
    """The median time of some calls; each is repeated `at_a_time` times."""
    times = []
    for call in calls:
        start = time.perf_counter()
        for _ in range(at_a_time):
            call()
        times.append((time.perf_counter() - start) / at_a_time)
    return f"{statistics.median(times) * 1e6:.1f} us"


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The elapsed time of a Python process; its output is discarded."""
    start = time.perf_counter()
    command = [sys.executable, *command]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "mastermind-4x6")
