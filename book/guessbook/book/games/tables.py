"""Table games: any lists of guesses and secrets, and a table of what is answered."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from guessbook.book.errors import (
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    InvalidTableError,
    meant,
    shown,
)
from guessbook.book.frozen import Frozen
from guessbook.book.games.answers import (
    MAX_ANSWERS,
    Rows,
    check_planes,
    check_spelling,
    from_planes,
    labels_of,
    listed,
    low_first,
    tabulated,
    type_of,
)
from guessbook.book.games.beyond import number_between
from guessbook.book.games.game import LOOKED_AT
from guessbook.book.games.labels import MAX_LABEL, Numbers, found_label, labels_in
from guessbook.book.games.vocabulary import MAX_WORDS, marked, marks_of
from guessbook.book.games.weights import lowest_terms, weights_from, weights_in
from guessbook.book.memory import physical_memory

# Guesses times secrets.
MAX_PAIRS = 1 << 30
# Answers that a message lists.
LISTED = 8
# What people read before a guess that names a secret and asks nothing else.
NAME = "name: "


class TableGame(Frozen):
    """A game in which somebody asks, gets one of finitely many answers, and narrows down.

    A guess that has the label of a secret names it: that pair is answered by what says "found",
    one answer that the table gives to all such pairs and to no other. For every secret that no
    guess names, a guess that names it is added after the others, in the order of the secrets. It
    is answered by that same answer, or "found" if the table has none, and for other secrets "no".

    >>> coins = TableGame(["1 against 2"], ["1", "2", "3"], [["left", "right", "balanced"]])
    >>> coins.guesses
    ('1 against 2', '1', '2', '3')
    >>> coins.answers
    ('balanced', 'left', 'right', 'no', 'found')
    >>> coins.feedback("1 against 2", "3")
    'balanced'

    Labels are texts of 1 to 100 printable characters (blanks around them are dropped), integers,
    truth values (yes, no), or tuples of these (joined by commas).

    Args:
        guesses: what may be asked, in the order that breaks ties; perhaps nothing.
        secrets: what may be the secret.
        feedback: what is answered: a function of a guess and a secret, which gets both as they were
            given, or a row for each guess with a label for each secret, such as an array of numpy.
        weights: how much each secret counts, such as how likely a fault is: positive numbers.

    Attributes:
        guesses: the labels of all guesses.
        secrets: the labels of all secrets, in the order of `guesses`.
        answers: the labels of all answers, by their numbers: integers ascending, then texts; then
            what a guess that was added says where it is wrong; the last one says "found".
        given: how many of the guesses are not added.
        cells: the table: a row for each of these guesses, a number of 1 or 2 bytes for each secret.
        weights: how much each of `secrets` counts, in lowest terms; None if all count the same.

    Raises:
        InvalidTableError: a label is none, or there twice; a row is too short or too long; the
            table contradicts what was said of "found"; no guess tells two secrets apart; there are
            no secrets, more than 65,536 answers, 1,000,000 guesses or 2**30 pairs of a guess and a
            secret, or too many for the memory of this machine; what is no list of labels, or of
            rows: a set is none, as its order, which breaks ties, is never the same.
        InvalidGameError: weights that `lowest_terms` refuses.
    """

    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    answers: tuple[str, ...]

    def __init__(
        self,
        guesses: Iterable[object],
        secrets: Iterable[object],
        feedback: Callable[[Any, Any], object] | Rows,
        weights: Iterable[object] | None = None,
    ) -> None:
        guesses, secrets = listed(guesses, "guesses"), listed(secrets, "secrets")
        # Before there are labels, too.
        check_size(max(len(guesses), len(secrets)), len(secrets))
        asked, wanted = labels_of(guesses, "guess"), labels_of(secrets, "secret")
        check_spelling(asked, wanted)
        added = [label for label in wanted if label not in asked]
        check_size(len(asked) + len(added), len(wanted))
        rows: Any = feedback
        if callable(feedback):
            rows = ([feedback(guess, secret) for secret in secrets] for guess in guesses)
        cells, answers = tabulated(rows, asked, wanted)
        # In the order of the guesses.
        named = [label for label in asked if label in wanted]
        order = (*named, *added)
        known = None if weights is None else lowest_terms(weights, len(wanted))
        counts = known and tuple([known[wanted[label]] for label in order])
        self._set((*asked, *added), order, answers, len(asked), cells, counts)

    def _set(
        self,
        guesses: tuple[str, ...],
        secrets: tuple[str, ...],
        answers: tuple[str, ...],
        given: int,
        cells: bytes,
        weights: tuple[int, ...] | None,
    ) -> None:
        self.guesses = guesses
        self.secrets = secrets
        self.answers = answers
        self.given = given
        self.weights = weights
        # A row of feedback numbers for each guess that is not added.
        self.cells: memoryview[int] = memoryview(cells).cast(type_of(len(answers)))

    @property
    def kind(self) -> str:
        """The type of its header."""
        return "table"

    @property
    def name(self) -> str:
        """`table-4x3`, guesses and secrets; `table-4x3-weighted` with weights."""
        weighted = "" if self.weights is None else "-weighted"
        return f"table-{len(self.guesses)}x{len(self.secrets)}{weighted}"

    @property
    def length(self) -> int:
        """Characters of the longest label of a secret."""
        return max(map(len, self.secrets))

    @property
    def feedbacks(self) -> int:
        """How many answers there are."""
        return len(self.answers)

    @property
    def solved(self) -> int:
        """The number of the answer that says "found"."""
        return len(self.answers) - 1

    @property
    def has_hard_mode(self) -> bool:
        """It has none."""
        return False

    @property
    def hard_mode_refusal(self) -> str:
        """Why it has no hard mode, for messages."""
        return "found hard mode and a table, expected words: its rule speaks of letters"

    @property
    def smaller(self) -> str:
        """What makes the game smaller, for messages."""
        return "fewer guesses or secrets"

    @property
    def note(self) -> str:
        """What was added to the guesses, for people; empty if nothing."""
        added = len(self.guesses) - self.given
        if not added:
            return ""
        what = "1 guess added that names a secret"
        if added > 1:
            what = f"{added:,} guesses added that name a secret each"
        which = "no guess names a secret" if added == len(self.secrets) else "some have no guess"
        return f"{what}: {which}"

    def row(self, guess: int) -> array[int]:
        """The feedback numbers of all secrets to the guess of that index."""
        size = len(self.secrets)
        if guess < self.given:
            cells = self.cells[guess * size : (guess + 1) * size]
            return array(type_of(self.feedbacks), cells.tobytes())
        row = array(type_of(self.feedbacks), [self.solved - 1]) * size
        # The secrets that the added guesses name are the last ones.
        row[guess - len(self.guesses)] = self.solved
        return row

    def feedback(self, guess: object, secret: object) -> str:
        """What `secret` answers to `guess`. Raises InvalidCodeError."""
        return self.format_feedback(number_between(self, guess, secret))

    def feedback_number(self, guess: str, secret: str) -> int:
        """The number of what `secret` answers to `guess`, two labels of the lists."""
        row = self.places[guess]
        if row < self.given:
            return self.cells[row * len(self.secrets) + self.columns[secret]]
        return self.solved - (guess != secret)

    @cached_property
    def places(self) -> Numbers:
        """The index of each guess."""
        return Numbers({label: number for number, label in enumerate(self.guesses)})

    @cached_property
    def columns(self) -> dict[str, int]:
        """The index of each secret, in a row."""
        return {label: number for number, label in enumerate(self.secrets)}

    @cached_property
    def _numbers(self) -> Numbers:
        return Numbers({label: number for number, label in enumerate(self.answers)})

    def called(self, guess: str) -> str:
        """The label of a guess as people read it: `name: bulb` if it was added.

        `parse_code` reads both.
        """
        return NAME * (self.places[guess] >= self.given) + guess

    def parse_code(self, code: object) -> int:
        """The index in `guesses` of a label, in any case where that is clear.

        Raises:
            InvalidCodeError: no guess has that label, or several differ from it in case alone.
        """
        text = code.strip() if isinstance(code, str) else ""
        index = found_label(code, self.places)
        if index is None and text.startswith(NAME):
            index = found_label(text.removeprefix(NAME), self.places)
        if index is None:
            near = meant(text, self.guesses[:LOOKED_AT]) if len(text) <= MAX_LABEL else ""
            raise InvalidCodeError(
                f"found {shown(code)}, expected one of the {len(self.guesses):,} guesses of this "
                f"game, such as {shown(self.guesses[0])}{near}"
            )
        return index

    def parse_feedback(self, feedback: object) -> int:
        """The number of an answer, in any case.

        Raises:
            InvalidFeedbackError: this game has no such answer.
        """
        number = found_label(feedback, self._numbers)
        if number is None:
            raise _unknown(feedback, self.answers)
        return number

    def feedback_to(self, guess: object, feedback: object) -> int:
        """The number of an answer of the game; a refusal lists those that the guess may get.

        Raises:
            InvalidCodeError: no guess has that label.
            InvalidFeedbackError: this game has no such answer.
        """
        try:
            return self.parse_feedback(feedback)
        except InvalidFeedbackError:
            row = self.parse_code(guess)
            own = [self.answers[number] for number in sorted(set(self.row(row)))]
            raise _unknown(feedback, own, f"an answer to {shown(self.guesses[row])}:") from None

    def format_feedback(self, feedback: int) -> str:
        """The label of an answer."""
        return self.answers[feedback]

    def gives(self, feedback: int) -> bool:
        """Whether there is an answer of that number."""
        return 0 <= feedback < len(self.answers)

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for the book's header (FORMAT.md)."""
        data, width = self.cells.tobytes(), self.cells.itemsize
        return {
            "type": self.kind,
            "guesses": "\n".join(self.guesses),
            "given": self.given,
            "secrets": marks_of(self.guesses, self.secrets),
            "answers": "\n".join(self.answers),
            # The low byte of every number, then the high bytes.
            "table": b"".join([data[k::width] for k in low_first(width)]),
            **weights_in(self),
        }

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> TableGame:
        """The game of a header. Raises InvalidGameError for anything else than `header()` gives.

        Whether a guess tells two secrets apart is not checked: naming them does.
        """
        keys = ("guesses", "given", "secrets", "answers", "table")
        values: list[Any] = [header.get(key) for key in keys]
        asked, given, marks, answers, planes = values
        if [type(value) for value in values] != [str, int, bytes, str, bytes]:
            raise InvalidGameError("found guesses, secrets, answers or a table of a wrong type")
        guesses, labels = labels_in(asked), labels_in(answers)
        secrets = marked(guesses, marks)
        check_size(len(guesses), len(secrets))
        added = len(guesses) - given
        if not 0 <= added <= len(secrets) or secrets[len(secrets) - added :] != guesses[given:]:
            raise InvalidGameError("a guess that was added names no secret")
        if not 1 < len(labels) <= MAX_ANSWERS:
            raise InvalidGameError(f"found {len(labels):,} answers, expected 2 to {MAX_ANSWERS:,}")
        width = array(type_of(len(labels))).itemsize
        if len(planes) != given * len(secrets) * width:
            raise InvalidGameError("the table does not fit the guesses and secrets")
        wanted = set(secrets)
        rows = [row for row, label in enumerate(guesses[:given]) if label in wanted]
        # The secrets have the order of the guesses that name them.
        named = [row * len(secrets) + column for column, row in enumerate(rows)]
        check_planes(planes, width, len(labels) - 1, named)
        game = cls.__new__(cls)
        weights = weights_from(header, len(secrets))
        game._set(guesses, secrets, labels, given, from_planes(planes, width), weights)
        return game

    def __eq__(self, other: object) -> bool:
        return type(other) is TableGame and self._parts() == other._parts()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Kept: a build asks for it with every task.
        return hash(self._parts())

    def _parts(self) -> tuple[Any, ...]:
        cells = self.cells.obj
        return self.guesses, self.secrets, self.answers, self.given, cells, self.weights

    def __reduce__(self) -> tuple[Any, ...]:
        # The hash of a string is another one in another process.
        return (_from_parts, self._parts())

    def __repr__(self) -> str:
        return f"<TableGame {self.name}: {len(self.answers)} answers>"


