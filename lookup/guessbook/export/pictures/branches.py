"""Branches: the first levels of a strategy tree from left to right, each node with its label."""

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.strategy import Strategy
from guessbook.book.tree_levels import mean_guesses
from guessbook.export.form import form_of
from guessbook.export.pictures import shapes

ROW, PEG, MARK = 26.0, 18.0, 12.0
# The pixels of a branch: its length between nodes, and the thickest and the thinnest line.
REACH, THICKEST, THINNEST = 150.0, 22.0, 1.2
# The width of the number of candidates beside a guess.
COUNT = 64.0


class Drawing(NamedTuple):
    """A part of a picture.

    Attributes:
        width, height: the size in pixels; the part begins at (0, 0).
        body: the SVG elements.
    """

    width: float
    height: float
    body: str


def branches(book: Strategy, levels: Sequence[range]) -> Drawing:
    """Draw some levels, with a row for each leaf; parents stand in the middle of their children.

    The thickness of a branch is its number of candidates, the colour the mean number of guesses.
    """
    tree, game, form = book.tree, book.game, form_of(book.game)
    heights = rows(book, levels)
    code, answer = form.code_width(PEG), form.feedback_width(MARK)
    found = answer + 14 + form.marks_width()
    column = code + COUNT + REACH + found
    labels = []
    for depth, level in enumerate(levels):
        x = depth * column
        for node in level:
            y = heights[node]
            labels.append(form.code(game.guesses[tree.guess[node]], x, y, PEG))
            count = f"{tree.candidates[node]:,}"
            labels.append(shapes.text(x + code + 8, y, count, 13, class_="soft"))
            if depth:
                number = tree.feedback[node]
                labels.append(form.feedback(number, x - found + 6, y, MARK))
                labels.append(form.marks(number, x - found + 12 + (answer + 6), y))
    width = (len(levels) - 1) * column + code + COUNT
    drawn = curves(book, levels, heights, (code + COUNT, column - found, column))
    height = ROW * len(leaves(book, levels))
    return Drawing(width, height, "\n".join([*drawn, *filter(None, labels)]))


def curves(
    book: Strategy,
    levels: Sequence[range],
    heights: dict[int, float],
    span: tuple[float, float, float],
) -> list[str]:
    """Draw the branches, which leave a node side by side and part on the way to its children.

    Args:
        book: the book.
        levels: the nodes to show.
        heights: the height of each node.
        span: where the first branches begin and end, and the distance to those of the next level.
    """
    tree, mean = book.tree, mean_guesses(book.tree)
    largest = max((tree.candidates[child] for level in levels[1:] for child in level), default=1)
    scale = THICKEST / largest
    drawn: list[str] = []
    for depth, level in enumerate(levels[:-1]):
        start, end = span[0] + depth * span[2], span[1] + depth * span[2]
        for node in level:
            top = heights[node] - scale * tree.candidates[node] / 2
            for child in range(tree.first[node], tree.first[node + 1]):
                thick = scale * tree.candidates[child]
                color = shapes.shade(depth + 1 + mean[child], book.stats.max_guesses)
                drawn.append(curve(start, top + thick / 2, end, heights[child], thick, color))
                top += thick
    return drawn


def curve(x: float, y: float, end: float, height: float, thick: float, color: str) -> str:
    """Draw one branch from (x, y) to (end, height)."""
    bend = (x + end) / 2
    path = " ".join(map(shapes.short, (bend, y, bend, height, end, height)))
    return (
        f'<path d="M{shapes.short(x)} {shapes.short(y)}C{path}" fill="none" stroke="{color}" '
        f'stroke-width="{shapes.short(max(THINNEST, thick))}"/>'
    )


def leaves(book: Strategy, levels: Sequence[range]) -> list[int]:
    """Return the nodes without children in the picture, from top to bottom."""
    tree = book.tree
    found: list[int] = []
    rest = [(levels[0].start, 1)]
    while rest:
        node, depth = rest.pop()
        children = range(tree.first[node], tree.first[node + 1]) if depth < len(levels) else ()
        if not children:
            found.append(node)
        rest += [(child, depth + 1) for child in reversed(children)]
    return found


def rows(book: Strategy, levels: Sequence[range]) -> dict[int, float]:
    """Return the height of each node: leaves in rows, parents between first and last child."""
    tree = book.tree
    heights = {node: ROW * (row + 0.5) for row, node in enumerate(leaves(book, levels))}
    for level in reversed(levels):
        for node in level:
            if node not in heights:
                first, last = tree.first[node], tree.first[node + 1] - 1
                heights[node] = (heights[first] + heights[last]) / 2
    return heights
