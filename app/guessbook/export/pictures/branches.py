"""The picture of a small strategy tree as branches, from left to right."""

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.strategy import Strategy
from guessbook.book.tree import mean_guesses
from guessbook.export.form import form_of
from guessbook.export.pictures import shapes

ROW, PEG, MARK = 26.0, 18.0, 12.0
# The length of a branch (the curve from a node to a child), and its largest and smallest thickness, in pixels.
REACH, THICKEST, THINNEST = 150.0, 22.0, 1.2
# The space, in pixels, between a guess and its branches. The number of candidates is drawn there.
COUNT = 64.0


class Drawing(NamedTuple):
    """A part of a picture: its size in pixels, and SVG with the upper left corner at (0, 0)."""

    width: float
    height: float
    body: str


def branches(book: Strategy, levels: Sequence[range]) -> Drawing:
    """Return a drawing of levels of a tree. Thick branches lead to nodes with many candidates."""
    tree, game, form, short = book.tree, book.game, form_of(book.game), shapes.short
    heights, mean = rows(book, levels), mean_guesses(tree)
    code, answer = form.code_width(PEG), form.feedback_width(MARK)
    found = answer + 14 + form.marks_width()
    column = code + COUNT + REACH + found
    largest = max((tree.candidates[child] for level in levels[1:] for child in level), default=1)
    scale = THICKEST / largest
    drawn, labels = [], []
    for depth, level in enumerate(levels):
        x = depth * column
        start, end = code + COUNT + x, column - found + x
        bend = (start + end) / 2
        for node in level:
            y, size = heights[node], tree.candidates[node]
            labels.append(form.code(game.guesses[tree.guess[node]], x, y, PEG))
            labels.append(shapes.text(x + code + 8, y, f"{size:,}", 13, class_="soft"))
            if depth:
                number = tree.feedback[node]
                labels.append(form.feedback(number, x - found + 6, y, MARK))
                labels.append(form.marks(number, x - found + 12 + (answer + 6), y))
            # The branches to the children start side by side. A branch is `scale` pixels thick for each candidate.
            top = y - scale * size / 2
            for child in children(book, levels, node):
                thick, below = scale * tree.candidates[child], heights[child]
                y = top + thick / 2
                path = " ".join(map(short, (bend, y, bend, below, end, below)))
                color = shapes.shade(depth + 1 + mean[child], book.stats.max_guesses)
                drawn.append(
                    f'<path d="M{short(start)} {short(y)}C{path}" fill="none" stroke="{color}" '
                    f'stroke-width="{short(max(THINNEST, thick))}"/>'
                )
                top += thick
    width = (len(levels) - 1) * column + code + COUNT
    height = max(heights.values()) + ROW / 2
    return Drawing(width, height, "\n".join([*drawn, *filter(None, labels)]))


def children(book: Strategy, levels: Sequence[range], node: int) -> range:
    """Return the children of a node; an empty range if the node is in the last level that is drawn."""
    first = book.tree.first
    return range(first[node], min(first[node + 1], levels[-1].stop))


def rows(book: Strategy, levels: Sequence[range]) -> dict[int, float]:
    """Return the y coordinate of each node: each leaf has a row, and a parent is halfway between its children."""
    heights: dict[int, float] = {}
    # The walk is depth-first. A node is pushed again below its children, so the children are placed first.
    leaves, waiting = 0, [levels[0].start]
    while waiting:
        node = waiting.pop()
        below = children(book, levels, node)
        if not below:
            heights[node] = ROW * (leaves + 0.5)
            leaves += 1
        elif below[0] in heights:
            heights[node] = (heights[below[0]] + heights[below[-1]]) / 2
        else:
            waiting += [node, *reversed(below)]
    return heights
