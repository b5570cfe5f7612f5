"""Well-known games by name: the presets, and functions that make games without their own class."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, groupby
from string import ascii_uppercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.errors import InvalidGameError, UsageError, did_you_mean, quantity, quote
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import Game, check_complete
from guessbook.book.plugins import Registry

# Imported in the functions that need them, because a hint needs no more than the names of presets.
if TYPE_CHECKING:
    from guessbook.book.games.tables import TableGame
    from guessbook.book.games.words import WordGame

# With 16 coins there would be 2,598,313 weighings, but a game may have at most 1,000,000 guesses.
MAX_COINS = 15


def primel() -> WordGame:
    """Return Primel: Wordle with the primes of five digits."""
    from guessbook.book.games.words import WordGame

    composite = set().union(*(range(n * n, 100_000, n) for n in range(2, 317)))
    return WordGame([str(n) for n in range(10_000, 100_000) if n not in composite])


def nerdle_mini() -> WordGame:
    """Return Mini Nerdle: Wordle with equations of six characters and one operator, + - * or /.

    >>> len(nerdle_mini().secrets), nerdle_mini().secrets[:3]
    (206, ('1+9=10', '10-1=9', '10-2=8'))
    """
    from guessbook.book.games.words import WordGame

    found = set()
    for a in range(1, 100):
        for b in range(1, 100):
            results = {"+": a + b, "-": a - b, "*": a * b, "/": a / b}
            for sign, c in results.items():
                if c == int(c) and c > 0:
                    found.add(f"{a}{sign}{b}={int(c)}")
    return WordGame(sorted(text for text in found if len(text) == 6))


def black_peg(pegs: int = 4, colors: int = 6) -> TableGame:
    """Return Mastermind without white pegs: the answer counts the symbols in the right position."""
    from guessbook.book.games.tables import TableGame

    codes = Mastermind(pegs, colors).guesses
    rows = ([sum(map(str.__eq__, guess, secret)) for secret in codes] for guess in codes)
    return TableGame(codes, codes, rows)


def jotto(
    secrets: Iterable[str], guesses: Iterable[str] = (), weights: Sequence[int] | None = None
) -> TableGame:
    """Return Jotto: the answer is the number of letters that guess and secret share.

    If the two are equal, the answer is "found". Without `guesses`, only secrets may be guessed.

    >>> jotto(["geese", "eagle", "table"]).feedback("geese", "eagle")
    '3'
    """
    from guessbook.book.games.tables import TableGame
    from guessbook.book.games.words import check_words

    secrets = list(check_words(secrets))
    asked = list(check_words(guesses)) or secrets
    if not secrets:
        raise InvalidGameError("no words; give at least one that may be the secret")
    for word in (*secrets, *asked):
        if not isinstance(word, str):
            raise InvalidGameError(f"{quote(word)} is not a word")
    letters = sorted(set().union(*secrets, *asked))
    most = max(map(len, {*secrets, *asked}))
    # The mask of a word has a bit for the first occurrence of a letter, another bit for the second,
    # and so on. The number of letters that two words share is the number of bits that their masks
    # share.
    sets = {word: _letter_bits(word, letters, most) for word in {*secrets, *asked}}
    wanted = [sets[word] for word in secrets]
    rows = (
        [
            "found" if guess == secret else (sets[guess] & held).bit_count()
            for secret, held in zip(secrets, wanted, strict=True)
        ]
        for guess in asked
    )
    return TableGame(asked, secrets, rows, weights)


def _letter_bits(word: str, letters: Sequence[str], most: int) -> int:
    """Return a bit mask with `most` bits per letter.

    n occurrences of a letter set the lowest n bits of the letter.
    """
    runs = [(letters.index(letter), len(list(same))) for letter, same in groupby(sorted(word))]
    return sum(((1 << count) - 1) << (place * most) for place, count in runs)


def coins(number: int = 12) -> TableGame:
    """Return the game of the false coin: one of `number` coins, 3 to 15, is too heavy or too light.

    A guess is a weighing, such as `AB : CD`. Its answer is the heavier side, "left" or "right", or
    "balanced".

    >>> coins(3).guesses[:3], coins(3).secrets[:2]
    (('A : B', 'A : C', 'B : C'), ('A heavy', 'A light'))
    """
    from guessbook.book.games.tables import TableGame

    if type(number) is not int or not 3 <= number <= MAX_COINS:
        raise InvalidGameError(
            f"{quote(number)} coins; give 3 to {MAX_COINS}, because fewer have no solution, and more "
            "have too many weighings"
        )
    names = ascii_uppercase[:number]
    secrets = [(coin, weight) for coin in names for weight in ("heavy", "light")]
    weighings = [
        (left, right)
        for count in range(1, number // 2 + 1)
        for left in combinations(names, count)
        for right in combinations([coin for coin in names if coin not in left], count)
        if left[0] < right[0]
    ]
    rows = ([_tips(left, right, *secret) for secret in secrets] for left, right in weighings)
    labels = [f"{''.join(left)} : {''.join(right)}" for left, right in weighings]
    return TableGame(labels, [" ".join(secret) for secret in secrets], rows, goal="name")


def _tips(left: Sequence[str], right: Sequence[str], coin: str, weight: str) -> str:
    if coin not in left and coin not in right:
        return "balanced"
    return "left" if (coin in left) == (weight == "heavy") else "right"


def wordle(*words: Any) -> WordGame:
    """Return Wordle, by default with words of a dictionary; see `dictionary.wordle`."""
    from guessbook.book.games.dictionary import wordle as game_of_words

    return game_of_words(*words)


class Preset(NamedTuple):
    """A well-known game.

    Attributes:
        name: the name of the game.
        title: a description in one line.
        make: the class or function that makes the game.
        options: the keyword arguments for this class or function.
        secrets: the number of secrets; 0 if it depends on the words of the game.
        allowed: the number of guesses that the real game allows; 0 if it has no limit, or several
            limits.
        dictionary: whether the game takes words from a dictionary if you pass no words.
    """

    name: str
    title: str
    make: Callable[..., Game]
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

        Raises UsageError if required words are missing, or if words are passed for a game that uses
        none.
        """
        if words and self.secrets:
            raise UsageError(f"the preset {self.name} needs no words; omit them")
        if self.needs_words and not words:
            raise UsageError(f"the preset {self.name} needs words; give the list of its secrets")
        return self.make(*words, **self.options)


