"""The wheel: a picture of a strategy tree, with the first guess in the centre and a ring for each further guess."""

from collections.abc import Sequence
from html import escape
from itertools import accumulate, pairwise
from math import cos, degrees, pi, sin
from typing import NamedTuple

from guessbook.book.errors import quantity
from guessbook.book.games.game import called
from guessbook.book.strategy import Strategy
from guessbook.book.tree import mean_guesses, starts
from guessbook.export.form import form_of
from guessbook.export.pictures import shapes

RADIUS, HUB = 500.0, 84.0
# Each ring is thinner than the next inner ring, by this factor, because outer rings have fewer labels.
THINNER = 0.86
# Widths in pixels along a ring. Neighbouring nodes narrower than NARROWEST share an arc. Arcs of at least BORDERED
# have a border. Arcs of at least TITLED have a title, which browsers show as a tooltip.
NARROWEST, BORDERED, TITLED = 1.5, 3.0, 5.0
SMALLEST = 6.5  # The smallest size of a label, in pixels.
# Arcs shorter than this number of pixels are drawn as straight lines: the error is about 0.01 pixels.
STRAIGHT = 3.0


class Ring(NamedTuple):
    """A ring of the wheel: the inner and outer radius in pixels, and `turn`, the angle of one secret in radians."""

    inner: float
    outer: float
    turn: float

    @property
    def middle(self) -> float:
        """Return the radius halfway between the inner and the outer radius, in pixels."""
        return (self.inner + self.outer) / 2


class Arc(NamedTuple):
    """A segment of a ring, for the nodes `first` to `last` of a level.

    The segment covers the secrets from `start` to `end` (exclusive), in the order that the function `starts` defines.
    `secrets` is the number of candidates of these nodes; all these candidates together need `guesses` more guesses.
    """

    first: int
    last: int
    start: int
    end: int
    secrets: int
    guesses: float


def wheel(book: Strategy, levels: Sequence[range]) -> str:
    """Return SVG for the wheel of these levels, with its centre at (0, 0) and a radius of 500 pixels."""
    tree = book.tree
    mean, places = mean_guesses(tree), starts(tree, levels)
    turn = 2 * pi / tree.candidates[0]
    drawn: list[str] = []
    labels: list[str] = []
    for depth, (ring, level) in enumerate(zip(rings(len(levels), turn), levels[1:], strict=True)):
        for arc in arcs(level, places, tree.candidates, mean, NARROWEST / (turn * ring.middle)):
            # Each candidate in this ring has already cost depth + 1 guesses.
            color = shapes.shade(depth + 1 + arc.guesses / arc.secrets, book.stats.max_guesses)
            single = arc.first == arc.last
            wide = (arc.end - arc.start) * turn * ring.middle
            title = describe(book, arc.first) if single and wide >= TITLED else ""
            drawn.append(piece(ring, arc, color, title, wide))
            if single:
                labels.append(label(book, arc, ring, color))
    return "\n".join([*drawn, *filter(None, labels), hub(book, mean[0])])


def rings(levels: int, turn: float) -> list[Ring]:
    """Return a ring for each level of the tree except the first one."""
    weights = [THINNER**k for k in range(levels - 1)]
    scale = (RADIUS - HUB) / sum(weights) if weights else 0.0
    edges = [HUB + scale * inside for inside in accumulate(weights, initial=0.0)]
    return [Ring(a, b, turn) for a, b in pairwise(edges)]


def arcs(
    level: range,
    places: dict[int, int],
    candidates: Sequence[int],
    mean: Sequence[float],
    narrowest: float,
) -> list[Arc]:
    """Return the arcs of a ring; neighbouring nodes with fewer than `narrowest` secrets share an arc."""
    found: list[Arc] = []
    for node in level:
        start, size = places[node], candidates[node]
        arc = Arc(node, node, start, start + size, size, size * mean[node])
        last = found[-1] if found else None
        if last and max(start - last.end, last.end - last.start, size) < narrowest:
            secrets, guesses = last.secrets + size, last.guesses + arc.guesses
            found[-1] = Arc(last.first, node, last.start, arc.end, secrets, guesses)
        else:
            found.append(arc)
    return found


def piece(ring: Ring, arc: Arc, color: str, title: str, wide: float) -> str:
    """Return an SVG path for an arc that is `wide` pixels wide."""
    path = outline(ring, arc.start * ring.turn, arc.end * ring.turn)
    # A border of one pixel would cover narrow arcs, so their border is a tenth of their width.
    gap = shapes.short(min(1.0, 0.1 * wide))
    border = f' class="gap" stroke-width="{gap}"' if wide >= BORDERED else ""
    # An arc may cover secrets that are already found. The larger their share, the fainter the arc.
    part = arc.secrets / (arc.end - arc.start)
    faint = f' fill-opacity="{shapes.short(part)}"' if part < 0.995 else ""
    told = f">{title}</path>" if title else "/>"
    return f'<path d="{path}" fill="{color}"{border}{faint}{told}'


