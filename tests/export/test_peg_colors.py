"""The colours of pegs: one table for terminal, page and pictures, told apart by everybody."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from rich.color import Color, ColorSystem

from guessbook.book import Mastermind
from guessbook.book.games.symbols import PEGS, Peg, pegs_of
from guessbook.export.form import form_of
from guessbook.export.page import data
from guessbook.export.pictures import shapes
from guessbook.play.display import display_of
from tests.helpers.browser import Watched, browser, show
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["browser", "show"]  # the fixtures

# How dichromats see linear RGB: Machado, Oliveira and Fernandes, "A physiologically-based model for
# simulation of color vision deficiency", IEEE TVCG 15 (2009), severity 1.0.
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# From linear sRGB to XYZ, and the white point D65 (IEC 61966-2-1).
TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)
# The distances in CIELAB: about 2 is what an eye can just tell apart side by side.
FAR = 20.0


class Canvas:
    """A terminal with colours."""

    colour, symbols, width, narrow = True, True, 100, False


def drawn(color: str) -> str:
    """A colour as a terminal of 256 colours draws it."""
    return Color.parse(color).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex


def test_any_two_pegs_differ_for_everybody() -> None:
    """Any two colours are far apart for everybody, and so they are in 256 colours."""
    for vision in VISIONS:
        for a, b in combinations([peg.color for peg in PEGS.values()], 2):
            assert distance(a, b, vision) > FAR, (a, b, vision)
            assert distance(drawn(a), drawn(b), vision) > FAR, (a, b, vision)


def test_the_distance_finds_colours_that_look_alike() -> None:
    """Red and a brown of the same hue are far apart for most people, and not for all."""
    assert distance("#d70000", "#af5f00", "normal") > FAR
    assert distance("#d70000", "#af5f00", "deuteranopia") < 2
    assert distance("#ffffff", "#000000", "normal") == pytest.approx(100)


@pytest.mark.parametrize("peg", PEGS.values(), ids=lambda peg: peg.name)
def test_a_terminal_of_256_colours_draws_the_same(peg: Peg) -> None:
    """In 256 colours a peg is the same, a grey nearly, and its letter can be read."""
    assert drawn(peg.color) == peg.color or distance(drawn(peg.color), peg.color, "normal") < 4
    lights = sorted([shapes.luminance(peg.color), shapes.luminance(peg.ink)])
    assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5


def test_terminal_page_and_pictures_have_the_same_colours() -> None:
    """Each symbol has the colour of the one table wherever it is drawn."""
    game = Mastermind(1, 8)
    due = {symbol: peg.color for symbol, peg in pegs_of(game.symbols).items()}
    assert len(set(due.values())) == 8
    style = {s: display_of(game).code(Canvas(), s)[0][1].split()[-1] for s in game.symbols}  # type: ignore[arg-type]
    assert style == due
    pictured = re.findall(
        r'id="peg-(\d+)"><circle r=".92" fill="(#\w+)"', form_of(game).definitions()
    )
    assert {chr(int(number)): color for number, color in pictured} == due
    page = json.loads(zlib.decompress(b64decode(data(plain_book(game)))).split(b"\n")[0])
    assert {symbol: color for symbol, (_, color, _) in page["game"]["drawn"].items()} == due


def test_the_page_shows_and_takes_names(show: Callable[..., Watched]) -> None:
    """The page lists the names, draws their colours, says them to listeners, takes letters."""
    watched = show(plain_book(Mastermind(2, 3, symbols="RBS", names=["red", "blue", "star"])))
    assert watched.text("#keys .names") == "R red, B blue, S star"
    keys = watched.page.locator("#keys button.peg")
    drawn = keys.evaluate_all("all => all.map((key) => getComputedStyle(key).backgroundColor)")
    assert drawn == ["rgb(215, 0, 0)", "rgb(0, 95, 255)", "rgb(168, 168, 168)"]
    assert keys.nth(2).get_attribute("aria-label") == "S star"
    watched.page.locator("#slots button").first.focus()
    watched.press("sb")
    assert watched.entry() == "SB"


def distance(first: str, second: str, vision: str) -> float:
    """How far apart two colours `#rrggbb` are in CIELAB, as somebody sees them."""
    pairs = zip(lab(seen(first, vision)), lab(seen(second, vision)), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def seen(color: str, vision: str) -> list[float]:
    """A colour in linear RGB as somebody sees it, each part 0 to 1."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return [min(1.0, max(0.0, value)) for value in times(VISIONS[vision], linear)]


def lab(linear: list[float]) -> tuple[float, float, float]:
    """A colour in linear RGB as lightness, green to red, blue to yellow (CIE 15:2004)."""
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in [v / w for v, w in zip(times(TO_XYZ, linear), WHITE, strict=True)]
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    """A matrix times a vector."""
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
