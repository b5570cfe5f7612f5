"""Presets: well-known games by name."""

import re
import warnings
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from guessbook.book.errors import UsageError, did_you_mean, quantity, quote
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import Game, check_game
from guessbook.book.plugins import Registry, load

CODES = "guessbook.book.games.codes:Mastermind"
RULES = "guessbook.book.games.rules"


class Preset(NamedTuple):
    """A well-known game.

    Attributes:
        name: the name of the game.
        title: a description in one line.
        place: the class or function that makes the game, as `MODULE:NAME`.
        options: the keyword arguments of this class or function.
        secrets: the number of secrets; 0 if it depends on the words of the game.
        allowed: the number of guesses that the real game allows; 0 if it has no limit, or several limits.
        dictionary: whether the game takes words from a dictionary if you pass no words.
    """

    name: str
    title: str
    place: str
    options: Mapping[str, Any]
    secrets: int
    allowed: int = 0
    dictionary: bool = False

    def __repr__(self) -> str:
        words = "words of a dictionary" if self.dictionary else "of words that it is given"
        secrets = quantity(self.secrets, "secret") if self.secrets else words
        return f"<Preset {self.name}: {self.title}, {secrets}>"

    @property
    def needs_words(self) -> bool:
        """Whether the method `game` needs words as arguments."""
        return not (self.secrets or self.dictionary)

    def game(self, *words: Any) -> Game:
        """Return the game of this preset; `words` are its lists of words.

        Raises UsageError if required words are missing, or if words are passed for a game that uses none.
        """
        if words and self.secrets:
            raise UsageError(
                f"found words for the preset {self.name}, which needs no words; omit them"
            )
        if self.needs_words and not words:
            raise UsageError(
                f"found no words for the preset {self.name}, expected a list of its secrets"
            )
        game: Game = load(self.place)(*words, **self.options)
        return game


def _codes(
    name: str, title: str, pegs: int, colors: int, secrets: int, allowed: int = 0, **more: Any
) -> Preset:
    options = {"pegs": pegs, "colors": colors, **more}
    return Preset(name, title, CODES, options, secrets, allowed)


KNOWN = (
    _codes("mastermind", "the board game of 1971, and Guess of Tatham's puzzles", 4, 6, 1296, 10),
    _codes("super-mastermind", "its larger edition, Guess (Super)", 5, 8, 32768, 12),
    _codes("mastermind44", "the edition for four players", 5, 6, 7776),
    _codes("mastermind-for-kids", "the edition for children", 3, 6, 216),
    _codes("number-mastermind", "the edition with digits", 4, 6, 1296, symbols="123456"),
    _codes("nethack", "the passtune of the castle's drawbridge", 5, 7, 16807, symbols="ABCDEFG"),
    _codes("bulls-and-cows", "the paper game: four different digits", 4, 10, 5040, repeats=False),
    _codes("moo", "the same as a program of 1968", 4, 10, 5040, repeats=False),
    _codes("bagels", "Pico, Fermi, Bagels: three different digits", 3, 10, 720, 20, repeats=False),
    Preset("black-peg", "Mastermind without white pegs", f"{RULES}:black_peg", {}, 1296),
    Preset(
        "wordle",
        "five letters; the common words of a dictionary, well-known ones likelier",
        "guessbook.book.dictionary:wordle",
        {},
        0,
        6,
        dictionary=True,
    ),
    Preset("jotto", "words, answered by how many letters they share", f"{RULES}:jotto", {}, 0),
    Preset("primel", "Wordle with the primes of five digits", f"{RULES}:primel", {}, 8363, 6),
    Preset("nerdle-mini", "Wordle with equations of six signs", f"{RULES}:nerdle_mini", {}, 206, 6),
    Preset("coins", "the false one of twelve, found with scales", f"{RULES}:coins", {}, 24, 4),
)
BUILT_IN = {preset.name: preset for preset in KNOWN}
PRESETS = Registry("guessbook.presets", "preset", BUILT_IN, Preset, "place", "__call__")

# This pattern matches names of code games in the form of `Mastermind.name`.
NAMED = re.compile(r"(mastermind|bulls-and-cows)-([0-9]{1,2})x([0-9]{1,2})")


def presets() -> tuple[Preset, ...]:
    """Return all presets: the built-in presets first, then the presets of installed packages.

    A preset that cannot be loaded is omitted, with a warning.

    >>> [preset.name for preset in presets()][:2]
    ['mastermind', 'super-mastermind']
    """
    found = []
    for name in PRESETS:
        try:
            preset = PRESETS[name]
        except UsageError as error:
            warnings.warn(str(error), stacklevel=2)
        else:
            # All callers share the options, so they receive a read-only view.
            found.append(preset._replace(options=MappingProxyType(preset.options)))
    return tuple(found)


def allowed_guesses(game: Game) -> int:
    """Return the number of guesses that the real game allows; 0 if it has no limit, or if no preset equals the game."""
    # Every word game of five letters with standard scoring counts as Wordle.
    if (getattr(game, "scoring", ""), getattr(game, "length", 0)) == ("standard", 5):
        return 6
    alike = [p for p in KNOWN if p.allowed and p.secrets == len(game.secrets)]
    return next((preset.allowed for preset in alike if preset.game() == game), 0)


def is_game(name: str) -> bool:
    """Return whether a preset has this name, or the name has the form "mastermind-6x6" or "bulls-and-cows-4x10"."""
    return name in PRESETS or NAMED.fullmatch(name) is not None


def names() -> str:
    """Return a text with all names that `game_of` accepts, for error messages."""
    return ", ".join(["mastermind-PEGSxCOLORS", "bulls-and-cows-PEGSxCOLORS", *PRESETS])


def game_of(source: Game | str) -> Game:
    """Return the game of a preset's name, or of a name such as "mastermind-6x6". A game is returned unchanged.

    >>> game_of("bulls-and-cows-3x10") == game_of("bagels")
    True

    Raises UsageError for other values, for a preset that needs words, and for a name with impossible numbers.
    """
    if not isinstance(source, str):
        return check_game(source, 'a game, such as Mastermind(4, 6) or "mastermind-4x6"')
    if (named := NAMED.fullmatch(source)) is not None:
        return Mastermind(int(named[2]), int(named[3]), named[1] == "mastermind")
    if source not in PRESETS:
        near = did_you_mean(source, PRESETS)
        raise UsageError(f"found the game {quote(source)}, expected one of {names()}{near}")
    return PRESETS[source].game()


def preset_named(name: str) -> Preset:
    """Return the preset with this name. Raises UsageError for an unknown name."""
    if name not in PRESETS:
        near = did_you_mean(name, PRESETS)
        raise UsageError(f"found preset {quote(name)}, expected one of {', '.join(PRESETS)}{near}")
    return PRESETS[name]
