"""Pictures of strategy trees: as SVG, and as text for Graphviz and Mermaid.

A small tree is drawn as branches from left to right, a larger one as a wheel: the first guess is in
the centre, and each further guess is a ring.
"""

from collections.abc import Sequence
from html import escape
from itertools import accumulate, count, pairwise
from json import dumps
from math import ceil, cos, degrees, pi, sin
from typing import NamedTuple

from guessbook.book.errors import quantity
from guessbook.book.strategy import Strategy
from guessbook.book.summary import average, range_name, ranges_of, secrets_in_words, sum_over
from guessbook.book.tree import mean_guesses, shown_levels, starts
from guessbook.export import shapes
from guessbook.export.booklet import cost_of
from guessbook.export.game_drawing import GameDrawing, drawing_of
from guessbook.export.shapes import contrast, shade
from guessbook.policy.registry import name_in_words

ROW, PEG, MARK = 26.0, 18.0, 12.0
# In pixels: the length of a branch (the curve from a node to a child), and its thickness.
REACH, THICKEST, THINNEST = 150.0, 22.0, 1.2
# The space, in pixels, between a guess and its branches. The number of candidates is drawn there.
COUNT = 64.0


class Picture(NamedTuple):
    """A part of a picture: its size in pixels, and SVG with the upper left corner at (0, 0)."""

    width: float
    height: float
    body: str


def branches(book: Strategy, levels: Sequence[range]) -> Picture:
    """Return a drawing of levels of a tree. Thick branches lead to nodes with many candidates."""
    tree, game, short = book.tree, book.game, shapes.short
    drawing = drawing_of(game)
    heights, mean = rows(book, levels), mean_guesses(tree)
    code, answer = drawing.code_width(PEG), drawing.feedback_width(MARK)
    found = answer + 14 + drawing.marks_width()
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
            labels.append(drawing.code(game.guesses[tree.guess[node]], x, y, PEG))
            labels.append(shapes.text(x + code + 8, y, f"{size:,}", 13, class_="soft"))
            if depth:
                number = tree.feedback[node]
                labels.append(drawing.feedback(number, x - found + 6, y, MARK))
                labels.append(drawing.marks(number, x - found + 12 + (answer + 6), y))
            # The branches start side by side. Each is `scale` pixels thick per candidate.
            top = y - scale * size / 2
            for child in children(book, levels, node):
                thick, below = scale * tree.candidates[child], heights[child]
                y = top + thick / 2
                path = " ".join(map(short, (bend, y, bend, below, end, below)))
                color = shade(depth + 1 + mean[child], len(book.stats.distribution))
                drawn.append(
                    f'<path d="M{short(start)} {short(y)}C{path}" fill="none" stroke="{color}" '
                    f'stroke-width="{short(max(THINNEST, thick))}"/>'
                )
                top += thick
    width = (len(levels) - 1) * column + code + COUNT
    height = max(heights.values()) + ROW / 2
    return Picture(width, height, "\n".join([*drawn, *filter(None, labels)]))


def children(book: Strategy, levels: Sequence[range], node: int) -> range:
    """Return the children of a node; none if the node is in the last level that is drawn."""
    first = book.tree.first
    return range(first[node], min(first[node + 1], levels[-1].stop))


def rows(book: Strategy, levels: Sequence[range]) -> dict[int, float]:
    """Return the y coordinate of each node.

    Each leaf has a row, and a parent is halfway between its first and its last child.
    """
    heights: dict[int, float] = {}
    leaf = count()

    def place(node: int) -> None:
        below = children(book, levels, node)
        for child in below:
            place(child)
        if below:
            heights[node] = (heights[below[0]] + heights[below[-1]]) / 2
        else:
            heights[node] = ROW * (next(leaf) + 0.5)

    place(levels[0].start)
    return heights


RADIUS, HUB = 500.0, 84.0
# Each ring is thinner than the next inner ring, by this factor: outer rings have fewer labels.
THINNER = 0.86
# Widths in pixels along a ring. Neighbouring nodes narrower than NARROWEST share an arc. Arcs of at
# least BORDERED have a border. Arcs of a single node, of at least TITLED, have a title, which
# browsers show as a tooltip.
NARROWEST, BORDERED, TITLED = 1.5, 3.0, 5.0
SMALLEST = 6.5  # The smallest size of a label, in pixels.
# Arcs shorter than this number of pixels are drawn as straight lines: the error is 0.01 pixels.
STRAIGHT = 3.0


