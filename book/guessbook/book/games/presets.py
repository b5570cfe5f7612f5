"""Presets: the games that people know, by name."""

from __future__ import annotations

from typing import NamedTuple

from guessbook.book.errors import UsageError, meant
from guessbook.book.games.codes import Mastermind


class Preset(NamedTuple):
    """A game under the name by which it is known.

    Attributes:
        name: of the game.
        title: one line for people.
        pegs, colors, repeats, symbols: see `guessbook.book.games.codes.Mastermind`.
        seconds: what `guessbook build-book` took for it by entropy on two cores, measured, without
            imports and compilation.
    """

    name: str
    title: str
    pegs: int
    colors: int
    repeats: bool = True
    symbols: str | None = None
    seconds: float = 0.0

    @property
    def game(self) -> Mastermind:
        """The game itself."""
        return Mastermind(self.pegs, self.colors, self.repeats, self.symbols)


KNOWN = (
    Preset(
        "mastermind", "the board game of 1971, and Guess of Tatham's puzzles", 4, 6, seconds=0.02
    ),
    Preset("super-mastermind", "its larger edition, Guess (Super)", 5, 8, seconds=0.51),
    Preset("mastermind44", "the edition for four players", 5, 6, seconds=0.08),
    Preset("mastermind-for-kids", "the edition for children", 3, 6, seconds=0.01),
    Preset("number-mastermind", "the edition with digits", 4, 6, symbols="123456", seconds=0.02),
    Preset("bulls-and-cows", "the paper game: four different digits", 4, 10, False, seconds=0.05),
    Preset("moo", "the same as a program of 1968", 4, 10, False, seconds=0.05),
    Preset("bagels", "Pico, Fermi, Bagels: three different digits", 3, 10, False, seconds=0.01),
    Preset(
        "nethack", "the passtune of the castle's drawbridge", 5, 7, symbols="ABCDEFG", seconds=0.36
    ),
)
PRESETS = {preset.name: preset for preset in KNOWN}


def preset_named(name: str) -> Preset:
    """The preset of that name.

    >>> preset_named("nethack").game.guesses[0]
    'AAAAA'

    Raises:
        UsageError: there is none; the message lists them.
    """
    if name not in PRESETS:
        near = meant(name, PRESETS)
        raise UsageError(f"found preset {name!r}, expected one of {', '.join(PRESETS)}{near}")
    return PRESETS[name]
