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

# The most codes that a message searches: some games have millions.
LOOKED_AT = 1000

# The most characters of a text GUESS=FEEDBACK. Each side has at most 100, each typed as up to four
# (decomposed Unicode). Every split is tried, so the time grows with the square of the length.
MAX_ENTRY = 801


class Game(Protocol):
    """A guessing game: its codes, and the feedback that a secret gives to a guess.

    Inside Guessbook a guess is its index in `guesses` and a feedback is a number from 0 to
    `feedbacks - 1`; the numbers are part of the file format. People read and write strings, which
    `parse_*` and `format_feedback` translate. `feedback` is for people as well: it takes codes and
    gives a feedback as they write them.

    These attributes are optional:

    - `weights`: the weight of each secret, see `weights`;
    - `knowing(codes)` and `listed`: the game with guesses that its list lacks, and the number of
      listed ones;
    - `among_guesses()`: the game in which each guess may be the secret; see `beyond` for these
      three;
    - `digits`: says that symbols and positions of its codes can be exchanged, see `symmetry`;
    - `plain_feedback(number)`: a feedback as plain data, if that is not its text, see `plain`;
    - `called(guess)`: a guess as people read it, if that is not its text, see `called`;
    - `feedback_to(guess, feedback)`: `parse_feedback` that knows the guess, see `feedback_to`;
    - `note`: a line for `info`; `given`: the number of guesses in its table, see `tables`.
    """

    @property
    def kind(self) -> str:
        """The type in the header of its books, a name in `registry.KINDS`."""

    @property
    def name(self) -> str:
        """A short name that suits a file: `mastermind-4x6`."""

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
        """The number of the feedback "this guess is the secret"; always `feedbacks - 1`."""

    @property
    def has_hard_mode(self) -> bool:
        """Whether it has Wordle's hard mode: a feedback has a mark for each letter.

        Then `format_feedback` gives a digit for each: 0 absent, 1 present elsewhere, 2 in place.
        """

    @property
    def hard_mode_refusal(self) -> str:
        """The error message for hard mode if the game does not have it; else empty."""

    @property
    def smaller(self) -> str:
        """Advice how to make the game smaller, for messages: `fewer pegs or colors`."""

    def feedback(self, guess: str | Sequence[str], secret: str | Sequence[str]) -> object:
        """Return the feedback of `secret` to `guess` as plain data; both are as people write them.

        `parse_feedback` reads the result: black and white pegs such as `(1, 1)`, a text such as
        `10202`, an answer. Raises InvalidCodeError.
        """

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the number of the feedback, for two codes of `guesses` and `secrets`."""

    def parse_code(self, code: str | Sequence[str]) -> int:
        """Return the index in `guesses` of a code as people write it. Raises InvalidCodeError."""

    def parse_feedback(self, feedback: object) -> int:
        """Return the number of a feedback as people write it. Raises InvalidFeedbackError."""

    def format_feedback(self, feedback: int) -> str:
        """Return a feedback number as people write it: `1,1`."""

    def gives(self, feedback: int) -> bool:
        """Return whether the rules allow the feedback of this number to a guess, for any secret."""

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for the book's header; `game_from_header` reads it."""

    def __hash__(self) -> int:
        """Return a hash that equal games share: caches use games as keys."""


def plain(game: Game, feedback: int) -> object:
    """Return the feedback of a number as plain data, as `Game.feedback` gives it.

    >>> from guessbook.book import Mastermind, WordGame
    >>> plain(Mastermind(4, 6), 11), plain(WordGame(["light", "eight"]), 101)
    (Pegs(black=1, white=1), '10202')
    """
    found: object = getattr(game, "plain_feedback", game.format_feedback)(feedback)
    return found


def called(game: Game, guess: str) -> str:
    """Return a guess as people read it: in a table `name: bulb` if it only names a secret."""
    found: str = getattr(game, "called", str)(guess)
    return found


def feedback_to(game: Game, guess: object, feedback: object) -> int:
    """Return the number of a feedback; if the guess is known, a table's error lists its answers.

    Raises InvalidCodeError or InvalidFeedbackError.
    """
    if guess is None or not hasattr(game, "feedback_to"):
        return game.parse_feedback(feedback)
    found: int = game.feedback_to(guess, feedback)
    return found


