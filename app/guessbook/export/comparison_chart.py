"""The comparison of several books of one game, as data, as text and as a picture."""

from collections import Counter
from html import escape
from itertools import accumulate
from typing import Any

from guessbook.book.errors import printable, quantity
from guessbook.book.strategy import Strategy
from guessbook.book.summary import claim, facts, range_name, ranges_of, sum_over
from guessbook.export import shapes

# The keys of the total, the mean and the worst case: of guesses, and of costs.
FIGURES = (
    ("total_guesses", "mean_guesses", "max_guesses"),
    ("total_cost", "mean_cost", "max_cost"),
)
# The table of costs has at most this number of columns, one for each cost shown.
MAX_COSTS = 8
MARGIN, NAME_WIDTH, BAR_WIDTH, FACTS_WIDTH, ROW, KEY_WIDTH = 16, 190, 420, 280, 28, 44


def comparison_row(label: str, book: Strategy, seconds: float | None) -> dict[str, Any]:
    """Return the data of a book for a comparison, with the seconds that its build took.

    The key `within` maps each number of guesses to the probability that this number suffices. If
    tests have costs, `within_cost` maps each cost of an outcome to the probability that it is
    enough.
    """
    known = book.stats
    solved, total = (
        enumerate(accumulate(known.weight_distribution), known.first_depth),
        known.weight,
    )
    within = {str(depth): weight / total for depth, weight in solved}
    row = {"label": printable(label), **facts(book), "within": within, "seconds": seconds}
    return row | _within_cost(book)


def _within_cost(book: Strategy) -> dict[str, Any]:
    tree, found = book.tree, book.game.identification
    if found is None or not found.priced:
        return {}
    weights: Counter[int] = Counter()
    for node, cost in enumerate(tree.path_costs):
        weights[cost] += tree.found(node, 1)
    costs = sorted(cost for cost, weight in weights.items() if weight)
    known = accumulate([weights[cost] for cost in costs])
    shares = {
        str(found.shown(cost)): weight / book.stats.weight
        for cost, weight in zip(costs, known, strict=True)
    }
    return {"within_cost": shares}


def comparison_table(rows: list[dict[str, Any]]) -> str:
    """Return tables as text, each with a line for each book.

    The tables show the main figures, the number of secrets solved by the n-th guess, and the
    percentage solved within n guesses. If outcomes are identified, total, mean and worst case are
    costs, and the other tables count tests. If tests have costs, a last table shows the percentage
    known within each cost.
    """
    tests = "goal" in rows[0]
    first = 0 if tests else 1
    shown = ranges_of(max(len(row["distribution"]) for row in rows), first)
    depths = [range_name(guesses) for guesses in shown]
    total, mean, worst = FIGURES[tests]
    cost = " cost" * tests
    figures = [["policy", "first", f"total{cost}", "mean", "worst", "seconds", "claim"]]
    counts = [["things known after tests" if tests else "secrets solved by guess", *depths]]
    chances = [["% known within tests" if tests else "% solved within guesses", *depths]]
    for row in rows:
        label, seconds = row["label"], row["seconds"]
        figures.append(
            [
                label,
                row["first_guess"],
                f"{row[total]:,}",
                f"{row[mean]:.4f}",
                f"{row[worst]:,}",
                "" if seconds is None else f"{seconds:.2f}",
                claim(row),
            ]
        )
        solved = [*row["distribution"].values()]
        counts.append([label, *[f"{sum_over(solved, guesses, first):,}" for guesses in shown]])
        # `within` ends at the most guesses that the policy needs; beyond it the chance is 1.
        within = [row["within"].get(str(guesses[-1]), 1.0) for guesses in shown]
        chances.append([label, *map(shapes.percent, within)])
    if not any(map(claim, rows)):
        figures = [cells[:-1] for cells in figures]
    tables = [figures, counts, chances]
    if "within_cost" in rows[0]:
        tables.append(_cost_table(rows))
    return "\n\n".join(map(_align, tables))


