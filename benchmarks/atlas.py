"""Build a book by `entropy` for each small game of codes, and write docs/explanation/atlas.md.

Results are stored in docs/explanation/atlas.json, so each game is built once, the smallest first.

    python -m benchmarks.atlas                              start no new game after an hour
    python -m benchmarks.atlas --minutes 10                 start no new game after ten minutes
    python -m benchmarks.atlas --published gpu-search.csv   also store published results
    python -m benchmarks.atlas --minutes 0                  write the page only
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from benchmarks.games import ROOT, Code, keep, machine, stored, table
from guessbook.book.strategy import Strategy
from guessbook.builder.build import best_build, build, first_guesses
from guessbook.policy.policy import POLICIES

STORE, PAGE = (ROOT / "docs" / "explanation" / f"atlas.{ending}" for ending in ("json", "md"))
# Games whose book has at most this many nodes are built with every opening, to find the best one.
CHEAP = 300_000
LARGEST = 1 << 20
ENTROPY = POLICIES["entropy"]


def plan() -> list[Code]:
    """The games of the atlas, those with the fewest codes first."""
    codes = [Code(pegs, colors) for pegs in range(2, 9) for colors in range(2, 16)]
    fitting = [code for code in codes if code.colors**code.pegs <= LARGEST]
    return sorted(fitting, key=lambda code: (code.colors**code.pegs, code))


def name_of(code: Code) -> str:
    """The name of a game on the page."""
    return f"{code.pegs}x{code.colors}"


def made(code: Code) -> dict[str, Any]:
    """Build the book of a game, and return the facts to store.

    A small book is also built with the best opening.
    """
    start = time.process_time()
    book = build(code.game, ENTROPY).book
    seconds = time.process_time() - start
    facts = facts_of(book) | {
        "secrets": book.stats.secrets,
        "bytes": len(book.to_bytes()),
        "seconds": round(seconds, 3),
    }
    openings: dict[int | None, None] = dict.fromkeys(first_guesses(code.game))
    return facts | (
        {"best": facts_of(best_build(code.game, ENTROPY, openings).book)}
        if len(book.tree) <= CHEAP
        else {}
    )


def facts_of(book: Strategy) -> dict[str, Any]:
    """The first guess of a book, and how many guesses it needs."""
    return {
        "first": pattern(book.root.guess),
        "total_guesses": book.stats.total_guesses,
        "max_guesses": book.stats.max_guesses,
    }


def pattern(guess: str) -> str:
    """The pattern of equal symbols in a guess: RRYG is 1123."""
    known: dict[str, str] = {}
    return "".join(known.setdefault(symbol, str(len(known) + 1)) for symbol in guess)


def published(path: Path) -> dict[str, dict[str, Any]]:
    """The published results by `entropy` for each game, from a CSV file."""
    return {
        f"{row['pegs']}x{row['colors']}": {
            "mean": row["mean_guesses"],
            "max_guesses": int(row["max_guesses"]),
            "first": row["first_guess"],
        }
        for row in table(path)
        if row["policy"] == "entropy"
    }


def difference(known: dict[str, Any]) -> str:
    """Say how a mean compares with the published one, and why it differs; "—" if none is known."""
    other = known.get("published")
    if other is None:
        return "—"
    mean = known["total_guesses"] / known["secrets"]
    if abs(mean - float(other["mean"])) < 0.00006:
        return "the same"
    less = "lower" if mean < float(other["mean"]) else "higher"
    if other["first"] == known["first"]:
        return f"{less} (ties)"
    best = known.get("best")
    why = f"{less} (opening"
    if best and abs(best["total_guesses"] / known["secrets"] - float(other["mean"])) < 0.00006:
        why += ", the best one"
    return f"{why})"


def row(name: str, known: dict[str, Any]) -> str:
    """The line of the table for a game."""
    mean, best = known["total_guesses"] / known["secrets"], known.get("best")
    other = known.get("published")
    cells = [
        name,
        f"{known['secrets']:,}",
        f"{mean:.4f}",
        str(known["max_guesses"]),
        known["first"],
        f"{best['total_guesses'] / known['secrets']:.4f} ({best['first']})" if best else "",
        f"{known['seconds']:.2f}",
        f"{known['bytes']:,}",
        f"{other['mean']} ({other['first']})" if other else "",
        difference(known),
    ]
    return f"| {' | '.join(cells)} |"


def page(atlas: dict[str, Any]) -> str:
    """The text of docs/explanation/atlas.md."""
    names = [name_of(code) for code in sorted(plan()) if name_of(code) in atlas]
    missing = [name_of(code) for code in sorted(plan()) if name_of(code) not in atlas]
    left = f"\n\nNot made yet: {', '.join(missing)}." if missing else ""
    return TEMPLATE.format(
        machine=atlas["machine"],
        rows="\n".join(row(name, atlas[name]) for name in names),
        left=left,
    )


TEMPLATE = """\
# Atlas

The table shows how many guesses the policy `entropy` needs in each game with repeats, 2 to 8 pegs, 2 to 15 colours and
at most 1,048,576 codes. 4x6 means 4 pegs and 6 colours. `python -m benchmarks.atlas` builds the books and writes this
page; [atlas.json](atlas.json) has the numbers.

- Worst case: the number of guesses for the hardest code. Bytes: the size of the book.
- First guess: equal digits are equal symbols, so 1123 is RRYG.
- Lowest mean: the mean with the best first guess, which is in parentheses. It was computed for books of at most 300,000
  nodes.
- Seconds: the processor time of the build on {machine}.
- Published mean: the result of mikemag/Mastermind, a search by entropy on a graphics card (2023), with its first guess.
- Comparison: whether our mean is lower or higher than the published one, and what differs. "Opening" means that the
  published first guess differs from ours, "the best one" that the published mean equals our lowest mean. "Ties" means
  that the first guesses are equal, but the programs choose differently among guesses of equal entropy ([our
  rule](../reference/FORMAT.md#what-a-book-promises)).

| game | codes | mean guesses | worst case | first guess | lowest mean | seconds | bytes | published mean | comparison |
|---|---|---|---|---|---|---|---|---|---|
{rows}{left}
"""


def main() -> None:
    """Build the missing games, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="start no game after this time")
    parser.add_argument(
        "--published", type=Path, metavar="FILE", help="a table of published averages by entropy"
    )
    options = parser.parse_args()
    atlas = stored(STORE)
    start = time.monotonic()
    for code in plan():
        if time.monotonic() - start >= 60 * options.minutes:
            break
        if name_of(code) not in atlas:
            atlas[name_of(code)] = made(code)
            atlas["machine"] = machine()
            keep(STORE, atlas, PAGE, page(atlas))
    if options.published:
        for name, facts in published(options.published).items():
            if name in atlas:
                atlas[name]["published"] = facts
    if atlas:
        keep(STORE, atlas, PAGE, page(atlas))


if __name__ == "__main__":
    main()
