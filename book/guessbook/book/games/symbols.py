"""Notations of codes and feedbacks: names and colours of symbols, and pegs in words, letters or digits."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.errors import InvalidCodeError, InvalidGameError, UsageError, quote

# This symbol stands for an empty hole, in games that allow empty holes.
BLANK = "_"
# The length of a name is limited, because a row of named pegs must fit the width of a terminal.
MAX_NAME = 20
# These letters stand for the eight colours of the board game, in the order of `codes.COLORS`.
USUAL = "RYGBOPWK"
# Map from the letters of a notation, such as BW in 1B2W, to the meaning of the letter B in a feedback such as 1B.
NOTATIONS = {"BW": "B for bulls", "BC": "B for bulls", "AB": "B for cows, as in 1A2B"}
# This pattern matches a number of pegs in words, such as `2 WHITE PEGS`.
COUNTED = "([0-9]{1,2}) *(BLACK|WHITE|BULL|COW)S?(?: PEGS?)?"


class Peg(NamedTuple):
    """The name of a symbol (may be empty), the colour of its peg, and the colour of the letter on the peg."""

    name: str
    color: str
    ink: str


BLACK_INK, WHITE_INK = "#000000", "#ffffff"
# The colours of drawn pegs, which colour-blind people can distinguish. All are among xterm's 256 colours, because some
# terminals replace other colours.
PEGS = {
    "R": Peg("red", "#d70000", WHITE_INK),
    "Y": Peg("yellow", "#ffd75f", BLACK_INK),
    "G": Peg("green", "#87d787", BLACK_INK),
    "B": Peg("blue", "#005fff", WHITE_INK),
    "O": Peg("orange", "#ff8700", BLACK_INK),
    "P": Peg("purple", "#870087", WHITE_INK),
    "W": Peg("white", "#ffffff", BLACK_INK),
    "K": Peg("black", "#121212", WHITE_INK),
    "N": Peg("brown", "#875f5f", WHITE_INK),
    BLANK: Peg("blank", "#a8a8a8", BLACK_INK),
}
LETTERS = {peg.name: letter for letter, peg in PEGS.items()}
OTHER = PEGS[BLANK]._replace(name="")


def pegs_of(symbols: str, names: Sequence[str] = ()) -> dict[str, Peg]:
    """Return a map from each symbol to its peg; the map is empty if neither names nor symbols stand for colours.

    >>> [peg.name for peg in pegs_of("RYK").values()], pegs_of("ABC")
    (['red', 'yellow', 'black'], {})
    """
    if names:
        known = [PEGS.get(LETTERS.get(name.lower(), ""), OTHER) for name in names]
        if all(peg == OTHER for peg in known):
            return {}
        return {s: p._replace(name=n) for s, p, n in zip(symbols, known, names, strict=True)}
    if set(symbols) <= set(PEGS) or symbols.startswith(USUAL):
        return {symbol: PEGS.get(symbol, OTHER) for symbol in symbols}
    return {}


def describe_symbols(symbols: str, names: Sequence[str] = ()) -> str:
    """Return a text with each symbol and its name or colour; empty if there are no names and no colours.

    >>> describe_symbols("RYK"), describe_symbols("AB", ["ape", "bee"]), describe_symbols("123")
    ('R red, Y yellow, K black', 'A ape, B bee', '')
    """
    known = names or [peg.name for peg in pegs_of(symbols).values()]
    return ", ".join([f"{s} {n}".rstrip() for s, n in zip(symbols, known, strict=False)])


def named_symbols(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the symbols and the names in a text of names separated by commas, such as `white,wheat=H`.

    >>> named_symbols("red,blue,black,star"), named_symbols("white,wheat=H")
    (('RBKS', ('red', 'blue', 'black', 'star')), ('WH', ('white', 'wheat')))
    """
    taken: dict[str, str] = {}
    for part in text.split(","):
        name, _, letter = (piece.strip() for piece in part.partition("="))
        if not name or len(letter) > 1 or ("=" in part and not letter):
            raise UsageError(
                f"found {quote(part.strip())} among the symbols, expected a name such as white, or a "
                "name with its letter such as white=W"
            )
        # Without `=`, the symbol is the letter of the colour with this name, else the first letter of the name.
        letter = letter or LETTERS.get(name.lower()) or name[0].upper()
        if letter in taken:
            raise UsageError(
                f"found {quote(taken[letter])} and {quote(name)}, which both take the letter "
                f"{letter}; give one of them another letter, such as {name}=X"
            )
        taken[letter] = name
    return "".join(taken), tuple(taken.values())