class Ring(NamedTuple):
    """A ring of the wheel: its radii in pixels, and `turn`, the angle of one secret in radians."""

    inner: float
    outer: float
    turn: float

    @property
    def middle(self) -> float:
        """The radius halfway between the inner and the outer radius, in pixels."""
        return (self.inner + self.outer) / 2


class Arc(NamedTuple):
    """A segment of a ring, for the nodes `first` to `last` of a level.

    It covers the secrets from `start` to `end` (exclusive), in the order of the function `starts`.
    `secrets` is the number of candidates of its nodes; together they need `guesses` more guesses.
    """

    ring: Ring
    first: int
    last: int
    start: int
    end: int
    secrets: int
    guesses: float

    @property
    def turn(self) -> float:
        """The angle that the arc covers, in radians."""
        return (self.end - self.start) * self.ring.turn

    @property
    def width(self) -> float:
        """The length of the arc along the middle of its ring, in pixels."""
        return self.turn * self.ring.middle


def wheel(book: Strategy, levels: Sequence[range]) -> str:
    """Return SVG for the wheel of these levels, with its centre at (0, 0)."""
    tree, worst = book.tree, len(book.stats.distribution)
    mean, places = mean_guesses(tree), starts(tree, levels)
    drawing = drawing_of(book.game)
    drawn: list[str] = []
    labels: list[str] = []
    turn = 2 * pi / tree.candidates[0]
    for depth, (ring, level) in enumerate(zip(rings(len(levels), turn), levels[1:], strict=True)):
        for arc in arcs(ring, level, places, tree.candidates, mean):
            # Each candidate in this ring has already cost depth + 1 guesses.
            color = shade(depth + 1 + arc.guesses / arc.secrets, worst)
            single = arc.first == arc.last
            title = describe_node(book, arc.first) if single and arc.width >= TITLED else ""
            drawn.append(piece(arc, color, title))
            if single:
                labels.append(label(book, drawing, arc, color))
    middle = hub(book, drawing, shade(mean[0], worst))
    return "\n".join([*drawn, *filter(None, labels), middle])


def rings(levels: int, turn: float) -> list[Ring]:
    """Return a ring for each level of the tree except the first one."""
    weights = [THINNER**k for k in range(levels - 1)]
    scale = (RADIUS - HUB) / sum(weights) if weights else 0.0
    edges = [HUB + scale * inside for inside in accumulate(weights, initial=0.0)]
    return [Ring(a, b, turn) for a, b in pairwise(edges)]


def arcs(
    ring: Ring,
    level: range,
    places: dict[int, int],
    candidates: Sequence[int],
    mean: Sequence[float],
) -> list[Arc]:
    """Return the arcs of a ring; neighbouring nodes that are too narrow share an arc."""
    narrowest = NARROWEST / (ring.turn * ring.middle)
    found: list[Arc] = []
    for node in level:
        start, size = places[node], candidates[node]
        arc = Arc(ring, node, node, start, start + size, size, size * mean[node])
        last = found[-1] if found else None
        if last and max(start - last.end, last.end - last.start, size) < narrowest:
            found[-1] = last._replace(
                last=node,
                end=arc.end,
                secrets=last.secrets + size,
                guesses=last.guesses + arc.guesses,
            )
        else:
            found.append(arc)
    return found


def piece(arc: Arc, color: str, title: str) -> str:
    """Return an SVG path for an arc."""
    path = outline(arc.ring, arc.start * arc.ring.turn, arc.end * arc.ring.turn)
    # A border of one pixel would cover narrow arcs, so their border is a tenth of their width.
    gap = shapes.short(min(1.0, 0.1 * arc.width))
    border = f' class="gap" stroke-width="{gap}"' if arc.width >= BORDERED else ""
    # An arc may cover secrets that are already found. The larger their share, the fainter the arc.
    part = arc.secrets / (arc.end - arc.start)
    faint = f' fill-opacity="{shapes.short(part)}"' if part < 0.995 else ""
    told = f">{title}</path>" if title else "/>"
    return f'<path d="{path}" fill="{color}"{border}{faint}{told}'


