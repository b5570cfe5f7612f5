"""The exceptions of Guessbook, and functions that format messages.

A message says the problem first, in the user's words, then what to do.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

OUT_OF_MEMORY = "there is not enough memory; close other programs, or use a smaller game"

# A message shows at most this number of characters of a wrong value.
MAX_SHOWN = 40
BRACKETS: dict[type, tuple[str, str]] = {dict: ("{", "}"), list: ("[", "]"), tuple: ("(", ")")}


class GuessbookError(Exception):
    """The base class of all errors of Guessbook."""

    def __str__(self) -> str:
        # KeyError, a base class of some errors, would print the repr of the message.
        return str(self.args[0]) if self.args else ""


class UsageError(GuessbookError, ValueError):
    """A wrong argument, such as the name of an unknown policy or book."""


class InvalidGameError(UsageError):
    """A game that is impossible, for example with too many pegs, repeated symbols or too many codes."""


class InvalidTableError(InvalidGameError):
    """A table of answers that does not define a game.

    Attributes:
        reason: the message without the names of the wrong cells.
        places: the wrong cells as (guess, secret) pairs of indices. (guess, None) is the cell with
            the name of a guess, and (None, secret) the cell with the name of a secret.
    """

    def __init__(
        self, reason: str, message: str = "", places: tuple[tuple[int | None, int | None], ...] = ()
    ) -> None:
        super().__init__(message or reason)
        self.reason = reason
        self.places = places


class InvalidCodeError(UsageError):
    """A guess or a secret that the game does not have, or an entry that is not GUESS=FEEDBACK."""


class InvalidFeedbackError(UsageError):
    """A feedback that the game never gives, such as 3 black and 1 white on 4 pegs."""


class InvalidBookError(GuessbookError, ValueError):
    """A file that is not a book: damaged, truncated, foreign, or of an unknown major version."""


class NotInBookError(GuessbookError, KeyError):
    """A history that the book's tree does not cover.

    `Book.find` raises this error; `Book.get` returns None instead.
    """


class WrongTreeError(NotInBookError, InvalidBookError):
    """A book whose tree belongs to another game: it lacks a node for a history that can occur."""


class InconsistentFeedbackError(GuessbookError, ValueError):
    """A history that no secret fits, or that the given secret does not fit.

    Attributes:
        suspects: the positions, from 0, of the entries to re-check. Each of these entries may be
            the only wrong entry. Of equal entries, only the first is listed. The tuple is empty if
            more than one entry must be wrong, or if the entries were not examined.
    """

    def __init__(self, message: str, suspects: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.suspects = suspects


class EngineError(GuessbookError, RuntimeError):
    """A computation that needs the engine or the extra `build`, which is missing or does not run.

    The engine is the compiled C library. Without it, only small computations are feasible.
    """


class BuildError(GuessbookError, RuntimeError):
    """A failed build: for example, the cluster was lost, or the checkpoint is of another build."""


class NoStrategyError(BuildError):
    """A build with too low a limit of guesses: every strategy needs more guesses for some secret."""


def quote(value: object) -> str:
    r"""Return the `repr` of any value, without control characters and cut to at most 40 characters.

    >>> print(quote("crane"), quote("\x1b[2J"), quote("a" * 99))
    'crane' '\x1b[2J' 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...
    """
    text = ""
    try:
        for piece in _pieces(value):
            text += piece
            if len(text) > MAX_SHOWN:
                return f"{text[: MAX_SHOWN - 4]}..."
    except Exception:  # `repr` fails, for example for an integer with too many digits
        return f"a value of type {type(value).__name__}"
    return text


def _pieces(value: Any) -> Iterator[str]:
    """Yield the `repr` of a value in parts, so that the caller can stop early in a large container."""
    kind = type(value)
    if isinstance(value, (str, bytes)):
        yield repr(value[: MAX_SHOWN + 1])
    elif kind in BRACKETS:
        start, end = BRACKETS[kind]
        yield start
        for number, item in enumerate(value):
            yield ", " if number else ""
            yield from _pieces(item)
            if kind is dict:
                yield ": "
                yield from _pieces(value[item])
        yield f",{end}" if kind is tuple and len(value) == 1 else end
    else:
        yield repr(value)


def whole_number(what: str, found: object, least: int = 1, most: int | None = None) -> int:
    """Return `found` if it is a whole number from `least` to `most`, else raise UsageError.

    In the message, `what` follows the number, such as "boards" in "0 boards; give at least 1".
    """
    if type(found) is int and found >= least and (most is None or found <= most):
        return found
    bounds = f"at least {least}" if most is None else f"{least} to {most}"
    if type(found) is not int:
        raise UsageError(f"{quote(found)} is not a whole number of {what}; give {bounds}")
    if abs(found) > 10**20:
        size = "large" if found > 0 else "small"
        raise UsageError(f"the number of {what} is too {size}; give {bounds}")
    named = what.removesuffix("s") if found == 1 else what
    raise UsageError(f"{quote(found)} {named}; give {bounds}")


def quantity(number: int, one: str = "guess") -> str:
    """Return a number followed by its noun in the singular or plural; `one` is the singular.

    >>> quantity(1), quantity(1200), quantity(1, "board")
    ('1 guess', '1,200 guesses', '1 board')
    """
    if number == 1:
        return f"1 {one}"
    return f"{number:,} {one}{'es' if one.endswith('s') else 's'}"


def listing(names: Sequence[str], last: str = "and") -> str:
    """Join names into one string; `last` is the word before the last name.

    >>> listing(["depth", "width", "base"]), listing(["depth"])
    ('depth, width and base', 'depth')
    """
    *most, end = names
    return f"{', '.join(most)} {last} {end}" if most else end


def known_options(names: Sequence[str]) -> str:
    """Return the end of a message about an unknown option: which options there are."""
    if not names:
        return "it takes no options"
    return f"its options are {listing(names)}" if names[1:] else f"its only option is {names[0]}"


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """Return the end of a message: a question with the most similar known name; "" without one.

    The name is in quotes if it has a blank, or ends in a punctuation mark.
    """
    from difflib import get_close_matches

    near = get_close_matches(text, list(known), 1)
    if not near:
        return ""
    plain = near[0][-1:].isalnum() and " " not in near[0]
    return f"; did you mean {near[0] if plain else repr(near[0])}?"


def printable(text: object) -> str:
    r"""Return `str(text)`, such as a file name, with escapes in place of unprintable characters.

    >>> print(printable("\x1b[2J.txt"), printable("exe.\u202etxt"))
    \x1b[2J.txt exe.\u202etxt
    """
    return "".join(
        [c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text)]
    )
