"""Every error that Guessbook raises on purpose: what was found, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

# What to say where a machine has none left.
OUT_OF_MEMORY = "there is not enough memory; end other programs, or take a smaller game"

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


class InvalidTableError(InvalidGameError):
    """A table of answers that makes no game.

    Attributes:
        reason: the message without the place.
        places: (guess, secret) pairs of indices that it is about; None for the guess or the secret
            where it is about the other alone.
    """

    def __init__(
        self, reason: str, message: str = "", places: tuple[tuple[int | None, int | None], ...] = ()
    ) -> None:
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
    """A history that the book's tree does not cover (`find` raises it, `get` returns None)."""


class WrongTreeError(NotInBookError, InvalidBookError):
    """A book whose tree is not that of its game: it does not know a history that a secret fits."""


class InconsistentFeedbackError(GuessbookError, ValueError):
    """A history that no secret fits.

    Attributes:
        suspects: positions (0-based) of the entries to re-check: without any one of them some
            secret fits the others. If there is no such entry, those without which a word fits that
            may be guessed, if only because the history has it. An entry that is given more than
            once counts as one, at the first of its positions. Empty if more than one entry must be
            wrong.
    """

    def __init__(self, message: str, suspects: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.suspects = suspects


class EngineError(GuessbookError, RuntimeError):
    """The engine, a library in C, is missing or does not run on this machine."""


class BuildError(GuessbookError, RuntimeError):
    """A build that could not be finished: a lost cluster, or a foreign checkpoint."""


class NoStrategyError(BuildError):
    """A limit of guesses that no strategy keeps to."""


def shown(value: object) -> str:
    r"""A value of any kind and size for a message: short, and without control characters.

    >>> print(shown("crane"), shown("\x1b[2J"), shown("a" * 99))
    'crane' '\x1b[2J' 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...
    """
    text = ""
    try:
        for piece in _pieces(value):
            text += piece
            if len(text) > MAX_SHOWN:
                return f"{text[: MAX_SHOWN - 4]}..."
    except Exception:
        # An integer of too many digits, or somebody's own broken __repr__: this is about to report
        # another mistake.
        return f"a value of type {type(value).__name__}"
    return text


def _pieces(value: object) -> Iterator[str]:
    """The `repr` of a value, piece by piece: of what a file may hold none of them is large."""
    kind = type(value)
    if isinstance(value, (str, bytes)):
        yield repr(value[: MAX_SHOWN + 1])
    elif kind is dict:
        yield "{"
        for number, (key, item) in enumerate(value.items()):  # type: ignore[attr-defined]
            yield ", " if number else ""
            yield from _pieces(key)
            yield ": "
            yield from _pieces(item)
        yield "}"
    elif kind is list or kind is tuple:
        yield "[" if kind is list else "("
        for number, item in enumerate(value):  # type: ignore[arg-type]
            yield ", " if number else ""
            yield from _pieces(item)
        yield "]" if kind is list else ",)" if len(value) == 1 else ")"  # type: ignore[arg-type]
    else:
        yield repr(value)


def whole_number(what: str, found: object, least: int = 1, most: int | None = None) -> int:
    """A whole number, if it is one and not outside its bounds.

    >>> whole_number("boards", 2, 2, 32)
    2

    Args:
        what: the things that are counted, such as "boards".
        found: the number.
        least: its lower bound.
        most: its upper bound, if it has one.

    Raises:
        UsageError: it is not such a number.
    """
    if type(found) is int and found >= least and (most is None or found <= most):
        return found
    bounds = f"at least {least}" if most is None else f"{least} to {most}"
    named = what.removesuffix("s") if type(found) is int and found == 1 else what
    raise UsageError(f"found {shown(found)} {named}, expected {bounds}")


def counted(number: int, one: str = "guess", more: str = "") -> str:
    """How many there are of something, in words.

    >>> counted(1), counted(1200), counted(1, "board"), counted(0, "entry", "entries")
    ('1 guess', '1,200 guesses', '1 board', '0 entries')

    Args:
        number: how many.
        one: what one of them is called.
        more: what several are called; `one` with an ending if empty.
    """
    if number == 1:
        return f"1 {one}"
    return f"{number:,} {more or one + ('es' if one.endswith('s') else 's')}"


def meant(text: str, known: Iterable[str]) -> str:
    """What a complaint adds where a name is nearly that of something else; perhaps nothing.

    >>> meant("minimx", ["minimax", "parts"])
    '; did you mean minimax?'
    """
    from difflib import get_close_matches

    near = get_close_matches(text, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


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
