"""The interface of every game for the tree, the policies and the lookup."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import islice
from typing import Any, Protocol, TypeAlias

from guessbook.book.errors import InvalidCodeError, UsageError, quote

# A history: (guess index, feedback number) pairs.
History = list[tuple[int, int]]

# An entry of a history as people write it: a text, or a guess and a feedback.
Entry: TypeAlias = str | tuple[object, object]

# The most codes that are searched for a message. Some games have millions of codes.
LOOKED_AT = 1000

# The most characters of a text GUESS=FEEDBACK. Each side has at most 100, each typed as up to four
# (decomposed Unicode). Every split is tried, so the time grows with the square of the length.
MAX_ENTRY = 801


class Game(Protocol):
    """A guessing game: its codes, and the feedback that a secret gives to a guess.

    Inside Guessbook a guess is its index in `guesses` and a feedback is a number from 0 to
    `feedbacks - 1`; the numbers are part of the file format. People read and write strings, which
    `feedback`, `parse_*` and `format_feedback` translate.

    These attributes are optional:

    - `weights`: the weight of each secret, see `weights`;
    - `knowing(codes)`, `listed` and `among_guesses()`: more guesses or secrets, see `beyond`;
    - `digits`: symbols and positions of codes can be exchanged, see `symmetry`;
    - `plain_feedback(number)`: a feedback as plain data other than its text;
    - `called(guess)`: a guess as people read it, if it is not the guess;
    - `feedback_to(guess, feedback)`: like `parse_feedback`, see the function `feedback_to`;
    - `note`: a line for `info`; `given`: the number of guesses in a table, see `tables`.
    """

    @property
    def kind(self) -> str:
        """The type in the header of its books, a name in `registry.KINDS`."""

    @property
    def name(self) -> str:
        """A short name, which a file may have: `mastermind-4x6`."""

    @property
    def length(self) -> int:
        """The number of symbols of a code."""

    @property
    def guesses(self) -> Sequence[str]:
        """Every code that may be guessed, in the order that breaks ties."""

    @property
    def secrets(self) -> Sequence[str]:
        """Every code that may be the secret, in the order of `guesses`."""

    @property
    def feedbacks(self) -> int:
        """One more than the largest feedback number."""

    @property
    def solved(self) -> int:
        """The number of the feedback "this guess is the secret": `feedbacks - 1`."""

    @property
    def has_hard_mode(self) -> bool:
        """Whether the game has Wordle's hard mode.

        Then `format_feedback` has a digit for each letter: 0 absent, 1 elsewhere, 2 in place.
        """

    @property
    def hard_mode_refusal(self) -> str:
        """The error message for hard mode if the game does not have it; else empty."""

    @property
    def smaller(self) -> str:
        """Advice to make the game smaller, for messages: `fewer pegs or colors`."""

    def feedback(self, guess: str | Sequence[str], secret: str | Sequence[str]) -> object:
        """Return the feedback of `secret` to `guess`, both as people write them, as plain data.

        `parse_feedback` reads the result, such as `(1, 1)` or `10202`. Raises InvalidCodeError.
        """

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the number of the feedback of a code of `secrets` to a code of `guesses`."""

    def parse_code(self, code: str | Sequence[str]) -> int:
        """Return the index in `guesses` of a code as people write it. Raises InvalidCodeError."""

    def parse_feedback(self, feedback: object) -> int:
        """Return the number of a feedback as people write it. Raises InvalidFeedbackError."""

    def format_feedback(self, feedback: int) -> str:
        """Return a feedback number as people write it: `1,1`."""

    def gives(self, feedback: int) -> bool:
        """Return whether some secret may give the feedback of this number to some guess."""

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for the book's header; `game_from_header` reads it."""

    def __hash__(self) -> int:
        """Return a hash: games are keys of caches."""


def plain(game: Game, feedback: int) -> object:
    """Return the feedback of a number as plain data, as `Game.feedback` does.

    >>> from guessbook.book import Mastermind, WordGame
    >>> plain(Mastermind(4, 6), 11), plain(WordGame(["light", "eight"]), 101)
    (Pegs(black=1, white=1), '10202')
    """
    found: object = getattr(game, "plain_feedback", game.format_feedback)(feedback)
    return found


def called(game: Game, guess: str) -> str:
    """Return a guess as people read it: `name: bulb` if it was added to a table."""
    found: str = getattr(game, "called", str)(guess)
    return found


