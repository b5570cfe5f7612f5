"""Every error that Guessbook raises on purpose: found, expected, and what to do."""

from collections.abc import Iterable, Iterator

# The message when there is no memory left.
OUT_OF_MEMORY = "there is not enough memory; end other programs, or take a smaller game"

# Characters of a foreign value that a message repeats.
MAX_SHOWN = 40


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

    Attributes:
        reason: the message without the place.
        places: (guess, secret) pairs of indices that it is about; None for one of them if it is
            only about the other.
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
    except Exception:
        # An integer with too many digits, or a broken __repr__: report the first mistake all the
        # same.
        return f"a value of type {type(value).__name__}"
    return text


def _pieces(value: object) -> Iterator[str]:
    """Yield the `repr` of a value in small pieces, however large its containers are."""
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
    """Return a whole number of things, `what`, in its bounds. Raises UsageError for anything else.

    >>> whole_number("boards", 2, 2, 32)
    2
    """
    if type(found) is int and found >= least and (most is None or found <= most):
        return found
    bounds = f"at least {least}" if most is None else f"{least} to {most}"
    named = what.removesuffix("s") if type(found) is int and found == 1 else what
    raise UsageError(f"found {quote(found)} {named}, expected {bounds}")


def counted(number: int, one: str = "guess") -> str:
    """Return a number of things, each of which is called `one`, in words.

    >>> counted(1), counted(1200), counted(1, "board")
    ('1 guess', '1,200 guesses', '1 board')
    """
    if number == 1:
        return f"1 {one}"
    return f"{number:,} {one}{'es' if one.endswith('s') else 's'}"


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests a similar known name; empty if there is none.

    >>> did_you_mean("minimx", ["minimax", "parts"])
    '; did you mean minimax?'
    """
    from difflib import get_close_matches

    near = get_close_matches(text, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


def printable(text: object) -> str:
    r"""Return a text with escapes for characters that are not printable.

    Such characters move the cursor, change colours, turn the direction of writing or show nothing;
    the name of a file may have them.

    >>> print(printable("crane.txt"), printable("\x1b[2J.txt"), printable("exe.\u202etxt"))
    crane.txt \x1b[2J.txt exe.\u202etxt
    """
    text = str(text)
    if text.isprintable():
        return text
    plain = [c if c.isprintable() else c.encode("unicode_escape").decode() for c in text]
    return "".join(plain)
