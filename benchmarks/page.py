"""Measure the exported page in Chromium: size, memory, and the time of the first and of live hints.

The time of live hints is the processor time of the page's thread, so other programs hardly affect
it. The first live hint also compiles the engine's functions.

    python benchmarks/page.py

The script needs playwright and Chromium. The row of words needs the lists in ../shared/words.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from guessbook.book.games.words import WordGame
from guessbook.book.strategy import Strategy, read_strategy
from guessbook.export.forms import export
from guessbook.front import build

WORDS = Path(__file__).resolve().parent.parent.parent / "shared" / "words"
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info", "--js-flags=--expose-gc"]
ROUNDS = 9

# For each book, an off-book history that leaves many candidates.
LIVE = {
    "mastermind-4x6": [["RYYY", "0,1"]],
    "bulls-and-cows-4x10": [["0124", "0,1"], ["5678", "0,2"]],
    "mastermind-5x8": [["RYGBO", "0,2"]],
    "words-5x2315": [["fuzzy", "00000"]],
}

FIRST = "performance.getEntriesByName('first hint')[0].startTime"

HINT = """async (history) => {
    const { hint } = await guessbook;
    return (await hint(history)).remaining;
}"""


def main() -> None:
    """Print a line for each book in `LIVE`; the book of words needs its lists."""
    from playwright.sync_api import sync_playwright

    books = [read_strategy(name) for name in LIVE if not name.startswith("words")]
    answers, guesses = WORDS / "wordle-answers-2315.txt", WORDS / "wordle-guesses-12972.txt"
    if answers.exists():
        secrets, words = (file.read_text("utf-8").split() for file in (answers, guesses))
        books.append(build(WordGame(secrets, words), "entropy"))
    path = shutil.which("chromium") or sys.exit("chromium is not installed")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for book in books:
            print(row(browser, book, Path(folder) / "page.html"), flush=True)


def row(browser: Any, book: Strategy, path: Path) -> str:
    """Measure a book in several rounds, each in a new page."""
    path.write_text(export(book, "html"), "utf-8", newline="\n")
    first: list[float] = []
    live: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        page = browser.new_page()
        client = page.context.new_cdp_session(page)
        client.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(path.as_uri())
        page.evaluate("guessbook.then(() => null)")
        first.append(page.evaluate(FIRST))
        heap = page.evaluate("(gc(), performance.memory.usedJSHeapSize)")
        for times in live:
            start = milliseconds(client)
            remaining = page.evaluate(HINT, LIVE[book.game.name])
            times.append(milliseconds(client) - start)
        page.close()
    return (
        f"{book.game.name}: {path.stat().st_size:,} bytes; first hint {median(first):.0f} ms "
        f"(least {min(first):.0f}); heap {heap / 1e6:.1f} MB; live with {remaining:,} candidates "
        f"{median(live[0]):.0f} ms, later {median(live[1]):.0f} ms"
    )


def milliseconds(client: Any) -> float:
    """The processor time of all tasks of the page's thread, in milliseconds."""
    metrics = client.send("Performance.getMetrics")["metrics"]
    known = {metric["name"]: float(metric["value"]) for metric in metrics}
    return 1000 * known["TaskDuration"]


if __name__ == "__main__":
    main()
