"""Code games: Mastermind (symbols may repeat), and Bulls and Cows or Bagels (they may not).

The module also reads the notations in which people write symbols, codes and feedbacks.
"""

from __future__ import annotations

import itertools
import math
import operator
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, overload

from guessbook.book.errors import (
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    UsageError,
    did_you_mean,
    printable,
    quote,
)
from guessbook.book.games.game import SymmetricGame

# This symbol stands for an empty hole, in games that allow empty holes.
BLANK = "_"
# The length of a name is limited, because a row of named pegs must fit the width of a terminal.
MAX_NAME = 20
# These letters stand for the eight colours of the board game, in the order of `COLORS`.
USUAL = "RYGBOPWK"
# Map from the letters of a notation, such as BW in 1B2W, to the meaning of the letter B in a
# feedback such as 1B.
NOTATIONS = {"BW": "B for bulls", "BC": "B for bulls", "AB": "B for cows, as in 1A2B"}
# This pattern matches a number of pegs in words, such as `2 WHITE PEGS`.
COUNTED = "([0-9]{1,2}) *(BLACK|WHITE|BULL|COW)S?(?: PEGS?)?"

# Circles that people type instead of the drawn pegs. The last character selects an emoji's form.
EMOJI = str.maketrans({"⚫": "●", "⚪": "○", "\ufe0f": None})


class Peg(NamedTuple):
    """The name of a symbol (may be empty), the colour of its peg, and that of the letter on it."""

    name: str
    color: str
    ink: str


