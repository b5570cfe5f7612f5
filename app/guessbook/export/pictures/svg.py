"""Export of a strategy tree as an SVG picture: branches if the tree is small, else a wheel of rings."""

from html import escape
from math import ceil

from guessbook.book.games.game import called
from guessbook.book.strategy import Strategy
from guessbook.book.summary import average
from guessbook.book.tree import shown_levels
from guessbook.export import Options
from guessbook.export.form import form_of
from guessbook.export.pictures import shapes
from guessbook.export.pictures.branches import Drawing, branches
from guessbook.export.pictures.wheel import RADIUS, wheel

# Trees with more nodes than FEW or more levels than SHALLOW are drawn as wheels.
FEW, SHALLOW = 45, 8
# The colour key is at least LEAST_WIDTH pixels wide; a number in the key takes NUMBER pixels.
LEAST_WIDTH, NUMBER = 560.0, 20.0
# The largest number of rings in a wheel: further rings would be thinner than a pixel.
MOST_RINGS = 24
MARGIN = 30.0
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"


def render(book: Strategy, options: Options) -> str:
    """Return an SVG picture of the strategy tree, `options.depth` guesses deep; None means the whole tree."""
    levels = shown_levels(book.tree, options.depth, len(book.tree))
    drawing, known = picture(book, levels), book.stats
    top, below = 76.0, 64.0
    title = f"{book.game.name}, {known.policy}"
    width = max(key_width(drawing), shapes.text_width(title, 22)) + 2 * MARGIN
    height = top + drawing.height + below + MARGIN
    said = f"{known.secrets:,} secrets, {average(known)}, {known.max_guesses} at worst"
    parts = [
        opening_tag(width, height, title, describe(book, levels)),
        f"<style>{shapes.STYLE}</style>",
        form_of(book.game).definitions(),
        f'<rect class="page" width="{shapes.short(width)}" height="{shapes.short(height)}"/>',
        shapes.text(MARGIN, MARGIN + 6, title, 22, font_weight="700"),
        shapes.text(MARGIN, MARGIN + 30, said, 14, class_="soft"),
        shapes.move((width - drawing.width) / 2, top, drawing.body),
        shapes.move(MARGIN, top + drawing.height + 24, key(book, width - 2 * MARGIN)),
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


def key_width(drawing: Drawing) -> float:
    """Return the width of a drawing with its colour key, in pixels."""
    return max(drawing.width, LEAST_WIDTH)


def picture(book: Strategy, levels: list[range]) -> Drawing:
    """Return a drawing of levels of the tree: branches if the levels are small, else a wheel."""
    if is_small(levels):
        return branches(book, levels)
    middle = RADIUS + 2
    rings = wheel(book, levels[:MOST_RINGS])
    return Drawing(2 * middle, 2 * middle, shapes.move(middle, middle, rings))


def describe(book: Strategy, levels: list[range]) -> str:
    """Return a description of the picture in words, for screen readers."""
    drawn = levels if is_small(levels) else levels[:MOST_RINGS]
    whole = sum(map(len, drawn)) == len(book.tree)
    deep = "the whole tree" if whole else "the first guesses"
    counts = ", ".join([f"{n:,} {d}" for d, n in enumerate(book.stats.distribution, 1)])
    return (
        f"The strategy tree of the book, {deep}, {len(drawn)} deep. It opens with "
        f"{called(book.game, book.root.guess)}; its {book.stats.secrets:,} secrets take {counts} "
        "guesses (how many secrets, how many guesses)."
    )


def key(book: Strategy, width: float) -> str:
    """Return SVG for the colour key. It has a box for each number of guesses, with the number of secrets."""
    counts = book.stats.distribution
    step = min(130.0, width / len(counts))
    # If the boxes are narrower than a number, only every nth box has a number.
    every = ceil(NUMBER / step)
    drawn = []
    for guesses, count in enumerate(counts, 1):
        x, color = step * (guesses - 1), shapes.shade(guesses, len(counts))
        drawn.append(
            f'<rect x="{shapes.short(x)}" width="{shapes.short(step - 3)}" height="10" rx="3" '
            f'class="peg" fill="{color}"/>'
        )
        if guesses % every == 1 % every:
            drawn.append(shapes.text(x, 23, f"{guesses}", 13, font_weight="700"))
        if step > 60:
            drawn.append(shapes.text(x + 16, 23, f"{count:,}", 13, class_="soft"))
    said = "guesses, and the secrets that take them; colours between stand for means"
    drawn.append(shapes.text(0, 44, said, 12, class_="soft"))
    return "\n".join(drawn)
