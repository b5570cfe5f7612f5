"""What every game offers to the tree, the policies and the lookup."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Protocol

from guessbook.book.errors import InvalidCodeError, UsageError, shown

# The (guess index, feedback number) pairs that a player has seen so far.
History = list[tuple[int, int]]

# Codes that a message looks at: some games have millions.
LOOKED_AT = 1000

# Characters of a text GUESS=FEEDBACK. Neither side has more than 100, each typed as up to four
# (decomposed Unicode). Every equals sign is tried, so the time grows with the square of the length.
MAX_ENTRY = 801


class Game(Protocol):
    """A guessing game: its codes, and the feedback that a secret gives to a guess.

    Inside Guessbook a guess is its index in `guesses` and a feedback is a number from 0 to
    `feedbacks - 1`; the numbers are part of the file format. People read and write strings, which
    `parse_*` and `format_feedback` translate.

    A kind may have more to say; one that does not is asked without it:

    - `weights`: how much each secret counts, see `weights`;
    - `knowing(codes)` and `listed`: the game with guesses that its list lacks, and how many it has;
    - `among_guesses()`: the game in which each guess may be the secret; both see `beyond`;
    - `digits`: that its codes are codes of symbols which can be exchanged, see `symmetry`;
    - `note`: a line for `info`; `given`: how many guesses stand in its table, see `tables`.
    """

    @property
    def kind(self) -> str:
        """The type in the header of its books, by which `registry.KINDS` knows it."""

    @property
    def name(self) -> str:
        """A short name fit for a file: `mastermind-4x6`."""

    @property
    def length(self) -> int:
        """How many symbols a code has."""

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
        """The feedback number that says: this guess is the secret; always `feedbacks - 1`."""

    @property
    def has_hard_mode(self) -> bool:
        """Whether Wordle's hard mode makes sense: a feedback says of each letter what it is.

        Then `format_feedback` gives a digit for each: 0 absent, 1 present elsewhere, 2 in place.
        """

    @property
    def hard_mode_refusal(self) -> str:
        """Why it has no hard mode, as a message says it; empty if it has."""

    @property
    def smaller(self) -> str:
        """What makes the game smaller, for messages: `fewer pegs or colors`."""

    def feedback(self, guess: str, secret: str) -> int:
        """The feedback number that `secret` gives to `guess`, two codes of the game."""

    def parse_code(self, code: str | Sequence[str]) -> int:
        """The index in `guesses` of a code as people write it. Raises InvalidCodeError."""

    def parse_feedback(self, feedback: object) -> int:
        """The number of a feedback as people write it. Raises InvalidFeedbackError."""

    def format_feedback(self, feedback: int) -> str:
        """A feedback number as people write it: `1,1`."""

    def gives(self, feedback: int) -> bool:
        """Whether any secret gives the feedback of that number to any guess, by the rules alone."""

    def header(self) -> dict[str, Any]:
        """The game as plain data for the book's header; `game_from_header` reads it."""

    def __hash__(self) -> int:
        """Equal games have equal hashes: what is made of a game is kept for the next task."""


def checked_game(source: object, due: str = "a game, such as Mastermind(4, 6)") -> Game:
    """The same, if it is a game. Raises UsageError if it is none, with what was due."""
    if isinstance(source, type) or not hasattr(source, "parse_feedback"):
        raise UsageError(f"found {shown(source)}, expected {due}")
    return source  # type: ignore[return-value]


def parse_history(game: Game, history: object) -> History:
    """A history as people write it, as (guess index, feedback number) pairs.

    Each entry is a (guess, feedback) pair in any notation that the game accepts, or one string
    `GUESS=FEEDBACK`, split as `parse_entry` says. Order is kept; an entry that is repeated word for
    word counts once.

    >>> from guessbook.book import Mastermind
    >>> parse_history(Mastermind(4, 6), ["RYGB=1,1", (("R", "G", "O", "P"), (0, 2, 2))])
    [(51, 11), (101, 10)]

    Raises:
        InvalidCodeError: a guess that is not a code of the game.
        InvalidFeedbackError: a feedback that the game never gives.
    """
    if isinstance(history, str):
        history = history.split()
    seen: dict[tuple[int, int], None] = {}
    try:
        entries = list(history)  # type: ignore[call-overload]
    except TypeError:
        raise UsageError(
            f"a history is a list of (guess, feedback) pairs, not {shown(history)}"
        ) from None
    for entry in entries:
        if isinstance(entry, str):
            seen[parse_entry(game, entry)] = None
            continue
        try:
            guess, feedback = entry
        except (TypeError, ValueError):
            raise UsageError(f"found {shown(entry)}, expected a (guess, feedback) pair") from None
        seen[game.parse_code(guess), game.parse_feedback(feedback)] = None
    return list(seen)


def parse_entry(game: Game, text: str) -> tuple[int, int]:
    """The guess index and the feedback number of a text `GUESS=FEEDBACK`.

    An equation, or a label, has equals signs of its own: the last one counts that has a guess
    before it and a feedback after it.

    Raises:
        InvalidCodeError, InvalidFeedbackError: there is none, or the text is too long for one.
    """
    if len(text) > MAX_ENTRY:
        raise InvalidCodeError(
            f"found {shown(text)} of {len(text):,} characters, expected GUESS=FEEDBACK of at most "
            f"{MAX_ENTRY}"
        )
    end = text.rfind("=")
    if end < 0:
        blanks = any(" " in code for code in islice(game.guesses, LOOKED_AT))
        quotes = ", in quotes or in a list where it has blanks" if blanks else ""
        raise InvalidCodeError(f"found {shown(text)}, expected GUESS=FEEDBACK{quotes}")
    fault = None
    while end >= 0:
        try:
            return game.parse_code(text[:end]), game.parse_feedback(text[end + 1 :])
        except UsageError as error:
            fault = fault or error
        end = text.rfind("=", 0, end)
    raise fault or AssertionError
