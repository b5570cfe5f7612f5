"""The picture of the records: average guesses by pegs and colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.export import shapes
from guessbook.export.pictures import opening_tag

# Sizes in pixels; there is a panel for each number of pegs.
PANEL_WIDTH, PANEL_HEIGHT, GAP, MARGIN, TOP = 300.0, 240.0, 70.0, 50.0, 110.0
OURS, BOUND = shapes.SHADES[1], shapes.SHADES[5]
TITLE = "Records: guesses for each code"


class Point(NamedTuple):
    """A game, and its average numbers of guesses.

    Attributes:
        pegs: the number of pegs.
        colors: the number of colours.
        ours: the average of our strategy.
        bound: the proven lower bound of the average.
        known: the average of the best strategy known elsewhere, or None.
    """

    pegs: int
    colors: int
    ours: float
    bound: float
    known: float | None


def picture(points: Sequence[Point]) -> str:
    """The picture as an SVG document: a panel for each number of pegs, two in a row."""
    families = sorted({point.pegs for point in points})
    rows = -(-len(families) // 2)
    width = 2 * MARGIN + 2 * PANEL_WIDTH + GAP
    height = TOP + rows * (PANEL_HEIGHT + GAP)
    said = (
        f"{len(points)} games in {len(families)} panels, one for each number of pegs. "
        "Each game has the guesses of the best strategy known elsewhere, those of ours, and the "
        "proven lower bound, divided by the number of codes."
    )
    parts = [
        opening_tag(width, height, TITLE, said),
        f"<style>{shapes.STYLE}</style>",
        f'<rect class="page" width="{shapes.short(width)}" height="{shapes.short(height)}"/>',
        shapes.text(MARGIN, 30, TITLE, 20, font_weight="700"),
        key(MARGIN, 62),
    ]
    for place, pegs in enumerate(families):
        x = MARGIN + (PANEL_WIDTH + GAP) * (place % 2)
        y = TOP + (PANEL_HEIGHT + GAP) * (place // 2)
        parts.append(shapes.move(x, y, panel(pegs, [p for p in points if p.pegs == pegs])))
    return "\n".join([*parts, "</svg>", ""])


def key(x: float, y: float) -> str:
    """Draw the legend."""
    parts = [
        ring(x, y),
        shapes.text(x + 14, y, "best known elsewhere", 12),
        dot(x + 190, y),
        shapes.text(x + 204, y, "ours", 12),
        line(x + 260, y, x + 280, y),
        shapes.text(x + 290, y, "from the proven bound to ours (no line: the optimum)", 12),
    ]
    return "\n".join(parts)


def panel(pegs: int, points: Sequence[Point]) -> str:
    """Draw the panel for one number of pegs: colours along x, average guesses along y."""
    colors = [point.colors for point in points]
    values = [v for p in points for v in (p.ours, p.bound, p.known) if v is not None]
    least, most = int(min(values)), int(max(values)) + 1

    def across(number: float) -> float:
        return PANEL_WIDTH * (number - min(colors) + 0.5) / (max(colors) - min(colors) + 1)

    def up(value: float) -> float:
        return PANEL_HEIGHT * (most - value) / (most - least)

    parts = [shapes.text(0, -18, f"{pegs} pegs", 14, font_weight="700")]
    for guesses in range(least, most + 1):
        y = up(guesses)
        parts.append(f'<path class="peg" d="M0 {shapes.short(y)}H{shapes.short(PANEL_WIDTH)}"/>')
        parts.append(shapes.text(-10, y, str(guesses), 12, text_anchor="end", class_="soft"))
    for number in range(min(colors), max(colors) + 1):
        parts.append(
            shapes.text(across(number), PANEL_HEIGHT + 16, str(number), 12, text_anchor="middle")
        )
    low = PANEL_HEIGHT + 34
    parts.append(shapes.text(PANEL_WIDTH, low, "colours", 12, text_anchor="end", class_="soft"))
    for point in points:
        x = across(point.colors)
        if point.bound < point.ours:
            parts.append(line(x, up(point.bound), x, up(point.ours)))
        parts.append(dot(x, up(point.ours)))
        if point.known is not None:
            parts.append(ring(x, up(point.known)))
    return "\n".join(parts)


def dot(x: float, y: float) -> str:
    """A filled circle: our strategy."""
    return f'<circle cx="{shapes.short(x)}" cy="{shapes.short(y)}" r="4" fill="{OURS}"/>'


def ring(x: float, y: float) -> str:
    """An open circle: the best strategy known elsewhere."""
    return f'<circle class="white" cx="{shapes.short(x)}" cy="{shapes.short(y)}" r="6.5"/>'


def line(x: float, y: float, to_x: float, to_y: float) -> str:
    """A thick line: from the proven bound to our strategy."""
    path = f"M{shapes.short(x)} {shapes.short(y)}L{shapes.short(to_x)} {shapes.short(to_y)}"
    return f'<path d="{path}" stroke="{BOUND}" stroke-width="5"/>'
