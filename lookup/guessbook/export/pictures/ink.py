"""What pictures are drawn with: shades, texts, pegs and tiles, as pieces of SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from guessbook.book.games.codes import COLORS, Mastermind
from guessbook.play.terminal.drawing import OTHER_PEG, PEGS, TILES

if TYPE_CHECKING:
    from guessbook.book.games.game import Game

__all__ = [
    "SHADES",
    "STYLE",
    "code",
    "code_width",
    "contrast",
    "definitions",
    "feedback",
    "feedback_width",
    "mixed",
    "shade",
    "short",
    "text",
    "text_width",
]

# From few guesses to many: dark, light, then warm. Readable without colour vision.
SHADES = ("#0b3954", "#1f6f8b", "#4aa3a2", "#99c9a5", "#e5e1a8", "#eeb868", "#d9744f", "#9b2f3f")
USUAL_WORST = 6
# On a shade: with black and white one of the two has always a contrast of 4.5.
DARK_INK, LIGHT_INK = "#000000", "#ffffff"
MONOSPACE = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

# For paper and light screens; only a screen that is dark changes it.
STYLE = """\
.page{fill:#fff}.ink{fill:#16202a}.soft{fill:#55626f}.peg{stroke:#16202a;stroke-opacity:.3}
.gap{stroke:#fff}.white{fill:none;stroke:#16202a;stroke-width:1.2}
@media screen and (prefers-color-scheme:dark){
.page{fill:#11171d}.ink{fill:#e9eef3}.soft{fill:#a3b1bf}.peg{stroke:#e9eef3}
.gap{stroke:#11171d}.white{stroke:#e9eef3}
}"""


def short(value: float) -> str:
    """A number of pixels with at most two decimals.

    >>> short(12.0), short(-0.004), short(1.257)
    ('12', '0', '1.26')
    """
    rounded = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if rounded == "-0" else rounded


def shade(guesses: float, worst: int) -> str:
    """The colour of a mean number of guesses in a book that takes `worst` guesses at worst.

    Up to six guesses a number has the same colour in every book.

    >>> shade(1, 6) == SHADES[0], shade(6, 6) == SHADES[-1], shade(3.5, 6)
    (True, True, '#bfd5a6')
    """
    top = len(SHADES) - 1
    place = min(max((guesses - 1) / (max(USUAL_WORST, worst) - 1), 0.0), 1.0) * top
    low = min(int(place), top - 1)
    return mixed(SHADES[low], SHADES[low + 1], place - low)


def mixed(first: str, second: str, part: float) -> str:
    """A colour between two, which are written `#rrggbb`: the first for part 0, the second for 1."""
    pairs = [(int(first[k : k + 2], 16), int(second[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join([f"{round(a + (b - a) * part):02x}" for a, b in pairs])


def contrast(color: str) -> str:
    """The colour of a text on a colour: the one with more contrast (WCAG 2.1, relative luminance).

    >>> contrast("#0b3954"), contrast("#e5e1a8")
    ('#ffffff', '#000000')
    """
    found = luminance(color)
    light = (luminance(LIGHT_INK) + 0.05) / (found + 0.05)
    dark = (found + 0.05) / (luminance(DARK_INK) + 0.05)
    return LIGHT_INK if light > dark else DARK_INK


def luminance(color: str) -> float:
    """The relative luminance of a colour, 0 to 1, as WCAG 2.1 defines it."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def text(x: float, y: float, said: str, size: float = 13, **attributes: str) -> str:
    """A text. Its middle is at height y; attributes are those of SVG, with `_` for `-`.

    Of itself it has the class `ink`, unless `fill` says another colour.
    """
    named = {"class": "ink"} if "fill" not in attributes else {}
    named |= {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
    listed = "".join([f' {name}="{escape(value)}"' for name, value in named.items()])
    # Not `dominant-baseline`, which not every program knows: capitals are about 0.7 high.
    place = f'x="{short(x)}" y="{short(y + 0.35 * size)}" font-size="{short(size)}"'
    return f"<text {place}{listed}>{escape(said)}</text>"


def text_width(said: str, size: float) -> float:
    """About how wide a text is, in pixels, rather more: who reads it has fonts of their own."""
    return sum(0.62 if character.isascii() else 1.05 for character in said) * size


def has_pegs(game: Game) -> bool:
    """Whether the codes of a game are drawn as coloured pegs: the symbols stand for colours."""
    if not isinstance(game, Mastermind):
        return False
    return set(game.symbols) <= set(PEGS) or game.symbols == COLORS[: game.colors]


def definitions(game: Game) -> str:
    """What `code` needs once in a document: a peg of each colour, of radius 1."""
    if not isinstance(game, Mastermind) or not has_pegs(game):
        return ""
    drawn = []
    for symbol in game.symbols:
        _, ink, _, fill = PEGS.get(symbol, OTHER_PEG).split()
        letter = escape(symbol)
        drawn.append(
            f'<g id="peg-{ord(symbol)}"><circle r=".92" fill="{fill}" class="peg" '
            f'stroke-width=".1"/><text y=".42" font-size="1.2" font-weight="700" '
            f'text-anchor="middle" fill="{ink}">{letter}</text></g>'
        )
    return f"<defs>{''.join(drawn)}</defs>"


def code_width(game: Game, size: float) -> float:
    """How wide a code is, in pixels; pegs have the diameter `size`, letters that height."""
    if has_pegs(game):
        return 1.04 * size * game.length
    symbols = game.symbols if isinstance(game, Mastermind) else "".join(game.guesses[:100])
    return (0.62 if symbols.isascii() else 1.05) * size * game.length


def code(game: Game, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
    """A code from x on, its middle at height y: pegs, or letters in the colour `fill`."""
    if has_pegs(game):
        uses = [
            f'<use href="#peg-{ord(symbol)}" x="{short(2.08 * (k + 0.5))}"/>'
            for k, symbol in enumerate(guess)
        ]
        place = f"translate({short(x)} {short(y)}) scale({short(size / 2)})"
        return f'<g transform="{place}">{"".join(uses)}</g>'
    middle = x + code_width(game, size) / 2
    named = {"text_anchor": "middle", "font_weight": "600", "font_family": MONOSPACE}
    if fill:
        named["fill"] = fill
    return text(middle, y, guess, size, **named)


def feedback_width(game: Game, size: float) -> float:
    """How wide a feedback is, in pixels: tiles of that size, or numbers of that height."""
    if isinstance(game, Mastermind):
        return 0.6 * size * len(game.format_feedback(game.solved))
    return size * game.length


def feedback(game: Game, number: int, x: float, y: float, size: float, fill: str = "") -> str:
    """A feedback from x on, its middle at height y: `1,1` in the colour `fill`, or tiles."""
    said = game.format_feedback(number)
    if isinstance(game, Mastermind):
        right = {"text_anchor": "middle", "font_weight": "600"}
        colour = {"fill": fill} if fill else {"class_": "soft"}
        return text(x + feedback_width(game, size) / 2, y, said, size, **right, **colour)
    drawn = []
    for k, mark in enumerate(said):
        _, ink, _, colour_of_tile = TILES[int(mark)].split()
        left = x + k * size
        drawn.append(
            f'<rect x="{short(left)}" y="{short(y - size / 2)}" width="{short(0.9 * size)}" '
            f'height="{short(0.9 * size)}" rx="{short(size / 8)}" fill="{colour_of_tile}"/>'
        )
        if size >= 9:
            middle = left + 0.45 * size
            drawn.append(
                text(middle, y - 0.05 * size, mark, 0.75 * size, fill=ink, text_anchor="middle")
            )
    return "".join(drawn)