def check_names(names: object, symbols: str) -> tuple[str, ...]:
    """Return the names of symbols as a tuple, which may be empty. Raises InvalidGameError for invalid names."""
    if not isinstance(names, list | tuple) or len(names) not in (0, len(symbols)):
        raise InvalidGameError(
            f"found names {quote(names)}, expected {len(symbols)} texts, one for each symbol"
        )
    for name in names:
        plain = isinstance(name, str) and name.isprintable() and not set(name) & set(" =,")
        if not (plain and 1 <= len(name) <= MAX_NAME):
            raise InvalidGameError(
                f"found the name {quote(name)} of a symbol, expected 1 to {MAX_NAME} visible "
                "characters other than '=' and ','"
            )
    if len({name.casefold() for name in names}) < len(names):
        raise InvalidGameError(
            f"found names {quote(names)}, expected names that differ in more than capitals"
        )
    return tuple(names)


def rank_of_name(names: Sequence[str], text: str) -> int:
    """Return the index of the name that equals `text`, else of the name that begins with `text`; -1 if there is none.

    Case is ignored. Raises InvalidCodeError if no name equals `text`, but several names begin with `text`.

    >>> names = ["red", "blue", "black"]
    >>> rank_of_name(names, "Red"), rank_of_name(names, "blu"), rank_of_name(names, "green")
    (0, 1, -1)
    """
    said = text.casefold()
    fitting = [k for k, name in enumerate(names) if name.casefold().startswith(said)]
    exact = [k for k in fitting if names[k].casefold() == said]
    if len(fitting) > 1 and not exact:
        begun = " and ".join([names[k] for k in fitting])
        raise InvalidCodeError(
            f"found {quote(text)}, the beginning of {begun}; write more of the name"
        )
    return next(iter(exact or fitting), -1)


def read_words(text: str) -> list[int] | None:
    """Return the numbers of black and white pegs in a text such as `0 BLACK 2 WHITE`; None for other texts."""
    found = re.findall(COUNTED, text)
    counts = {name in ("BLACK", "BULL"): int(number) for number, name in found}
    whole = re.fullmatch(f"(?:{COUNTED}(?:,| AND)? *){{1,2}}", text)
    if not whole or len(counts) < len(found):
        return None
    return [counts.get(True, 0), counts.get(False, 0)]


def read_letters(text: str, repeats: bool) -> dict[str, list[int]]:
    """Return all readings of a text such as `1B`: a map from the reading in words to counts of black and white pegs."""
    readings: dict[str, list[int]] = {}
    for names, meaning in NOTATIONS.items():
        pegs = re.fullmatch("(?:([0-9]{{1,2}}){})?(?:([0-9]{{1,2}}){})?".format(*names), text)
        # In games with repeats 1B alone means black: bulls and cows are terms of games without repeats.
        if text and pegs and not (readings and repeats):
            readings[meaning] = [int(pegs[1] or 0), int(pegs[2] or 0)]
    return readings


def read_digits(text: str, pegs: int, repeats: bool) -> dict[str, list[int]]:
    """Return all readings of digits such as `11`: a map from the reading in words to counts of black and white pegs."""
    readings = {}
    if len(text) == pegs and set(text) <= set("012"):
        readings["a digit for each peg"] = [text.count("2"), text.count("1")]
    if re.fullmatch("[0-9]{2}", text):
        readings["black and white"] = [int(text[0]), int(text[1])]
    if pegs > 1 and re.fullmatch("[0-9]", text):
        black, white = ("black", "white") if repeats else ("bulls", "cows")
        readings[f"{black} alone"] = [int(text), 0]
        readings[f"{white} alone"] = [0, int(text)]
    return readings
