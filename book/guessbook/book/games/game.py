"""The base classes of games, and how histories are parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import Any, NoReturn, Self, TypeAlias

from guessbook.book.errors import InvalidCodeError, InvalidGameError, UsageError, quote


class Frozen:
    """Base class of objects whose public attributes can be set only once, in the constructor."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and self._has(name):
            self._refuse(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse(name)

    def _has(self, name: str) -> bool:
        """Return whether the object itself has an attribute; a default of its class does not count."""
        own: Mapping[str, object] | None = getattr(self, "__dict__", None)
        return hasattr(self, name) if own is None else name in own

    def _refuse(self, name: str) -> NoReturn:
        raise AttributeError(
            f"{name} of a {type(self).__name__} cannot change; create another object"
        )


# A history is a list of pairs: the index of a guess and the number of its feedback.
History = list[tuple[int, int]]

# An entry of a history as people write it is a text, or a pair of a guess and a feedback.
Entry: TypeAlias = str | tuple[object, object]

# A search for codes similar to a misspelled one, for a code with a blank, or for one with a plus sign looks at this
# number of codes at most. Games may have millions of codes, so a search of all codes would take too long.
LOOKED_AT = 1000

# Upper bound for the code points of a text GUESS=FEEDBACK, because trying a split at each equals sign takes quadratic
# time. Each of the two sides has at most 100 characters, and a character has at most four code points.
MAX_ENTRY = 801


class Game(Frozen):
    """A guessing game: its codes, and the feedback that a secret gives to a guess.

    Derive a game of your own from this class. Inside Guessbook a guess is represented by its index in `guesses`, and a
    feedback by a number from 0 to `feedbacks - 1`. These numbers are part of the file format. People read and write
    strings. `feedback`, `parse_*` and `format_feedback` convert between strings and numbers.

    A game is an immutable value: games that are equal have equal hashes, because games are keys of caches. What is not
    marked as required has a default.

    Attributes:
        kind: the type of the game in the header of a book (required).
        has_hard_mode: whether the game supports Wordle's hard mode. If it does, `format_feedback` returns a digit for
            each letter: 0 absent, 1 elsewhere, 2 in place.
        hard_mode_refusal: the error message for hard mode if the game does not support it; otherwise an empty text.
        smaller: the advice in error messages about a game that is too large, such as `fewer pegs or colors`.
        weights: the weight of each secret, see the module `weights`; None if all are equally likely.
        note: a line for the command `info`.
        since: the minor version of the file format that can first hold this game.
        has_open_lists: whether a player's game may have other lists: then guesses that are not listed are accepted,
            and if no secret fits, any guess may be the secret.
        name: a short name that is valid as the name of a file, such as `mastermind-4x6` (required).
        length: the number of symbols of a code (required).
        guesses: every code that may be guessed, in the order that breaks ties (required).
        secrets: every code that may be the secret, in the order of `guesses` (required).
        feedbacks: one more than the largest feedback number (required).
        solved: the number of the feedback "this guess is the secret": `feedbacks - 1` (required).
    """

    kind: str
    has_hard_mode: bool = False
    hard_mode_refusal: str = "hard mode is a rule for games of words; play without it"
    smaller: str = "a smaller game"
    weights: Sequence[int] | None = None
    note: str = ""
    since: int = 0
    has_open_lists: bool = False

    name: str
    length: int
    guesses: Sequence[str]
    secrets: Sequence[str]
    feedbacks: int
    solved: int

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the number of the feedback that a code of `secrets` gives to a code of `guesses` (required)."""
        raise NotImplementedError

    def parse_code(self, code: Any) -> int:
        """Return the index in `guesses` of a code as people write it (required).

        Raises InvalidCodeError for an invalid code.
        """
        raise NotImplementedError

    def parse_feedback(self, feedback: object) -> int:
        """Return the number of a feedback, given as people write it (required).

        Raises InvalidFeedbackError if it is invalid.
        """
        raise NotImplementedError

    def format_feedback(self, feedback: int) -> str:
        """Return the feedback with this number as people write it, such as `1,1` (required)."""
        raise NotImplementedError

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for the book's header; `from_header` reads it (required)."""
        raise NotImplementedError

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> Game:
        """Return the game that a header describes (required).

        The header is untrusted: check every value, limit the size, and raise InvalidGameError.
        """
        raise NotImplementedError

    def feedback(self, guess: Any, secret: Any) -> object:
        """Return the feedback of `secret` to `guess` as plain data, such as `(1, 1)` or `10202`.

        The codes are written as `parse_code` reads them. Raises InvalidCodeError for an invalid code.
        """
        codes = self.guesses[self.parse_code(guess)], self.guesses[self.parse_code(secret)]
        return self.plain_feedback(self.feedback_number(*codes))

    def plain_feedback(self, feedback: int) -> object:
        """Return the feedback with this number as plain data, in the form that `feedback` returns."""
        return self.format_feedback(feedback)

    def is_possible(self, feedback: int) -> bool:
        """Return whether some secret may give the feedback with this number to some guess."""
        return 0 <= feedback < self.feedbacks

    def feedback_to(self, guess: object, feedback: object) -> int:
        """Return the number of a feedback to `guess` (None: any guess).

        Raises InvalidFeedbackError if it is impossible.
        """
        return self.parse_feedback(feedback)

    def display_name(self, guess: str) -> str:
        """Return a guess as text to show to people, for example with the names of its symbols."""
        return guess

    @property
    def listed(self) -> int:
        """The number of guesses in the game's own list; hints suggest only these guesses."""
        return len(self.guesses)

    def with_guesses(self, codes: Iterable[object]) -> Game:
        """Return the game with additional guesses, or the game itself if its list of guesses is fixed."""
        return self

    def widened(self) -> Game | None:
        """Return the game in which every guess may be the secret; None if there are no guesses besides the secrets."""
        return None


class ListGame(Game):
    """A game whose guesses, secrets and weights are lists: the base class of word and table games.

    `_parts` are the values that make the game; `_make` makes it from them, without checks.
    """

    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    weights: tuple[int, ...] | None

    def _set(self, *parts: Any) -> None:
        raise NotImplementedError

    def _parts(self) -> tuple[Any, ...]:
        raise NotImplementedError

    @classmethod
    def _make(cls, *parts: Any) -> Self:
        game = cls.__new__(cls)
        game._set(*parts)
        return game

    def __eq__(self, other: object) -> bool:
        # `kind` is compared, because a subclass with another `kind` may have other feedbacks.
        return isinstance(other, ListGame) and (
            (self.kind, self._parts()) == (other.kind, other._parts())
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # The hash is cached, because a build needs it for every task.
        return hash(self._parts())

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle omits the cached hash, because hashes of strings differ between processes.
        return self._make, self._parts()


def header_values(header: Mapping[str, Any], **types: type) -> list[Any]:
    """Return the values of these keys of a header. Raises InvalidGameError for another type."""
    for key, wanted in types.items():
        if type(header.get(key)) is not wanted:
            found = quote(header.get(key))
            raise InvalidGameError(f"{key} {found} in the header is not of type {wanted.__name__}")
    return [header[key] for key in types]


class SymmetricGame(Game):
    """A game of codes whose rules treat all symbols and all positions alike, such as `Mastermind`."""

    pegs: int
    colors: int
    symbols: str
    repeats: bool

    def digits(self, index: int) -> list[int]:
        """Return the code at `index` as numbers: each symbol becomes its index in `symbols`."""
        raise NotImplementedError


def parse_history(game: Game, history: object) -> History:
    """Return a history as pairs of a guess index and a feedback number. The history is given as people write it.

    The order is preserved, and repeated entries count once. A history is a list or another iterable of entries, or a
    text with entries that are separated by blanks. An entry is a text `GUESS=FEEDBACK`, a (guess, feedback) pair, or a
    map with the keys `guess` and `feedback`.

    >>> from guessbook.book.games.codes import Mastermind
    >>> parse_history(Mastermind(4, 6), ["RYGB=1,1", (("R", "G", "O", "P"), (0, 2, 2))])
    [(51, 11), (101, 10)]

    Raises UsageError for a value that is no history, InvalidCodeError for a guess and
    InvalidFeedbackError for a feedback that the game does not have.
    """
    return list(dict.fromkeys([parse_entry(game, entry) for entry in entries_of(history)]))


def entries_of(history: object) -> list[Entry]:
    """Return the entries of a history, each as a text or a (guess, feedback) pair. See `parse_history` for the forms.

    >>> entries_of("RYGB=1,1 RGOP 0,2"), entries_of([["RYGB", (1, 1)], "RGOP=0,2"])
    (['RYGB=1,1', 'RGOP 0,2'], [('RYGB', (1, 1)), 'RGOP=0,2'])
    """
    if isinstance(history, str):
        # If two words in a row have no equals sign, the second word is the feedback to the first.
        return re.findall(r"[^\s=]+\s+[^\s=]+(?!\S)|\S+", history)
    if isinstance(history, Mapping | bytes) or not hasattr(history, "__iter__"):
        raise UsageError(
            f"{quote(history)} is not a history; give a list of (guess, feedback) pairs"
        )
    return [entry if isinstance(entry, str) else _pair(entry) for entry in history]


def _pair(entry: Any) -> tuple[object, object]:
    if isinstance(entry, Mapping) and set(entry) == {"guess", "feedback"}:
        return entry["guess"], entry["feedback"]
    # Sets are rejected, because they have no order that tells which value is the guess.
    if not isinstance(entry, Set | Mapping | bytes):
        with suppress(TypeError, ValueError):
            guess, feedback = entry
            return guess, feedback
    raise UsageError(f"{quote(entry)} is not a (guess, feedback) pair")


def parse_entry(game: Game, entry: Entry) -> tuple[int, int]:
    """Return the guess index and the feedback number of an entry.

    Raises InvalidCodeError for an invalid guess, and InvalidFeedbackError for an invalid feedback.
    """
    if not isinstance(entry, str):
        guess, feedback = entry
        return game.parse_code(guess), game.feedback_to(guess, feedback)
    if len(entry) > MAX_ENTRY:
        raise InvalidCodeError(
            f"entry too long: {quote(entry)} has {len(entry):,} characters, limit {MAX_ENTRY}"
        )
    fault = None
    for head, tail in splits(entry):
        try:
            return game.parse_code(head), game.feedback_to(head, tail)
        except UsageError as error:
            fault = fault or error
    blanks = any(" " in code for code in islice(game.guesses, LOOKED_AT))
    if fault and ("=" in entry or not blanks):
        raise fault
    quotes = ", in quotes or in a list if it has blanks" if blanks else ""
    raise InvalidCodeError(f"{quote(entry)} is not GUESS=FEEDBACK{quotes}")


def splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield every split of a text at an equals sign, the last first. Without an equals sign, split it at blanks.

    >>> list(splits("1+9=10=00000")), list(splits("p yro 1,1"))
    ([('1+9=10', '00000'), ('1+9', '10=00000')], [('p yro', '1,1'), ('p', 'yro 1,1')])
    """
    sign = "=" if "=" in text else " "
    text = text if sign == "=" else text.strip()
    end = text.rfind(sign)
    while end >= 0:
        yield text[:end], text[end + 1 :]
        end = text.rfind(sign, 0, end)
