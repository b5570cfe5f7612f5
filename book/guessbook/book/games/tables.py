"""Table games: any lists of guesses and secrets, and a table of the answers."""

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
    did_you_mean,
    quote,
)
from guessbook.book.frozen import Frozen
from guessbook.book.games.answers import (
    MAX_ANSWERS,
    Rows,
    check_planes,
    check_spelling,
    from_planes,
    labels_of,
    list_values,
    low_first,
    make_table,
    type_of,
)
from guessbook.book.games.beyond import number_between
from guessbook.book.games.game import LOOKED_AT
from guessbook.book.games.labels import MAX_LABEL, Numbers, found_label, labels_in
from guessbook.book.games.vocabulary import MAX_WORDS, marked_words, marks_of
from guessbook.book.games.weights import lowest_terms, weights_from, weights_in
from guessbook.book.memory import physical_memory

# Upper bound for the pairs of a guess and a secret in a table.
MAX_PAIRS = 1 << 30
# Upper bound for the answers that an error message lists.
LISTED = 8
# The displayed prefix of each guess that the game added to name a secret; see `TableGame`.
NAME = "name: "


class TableGame(Frozen):
    """A game given by its guesses, its secrets and a table of the answers.

    A guess with the label of a secret names this secret. If a guess names the hidden secret, its answer is always the
    same, and means "found". No other guess gets this answer. For each secret that no guess names, the game adds a guess
    at the end, with the label of this secret. If another secret is the hidden one, the answer to this guess is "no".

    >>> coins = TableGame(["1 against 2"], ["1", "2", "3"], [["left", "right", "balanced"]])
    >>> coins.guesses
    ('1 against 2', '1', '2', '3')
    >>> coins.answers
    ('balanced', 'left', 'right', 'no', 'found')
    >>> coins.feedback("1 against 2", "3")
    'balanced'

    Labels are texts of 1 to 100 printable characters (outer blanks are removed), integers, truth
    values (yes, no), or tuples of texts, integers and truth values (joined by commas).

    Args:
        guesses: the questions, in the order that breaks ties; may be empty.
        secrets: the possible secrets.
        feedback: the answers: a function of a guess and a secret, or a row for each guess with an
            answer for each secret, such as an array of numpy.
        weights: the weight of each secret, such as how likely a fault is: positive numbers.

    Attributes:
        guesses: the labels of all guesses.
        secrets: the labels of all secrets, in the order of `guesses`.
        answers: the labels of all answers, in the order of their numbers: integers ascending, then texts, then "no" if
            a guess was added. The last answer means "found".
        given: the number of guesses in the table, without added guesses.
        cells: the numbers of the answers in the table, row by row, each in 1 or 2 bytes.
        weights: the weight of each of `secrets`, in lowest terms; None if all weights are equal.

    Raises:
        InvalidTableError: a guess, secret or answer cannot be a label, or two guesses or two secrets have the same
            label. A row has a wrong length. The guesses that name the hidden secret do not all have the same answer, or
            another guess has this answer too. Two secrets have equal answers to every guess. There are no secrets.
            There are more than 65,536 answers, more than 1,000,000 guesses, or more than 2**30 pairs of a guess and a
            secret. The table exceeds the memory. An argument has no fixed order, such as a set.
        InvalidGameError: the weights are invalid.
    """

    kind = "table"
    has_hard_mode = False
    hard_mode_refusal = (
        "found hard mode and a table, expected words: hard mode is a rule about letters"
    )
    smaller = "fewer guesses or secrets"

    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    answers: tuple[str, ...]
    given: int
    cells: memoryview[int]
    weights: tuple[int, ...] | None

    def __init__(
        self,
        guesses: Iterable[object],
        secrets: Iterable[object],
        feedback: Callable[[Any, Any], object] | Rows,
        weights: Iterable[object] | None = None,
    ) -> None:
        guesses, secrets = list_values(guesses, "guesses"), list_values(secrets, "secrets")
        # Check the size before the labels take memory, and again with the added guesses, which depend on the labels.
        check_size(max(len(guesses), len(secrets)), len(secrets))
        asked, wanted = labels_of(guesses, "guess"), labels_of(secrets, "secret")
        check_spelling(asked, wanted)
        labels = tuple({**asked, **wanted})
        check_size(len(labels), len(wanted))
        rows: Any = feedback
        if callable(feedback):
            rows = ([feedback(guess, secret) for secret in secrets] for guess in guesses)
        order = tuple(filter(wanted.__contains__, labels))
        cells, answers = make_table(rows, asked, wanted, order)
        known = None if weights is None else lowest_terms(weights, len(wanted))
        counts = known and tuple([known[wanted[label]] for label in order])
        self._set(labels, order, answers, len(asked), cells, counts)

    def _set(self, *parts: Any) -> None:
        self.guesses, self.secrets, self.answers, self.given, cells, self.weights = parts
        self.feedbacks = len(self.answers)
        self.solved = self.feedbacks - 1
        self.cells = memoryview(cells).cast(type_of(self.feedbacks))

    @classmethod
    def _make(cls, *parts: Any) -> TableGame:
        game = cls.__new__(cls)
        game._set(*parts)
        return game

    @property
    def name(self) -> str:
        """The name `table-4x3` with the numbers of guesses and secrets, or `table-4x3-weighted` with weights."""
        weighted = "" if self.weights is None else "-weighted"
        return f"table-{len(self.guesses)}x{len(self.secrets)}{weighted}"

    @property
    def length(self) -> int:
        """The number of characters in the longest label of a secret."""
        return max(map(len, self.secrets))

    @property
    def note(self) -> str:
        """A text with the number of guesses that the game added; empty if there are none."""
        added = len(self.guesses) - self.given
        if not added:
            return ""
        each = "guess added that names a secret"
        if added > 1:
            each = "guesses added that name a secret each"
        which = "no guess names a secret" if added == len(self.secrets) else "some have no guess"
        return f"{added:,} {each}: {which}"

    def row(self, guess: int) -> array[int]:
        """Return each secret's answer to the guess with this index, as an array of numbers of 1 or 2 bytes."""
        size = len(self.secrets)
        if guess < self.given:
            cells = self.cells[guess * size : (guess + 1) * size]
            return array(type_of(self.feedbacks), cells.tobytes())
        row = array(type_of(self.feedbacks), [self.solved - 1]) * size
        # The added guesses come last. They equal the last secrets, in the same order.
        row[guess - len(self.guesses)] = self.solved
        return row

    def feedback(self, guess: object, secret: object) -> str:
        """Return the answer of `secret` to `guess`, as a label. Raises InvalidCodeError for unknown codes."""
        return self.format_feedback(number_between(self, guess, secret))

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the answer of `secret` to `guess`, as a number. Both are labels of the game."""
        row = self.places[guess]
        if row < self.given:
            return self.cells[row * len(self.secrets) + self.columns[secret]]
        return self.solved - (guess != secret)

    @cached_property
    def places(self) -> Numbers:
        """A map from the label of each guess to its index."""
        return Numbers({label: number for number, label in enumerate(self.guesses)})

    @cached_property
    def columns(self) -> dict[str, int]:
        """A map from the label of each secret to its index in a row."""
        return {label: number for number, label in enumerate(self.secrets)}

    @cached_property
    def _numbers(self) -> Numbers:
        return Numbers({label: number for number, label in enumerate(self.answers)})

    def called(self, guess: str) -> str:
        """Return a guess as displayed: its label, or `name: bulb` if the game added it. `parse_code` reads both."""
        return NAME * (self.places[guess] >= self.given) + guess

    def parse_code(self, code: object) -> int:
        """Return the index of the guess with this label.

        Case is ignored, except for guesses that differ only in case. Raises InvalidCodeError for an unknown label.
        """
        text = code.strip() if isinstance(code, str) else ""
        index = found_label(code, self.places)
        if index is None and text.startswith(NAME):
            index = found_label(text.removeprefix(NAME), self.places)
        if index is None:
            near = did_you_mean(text, self.guesses[:LOOKED_AT]) if len(text) <= MAX_LABEL else ""
            raise InvalidCodeError(
                f"found {quote(code)}, expected one of the {len(self.guesses):,} guesses of this "
                f"game, such as {quote(self.called(self.guesses[0]))}{near}"
            )
        return index

    def parse_feedback(self, feedback: object) -> int:
        """Return an answer's number from its label (case is ignored). Raises InvalidFeedbackError if it is unknown."""
        number = found_label(feedback, self._numbers)
        if number is None:
            raise _unknown_answer(feedback, self.answers)
        return number

    def feedback_to(self, guess: object, feedback: object) -> int:
        """Return the number of an answer to `guess`. The error for a wrong answer lists the possible answers.

        Raises InvalidCodeError for an unknown guess, and InvalidFeedbackError for an impossible answer.
        """
        row, number = self.parse_code(guess), found_label(feedback, self._numbers)
        if number is None or (row >= self.given and number < self.solved - 1):
            own = [self.answers[answer] for answer in sorted(set(self.row(row)))]
            raise _unknown_answer(
                feedback, own, f"an answer to {quote(self.called(self.guesses[row]))}:"
            )
        return number

    def format_feedback(self, feedback: int) -> str:
        """Return the label of the answer with this number."""
        return self.answers[feedback]

    def gives(self, feedback: int) -> bool:
        """Return whether the game has an answer with this number."""
        return 0 <= feedback <= self.solved

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for a book's header (docs/reference/FORMAT.md)."""
        data, width = self.cells.tobytes(), self.cells.itemsize
        return {
            "type": self.kind,
            "guesses": "\n".join(self.guesses),
            "given": self.given,
            "secrets": marks_of(self.guesses, self.secrets),
            "answers": "\n".join(self.answers),
            # All low bytes come first, then all high bytes.
            "table": b"".join([data[k::width] for k in low_first(width)]),
            **weights_in(self),
        }

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> TableGame:
        """Return the game of a book's header. Raises InvalidGameError for an invalid header."""
        # Two secrets never have equal answers to every guess, because only one secret answers "found" to the guess that
        # names it. So no check is needed.
        keys = ("guesses", "given", "secrets", "answers", "table")
        values: list[Any] = [header.get(key) for key in keys]
        asked, given, marks, answers, planes = values
        if [type(value) for value in values] != [str, int, bytes, str, bytes]:
            types = ", ".join([type(value).__name__ for value in values])
            raise InvalidGameError(
                f"found types {types} of {', '.join(keys)}, expected str, int, bytes, str, bytes"
            )
        guesses, labels = labels_in(asked), labels_in(answers)
        secrets = marked_words(guesses, marks)
        check_size(len(guesses), len(secrets))
        added = len(guesses) - given
        if not 0 <= added <= len(secrets) or secrets[len(secrets) - added :] != guesses[given:]:
            found = f"found {added:,} guesses after the {given:,} guesses in the table"
            raise InvalidGameError(
                f"{found}, expected these guesses to be the last secrets, in the same order"
            )
        if not 1 < len(labels) <= MAX_ANSWERS:
            raise InvalidGameError(f"found {len(labels):,} answers, expected 2 to {MAX_ANSWERS:,}")
        width = array(type_of(len(labels))).itemsize
        if len(planes) != given * len(secrets) * width:
            size = f"{given * len(secrets) * width:,}, {width} for each guess and secret"
            raise InvalidGameError(f"found a table of {len(planes):,} bytes, expected {size}")
        wanted = set(secrets)
        rows = [row for row, label in enumerate(guesses[:given]) if label in wanted]
        # Secrets have the order of the guesses that name them: the guess of row `rows[k]` names the secret of column k.
        named = [row * len(secrets) + column for column, row in enumerate(rows)]
        check_planes(planes, width, len(labels) - 1, named)
        weights = weights_from(header, len(secrets))
        return cls._make(guesses, secrets, labels, given, from_planes(planes, width), weights)

    def __eq__(self, other: object) -> bool:
        return type(other) is TableGame and self._parts() == other._parts()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # The hash is cached, because a build needs it for every task.
        return hash(self._parts())

    def _parts(self) -> tuple[Any, ...]:
        cells = self.cells.obj
        return self.guesses, self.secrets, self.answers, self.given, cells, self.weights

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle omits the cached hash, because hashes of strings differ between processes.
        return self._make, self._parts()

    def __repr__(self) -> str:
        return f"<TableGame {self.name}: {len(self.answers)} answers>"