def outline(ring: Ring, start: float, end: float) -> str:
    """Return the SVG path of a ring between two angles in radians, clockwise from the top."""
    if end - start > 1.999 * pi:
        # SVG does not draw an arc that ends where it begins, so a whole ring consists of two halves.
        half = outline(ring, start, start + pi)
        return half + outline(ring, start + pi, start + 2 * pi - 1e-9)
    large = int(end - start > pi)
    corners = [(ring.outer, start), (ring.outer, end), (ring.inner, end), (ring.inner, start)]
    a, b, c, d = (f"{shapes.short(r * sin(t))} {shapes.short(-r * cos(t))}" for r, t in corners)
    if (end - start) * ring.outer < STRAIGHT:
        return f"M{a} {b} {c} {d}Z"
    outer, inner = shapes.short(ring.outer), shapes.short(ring.inner)
    return f"M{a}A{outer} {outer} 0 {large} 1 {b}L{c}A{inner} {inner} 0 {large} 0 {d}Z"


def describe(book: Strategy, node: int) -> str:
    """Return an SVG title for a node, with its feedback, guess and number of candidates."""
    tree, game = book.tree, book.game
    guess, count = game.guesses[tree.guess[node]], quantity(tree.candidates[node], "candidate")
    said = f"{game.format_feedback(tree.feedback[node])}: {called(game, guess)}, {count}"
    return f"<title>{escape(said)}</title>"


def label(book: Strategy, arc: Arc, ring: Ring, color: str) -> str:
    """Return SVG for the label of a node: three lines along the ring, one line across it, or "" if neither fits."""
    form, tree, node = form_of(book.game), book.tree, arc.first
    turn, across = (arc.end - arc.start) * ring.turn, ring.outer - ring.inner
    code, found = form.code_width(1), 0.8 * form.feedback_width(1)
    # Compute the largest text sizes at which three lines, or one line, fit into the arc.
    along, length = turn * ring.middle, found + code + 0.4
    lines = min(21.0, across / 4.2, 0.9 * along / (max(code, found) + 1.6 * turn))
    one = min(16.0, 0.92 * across / length, 0.86 * along / (1 + 0.43 * turn * length))
    size = max(lines, one)
    if size < SMALLEST:
        return ""
    fill, small, gap = shapes.contrast(color), 0.8 * size, 0.4 * size
    code, found = form.code_width(size), form.feedback_width(small)
    angle = (arc.start + arc.end) / 2 * ring.turn
    if lines >= one:
        # Feedback, guess and number of candidates are three lines. They are turned so that none is upside down.
        below = cos(angle) < 0
        y = ring.middle if below else -ring.middle
        turned = 180 if below else 0
        answer, guess = (-found / 2, y - 1.2 * size), (-code / 2, y)
        count = f"{tree.candidates[node]:,}"
        last = shapes.text(0, y + 1.2 * size, count, small, fill=fill, text_anchor="middle")
    else:
        # Feedback and guess stand in one line, the feedback nearer to the centre.
        begin = ring.middle - (code + found + gap) / 2
        left = sin(angle) < 0
        turned = 90 if left else -90
        answer, guess = (begin, 0.0), (begin + found + gap, 0.0)
        if left:
            answer, guess = (-begin - found, 0.0), (-begin - found - gap - code, 0.0)
        last = ""
    first = form.feedback(tree.feedback[node], *answer, small, fill)
    second = form.code(book.game.guesses[tree.guess[node]], *guess, size, fill)
    rotation = shapes.short((degrees(angle) + turned) % 360)
    return f'<g transform="rotate({rotation})">{first}{second}{last}</g>'


def hub(book: Strategy, mean: float) -> str:
    """Return SVG for the circle in the centre, with the first guess and the number of secrets."""
    form = form_of(book.game)
    color = shapes.shade(mean, book.stats.max_guesses)
    fill = shapes.contrast(color)
    size = min(24.0, 1.7 * HUB / form.code_width(1))
    circle = f'<circle r="{shapes.short(HUB)}" fill="{color}" class="gap"/>'
    code = form.code(book.root.guess, -form.code_width(size) / 2, 0, size, fill)
    count = f"{book.root.remaining:,}"
    below = shapes.text(0, 1.3 * size, count, 15, fill=fill, text_anchor="middle")
    return f"{circle}\n{code}\n{below}"
