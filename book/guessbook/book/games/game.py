"""The base classes of games, and the parsing of histories.

If a player's game has other word lists than the book, a history may have unlisted guesses, or fit
no listed secret. For these cases, word games have `with_guesses` and `widened`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

from guessbook.book.errors import (
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    UsageError,
    quote,
)

if TYPE_CHECKING:
    from fractions import Fraction


class Frozen:
    """Base class of objects whose public attributes can be set only once."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        # An attribute of the object itself; a default of its class does not count.
        own: Mapping[str, object] | None = getattr(self, "__dict__", None)
        is_set = hasattr(self, name) if own is None else name in own
        if is_set and not name.startswith("_"):
            self.__delattr__(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(
            f"{name} of a {type(self).__name__} cannot change; create another object"
        )


# A history is a list of pairs: the index of a guess and the number of its feedback.
History = list[tuple[int, int]]

# Stands for the feedback in an entry `test=?`, by which the player says that a test cannot be
# answered.
NOT_KNOWN = -1


def unanswered(history: History) -> set[int]:
    """Return the tests that a history marks as impossible to answer."""
    return {test for test, answer in history if answer == NOT_KNOWN}


# An entry of a history as people write it is a text, or a pair of a guess and a feedback.
Entry: TypeAlias = str | tuple[object, object]

# A search for codes similar to a misspelled one, or for a code with a blank or a plus sign, looks
# at this number of codes at most. Games may have millions of codes, and searching all takes too
# long.
LOOKED_AT = 1000

# Upper bound for the code points of a text GUESS=FEEDBACK, because trying a split at each equals
# sign takes quadratic time. Each of the two sides has at most 100 characters, and a character has
# at most four code points.
MAX_ENTRY = 801


class Identification(NamedTuple):
    """The outcomes and costs of a table whose tests are asked until the outcome is known.

    Attributes:
        outcomes: the labels of the outcomes.
        outcome_of: for each secret of the game, the index of its outcome.
        costs: for each test, its cost as an integer; the integers have no common divisor.
        unit: the cost, in the units of the table, of a test whose integer is 1.
        things: for each secret of the game, the label of its thing. A thing with unknown answers
            has several secrets.
    """

    outcomes: tuple[str, ...]
    outcome_of: tuple[int, ...]
    costs: tuple[int, ...]
    unit: Fraction
    things: tuple[str, ...]

    def spent(self, history: History) -> int:
        """Return the cost of the answered tests of a history; a test that occurs twice counts once."""
        answered = {test for test, answer in history if answer != NOT_KNOWN}
        return sum([self.costs[test] for test in answered])

    @property
    def priced(self) -> bool:
        """Whether the table has costs that differ from 1."""
        return self.unit != 1 or any(cost != 1 for cost in self.costs)

    def whole(self, cost: float | Fraction) -> int:
        """Convert a cost in the units of the table to the integers of `costs`, rounded down."""
        from fractions import Fraction  # late import: other games do not need it

        return Fraction(cost) // self.unit

    def shown(self, cost: int) -> int | float:
        """Convert a sum of the integers in `costs` to the units of the table."""
        exactly = cost * self.unit
        return exactly.numerator if exactly.denominator == 1 else float(exactly)


class Game(Frozen):
    """A guessing game: its codes, and the feedback that a secret gives to a guess.

    Derive a game of your own from this class. Inside Guessbook a guess is represented by its index
    in `guesses`, and a feedback by a number from 0 to `feedbacks - 1`. These numbers are part of
    the file format. People read and write strings. `feedback`, `parse_*` and `format_feedback`
    convert between strings and numbers.

    A game is an immutable value. Equal games must have equal hashes, because games are keys of
    caches. Everything that is not marked as required has a default.

    Attributes:
        kind: the type of the game in the header of a book (required).
        has_hard_mode: whether the game supports Wordle's hard mode. If it does, `format_feedback`
            returns a digit for each letter: 0 absent, 1 elsewhere, 2 in place.
        hard_mode_refusal: the error message for hard mode if the game does not support it;
            otherwise an empty string.
        smaller: the advice in error messages about a game that is too large, such as `fewer pegs or
            colors`.
        weights: the weight of each secret: positive integers without a common divisor; None if all
            are equally likely.
        note: a remark in one line, which the command `info` shows.
        since: the first minor version of the file format that supports this game.
        identification: the outcomes and costs, if tests are asked until an outcome is known;
            otherwise None. If it is not None, `guesses` has the tests, and after them the outcomes,
            which a player cannot guess.
        has_open_lists: whether the game that people play may have other lists than this one. If so,
            unlisted guesses are accepted, and if no secret fits, any guess may be the secret.
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
    identification: Identification | None = None
    has_open_lists: bool = False

    name: str
    length: int
    guesses: Sequence[str]
    secrets: Sequence[str]
    feedbacks: int
    solved: int

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the number of the feedback that `secret` gives to `guess` (required).

        `guess` is a code of `guesses`, and `secret` a code of `secrets`.
        """
        raise NotImplementedError

    def parse_code(self, code: Any) -> int:
        """Return the index in `guesses` of a code as people write it (required).

        Raises InvalidCodeError for an invalid code.
        """
        raise NotImplementedError

    def parse_secret(self, code: Any) -> str:
        """Return a secret, given as people write it.

        Raises InvalidCodeError for an invalid code, UsageError for a code that is never the secret.
        """
        found = self.guesses[self.parse_code(code)]
        if found not in self.secrets:
            raise UsageError(never_secret(found))
        return found

    def parse_feedback(self, feedback: object) -> int:
        """Return the number of a feedback, given as people write it (required).

        Raises InvalidFeedbackError for an invalid feedback.
        """
        raise NotImplementedError

    def format_feedback(self, feedback: int) -> str:
        """Return the feedback with this number as people write it, such as `1,1` (required)."""
        raise NotImplementedError

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for a book's header; `from_header` reads it (required)."""
        raise NotImplementedError

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> Game:
        """Return the game that a header describes (required).

        The header is untrusted: check every value, limit the size, and raise InvalidGameError.
        """
        raise NotImplementedError

    def feedback(self, guess: Any, secret: Any) -> object:
        """Return the feedback of `secret` to `guess` as plain data, such as `(1, 1)` or `10202`.

        The codes are written as `parse_code` reads them. Raises InvalidCodeError for an invalid
        code.
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

        Raises InvalidFeedbackError for an impossible feedback.
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
        """Return the game with more guesses, or the game itself if its list of guesses is fixed."""
        return self

    def widened(self) -> Game | None:
        """Return the game in which every guess may be the secret.

        Return None if there is no such game. This is the default; only word games define one.
        """
        return None


# What a class of games must define, besides `kind`, `guesses` and the other attributes.
REQUIRED_METHODS = (
    *("feedback_number", "parse_code", "parse_feedback", "format_feedback"),
    *("header", "from_header"),
)
REQUIRED_ATTRIBUTES = ("kind", "name", "length", "guesses", "secrets", "feedbacks", "solved")


def check_complete(found: Game | type[Game]) -> None:
    """Raise InvalidGameError if a game, or its class, lacks something that `Game` requires."""
    kind = found if isinstance(found, type) else type(found)
    lacking = [
        name
        for name in REQUIRED_METHODS
        if next(owner for owner in kind.__mro__ if name in vars(owner)) is Game
    ]
    if found is not kind:
        lacking += [name for name in REQUIRED_ATTRIBUTES if not hasattr(found, name)]
    if lacking:
        raise InvalidGameError(
            f"the game {kind.__name__} lacks {', '.join(lacking)}; define all that guessbook.Game "
            "requires"
        )


class ListGame(Game):
    """A game whose guesses, secrets and weights are lists: the base class of word and table games.

    `_parts` returns the values that define the game; `_make` creates a game from such values, and
    bypasses the constructor.
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
    """Return the values of some keys of a header.

    Each keyword names a key, and gives the type of its value. Raises InvalidGameError if a value
    has another type.
    """
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
    """Return a history, given as people write it, as pairs of a guess index and a feedback number.

    A history is a list or another iterable of entries, or a string of entries separated by blanks.
    An entry is a string `GUESS=FEEDBACK`, a (guess, feedback) pair, or a map with the keys
    `guess` and `feedback`. The order is preserved, and repeated entries count once.

    >>> from guessbook.book.games.codes import Mastermind
    >>> parse_history(Mastermind(4, 6), ["RYGB=1,1", (("R", "G", "O", "P"), (0, 2, 2))])
    [(51, 11), (101, 10)]

    Raises UsageError for a value that is no history, InvalidCodeError for an invalid guess, and
    InvalidFeedbackError for a feedback that the game never gives.
    """
    return list(dict.fromkeys([parse_entry(game, entry) for entry in entries_of(history)]))


def entries_of(history: object) -> list[Entry]:
    """Return the entries of a history, each as a string or a (guess, feedback) pair.

    `parse_history` explains the forms of a history.

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
    """Yield every split of a string at an equals sign, the last first.

    If the string has no equals sign, split it at blanks.

    >>> list(splits("1+9=10=00000")), list(splits("p yro 1,1"))
    ([('1+9=10', '00000'), ('1+9', '10=00000')], [('p yro', '1,1'), ('p', 'yro 1,1')])
    """
    sign = "=" if "=" in text else " "
    text = text if sign == "=" else text.strip()
    end = text.rfind(sign)
    while end >= 0:
        yield text[:end], text[end + 1 :]
        end = text.rfind(sign, 0, end)


def read_history(game: Game, history: object) -> tuple[Game, History]:
    """Return a game that accepts all guesses of a history, and the parsed history.

    The (guess index, feedback number) pairs are in the order of the entries, and repeated entries
    stay. Unlisted guesses are appended to the guesses of the game. Raises UsageError for an invalid
    history.

    >>> from guessbook.book.games.words import WordGame
    >>> known, pairs = read_history(WordGame(["light", "eight"]), ["zzzzz=00000", "light=22222"])
    >>> known.guesses, pairs
    (('light', 'eight', 'zzzzz'), [(2, 0), (0, 242)])
    """
    entries = entries_of(history)
    try:
        return game, [parse_entry(game, entry) for entry in entries]
    except InvalidCodeError:
        guesses = [guess for entry in entries for guess in _guess(game, entry)]
        known = game.with_guesses(guesses)
        return known, [parse_entry(known, entry) for entry in entries]


def text_of(game: Game, code: object) -> str:
    """Return a listed or unlisted guess in the game's own spelling.

    Raises InvalidCodeError for an invalid guess.
    """
    with suppress(InvalidCodeError):
        return game.guesses[game.parse_code(code)]
    known = game.with_guesses([code])
    return known.guesses[known.parse_code(code)]


def require_guesses(game: Game, what: str) -> None:
    """Raise UsageError for a game whose tests name no secret, so that no guess can be right."""
    if game.identification is not None:
        raise UsageError(
            f"{what} needs guesses that name a secret, and this table has only tests; use hint, explain or solve"
        )


def never_secret(code: str) -> str:
    """Return the error message for a code that was given as the secret but can only be a guess."""
    return f"{code} may be guessed, but is never the secret of this game; give another secret"


def guess_and_secret(game: Game, guess: object, secret: object) -> tuple[str, str]:
    """Return a guess and a secret, given as people write them, in the game's own spelling.

    Raises InvalidCodeError if a code is invalid, or if the game never has this secret.
    """
    if game.identification is not None:
        return text_of(game, guess), game.parse_secret(secret)
    code = text_of(game, secret)
    # In word games any guess may be the secret if no listed secret fits.
    if not game.has_open_lists and code not in game.secrets:
        raise InvalidCodeError(never_secret(code))
    return text_of(game, guess), code


def number_between(game: Game, guess: object, secret: object) -> int:
    """Return the feedback that `secret` gives to `guess`, as a number; both are as people write them.

    Raises InvalidCodeError if a code is invalid, or if the game never has this secret.
    """
    return game.feedback_number(*guess_and_secret(game, guess, secret))


# The advice if no word fits, or only one, in a game whose lists may not be complete.
UNLISTED = "the word may be one that this list does not have"


def others_fitting(
    game: Game, history: History, remaining: int, but: Sequence[str] = ()
) -> int | None:
    """Return the number of guesses that are not secrets but fit a history, without those in `but`.

    The number matters only if one candidate is left: return None if `remaining`, the number of
    candidates, is not 1, or if the game cannot be widened.

    >>> from guessbook.book.games.words import WordGame
    >>> others_fitting(WordGame(["light", "geese"], ["night"]), [(2, 81)], 1)
    1
    """
    if remaining != 1 or game.widened() is None:
        return None
    answers = [(game.guesses[guess], feedback) for guess, feedback in history]
    # Computing 13,000 feedbacks takes long, so a regular expression first selects words that fit
    # the letters in place.
    near = ""
    for guess, feedback in answers:
        marks = zip(map(re.escape, guess), game.format_feedback(feedback), strict=True)
        near += f"(?={''.join([x if mark == '2' else f'[^{x}]' for x, mark in marks])})"
    return -1 + sum(
        all(game.feedback_number(guess, word) == feedback for guess, feedback in answers)
        for word in re.findall(f"(?m)^{near}.+", "\n".join(game.guesses))
        if word not in but
    )


def only_one(game: Game, others: int | None, from_guesses: bool) -> str:
    """Say how certain it is that the only remaining candidate is the secret.

    `others` is the result of `others_fitting`; `from_guesses` is true if no secret fits, but one
    guess does.

    >>> from guessbook.book.games.codes import Mastermind
    >>> from guessbook.book.games.words import WordGame
    >>> only_one(Mastermind(4, 6), None, False), only_one(WordGame(["light"]), None, False)
    ('certain, the only secret that fits', 'the only secret in the list that fits')
    >>> only_one(WordGame(["light", "geese"], ["eight"]), 1, False)
    'the only one of the 2 likely answers that fits; 1 other word fits, too'

    Weights are estimates, so a list of weighted words is hardly the list of the real game:

    >>> only_one(WordGame(["light", "geese"], weights=[2, 1]), None, False)
    'the only secret in the list that fits; or the word may be one that this list does not have'
    """
    if not game.has_open_lists:
        return "certain, the only secret that fits"
    beyond = "" if game.weights is None else f"; or {UNLISTED}"
    if from_guesses or others is None:
        return f"the only {'guess' if from_guesses else 'secret'} in the list that fits{beyond}"
    some = {0: "no other word fits", 1: "1 other word fits, too"}
    more = some.get(others, f"{others:,} other words fit, too")
    return f"the only one of the {len(game.secrets):,} likely answers that fits; {more}{beyond}"


def _guess(game: Game, entry: Entry) -> list[object]:
    """Return a list with the guess of an entry; an empty list for a string that is no entry."""
    if not isinstance(entry, str):
        return [entry[0]]
    parts = list(splits(entry[:MAX_ENTRY]))
    for guess, feedback in parts:
        with suppress(InvalidFeedbackError):
            game.parse_feedback(feedback)
            return [guess]
    return [guess for guess, _ in parts[:1]]
