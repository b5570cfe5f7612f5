"""The comparison of several policies or books at one game: as data, a table, and a picture."""

from html import escape
from typing import Any

from guessbook.book.errors import printable
from guessbook.book.strategy import Strategy
from guessbook.book.summary import claim, facts
from guessbook.export.pictures import shapes

MARGIN, NAME_WIDTH, BAR_WIDTH, FACTS_WIDTH, ROW, KEY_WIDTH = 16, 190, 420, 280, 28, 44


def compared(label: str, book: Strategy, seconds: float | None) -> dict[str, Any]:
    """Return the row of a book in a comparison.

    Args:
        label: the policy or the file, as the user wrote it.
        book: the book.
        seconds: the seconds of the build; None if the book was opened.

    Returns:
        The label, the `facts`, within (number of guesses -> chance of success with at most that
        many, 0 to 1, by the weights of the secrets), and seconds.
    """
    known = book.stats
    solved, within = 0, {}
    for depth, weight in enumerate(known.weight_distribution, 1):
        solved += weight
        within[str(depth)] = solved / known.weight
    return {"label": printable(label), **facts(book), "within": within, "seconds": seconds}


def table(rows: list[dict[str, Any]]) -> str:
    """Return the rows as text: a line for each policy, then tables by number of guesses."""
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
    # Beyond its own worst case a policy is certain of success.
    chances = [
        [row["label"], *(shapes.percent(row["within"].get(d, 1.0)) for d in depths)] for row in rows
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
    """Return the rows as an SVG document: a bar for each policy, split by the number of guesses.

    Beside a bar stand its mean, its worst case and, without weights, the number of guesses that it
    saves against the policy that needs the most.
    """
    bars = MARGIN + max(NAME_WIDTH, 10 + max(_length(row["label"]) for row in rows))
    width = max(bars + BAR_WIDTH + FACTS_WIDTH, MARGIN + _length(title)) + MARGIN
    # The keys of long games take several lines beside the labels.
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
            f'<rect x="{x}" y="{y + 6}" width="14" height="14" fill="{shapes.shade(depth)}"/>'
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
            f'fill="{shapes.shade(int(depth))}"><title>{tip}</title></rect>'
        )
        x += length
    said = f"mean {row['mean_guesses']:.4f}, worst {row['max_guesses']}"
    said += f"; {saved:,} guesses fewer" if saved else ""
    return [*parts, _text(left + BAR_WIDTH + 10, y + 18, said)]


def _length(text: str) -> int:
    """Return a generous estimate of the width of a text in pixels, as fonts differ."""
    return sum(8 if character.isascii() else 14 for character in text)


def _text(x: int, y: int, text: str, weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" font-weight="{weight}" fill="#222222">{escape(text)}</text>'