def check_size(guesses: int, secrets: int) -> None:
    """Refuse a game that is too large, before there is a table. Raises InvalidTableError."""
    if not secrets:
        raise InvalidTableError("found no secrets, expected at least one")
    if guesses > MAX_WORDS:
        raise InvalidTableError(f"found {guesses:,} guesses, expected at most {MAX_WORDS:,}")
    if guesses * secrets > MAX_PAIRS:
        raise InvalidTableError(
            f"found {guesses:,} guesses (those added for secrets that none names included) and "
            f"{secrets:,} secrets, {guesses * secrets:,} pairs, expected at most {MAX_PAIRS:,}"
        )
    # Its rows, and the table that they become.
    needed, memory = 2 * guesses * secrets, physical_memory()
    if needed > memory:
        raise InvalidTableError(
            f"found {guesses:,} guesses and {secrets:,} secrets, whose table needs about "
            f"{needed / 2**30:.1f} GiB of memory, found {memory / 2**30:.1f} GiB; take fewer"
        )


def _from_parts(*parts: Any) -> TableGame:
    game = TableGame.__new__(TableGame)
    game._set(*parts)
    return game


def _unknown(feedback: object, answers: Sequence[str], due: str = "one of") -> InvalidFeedbackError:
    """The error for what is none of these answers, to any guess or to one."""
    some = [shown(label) for label in answers[:LISTED]]
    more = ["..."] if len(answers) > LISTED else []
    expected = f"expected {due} {', '.join(some + more)}"
    return InvalidFeedbackError(f"found feedback {shown(feedback)}, {expected}")