def check_game(source: object, due: str = "a game, such as Mastermind(4, 6)") -> Game:
    """Return a game. Raises UsageError, with the expected type `due`, for anything else."""
    if isinstance(source, type) or not hasattr(source, "parse_feedback"):
        raise UsageError(f"found {quote(source)}, expected {due}")
    return source  # type: ignore[return-value]


def parse_history(game: Game, history: object) -> History:
    """Return a history as people write it as (guess index, feedback number) pairs.

    `entries_of` and `parse_entry` read it. The order is kept; repeated entries count once.

    >>> from guessbook.book import Mastermind
    >>> parse_history(Mastermind(4, 6), ["RYGB=1,1", (("R", "G", "O", "P"), (0, 2, 2))])
    [(51, 11), (101, 10)]

    Raises:
        UsageError: it is no history.
        InvalidCodeError: a guess that is not a code of the game.
        InvalidFeedbackError: a feedback that the game never gives.
    """
    return list(dict.fromkeys([parse_entry(game, entry) for entry in entries_of(history)]))


def entries_of(history: object) -> list[Entry]:
    """Return the entries of a history, whatever its shape: texts, and (guess, feedback) pairs.

    A history is a text of `GUESS=FEEDBACK` or `GUESS FEEDBACK` without other blanks, or its entries
    one after the other: in a list, a set, an iterator. An entry is a text, a map with the keys
    `guess` and `feedback`, or a list, tuple or other sequence of two.

    >>> entries_of("RYGB=1,1 RGOP 0,2"), entries_of([["RYGB", (1, 1)], "RGOP=0,2"])
    (['RYGB=1,1', 'RGOP 0,2'], [('RYGB', (1, 1)), 'RGOP=0,2'])

    Raises:
        UsageError: it is not one of them.
    """
    if isinstance(history, str):
        # Two words without an equals sign are a guess and its feedback.
        return re.findall(r"[^\s=]+\s+[^\s=]+(?!\S)|\S+", history)
    if isinstance(history, Mapping | bytes) or not hasattr(history, "__iter__"):
        raise UsageError(f"a history is a list of (guess, feedback) pairs, not {quote(history)}")
    return [entry if isinstance(entry, str) else _pair(entry) for entry in history]


def _pair(entry: Any) -> tuple[object, object]:
    if isinstance(entry, Mapping) and set(entry) == {"guess", "feedback"}:
        return entry["guess"], entry["feedback"]
    # Without an order nobody knows which of the two is the guess.
    if not isinstance(entry, Set | Mapping | bytes):
        with suppress(TypeError, ValueError):
            guess, feedback = entry
            return guess, feedback
    raise UsageError(f"found {quote(entry)}, expected a (guess, feedback) pair")


def parse_entry(game: Game, entry: Entry) -> tuple[int, int]:
    """Return the guess index and the feedback number of an entry.

    Raises InvalidCodeError or InvalidFeedbackError if it is no entry, or too long a text.
    """
    if not isinstance(entry, str):
        guess, feedback = entry
        return game.parse_code(guess), feedback_to(game, guess, feedback)  # type: ignore[arg-type]
    if len(entry) > MAX_ENTRY:
        raise InvalidCodeError(
            f"found {quote(entry)} of {len(entry):,} characters, expected GUESS=FEEDBACK of at "
            f"most {MAX_ENTRY}"
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
    """Yield the parts of a text `GUESS=FEEDBACK` or `GUESS FEEDBACK`, the last split first.

    A guess or a feedback may itself have equals signs or blanks, so a reader tries all splits.
    Blanks separate only if there is no equals sign.

    >>> list(splits("1+9=10=00000")), list(splits("p yro 1,1"))
    ([('1+9=10', '00000'), ('1+9', '10=00000')], [('p yro', '1,1'), ('p', 'yro 1,1')])
    """
    sign = "=" if "=" in text else " "
    text = text if sign == "=" else text.strip()
    end = text.rfind(sign)
    while end >= 0:
        yield text[:end], text[end + 1 :]
        end = text.rfind(sign, 0, end)
