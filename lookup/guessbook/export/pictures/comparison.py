"""Comparison: how several policies, or books, do at one game; as data, a table, and a picture."""

from __future__ import annotations

from html import escape
from typing import Any

from guessbook.book.errors import printable
from guessbook.book.facts import claim, facts
from guessbook.book.strategy import Strategy
from guessbook.export.pictures import ink

MARGIN, NAME_WIDTH, BAR_WIDTH, FACTS_WIDTH, ROW, KEY_WIDTH = 16, 190, 420, 280, 28, 44


def compared(label: str, book: Strategy, seconds: float | None) -> dict[str, Any]:
    """What a comparison says of a book.

    Args:
        label: the policy, or the file, as it was asked for.
        book: the book.
        seconds: how long it took to build; None if it was opened.

    Returns:
        The label, what `facts` says, within (guesses -> chance of success with at most so many, 0
        to 1, by the weights of the secrets), and seconds.
    """
    known = book.stats
    solved, within = 0, {}
    for depth, weight in enumerate(known.weight_distribution, 1):
        solved += weight
        within[str(depth)] = solved / known.weight
    return {
        "label": printable(label),
        **facts(book),
        "within": within,
        "seconds": seconds,
    }


def table(rows: list[dict[str, Any]]) -> str:
    """The comparison as text: a line for each policy, then the same by number of guesses.

    Args:
        rows: what `compared` gives.
    """
    worst = max(row["max_guesses"] for row in rows)
    depths = [str(depth) for depth in range(1, worst + 1)]
    head = ["policy", "first", "total", "mean", "worst", "seconds"]
    lines = [
        [
            row["label"],
            row["first_guess"],
            f"{row['total_guesses']:,}",
            f"{row['mean_guesses']:.4f}",
            str(row["max_guesses"]),
            "" if row["seconds"] is None else f"{row['seconds']:.2f}",
        ]
        for row in rows
    ]
    claims = [claim(row) for row in rows]
    if any(claims):
        head.append("claim")
        lines = [[*line, said] for line, said in zip(lines, claims, strict=True)]
    counts = [
        [row["label"], *(f"{row['distribution'].get(d, 0):,}" for d in depths)] for row in rows
    ]
    # A policy that needs fewer guesses at worst is certain of success from there on.
    chances = [
        [row["label"], *(ink.percent(row["within"].get(d, 1.0)) for d in depths)] for row in rows
    ]
    return "\n\n".join(
        _aligned(part)
        for part in (
            [head, *lines],
            [["secrets solved by guess", *depths], *counts],
            [["% solved within guesses", *depths], *chances],
        )
    )


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0])]
            + [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]
        )
        for row in rows
    )


def picture(title: str, rows: list[dict[str, Any]]) -> str:
    """The comparison as an SVG document: for each policy a bar, split by the number of guesses.

    Beside it stands how many guesses it saves of those that the worst of them needs in all; where
    secrets have weights only the mean.

    Args:
        title: what is compared.
        rows: what `compared` gives.
    """
    bars = MARGIN + max(NAME_WIDTH, 10 + max(_length(row["label"]) for row in rows))
    width = max(bars + BAR_WIDTH + FACTS_WIDTH, MARGIN + _length(title)) + MARGIN
    # As many keys in a line as fit beside the labels; long games have several lines of them.
    worst = max(row["max_guesses"] for row in rows)
    most = max(row["total_guesses"] for row in rows)
    across = (width - MARGIN - bars) // KEY_WIDTH
    lines = -(-worst // across)
    height = 2 * MARGIN + ROW * (len(rows) + 1 + lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="13" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(MARGIN, MARGIN + 14, title, "bold"),
    ]
    for index, row in enumerate(rows):
        saved = 0 if "weight" in row else most - row["total_guesses"]
        parts += _bar(bars, MARGIN + ROW * (index + 1), row, saved)
    below = MARGIN + ROW * (len(rows) + 1)
    parts.append(_text(MARGIN, below + 18, "guesses"))
    for depth in range(1, worst + 1):
        line, column = divmod(depth - 1, across)
        x, y = bars + KEY_WIDTH * column, below + ROW * line
        parts.append(
            f'<rect x="{x}" y="{y + 6}" width="14" height="14" fill="{ink.shade(depth)}"/>'
        )
        parts.append(_text(x + 19, y + 18, str(depth)))
    return "\n".join([*parts, "</svg>", ""])


def _bar(left: int, y: int, row: dict[str, Any], saved: int) -> list[str]:
    parts = [_text(MARGIN, y + 18, row["label"])]
    x = float(left)
    secrets = sum(row["distribution"].values())
    shares = row.get("weight_distribution", row["distribution"])
    for depth, count in row["distribution"].items():
        length = BAR_WIDTH * shares[depth] / sum(shares.values())
        tip = f"{count} of {secrets} with guess {depth}"
        parts.append(
            f'<rect x="{x:.2f}" y="{y + 3}" width="{length:.2f}" height="{ROW - 8}" '
            f'fill="{ink.shade(int(depth))}"><title>{tip}</title></rect>'
        )
        x += length
    said = f"mean {row['mean_guesses']:.4f}, worst {row['max_guesses']}"
    said += f"; {saved:,} guesses fewer" if saved else ""
    return [*parts, _text(left + BAR_WIDTH + 10, y + 18, said)]


def _length(text: str) -> int:
    """About how wide a text is, in pixels, rather more: who reads it has fonts of their own."""
    return sum(8 if character.isascii() else 14 for character in text)


def _text(x: int, y: int, text: str, weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" font-weight="{weight}" fill="#222222">{escape(text)}</text>'