def outline(ring: Ring, start: float, end: float) -> str:
    """Return the SVG path of a ring between two angles in radians, clockwise from the top."""
    if end - start > 1.999 * pi:
        # SVG does not draw an arc that ends where it begins, so a whole ring has two halves.
        half = outline(ring, start, start + pi)
        return half + outline(ring, start + pi, start + 2 * pi - 1e-9)
    large = int(end - start > pi)
    corners = [(ring.outer, start), (ring.outer, end), (ring.inner, end), (ring.inner, start)]
    a, b, c, d = (f"{shapes.short(r * sin(t))} {shapes.short(-r * cos(t))}" for r, t in corners)
    if (end - start) * ring.outer < STRAIGHT:
        return f"M{a} {b} {c} {d}Z"
    outer, inner = shapes.short(ring.outer), shapes.short(ring.inner)
    return f"M{a}A{outer} {outer} 0 {large} 1 {b}L{c}A{inner} {inner} 0 {large} 0 {d}Z"


def describe_node(book: Strategy, node: int) -> str:
    """Return an SVG title for a node, with its feedback, guess and number of candidates."""
    tree, game = book.tree, book.game
    guess, size = game.guesses[tree.guess[node]], quantity(tree.candidates[node], "candidate")
    said = f"{game.format_feedback(tree.feedback[node])}: {game.display_name(guess)}, {size}"
    return f"<title>{escape(said)}</title>"


def label(book: Strategy, drawing: GameDrawing, arc: Arc, color: str) -> str:
    """Return SVG for the label of a node; "" if it does not fit.

    The label has three lines along the ring or one line across it, whichever can be larger.
    """
    tree, node, ring = book.tree, arc.first, arc.ring
    across = ring.outer - ring.inner
    code, found = drawing.code_width(1), 0.8 * drawing.feedback_width(1)
    # Compute the largest text sizes at which three lines, or one line, fit into the arc.
    length = found + code + 0.4
    lines = min(21.0, across / 4.2, 0.9 * arc.width / (max(code, found) + 1.6 * arc.turn))
    one = min(16.0, 0.92 * across / length, 0.86 * arc.width / (1 + 0.43 * arc.turn * length))
    size = max(lines, one)
    if size < SMALLEST:
        return ""
    fill, small, gap = contrast(color), 0.8 * size, 0.4 * size
    code, found = drawing.code_width(size), drawing.feedback_width(small)
    angle = (arc.start + arc.end) / 2 * ring.turn
    last = ""
    if lines >= one:
        # Feedback, guess and number of candidates are three lines, turned so that none is upside
        # down.
        below = cos(angle) < 0
        y = ring.middle if below else -ring.middle
        turned = 180 if below else 0
        answer, guess = (-found / 2, y - 1.2 * size), (-code / 2, y)
        said = f"{tree.candidates[node]:,}"
        last = shapes.text(0, y + 1.2 * size, said, small, fill=fill, text_anchor="middle")
    else:
        # The feedback and the guess are on one line, the feedback nearer the centre.
        begin = ring.middle - (code + found + gap) / 2
        left = sin(angle) < 0
        turned = 90 if left else -90
        answer, guess = (begin, 0.0), (begin + found + gap, 0.0)
        if left:
            answer, guess = (-begin - found, 0.0), (-begin - found - gap - code, 0.0)
    first = drawing.feedback(tree.feedback[node], *answer, small, fill)
    second = drawing.code(book.game.guesses[tree.guess[node]], *guess, size, fill)
    rotation = shapes.short((degrees(angle) + turned) % 360)
    return f'<g transform="rotate({rotation})">{first}{second}{last}</g>'


def hub(book: Strategy, drawing: GameDrawing, color: str) -> str:
    """Return SVG for the circle in the centre, with the first guess and the number of secrets."""
    fill = contrast(color)
    size = min(24.0, 1.7 * HUB / drawing.code_width(1))
    circle = f'<circle r="{shapes.short(HUB)}" fill="{color}" class="gap"/>'
    code = drawing.code(book.root.guess, -drawing.code_width(size) / 2, 0, size, fill)
    said = f"{book.root.remaining:,}"
    below = shapes.text(0, 1.3 * size, said, 15, fill=fill, text_anchor="middle")
    return f"{circle}\n{code}\n{below}"


# Trees with more nodes than FEW or more levels than SHALLOW are drawn as wheels.
FEW, SHALLOW = 45, 8
# The colour key is at least LEAST_WIDTH pixels wide; a number in the key takes NUMBER pixels.
LEAST_WIDTH, NUMBER = 560.0, 20.0
# The largest number of levels in a wheel; further rings would be thinner than a pixel.
MOST_RINGS = 24
MARGIN = 30.0
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"


