"""Every error that Guessbook raises on purpose: what was found, what was expected, what to do."""

from __future__ import annotations

# Characters of a foreign value that a message repeats.
MAX_SHOWN = 40


class GuessbookError(Exception):
    """The base of them all: catch this one to catch everything."""

    def __str__(self) -> str:
        # KeyError would print the repr of its message; a person wants the message itself.
        return str(self.args[0]) if self.args else ""


class UsageError(GuessbookError, ValueError):
    """An argument that makes no sense: an unknown policy, a name that no shipped book has."""


class InvalidGameError(UsageError):
    """A game that cannot be: too many pegs, repeated symbols, or more codes than memory holds."""


class InvalidCodeError(UsageError):
    """A guess that is not a code of the game."""


class InvalidFeedbackError(UsageError):
    """A feedback that the game never gives, such as 3 black and 1 white on 4 pegs."""


class InvalidBookError(GuessbookError, ValueError):
    """A file that is not a book: damaged, truncated, foreign, or of an unknown major version."""


class NotInBookError(GuessbookError, KeyError):
    """A history that the book's tree does not cover (`find` raises it, `get` returns None)."""


class InconsistentFeedbackError(GuessbookError, ValueError):
    """A history that no secret fits.

    Attributes:
        suspects: positions (0-based) of the entries to re-check: without any one of them
            the history fits a secret again. Empty if more than one entry must be wrong.
    """

    def __init__(self, message: str, suspects: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.suspects = suspects


class BuildError(GuessbookError, RuntimeError):
    """A build that could not be finished: a lost cluster, a foreign checkpoint, no compiler."""


class NoStrategyError(BuildError):
    """A limit of guesses that no strategy keeps to."""


def shown(value: object) -> str:
    r"""A value of any kind and size for a message: short, and without control characters.

    >>> print(shown("crane"), shown("\x1b[2J"), shown("a" * 99))
    'crane' '\x1b[2J' 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...
    """
    if isinstance(value, (str, bytes)):
        value = value[: MAX_SHOWN + 1]
    try:
        text = repr(value)
    except Exception:
        # Nested too deeply, an integer of too many digits, or somebody's own broken __repr__: this
        # is about to report another mistake.
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 4]}..."


def printable(text: object) -> str:
    r"""A text as any terminal may show it: what is not printable becomes an escape.

    That is what moves a cursor, changes colours, turns the direction of writing or shows nothing at
    all; the name of a file may hold it.

    >>> print(printable("crane.txt"), printable("\x1b[2J.txt"), printable("exe.\u202etxt"))
    crane.txt \x1b[2J.txt exe.\u202etxt
    """
    text = str(text)
    if text.isprintable():
        return text
    plain = [c if c.isprintable() else c.encode("unicode_escape").decode() for c in text]
    return "".join(plain)