def _cost_table(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Return a table of the percentage known within each of at most MAX_COSTS costs."""
    known = [{float(cost): share for cost, share in row["within_cost"].items()} for row in rows]
    costs = sorted({cost for shares in known for cost in shares})
    step = -(-len(costs) // MAX_COSTS)
    shown = costs[(len(costs) - 1) % step :: step]
    lines = [["% known within cost", *[f"{cost:,.10g}" for cost in shown]]]
    for row, shares in zip(rows, known, strict=True):
        within = [
            max([share for cost, share in shares.items() if cost <= limit], default=0.0)
            for limit in shown
        ]
        lines.append([row["label"], *map(shapes.percent, within)])
    return lines


def _align(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widths[0] *= -1  # A negative width aligns the first column on the left.
    layout = "  ".join([f"%{width}s" for width in widths])
    return "\n".join([layout % tuple(row) for row in rows])


def comparison_picture(title: str, rows: list[dict[str, Any]]) -> str:
    """Return an SVG picture: a bar for each book, with a part for each number of guesses."""
    bars = MARGIN + max(NAME_WIDTH, 10 + max(_length(row["label"]) for row in rows))
    facts_width = FACTS_WIDTH + max(_length(row["label"]) for row in rows)
    width = max(bars + BAR_WIDTH + facts_width, MARGIN + _length(title)) + MARGIN
    # The colour key wraps at the width of the picture.
    tests = "goal" in rows[0]
    first = 0 if tests else 1
    shown = ranges_of(max(len(row["distribution"]) for row in rows), first)
    yardstick = max(rows, key=lambda row: int(row["total_guesses"]))
    box = max(KEY_WIDTH, 28 + _length(range_name(shown[-1])))
    across = (width - MARGIN - bars) // box
    lines = -(-len(shown) // across)
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
        saved = yardstick["total_guesses"] - row["total_guesses"]
        counted = saved and not tests and "weight" not in row
        note = f"; {quantity(saved)} fewer than {yardstick['label']}" if counted else ""
        parts += _bar(bars, MARGIN + ROW * (index + 1), row, note, shown)
    below = MARGIN + ROW * (len(rows) + 1)
    parts.append(_text(MARGIN, below + 18, "tests" if tests else "guesses"))
    for place, guesses in enumerate(shown):
        line, column = divmod(place, across)
        x, y = bars + box * column, below + ROW * line
        color = shapes.shade(guesses[-1] + 1 - first)
        parts.append(f'<rect x="{x}" y="{y + 6}" width="14" height="14" fill="{color}"/>')
        parts.append(_text(x + 19, y + 18, range_name(guesses)))
    return "\n".join([*parts, "</svg>", ""])


def _bar(left: int, y: int, row: dict[str, Any], note: str, shown: list[range]) -> list[str]:
    parts = [_text(MARGIN, y + 18, row["label"])]
    x = float(left)
    counts = [*row["distribution"].values()]
    shares = [*row.get("weight_distribution", row["distribution"]).values()]
    secrets, total = sum(counts), sum(shares)
    tests, first = "goal" in row, shown[0].start
    for guesses in shown:
        if guesses.start >= first + len(counts):
            break
        length = BAR_WIDTH * sum_over(shares, guesses, first) / total
        tip = f"{sum_over(counts, guesses, first)} of {secrets} "
        tip += f"{'after tests:' if tests else 'with guess'} {range_name(guesses)}"
        parts.append(
            f'<rect x="{x:.2f}" y="{y + 3}" width="{length:.2f}" height="{ROW - 8}" '
            f'fill="{shapes.shade(guesses[-1] + 1 - first)}"><title>{tip}</title></rect>'
        )
        x += length
    _, mean, worst = FIGURES[tests]
    said = f"mean {'cost ' * tests}{row[mean]:.4f}, worst {row[worst]:,}{note}"
    return [*parts, _text(left + BAR_WIDTH + 10, y + 18, said)]


def _length(text: str) -> int:
    """Return an estimate of the width of a string, in pixels, large enough for common fonts."""
    return sum(8 if character.isascii() else 14 for character in text)


def _text(x: int, y: int, text: str, weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" font-weight="{weight}" fill="#222222">{escape(text)}</text>'