def svg_picture(book: Strategy, depth: int | None) -> str:
    """Return an SVG picture of the strategy tree, `depth` guesses deep; None for the whole tree."""
    levels = shown_levels(book.tree, depth, len(book.tree))
    picture, known = draw_tree(book, levels), book.stats
    top, below = 76.0, 64.0
    title = f"{book.game.name}, {name_in_words(book.policy)}"
    width = max(key_width(picture), shapes.text_width(title, 22)) + 2 * MARGIN
    height = top + picture.height + below + MARGIN
    said = f"{secrets_in_words(book.game)}, {average(known)}, {known.max_cost:,} at worst"
    parts = [
        opening_tag(width, height, title, describe(book, levels)),
        f"<style>{shapes.STYLE}</style>",
        drawing_of(book.game).definitions(),
        f'<rect class="page" width="{shapes.short(width)}" height="{shapes.short(height)}"/>',
        shapes.text(MARGIN, MARGIN + 6, title, 22, font_weight="700"),
        shapes.text(MARGIN, MARGIN + 30, said, 14, class_="soft"),
        shapes.move((width - picture.width) / 2, top, picture.body),
        shapes.move(MARGIN, top + picture.height + 24, key(book, width - 2 * MARGIN)),
    ]
    return "\n".join([*filter(None, parts), "</svg>", ""])


def opening_tag(width: float, height: float, title: str, description: str) -> str:
    """Return the `<svg>` tag of a picture, with a title and a description for screen readers."""
    w, h = shapes.short(width), shapes.short(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" '
        f'font-family="{escape(FONTS)}" role="img">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>"
    )


def is_small(levels: list[range]) -> bool:
    """Return whether levels of a tree are small enough to be drawn as branches."""
    return sum(map(len, levels)) <= FEW and len(levels) <= SHALLOW


def key_width(picture: Picture) -> float:
    """Return the width of a picture with its colour key, in pixels."""
    return max(picture.width, LEAST_WIDTH)


def draw_tree(book: Strategy, levels: list[range]) -> Picture:
    """Return a picture of levels of the tree: branches if the levels are small, else a wheel."""
    if is_small(levels):
        return branches(book, levels)
    middle = RADIUS + 2
    rings = wheel(book, levels[:MOST_RINGS])
    return Picture(2 * middle, 2 * middle, shapes.move(middle, middle, rings))


def describe(book: Strategy, levels: list[range]) -> str:
    """Return a description of the picture in words, for screen readers."""
    known, nouns = book.stats, book.stats.nouns
    drawn = levels if is_small(levels) else levels[:MOST_RINGS]
    whole = sum(map(len, drawn)) == len(book.tree)
    deep = "the whole tree" if whole else f"the first {nouns.guesses}"
    first = known.first_depth
    shown = ranges_of(len(known.distribution), first)
    counts = ", ".join(
        [f"{sum_over(known.distribution, r, first):,} {range_name(r)}" for r in shown]
    )
    return (
        f"The strategy tree of the book, {deep}, {len(drawn)} deep. It opens with "
        f"{book.game.display_name(book.root.guess)}; its {known.secrets:,} {nouns.secrets} take {counts} "
        f"{nouns.guesses} (how many {nouns.secrets}, how many {nouns.guesses})."
    )


