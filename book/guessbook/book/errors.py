"""Every error that Guessbook raises on purpose: found, expected, and what to do."""

from collections.abc import Iterable, Iterator
from typing import Any

# The message when there is no memory left.
OUT_OF_MEMORY = "there is not enough memory; end other programs, or take a smaller game"

# Characters of a foreign value that a message repeats.
MAX_SHOWN = 40
BRACKETS: dict[type, tuple[str, str]] = {dict: ("{", "}"), list: ("[", "]"), tuple: ("(", ")")}


class GuessbookError(Exception):
    """The base class of all errors of Guessbook."""

    def __str__(self) -> str:
        # KeyError would print the repr of its message.
        return str(self.args[0]) if self.args else ""


class UsageError(GuessbookError, ValueError):
    """A wrong argument: an unknown policy, a name that no bundled book has."""


class InvalidGameError(UsageError):
    """An impossible game: too many pegs, repeated symbols, or more codes than memory holds."""


class InvalidTableError(InvalidGameError):
    """A table of answers that makes no game.

    `reason` is the message without its place. `places` are the (guess, secret) pairs of indices
    that it is about; one of them is None if it is about the other alone.
    """

    def __init__(self, reason: str, message: str = "", places: tuple[tuple[int | None, int | None], ...] = ()) -> None:
        super().__init__(message or reason)
        self.reason = reason
        self.places = places


class InvalidCodeError(UsageError):
    """A guess that is not a code of the game."""


class InvalidFeedbackError(UsageError):
    """A feedback that the game never gives, such as 3 black and 1 white on 4 pegs."""


class InvalidBookError(GuessbookError, ValueError):
    """A file that is not a book: damaged, truncated, foreign, or of an unknown major version."""


class NotInBookError(GuessbookError, KeyError):
    """A history that is not in the book's tree (`find` raises it, `get` returns None)."""


class WrongTreeError(NotInBookError, InvalidBookError):
    """A book whose tree belongs to another game: it lacks a history that a secret fits."""


class InconsistentFeedbackError(GuessbookError, ValueError):
    """A history that no secret fits.

    Attributes:
        suspects: positions (0-based) of the entries to re-check. If one of them is removed, some
            secret fits the rest; if no entry does this, some guess fits. Only the first of equal
            entries is listed. Empty if more than one entry must be wrong.
    """

    def __init__(self, message: str, suspects: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.suspects = suspects


class EngineError(GuessbookError, RuntimeError):
    """The engine, a library in C, is missing or does not run on this machine."""


class BuildError(GuessbookError, RuntimeError):
    """A build that could not be finished: a lost cluster, or another build's checkpoint."""


class NoStrategyError(BuildError):
    """A limit of guesses that no strategy can keep."""


def quote(value: object) -> str:
    r"""Return a value of any kind and size for a message: short, without control characters.

    >>> print(quote("crane"), quote("\x1b[2J"), quote("a" * 99))
    'crane' '\x1b[2J' 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...
    """
    text = ""
    try:
        for piece in _pieces(value):
            text += piece
            if len(text) > MAX_SHOWN:
                return f"{text[: MAX_SHOWN - 4]}..."
    except Exception:  # such as an integer with too many digits, or a broken __repr__
        return f"a value of type {type(value).__name__}"
    return text


def _pieces(value: Any) -> Iterator[str]:
    """Yield the `repr` of a value in small pieces, however large its containers are."""
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
    """Return a number of things, `what`. Raises UsageError unless it is whole and in its bounds."""
    if type(found) is int and found >= least and (most is None or found <= most):
        return found
    bounds = f"at least {least}" if most is None else f"{least} to {most}"
    named = what.removesuffix("s") if type(found) is int and found == 1 else what
    raise UsageError(f"found {quote(found)} {named}, expected {bounds}")


def counted(number: int, one: str = "guess") -> str:
    """Return a number with its noun, `one` in the singular.

    >>> counted(1), counted(1200), counted(1, "board")
    ('1 guess', '1,200 guesses', '1 board')
    """
    if number == 1:
        return f"1 {one}"
    return f"{number:,} {one}{'es' if one.endswith('s') else 's'}"


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests a similar known name; empty if there is none."""
    from difflib import get_close_matches

    near = get_close_matches(text, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


def printable(text: object) -> str:
    r"""Return a text, such as a file name, with escapes for characters that are not printable.

    They would move the cursor, change colours, turn the direction of writing or show nothing.

    >>> print(printable("\x1b[2J.txt"), printable("exe.\u202etxt"))
    \x1b[2J.txt exe.\u202etxt
    """
    return "".join([c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text)])