def check_size(guesses: int, secrets: int) -> None:
    """Raise InvalidTableError if a table of this size has no secrets or would be too large."""
    if not secrets:
        raise InvalidTableError("found no secrets, expected at least one")
    if guesses > MAX_WORDS:
        raise InvalidTableError(f"found {guesses:,} guesses, expected at most {MAX_WORDS:,}")
    if guesses * secrets > MAX_PAIRS:
        raise InvalidTableError(
            f"found {guesses:,} guesses (including one for each secret) and "
            f"{secrets:,} secrets, {guesses * secrets:,} pairs, expected at most {MAX_PAIRS:,} pairs"
        )
    # The rows and the table made from them need memory at the same time, hence the factor 2.
    needed, memory = 2 * guesses * secrets, physical_memory()
    if needed > memory:
        raise InvalidTableError(
            f"found a table of {guesses:,} guesses and {secrets:,} secrets, about {needed / 2**30:.1f} GiB in memory, "
            f"expected at most {memory / 2**30:.1f} GiB, the memory of this machine; take fewer guesses or secrets"
        )


def _unknown_answer(
    feedback: object, answers: Sequence[str], due: str = "one of"
) -> InvalidFeedbackError:
    some = [quote(label) for label in answers[:LISTED]]
    more = ["..."] if len(answers) > LISTED else []
    expected = f"expected {due} {', '.join(some + more)}"
    return InvalidFeedbackError(f"found feedback {quote(feedback)}, {expected}")