def key(book: Strategy, width: float) -> str:
    """Return SVG for the colour key: a box for each number of guesses, in its colour.

    If there is room, each box also shows the number of secrets that take this number of guesses.
    """
    counts, nouns, first = book.stats.distribution, book.stats.nouns, book.stats.first_depth
    shown = ranges_of(len(counts), first)
    step = min(130.0, width / len(shown))
    # If the boxes are narrower than a number, only every nth box has a number.
    every = ceil(NUMBER * max(1, len(range_name(shown[-1])) // 3) / step)
    drawn = []
    for place, guesses in enumerate(shown):
        x, color = step * place, shade(guesses[-1] + 1 - first, len(counts))
        drawn.append(
            f'<rect x="{shapes.short(x)}" width="{shapes.short(step - 3)}" height="10" rx="3" '
            f'class="peg" fill="{color}"/>'
        )
        if place % every == 0:
            drawn.append(shapes.text(x, 23, range_name(guesses), 13, font_weight="700"))
        if step > 60:
            secrets = sum_over(counts, guesses, first)
            drawn.append(shapes.text(x + 16, 23, f"{secrets:,}", 13, class_="soft"))
    said = (
        f"{nouns.guesses}, and the {nouns.secrets} that take them; colours between stand for means"
    )
    drawn.append(shapes.text(0, 44, said, 12, class_="soft"))
    return "\n".join(drawn)


# Without the option `depth`, the exported tree has at most this number of nodes, or two levels.
READABLE = 150
# In labels, Graphviz expands escape sequences such as `\N`, and reads `&` as the start of a
# character reference.
ESCAPED = str.maketrans({"&": "&amp;", "\\": "\\\\", '"': '\\"'})


def graphviz_text(book: Strategy, depth: int | None) -> str:
    """Return the strategy tree in the language of Graphviz, `depth` guesses deep.

    If `depth` is None, the number of nodes limits the depth.
    """
    game, tree, known = book.game, book.tree, book.stats
    levels = shown_levels(tree, depth, READABLE)
    mean = mean_guesses(tree)
    title = f"{game.name}, {name_in_words(book.policy)}: {secrets_in_words(game)}, "
    title += f"{average(known)}, {known.max_cost:,} at worst"
    lines = [
        f"digraph {dot_text(game.name)} {{",
        '  graph [rankdir=LR, nodesep=0.08, ranksep=0.9, fontname="sans-serif", labelloc=t, '
        f"label={dot_text(title)}];",
        '  node [shape=box, style=filled, fontname="monospace", height=0.3, margin="0.1,0.04"];',
        '  edge [fontname="sans-serif", fontsize=10, arrowsize=0.6, color="#7b8794"];',
    ]
    for depth, level in enumerate(levels):
        for node in level:
            guess = game.display_name(game.guesses[tree.guess[node]])
            name = dot_text(f"{guess}  {tree.candidates[node]:,}")
            color = shade(depth + mean[node], len(known.distribution))
            style = f'label={name}, fillcolor="{color}", fontcolor="{contrast(color)}"'
            style += ", peripheries=2" * tree.is_candidate(node)
            # A dashed border means that the children of the node are left out.
            if level is levels[-1] and tree.children[node]:
                style += ', style="filled,dashed"'
            lines.append(f"  n{node} [{style}];")
    for level in levels[:-1]:
        for node in level:
            for child in range(tree.first[node], tree.first[node + 1]):
                label = dot_text(game.format_feedback(tree.feedback[child]))
                lines.append(f"  n{node} -> n{child} [label={label}];")
    return "\n".join([*lines, "}", ""])


def mermaid_text(book: Strategy, depth: int | None, title: str | None) -> str:
    """Return the strategy tree as a flow chart in the language of Mermaid, `depth` guesses deep.

    If `depth` is None, the number of nodes limits the depth. Rounded nodes are outcomes, or guesses
    that may be the secret. A dashed border means that the children of the node are left out.
    """
    game, tree, known = book.game, book.tree, book.stats
    levels = shown_levels(tree, depth, READABLE)
    # A string in JSON is also valid YAML.
    head = dumps(
        f"{title or game.name}: {average(known)}, {known.max_cost:,} at worst", ensure_ascii=False
    )
    lines = ["---", f"title: {head}", "---", "flowchart LR", "  classDef more stroke-dasharray:5 5"]
    for level in levels:
        for node in level:
            open_, close = ("([", "])") if tree.is_candidate(node) else ("[", "]")
            size = quantity(tree.candidates[node], "candidate")
            if tree.leaves is not None:  # here `candidates` counts copies of things
                size = f"{shapes.percent(tree.weights[node], known.weight)}%"
                if tree.children[node] and (cost := cost_of(book, node)):
                    size = f"{cost}, {size}"
            name = mermaid_words(game.display_name(game.guesses[tree.guess[node]]))
            more = ":::more" if level is levels[-1] and tree.children[node] else ""
            lines.append(f'  n{node}{open_}"{name}<br/>{mermaid_words(size)}"{close}{more}')
    for level in levels[:-1]:
        for node in level:
            for child in range(tree.first[node], tree.first[node + 1]):
                answer = mermaid_words(game.format_feedback(tree.feedback[child]))
                lines.append(f'  n{node} -->|"{answer}"| n{child}')
    return "\n".join([*lines, ""])


def mermaid_words(text: str) -> str:
    """Escape a string for Mermaid: all but letters, digits and blanks become numeric entities.

    >>> mermaid_words('1. "dim"')
    '1#46; #34;dim#34;'
    """
    return "".join([c if c.isalnum() or c == " " else f"#{ord(c)};" for c in text])


def dot_text(text: str) -> str:
    """Quote a string for Graphviz."""
    return f'"{text.translate(ESCAPED)}"'