BLACK_INK, WHITE_INK = "#000000", "#ffffff"
# The colours of drawn pegs, which colour-blind people can distinguish. All are among xterm's 256
# colours, because some terminals replace other colours.
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
    """Return a map from each symbol to its peg.

    The map is empty if no name is a colour or, without names, if the symbols do not stand for
    colours.

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
    """Return each symbol with its name or colour, as one string; "" without names and colours.

    >>> describe_symbols("RYK"), describe_symbols("AB", ["ape", "bee"]), describe_symbols("123")
    ('R red, Y yellow, K black', 'A ape, B bee', '')
    """
    known = names or [peg.name for peg in pegs_of(symbols).values()]
    return ", ".join([f"{s} {n}".rstrip() for s, n in zip(symbols, known, strict=False)])


def named_symbols(text: str) -> tuple[str, tuple[str, ...]]:
    """Parse names separated by commas, such as `white,wheat=H`, into symbols and names.

    >>> named_symbols("red,blue,black,star"), named_symbols("white,wheat=H")
    (('RBKS', ('red', 'blue', 'black', 'star')), ('WH', ('white', 'wheat')))
    """
    taken: dict[str, str] = {}
    for part in text.split(","):
        name, _, letter = (piece.strip() for piece in part.partition("="))
        if not name or len(letter) > 1 or ("=" in part and not letter):
            raise UsageError(
                f"{quote(part.strip())} is not a symbol; give a name such as white, or a name with its "
                "letter such as white=W"
            )
        # Without `=`, the symbol is the letter of the colour with this name, else the first letter
        # of the name.
        letter = letter or LETTERS.get(name.lower()) or name[0].upper()
        if letter in taken:
            raise UsageError(
                f"{quote(taken[letter])} and {quote(name)} both take the letter {letter}; give one of "
                f"them another letter, such as {name}=X"
            )
        taken[letter] = name
    return "".join(taken), tuple(taken.values())


def check_names(names: object, symbols: str) -> tuple[str, ...]:
    """Return the names of symbols as a tuple, which may be empty.

    Raises InvalidGameError for invalid names.
    """
    if not isinstance(names, list | tuple) or len(names) not in (0, len(symbols)):
        raise InvalidGameError(
            f"names {quote(names)} are not {len(symbols)} strings, one for each symbol"
        )
    for name in names:
        if isinstance(name, str) and " " in name.strip():
            joined = "-".join(name.split())
            raise InvalidGameError(f"name {quote(name)} has a blank; write {printable(joined)}")
        plain = isinstance(name, str) and name.isprintable() and not set(name) & set(" =,")
        if not (plain and 1 <= len(name) <= MAX_NAME):
            raise InvalidGameError(
                f"{quote(name)} cannot name a symbol; give a string of 1 to {MAX_NAME} visible "
                "characters other than '=' and ','"
            )
    if len({name.casefold() for name in names}) < len(names):
        raise InvalidGameError(
            f"two of the names {quote(names)} are equal or differ only in capitals; give different names"
        )
    return tuple(names)


def rank_of_name(names: Sequence[str], text: str) -> int:
    """Return the index of the name that equals `text`, else of the name that begins with `text`.

    Case is ignored. Return -1 if there is no such name. Raises InvalidCodeError if no name equals
    `text`, but several names begin with `text`.

    >>> names = ["red", "blue", "black"]
    >>> rank_of_name(names, "Red"), rank_of_name(names, "blu"), rank_of_name(names, "green")
    (0, 1, -1)
    """
    said = text.casefold()
    fitting = [k for k, name in enumerate(names) if name.casefold().startswith(said)]
    exact = [k for k in fitting if names[k].casefold() == said]
    if len(fitting) > 1 and not exact:
        begun = " or ".join([names[k] for k in fitting])
        raise InvalidCodeError(f"{quote(text)} may be {begun}; write more of the name")
    return next(iter(exact or fitting), -1)


def read_words(text: str) -> list[int] | None:
    """Return the numbers of black and white pegs in a feedback written in words, else None.

    Such feedbacks are `0 BLACK 2 WHITE`, `BLACK WHITE WHITE` and `NONE`.
    """
    if text == "NONE":
        return [0, 0]
    black = ("BLACK", "BULL")
    words = re.split("[ ,]+(?:AND +)?", text)
    if {*words} <= {*black, "WHITE", "COW"}:
        blacks = sum([word in black for word in words])
        return [blacks, len(words) - blacks]
    found = re.findall(COUNTED, text)
    counts = {name in black: int(number) for number, name in found}
    whole = re.fullmatch(f"(?:{COUNTED}(?:,| AND)? *){{1,2}}", text)
    if not whole or len(counts) < len(found):
        return None
    return [counts.get(True, 0), counts.get(False, 0)]


def read_letters(text: str, repeats: bool) -> dict[str, list[int]]:
    """Return all possible meanings of a feedback with letters, such as `1B`.

    The result maps a description of each meaning to its numbers of black and white pegs.
    """
    readings: dict[str, list[int]] = {}
    found = re.findall("([0-9]{1,2}) ?([A-Z])", text)
    counts = {letter: int(number) for number, letter in found}
    if len(counts) < len(found) or not re.fullmatch("(?:[0-9]{1,2} ?[A-Z][ ,]*){1,2}", text):
        return readings
    for names, meaning in NOTATIONS.items():
        # In games with repeats, `1B` alone means black, because bulls and cows are terms of
        # games without repeats.
        if counts.keys() <= {*names} and not (readings and repeats):
            readings[meaning] = [counts.get(name, 0) for name in names]
    return readings


def read_digits(text: str, pegs: int, repeats: bool) -> dict[str, list[int]]:
    """Return all possible meanings of digits, such as `11`, in the form of `read_letters`."""
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


class Codes(Sequence[str]):
    """All codes of a game, sorted lexicographically by the position of each symbol in `symbols`."""

    def __init__(self, pegs: int, symbols: str, repeats: bool) -> None:
        self.pegs = pegs
        self.symbols = symbols
        self.repeats = repeats
        colors = len(symbols)
        self._length: int = colors**pegs if repeats else math.perm(colors, pegs)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            raise IndexError(f"there are only {self._length:,} codes")
        digits = code_digits(index, self.pegs, len(self.symbols), self.repeats)
        return "".join([self.symbols[digit] for digit in digits])

    def __iter__(self) -> Iterator[str]:
        if self.repeats:
            return map("".join, itertools.product(self.symbols, repeat=self.pegs))
        return map("".join, itertools.permutations(self.symbols, self.pegs))

    def index(self, code: object, start: int = 0, stop: int | None = None) -> int:
        """Return the index of `code`.

        Raises ValueError if `code` has no index from `start` to `stop - 1`.
        """
        stop = self._length if stop is None else stop
        if isinstance(code, str) and len(code) == self.pegs and set(code) <= set(self.symbols):
            digits = [self.symbols.index(symbol) for symbol in code]
            if self.repeats or len(set(digits)) == self.pegs:
                index = code_index(digits, len(self.symbols), self.repeats)
                if start <= index < stop:
                    return index
        raise ValueError(f"{code!r} is not a code with an index from {start} to {stop - 1}")

    def __contains__(self, code: object) -> bool:
        try:
            self.index(code)
        except ValueError:
            return False
        return True


def code_index(digits: Sequence[int], colors: int, repeats: bool) -> int:
    """Return the index of a code in lexicographic order.

    `digits` has the symbols of the code as numbers, 0 to colors - 1.
    """
    index = 0
    if repeats:
        for digit in digits:
            index = index * colors + digit
        return index
    unused = list(range(colors))
    for digit in digits:
        index = index * len(unused) + unused.index(digit)
        unused.remove(digit)
    return index


def code_digits(index: int, pegs: int, colors: int, repeats: bool) -> list[int]:
    """Return the symbols of a code as numbers, 0 to colors - 1: the inverse of `code_index`."""
    digits = []
    for choices in range(colors - pegs + 1, colors + 1) if not repeats else [colors] * pegs:
        index, digit = divmod(index, choices)
        digits.append(digit)
    digits.reverse()
    if repeats:
        return digits
    unused = list(range(colors))
    return [unused.pop(digit) for digit in digits]


# The letters of Red Yellow Green Blue Orange Purple White blacK come first, then the other letters,
# then digits.
COLORS = "RYGBOPWKACDEFHIJLMNQSTUVXZ0123456789"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

# The engine stores a feedback number, at most (pegs + 1)**2 - 1, in one byte.
MAX_PEGS = 15
# A book stores the index of a guess in at most four bytes.
MAX_NUMBERED_CODES = 1 << 32


class Pegs(NamedTuple):
    """A feedback of a code game. `str` returns the form `1,1`.

    Attributes:
        black: the number of black pegs.
        white: the number of white pegs.
    """

    black: int
    white: int

    def __str__(self) -> str:
        return f"{self.black},{self.white}"


class Mastermind(SymmetricGame):
    """A game whose guesses are answered with black and white pegs: Mastermind, Bulls and Cows.

    Args:
        pegs: the number of positions of a code, 1 to 15.
        colors: the number of symbols, 1 to 36.
        repeats: whether a symbol may occur twice in a code. False makes the game Bulls and Cows.
        symbols: the symbols in the order that breaks ties, one character each. Default: the first
            of RYGBOPWK, other letters and digits; without repeats, of digits and letters.
        names: the names of the symbols, such as red. People may type a name, or its beginning,
            instead of a symbol.

    >>> game = Mastermind(4, 6)
    >>> len(game.guesses), game.guesses[51]
    (1296, 'RYGB')
    >>> game.feedback("RYGB", "rgoy"), str(game.feedback("RYGB", "RGOY"))
    (Pegs(black=1, white=2), '1,2')

    Raises:
        InvalidGameError: the numbers, symbols or names are invalid, or there are more than 2**32
            codes.
    """

    kind = "mastermind"
    smaller = "fewer pegs or colors"

    def __init__(
        self,
        pegs: int,
        colors: int,
        repeats: bool = True,
        symbols: str | None = None,
        names: Sequence[str] = (),
    ) -> None:
        if type(pegs) is not int or type(colors) is not int:
            raise InvalidGameError(
                f"pegs and colors must be whole numbers, not {quote(pegs)} and {quote(colors)}"
            )
        if type(repeats) is not bool:
            raise InvalidGameError(f"repeats is {quote(repeats)}; give True or False")
        alphabet = COLORS if repeats else DIGITS
        if not 1 <= pegs <= MAX_PEGS:
            raise InvalidGameError(f"{quote(pegs)} pegs; give 1 to {MAX_PEGS}")
        if not 1 <= colors <= len(alphabet):
            raise InvalidGameError(f"{quote(colors)} colors; give 1 to {len(alphabet)}")
        if not repeats and colors < pegs:
            raise InvalidGameError(
                f"{colors} colors are too few for {pegs} pegs without repeats; give at least {pegs}"
            )
        if symbols is None:
            symbols = alphabet[:colors]
        if not isinstance(symbols, str) or not len(symbols) == len(set(symbols)) == colors:
            raise InvalidGameError(
                f"symbols {quote(symbols)} are not a string of {colors} different characters"
            )
        if not symbols.isprintable() or any(s.isspace() or s in "=," for s in symbols):
            raise InvalidGameError(
                f"symbols {quote(symbols)} must be visible characters, but not '=' or ','"
            )
        codes = colors**pegs if repeats else math.perm(colors, pegs)
        if codes > MAX_NUMBERED_CODES:
            raise InvalidGameError(
                f"game too large: {codes:,} codes, limit {MAX_NUMBERED_CODES:,}; use fewer pegs or colors"
            )
        self.pegs = pegs
        self.length = pegs
        self.colors = colors
        self.repeats = repeats
        self.symbols = symbols
        self.names = check_names(names, symbols)
        self.since = 3 if self.names else 0
        self.name = f"{'mastermind' if repeats else 'bulls-and-cows'}-{pegs}x{colors}"
        described = describe_symbols(symbols, self.names)
        self.note = described and f"symbols {described}"
        self.hard_mode_refusal = (
            f"hard mode is a rule for words, and {self.name} has codes; use consistent-only"
        )
        self.guesses: Sequence[str] = Codes(pegs, symbols, repeats)
        self.secrets = self.guesses
        self.solved = self.number(pegs, 0)
        self.feedbacks = self.solved + 1
        # These maps parse the most common notations of codes and feedbacks quickly.
        self._ranks = {symbol: rank for rank, symbol in enumerate(symbols)}
        given = filter(self.is_possible, range(self.feedbacks))
        self._numbers = {str(self.plain_feedback(number)): number for number in given}

    def feedback(self, guess: str | Sequence[str], secret: str | Sequence[str]) -> Pegs:
        """Return the black and white pegs that `secret` gives to `guess`.

        Both may be in any notation that `parse_code` reads. A black peg means a right symbol in the
        right place, a white peg a right symbol in a wrong place. Each symbol of the secret counts
        once (Knuth 1976). Raises InvalidCodeError for an invalid code.
        """
        codes = self.guesses[self.parse_code(guess)], self.guesses[self.parse_code(secret)]
        return self.plain_feedback(self.feedback_number(*codes))

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the number of the feedback that `secret` gives to `guess`.

        Both must be in `guesses`.
        """
        black = sum(map(operator.eq, guess, secret))
        symbols = set(guess)
        total = sum(map(min, map(guess.count, symbols), map(secret.count, symbols)))
        return self.number(black, total - black)

    def number(self, black: int, white: int) -> int:
        """Return the number of the feedback with these black and white pegs."""
        return (black + white) * (self.pegs + 1) + black

    def plain_feedback(self, feedback: int) -> Pegs:
        """Return the black and white pegs of a feedback number: the inverse of `number`."""
        total, black = divmod(feedback, self.pegs + 1)
        return Pegs(black, total - black)

    def format_feedback(self, feedback: int) -> str:
        """Return a feedback number as people write it: `1,1` is one black and one white peg."""
        # Booleans and floats are rejected, even if they equal an integer.
        if type(feedback) is not int or not self.is_possible(feedback):
            raise InvalidFeedbackError(
                f"{quote(feedback)} is not the number of a feedback of {self.name}"
            )
        return str(self.plain_feedback(feedback))

    def parse_feedback(self, feedback: object) -> int:
        """Return the number of a feedback that is given as people write it.

        These notations are accepted:

        - the numbers of black pegs and white pegs, as in `1,1`, `1 1`, `1-1`, `1.1`, `11`; the
          number of positions without a peg may follow, as in `1,1,2`; or a tuple of these numbers;
        - numbers with letters or words, in any order: `1B1W`, `1w 1b`, `1A1B` or `1B1C` (bulls and
          cows), `1 black 1 white`, `1 black`; or only words: `black white white`, `bull and cow`,
          `none`;
        - drawn pegs: `●○··`, `⚫⚪` or `BW..`;
        - a digit for each peg, in any order: `0012` (2 right place, 1 right symbol elsewhere, 0
          wrong symbol).

        >>> game = Mastermind(4, 6)
        >>> {game.parse_feedback(f) for f in ["1,1", "11", "1,1,2", "1A1B", "BW..", "0012", (1, 1)]}
        {11}

        Raises InvalidFeedbackError for another notation, a feedback that the game never gives, or
        one with two meanings, such as `1`.
        """
        if type(feedback) is str and feedback in self._numbers:
            return self._numbers[feedback]
        counts = self._counts(feedback)
        if counts is None:
            # The example in the message is the feedback with the fewest pegs, of both colours if
            # possible.
            given = map(self.plain_feedback, self._numbers.values())
            black, white = min(given, key=lambda pegs: (0 in pegs, sum(pegs) == 0, sum(pegs)))
            grey = self.pegs - black - white
            raise InvalidFeedbackError(
                f"{quote(feedback)} is not a feedback; give black and white pegs such as "
                f"'{black},{white}', '{black} black {white} white', '{black}B{white}W', "
                f"'{black},{white},{grey}' or '{'0' * grey + '1' * white + '2' * black}'"
            )
        if fault := self._fault(*counts):
            raise InvalidFeedbackError(f"feedback {quote(feedback)} is impossible: {fault}")
        return self.number(*counts[:2])

    def is_possible(self, feedback: int) -> bool:
        """Return whether the feedback with this number can occur in this game."""
        return not self._fault(*self.plain_feedback(feedback))

    def _fault(self, black: int, white: int, *grey: int) -> str:
        """Return why these numbers of pegs, and of positions without one (`grey`), cannot occur.

        Return "" if they can.
        """
        total = black + white
        if grey and total + sum(grey) != self.pegs:
            return f"it adds up to {quote(total + sum(grey))}, not to {self.pegs} pegs"
        if min(black, white, *grey) < 0 or total > self.pegs:
            return f"a code has {self.pegs} pegs in all"
        if self.colors == 1 and white:
            return "this game has only one code, so no white pegs"
        # With two symbols, each misplaced symbol occupies the place of the other symbol, so white
        # pegs come in pairs.
        if self.colors == 2 and white % 2:
            return "with two symbols, the number of white pegs is even"
        if black == self.pegs - 1 and white == 1:
            return "the last symbol has only its own place left"
        least = 2 * self.pegs - self.colors
        if self.repeats:
            least = self.pegs if self.colors == 1 else 0
        if total < least:
            return f"any two codes of this game share {least} symbols or more"
        return ""

    def _counts(self, feedback: object) -> list[int] | None:
        """Return the numbers of black pegs, white pegs and, if given, other positions.

        Return None for a feedback in an unknown notation.
        """
        if not isinstance(feedback, str):
            numbers = list(feedback) if isinstance(feedback, (tuple, list)) else []
            whole = all(type(n) is int for n in numbers)
            return numbers if whole and len(numbers) in (2, 3) else None
        text = feedback.strip().translate(EMOJI).upper()
        # Each blank matches only one part of the pattern, so a long run of blanks causes little
        # backtracking.
        if re.fullmatch(r"[0-9]{1,2}(( *[.,/-] *| +)[0-9]{1,2}){1,2}", text):
            return [int(n) for n in re.findall("[0-9]+", text)]
        for marks in ("●○·", "BW."):
            if 0 < len(text) <= self.pegs and set(text) <= set(marks):
                return [text.count(marks[0]), text.count(marks[1])]
        readings = read_letters(text, self.repeats) or read_digits(text, self.pegs, self.repeats)
        return read_words(text) or self._only(text, readings)

    def _only(self, text: str, readings: dict[str, list[int]]) -> list[int] | None:
        """Return the only pair in `readings` that can occur in this game.

        `readings` maps each meaning of the feedback `text` to a pair: the numbers of black and
        white pegs. If no pair can occur, return the first pair; if `readings` is empty, None.
        Raises InvalidFeedbackError if two different pairs can occur.
        """
        possible = {what: p for what, p in readings.items() if not self._fault(*p)}
        if len({tuple(pegs) for pegs in possible.values()}) == 2:
            (a, (b, c)), (d, (e, f)) = possible.items()
            raise InvalidFeedbackError(
                f"feedback {quote(text)} may be {b},{c} ({a}) or {e},{f} ({d}); write it with a comma"
            )
        return next(iter((possible or readings).values()), None)

    def parse_code(self, code: str | Sequence[str]) -> int:
        """Return the index of a code, which is a string or a sequence of symbols.

        Case is ignored, except for symbols that differ only in case. Blanks and commas between the
        symbols are ignored: `p y r o`. A name, or the beginning of a name, may replace its symbol;
        the usual symbols have the names of their colours. Raises InvalidCodeError for an invalid
        code.

        >>> game = Mastermind(4, 6)
        >>> game.parse_code(("R", "Y", "G", "B")), game.parse_code("red yellow green blue")
        (51, 51)
        """
        if type(code) is str and len(code) == self.pegs:
            ranks = [self._ranks.get(symbol, -1) for symbol in code]
            if -1 not in ranks and (self.repeats or len(set(ranks)) == self.pegs):
                return code_index(ranks, self.colors, self.repeats)
        known = describe_symbols(self.symbols, self.names) if self.names else repr(self.symbols)
        due = f"give {self.pegs} of {known}"
        listed = isinstance(code, (tuple, list)) and all(isinstance(s, str) for s in code)
        if not isinstance(code, str) and not listed:
            raise InvalidCodeError(f"{quote(code)} is not a code; {due}")
        symbols: Sequence[str] = code
        if isinstance(code, str):
            words = re.split("[ ,]+", code.strip(" ,"))
            joined = "".join(words)
            named = len(joined) != self.pegs and any(self._digit(word) >= 0 for word in words)
            apart = len(words) == self.pegs or (len(words) > 1 and named)
            symbols = words if self._spoken and apart else joined
        found = quote("".join(code))
        if len(symbols) != self.pegs:
            raise InvalidCodeError(f"code {found} has length {len(symbols)}; {due}")
        digits = [self._digit(symbol) for symbol in symbols]
        if -1 in digits:
            unknown = symbols[digits.index(-1)]
            near = did_you_mean(unknown.lower(), self._spoken)
            raise InvalidCodeError(f"unknown symbol {quote(unknown)} in code {found}; {due}{near}")
        if not self.repeats and len(set(digits)) < self.pegs:
            raise InvalidCodeError(f"a symbol is repeated in code {found}; {due}, all different")
        return code_index(digits, self.colors, self.repeats)

    def display_name(self, guess: str) -> str:
        """Return a code as people read it: the names of its symbols, else the code itself."""
        names = dict(zip(self.symbols, self.names, strict=False))
        return " ".join([names[symbol] for symbol in guess]) if names else guess

    def digits(self, index: int) -> list[int]:
        """Return the code at `index` as numbers: each symbol becomes its index in `symbols`."""
        return code_digits(index, self.pegs, self.colors, self.repeats)

    def _digit(self, symbol: str) -> int:
        """Return the index in `symbols` of a symbol, given as `parse_code` accepts it, or -1."""
        for form in (symbol, symbol.upper(), symbol.lower()):
            if len(form) == 1 and form in self.symbols:
                return self.symbols.index(form)
        return rank_of_name(self._spoken, symbol) if symbol else -1

    @cached_property
    def _spoken(self) -> Sequence[str]:
        """Return the names that people may type: those of the symbols, else those of their colours."""
        return self.names or [peg.name for peg in pegs_of(self.symbols).values()]

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for a book's header (docs/reference/FORMAT.md)."""
        return {
            "type": self.kind,
            "pegs": self.pegs,
            "colors": self.colors,
            "repeats": self.repeats,
            "symbols": self.symbols,
            **({"names": list(self.names)} if self.names else {}),
        }

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> Mastermind:
        """Return the game of a book's header. Raises InvalidGameError for an invalid header."""
        pegs, colors, repeats, symbols = map(header.get, ("pegs", "colors", "repeats", "symbols"))
        if symbols is None:  # a header must list its symbols: there is no default
            raise InvalidGameError("the header lists no symbols")
        return cls(pegs, colors, repeats, symbols, header.get("names", ()))  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mastermind) and self.header() == other.header()

    def __hash__(self) -> int:
        return hash((self.pegs, self.repeats, self.symbols))

    def __repr__(self) -> str:
        repeats = "" if self.repeats else ", repeats=False"
        names = f", names={self.names!r}" if self.names else ""
        return f"Mastermind({self.pegs}, {self.colors}{repeats}, symbols={self.symbols!r}{names})"