def feedback_to(game: Game, guess: object, feedback: object) -> int:
    """Return the number of a feedback to a guess, or to an unknown guess (None).

    The error of a table lists the answers that the guess may get.
    """
    if guess is None or not hasattr(game, "feedback_to"):
        return game.parse_feedback(feedback)
    found: int = game.feedback_to(guess, feedback)
    return found


def check_game(source: object, due: str = "a game, such as Mastermind(4, 6)") -> Game:
    """Return a game. Raises UsageError, which says that `due` was expected, for other values."""
    if isinstance(source, type) or not hasattr(source, "parse_feedback"):
        raise UsageError(f"found {quote(source)}, expected {due}")
    return source  # type: ignore[return-value]


def parse_history(game: Game, history: object) -> History:
    """Return a history as people write it as (guess index, feedback number) pairs.

    The order remains; repeated entries count once. See `entries_of` for the forms of a history.

    >>> from guessbook.book import Mastermind
    >>> parse_history(Mastermind(4, 6), ["RYGB=1,1", (("R", "G", "O", "P"), (0, 2, 2))])
    [(51, 11), (101, 10)]

    Raises UsageError if it is no history, InvalidCodeError or InvalidFeedbackError if the game does
    not have a guess or a feedback.
    """
    return list(dict.fromkeys([parse_entry(game, entry) for entry in entries_of(history)]))


def entries_of(history: object) -> list[Entry]:
    """Return the entries of a history of any form: texts, and (guess, feedback) pairs.

    A history is a text, `GUESS=FEEDBACK` or `GUESS FEEDBACK` repeatedly without other blanks, or a
    list, a set or an iterator of entries. An entry is a text, a map with the keys `guess` and
    `feedback`, or a sequence of two values. Raises UsageError for anything else.

    >>> entries_of("RYGB=1,1 RGOP 0,2"), entries_of([["RYGB", (1, 1)], "RGOP=0,2"])
    (['RYGB=1,1', 'RGOP 0,2'], [('RYGB', (1, 1)), 'RGOP=0,2'])
    """
    if isinstance(history, str):
        # Of two words without an equals sign, the second is the feedback.
        return re.findall(r"[^\s=]+\s+[^\s=]+(?!\S)|\S+", history)
    if isinstance(history, Mapping | bytes) or not hasattr(history, "__iter__"):
        raise UsageError(f"a history is a list of (guess, feedback) pairs, not {quote(history)}")
    return [entry if isinstance(entry, str) else _pair(entry) for entry in history]


def _pair(entry: Any) -> tuple[object, object]:
    if isinstance(entry, Mapping) and set(entry) == {"guess", "feedback"}:
        return entry["guess"], entry["feedback"]
    # A pair without an order does not say which value is the guess.
    if not isinstance(entry, Set | Mapping | bytes):
        with suppress(TypeError, ValueError):
            guess, feedback = entry
            return guess, feedback
    raise UsageError(f"found {quote(entry)}, expected a (guess, feedback) pair")


def parse_entry(game: Game, entry: Entry) -> tuple[int, int]:
    """Return the guess index and the feedback number of an entry.

    Raises InvalidCodeError or InvalidFeedbackError.
    """
    if not isinstance(entry, str):
        guess, feedback = entry
        return game.parse_code(guess), feedback_to(game, guess, feedback)  # type: ignore[arg-type]
    if len(entry) > MAX_ENTRY:
        raise InvalidCodeError(
            f"found {quote(entry)} of {len(entry):,} characters, expected GUESS=FEEDBACK of at most {MAX_ENTRY}"
        )
    fault = None
    for head, tail in splits(entry):
        try:
            return game.parse_code(head), feedback_to(game, head, tail)
        except UsageError as error:
            fault = fault or error
    blanks = any(" " in code for code in islice(game.guesses, LOOKED_AT))
    if fault and ("=" in entry or not blanks):
        raise fault
    quotes = ", in quotes or in a list where it has blanks" if blanks else ""
    raise InvalidCodeError(f"found {quote(entry)}, expected GUESS=FEEDBACK{quotes}")


def splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield the splits of a text `GUESS=FEEDBACK` or `GUESS FEEDBACK`, the last split first.

    Guesses and feedbacks may have equals signs and blanks. Blanks separate a text without equals signs.

    >>> list(splits("1+9=10=00000")), list(splits("p yro 1,1"))
    ([('1+9=10', '00000'), ('1+9', '10=00000')], [('p yro', '1,1'), ('p', 'yro 1,1')])
    """
    sign = "=" if "=" in text else " "
    text = text if sign == "=" else text.strip()
    end = text.rfind(sign)
    while end >= 0:
        yield text[:end], text[end + 1 :]
        end = text.rfind(sign, 0, end)
