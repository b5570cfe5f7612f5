"""The comparison of several books of one game, as data, as text and as a picture."""

from html import escape
from itertools import accumulate
from typing import Any

from guessbook.book.errors import printable
from guessbook.book.strategy import Strategy
from guessbook.book.summary import claim, facts
from guessbook.export import shapes

MARGIN, NAME_WIDTH, BAR_WIDTH, FACTS_WIDTH, ROW, KEY_WIDTH = 16, 190, 420, 280, 28, 44


def comparison_row(label: str, book: Strategy, seconds: float | None) -> dict[str, Any]:
    """Return the data of a book for a comparison, with the seconds that its build took.

    The key `within` maps each number of guesses to the probability that this number suffices.
    """
    known = book.stats
    solved = enumerate(accumulate(known.weight_distribution), 1)
    within = {str(depth): weight / known.weight for depth, weight in solved}
    return {"label": printable(label), **facts(book), "within": within, "seconds": seconds}


def comparison_table(rows: list[dict[str, Any]]) -> str:
    """Return three tables as text, each with a line for each book.

    They have the main figures, the secrets solved by the n-th guess, and the % solved within n.
    """
    depths = [str(depth) for depth in range(1, max(row["max_guesses"] for row in rows) + 1)]
    figures = [["policy", "first", "total", "mean", "worst", "seconds", "claim"]]
    counts = [["secrets solved by guess", *depths]]
    chances = [["% solved within guesses", *depths]]
    for row in rows:
        label, seconds = row["label"], row["seconds"]
        figures.append(
            [
                label,
                row["first_guess"],
                f"{row['total_guesses']:,}",
                f"{row['mean_guesses']:.4f}",
                str(row["max_guesses"]),
                "" if seconds is None else f"{seconds:.2f}",
                claim(row),
            ]
        )
        counts.append([label, *[f"{row['distribution'].get(d, 0):,}" for d in depths]])
        # `within` ends at the most guesses that the policy needs; beyond it the chance is 1.
        chances.append([label, *[shapes.percent(row["within"].get(d, 1.0)) for d in depths]])
    if not any(map(claim, rows)):
        figures = [cells[:-1] for cells in figures]
    return "\n\n".join(map(_align, (figures, counts, chances)))


def _align(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widths[0] *= -1  # A negative width aligns the first column on the left.
    layout = "  ".join([f"%{width}s" for width in widths])
    return "\n".join([layout % tuple(row) for row in rows])


def comparison_picture(title: str, rows: list[dict[str, Any]]) -> str:
    """Return an SVG picture: a bar for each policy, with a part for each number of guesses."""
    bars = MARGIN + max(NAME_WIDTH, 10 + max(_length(row["label"]) for row in rows))
    facts_width = FACTS_WIDTH + max(_length(row["label"]) for row in rows)
    width = max(bars + BAR_WIDTH + facts_width, MARGIN + _length(title)) + MARGIN
    # The colour key wraps at the width of the picture.
    worst = max(row["max_guesses"] for row in rows)
    yardstick = max(rows, key=lambda row: int(row["total_guesses"]))
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
        # If secrets have weights, the means are by weight. Totals count each secret once, so they
        # are not compared.
        saved = 0 if "weight" in row else yardstick["total_guesses"] - row["total_guesses"]
        note = f"; {saved:,} guesses fewer than {yardstick['label']}" if saved else ""
        parts += _bar(bars, MARGIN + ROW * (index + 1), row, note)
    below = MARGIN + ROW * (len(rows) + 1)
    parts.append(_text(MARGIN, below + 18, "guesses"))
    for depth in range(1, worst + 1):
        line, column = divmod(depth - 1, across)
        x, y, color = bars + KEY_WIDTH * column, below + ROW * line, shapes.shade(depth)
        parts.append(f'<rect x="{x}" y="{y + 6}" width="14" height="14" fill="{color}"/>')
        parts.append(_text(x + 19, y + 18, str(depth)))
    return "\n".join([*parts, "</svg>", ""])


def _bar(left: int, y: int, row: dict[str, Any], note: str) -> list[str]:
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
    said = f"mean {row['mean_guesses']:.4f}, worst {row['max_guesses']}{note}"
    return [*parts, _text(left + BAR_WIDTH + 10, y + 18, said)]


def _length(text: str) -> int:
    """Return an estimate of the width of a text, in pixels, large enough for common fonts."""
    return sum(8 if character.isascii() else 14 for character in text)


def _text(x: int, y: int, text: str, weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" font-weight="{weight}" fill="#222222">{escape(text)}</text>'
