"""SVG primitives for pictures: colours for numbers of guesses, texts, and the widths of texts."""

from html import escape

# From few guesses to many, colours change from dark blue to red, so that colour-blind readers can
# distinguish them.
SHADES = ("#0b3954", "#1f6f8b", "#4aa3a2", "#99c9a5", "#e5e1a8", "#eeb868", "#d9744f", "#9b2f3f")
USUAL_WORST = 6
# One of these text colours has a contrast of at least 4.5 on every shade, as WCAG 2.1 requires.
DARK_INK, LIGHT_INK = "#000000", "#ffffff"
MONOSPACE = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

# The first rules are for paper and light screens; those after `@media` are for dark screens.
STYLE = """\
.page{fill:#fff}.ink{fill:#16202a}.soft{fill:#55626f}.peg{stroke:#16202a;stroke-opacity:.3}
.gap{stroke:#fff}.white{fill:none;stroke:#16202a;stroke-width:1.2}
@media screen and (prefers-color-scheme:dark){
.page{fill:#11171d}.ink{fill:#e9eef3}.soft{fill:#a3b1bf}.peg{stroke:#e9eef3}
.gap{stroke:#11171d}.white{stroke:#e9eef3}
}"""


def short(value: float) -> str:
    """Return a number as a string with at most two decimals, without trailing zeros.

    >>> short(12.0), short(-0.004), short(1.257)
    ('12', '0', '1.26')
    """
    rounded = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if rounded == "-0" else rounded


def shade(guesses: float, worst: int = len(SHADES)) -> str:
    """Return the colour for a mean number of guesses, in a book that needs at most `worst` guesses.

    >>> shade(1, 6) == SHADES[0], shade(6, 6) == SHADES[-1], shade(3.5, 6)
    (True, True, '#bfd5a6')
    """
    # All books that need at most USUAL_WORST guesses share one scale of colours.
    top = len(SHADES) - 1
    place = min(max((guesses - 1) / (max(USUAL_WORST, worst) - 1), 0.0), 1.0) * top
    low = min(int(place), top - 1)
    pairs = zip(channels(SHADES[low]), channels(SHADES[low + 1]), strict=True)
    return "#" + "".join([f"{round(a + (b - a) * (place - low)):02x}" for a, b in pairs])


def channels(color: str) -> bytes:
    """Return the red, green and blue bytes of a colour such as `#1f6f8b`."""
    return bytes.fromhex(color[1:])


def contrast(color: str) -> str:
    """Return the text colour, black or white, with the higher contrast on a colour (WCAG 2.1)."""
    found = luminance(color) + 0.05
    # WCAG adds 0.05 to each luminance, which is 1 for white and 0 for black.
    return LIGHT_INK if 1.05 / found > found / 0.05 else DARK_INK


def luminance(color: str) -> float:
    """Return the relative luminance of a colour, 0 to 1, as WCAG 2.1 defines it."""
    parts = [channel / 255 for channel in channels(color)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def text(x: float, y: float, said: str, size: float = 13, **attributes: str) -> str:
    """Return an SVG text element at x, vertically centred at y, with further attributes."""
    named = {} if attributes.get("fill") else {"class": "ink"}
    named |= {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
    listed = "".join([f' {name}="{escape(value)}"' for name, value in named.items() if value])
    # Some programs ignore `dominant-baseline`, so y is moved by half the height of capitals.
    place = f'x="{short(x)}" y="{short(y + 0.35 * size)}" font-size="{short(size)}"'
    return f"<text {place}{listed}>{escape(said)}</text>"


def move(x: float, y: float, body: str) -> str:
    """Return an SVG group that moves the SVG in `body` by (x, y)."""
    return f'<g transform="translate({short(x)} {short(y)})">\n{body}\n</g>'


def text_width(said: str, size: float) -> float:
    """Return an estimate of the width of a string, in pixels, large enough for common fonts."""
    return sum(0.62 if character.isascii() else 1.05 for character in said) * size


def percent(part: float, whole: float = 1.0) -> str:
    """Return `part` as a percentage of `whole`; a part below the whole gives at most 99.99.

    >>> percent(1, 3), percent(99_999, 100_000), percent(1.0)
    ('33.33', '99.99', '100.00')
    """
    said = f"{100 * part / whole:.2f}"
    return "99.99" if said == "100.00" and part < whole else said


def letter_width(letters: str, size: float) -> float:
    """Return a width, in pixels, that fits each of these letters in the font `MONOSPACE`."""
    return (0.62 if letters.isascii() else 1.05) * size


def letters(said: str, x: float, y: float, size: float, fill: str = "") -> str:
    """Return SVG for a code as letters centred at (x, y), by default in the colour of `ink`."""
    named = {"text_anchor": "middle", "font_weight": "600", "font_family": MONOSPACE}
    return text(x, y, said, size, **named, fill=fill)


def numbers(said: str, x: float, y: float, size: float, fill: str = "") -> str:
    """Return SVG for a feedback as text centred at (x, y), by default in the colour of `soft`."""
    named = {"text_anchor": "middle", "font_weight": "600", "class_": "" if fill else "soft"}
    return text(x, y, said, size, **named, fill=fill)
