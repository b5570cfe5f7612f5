"""The interface of all games, and functions that parse histories."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import islice
from typing import Any, Protocol, TypeAlias

from guessbook.book.errors import InvalidCodeError, UsageError, quote

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


class Game(Protocol):
    """A guessing game: its codes, and the feedback that a secret gives to a guess.

    Inside Guessbook a guess is represented by its index in `guesses`, and a feedback by a number from 0 to
    `feedbacks - 1`. These numbers are part of the file format. People read and write strings.
    `feedback`, `parse_*` and `format_feedback` convert between strings and numbers.

    These attributes are optional:

    - `weights`: the weight of each secret, see the module `weights`;
    - `knowing(codes)`, `listed` and `among_guesses()`: unlisted guesses, see the module `beyond`;
    - `digits(index)`: a code with its symbols as numbers, if the game has symmetries, see the module `symmetry`;
    - `plain_feedback(number)`: a feedback as plain data, if this is not the text of `format_feedback`;
    - `called(guess)`: a guess as text to show to people, if this text differs from the guess;
    - `feedback_to(guess, feedback)`: the number of a feedback to this guess, see the function `feedback_to`;
    - `note`: a line for the command `info`; `given`: the number of guesses in a table, see the module `tables`.
    """

    @property
    def kind(self) -> str:
        """The type of the game in the header of a book: a name in `registry.KINDS`."""

    @property
    def name(self) -> str:
        """A short name that is valid as the name of a file, such as `mastermind-4x6`."""

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
        """Whether the game supports Wordle's hard mode.

        If it does, `format_feedback` returns a digit for each letter: 0 absent, 1 elsewhere, 2 in place.
        """

    @property
    def hard_mode_refusal(self) -> str:
        """The error message for hard mode if the game does not support it; otherwise an empty text."""

    @property
    def smaller(self) -> str:
        """The advice in error messages about a game that is too large, such as `fewer pegs or colors`."""

    def feedback(self, guess: str | Sequence[str], secret: str | Sequence[str]) -> object:
        """Return the feedback of `secret` to `guess` as plain data, such as `(1, 1)` or `10202`.

        The codes are written as `parse_code` reads them. Raises InvalidCodeError for an invalid code.
        """

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the number of the feedback that a code of `secrets` gives to a code of `guesses`."""

    def parse_code(self, code: str | Sequence[str]) -> int:
        """Return the index in `guesses` of a code as people write it. Raises InvalidCodeError for an invalid code."""

    def parse_feedback(self, feedback: object) -> int:
        """Return the number of a feedback, given as people write it. Raises InvalidFeedbackError if it is invalid."""

    def format_feedback(self, feedback: int) -> str:
        """Return the feedback with this number as people write it, such as `1,1`."""

    def gives(self, feedback: int) -> bool:
        """Return whether some secret may give the feedback with this number to some guess."""

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for the book's header; `game_from_header` reads it."""

    def __hash__(self) -> int:
        """Return a hash, because games are keys of caches."""


def plain(game: Game, feedback: int) -> object:
    """Return the feedback with this number as plain data, in the form that `Game.feedback` returns.

    >>> from guessbook.book import Mastermind, WordGame
    >>> plain(Mastermind(4, 6), 11), plain(WordGame(["light", "eight"]), 101)
    (Pegs(black=1, white=1), '10202')
    """
    found: object = getattr(game, "plain_feedback", game.format_feedback)(feedback)
    return found


def called(game: Game, guess: str) -> str:
    """Return a guess as text to show to people.

    If the symbols of the game have names, it is the names of the guess's symbols. If the guess is one that a game from
    a table added to the table's guesses, such as `bulb`, it is `name: bulb`. Otherwise it is the guess itself.
    """
    found: str = getattr(game, "called", str)(guess)
    return found


def feedback_to(game: Game, guess: object, feedback: object) -> int:
    """Return the number of a feedback to `guess` (None: any guess). Raises InvalidFeedbackError if it is impossible."""
    if guess is None or not hasattr(game, "feedback_to"):
        return game.parse_feedback(feedback)
    found: int = game.feedback_to(guess, feedback)
    return found


def check_game(source: object, due: str = "a game, such as Mastermind(4, 6)") -> Game:
    """Return `source` if it is a game, else raise UsageError. `due` is the text after "expected" in the message."""
    if isinstance(source, type) or not hasattr(source, "parse_feedback"):
        raise UsageError(f"found {quote(source)}, expected {due}")
    return source  # type: ignore[return-value]


def parse_history(game: Game, history: object) -> History:
    """Return a history as pairs of a guess index and a feedback number. The history is given as people write it.

    The order is preserved, and repeated entries count once. A history is a list or another iterable of entries, or a
    text with entries that are separated by blanks. An entry is a text `GUESS=FEEDBACK`, a (guess, feedback) pair, or a
    map with the keys `guess` and `feedback`.

    >>> from guessbook.book import Mastermind
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
            f"found the history {quote(history)}, expected a list of (guess, feedback) pairs"
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
    raise UsageError(f"found {quote(entry)}, expected a (guess, feedback) pair")


def parse_entry(game: Game, entry: Entry) -> tuple[int, int]:
    """Return the guess index and the feedback number of an entry.

    Raises InvalidCodeError for an invalid guess, and InvalidFeedbackError for an invalid feedback.
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
    quotes = ", in quotes or in a list if it has blanks" if blanks else ""
    raise InvalidCodeError(f"found {quote(entry)}, expected GUESS=FEEDBACK{quotes}")


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