def _codes(
    name: str, title: str, pegs: int, colors: int, secrets: int, allowed: int = 0, **more: Any
) -> Preset:
    options = {"pegs": pegs, "colors": colors, **more}
    return Preset(name, title, Mastermind, options, secrets, allowed)


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
    Preset("black-peg", "Mastermind without white pegs", black_peg, {}, 1296),
    Preset(
        "wordle",
        "five letters; the common words of a dictionary, well-known ones likelier",
        wordle,
        {},
        0,
        6,
        dictionary=True,
    ),
    Preset("jotto", "words, answered by how many letters they share", jotto, {}, 0),
    Preset("primel", "Wordle with the primes of five digits", primel, {}, 8363, 6),
    Preset("nerdle-mini", "Wordle with equations of six signs", nerdle_mini, {}, 206, 6),
    Preset("coins", "the false one of twelve, found with scales", coins, {}, 24, 4),
)
_BY_NAME = {preset.name: preset for preset in KNOWN}
PRESETS: Registry[Preset] = Registry(
    "guessbook.presets",
    "preset",
    _BY_NAME,
    _BY_NAME.__getitem__,
    lambda found: isinstance(found, Preset),
    "a guessbook.Preset",
)

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
    """Return the number of guesses that the real game allows; 0 for no limit or an unknown game."""
    from guessbook.book.games.words import WordGame

    # Every word game of five letters with standard scoring counts as Wordle.
    if isinstance(game, WordGame) and (game.scoring, game.length) == ("standard", 5):
        return 6
    alike = [p for p in KNOWN if p.allowed and p.secrets == len(game.secrets)]
    return next((preset.allowed for preset in alike if preset.game() == game), 0)


def is_game(name: str) -> bool:
    """Return whether a preset has this name, or the name has a form such as "mastermind-6x6"."""
    return name in PRESETS or NAMED.fullmatch(name) is not None


def game_of(source: Game | str) -> Game:
    """Return the game of a preset, or of a name such as "mastermind-6x6"; a game is returned unchanged.

    >>> game_of("bulls-and-cows-3x10") == game_of("bagels")
    True

    Raises UsageError for other values, for a preset that needs words, and for a name with
    impossible numbers.
    """
    if isinstance(source, Game):
        check_complete(source)
        return source
    if not isinstance(source, str):
        raise UsageError(
            f'{quote(source)} is not a game; pass one, such as Mastermind(4, 6) or "mastermind-4x6"'
        )
    if (named := NAMED.fullmatch(source)) is not None:
        return Mastermind(int(named[2]), int(named[3]), named[1] == "mastermind")
    if source not in PRESETS:
        # Presets of plug-ins are not loaded for this, since some may be broken, so even those that
        # need words are listed.
        usable = [
            name for name in PRESETS if name not in _BY_NAME or not _BY_NAME[name].needs_words
        ]
        names = ["mastermind-PEGSxCOLORS", "bulls-and-cows-PEGSxCOLORS", *usable]
        near = did_you_mean(source, PRESETS)
        raise UsageError(f"unknown game {quote(source)}; use one of {', '.join(names)}{near}")
    return PRESETS[source].game()
