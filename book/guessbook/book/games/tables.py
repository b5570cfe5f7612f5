"""Table games: lists of guesses and secrets, and a table of the answers, all given by labels."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, compress, islice
from re import fullmatch, search
from typing import Any, Literal, TypeAlias
from unicodedata import is_normalized, normalize

from guessbook.book.errors import (
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    InvalidTableError,
    did_you_mean,
    listing,
    quantity,
    quote,
)
from guessbook.book.games.game import (
    LOOKED_AT,
    NOT_KNOWN,
    Identification,
    ListGame,
    header_values,
    number_between,
)
from guessbook.book.games.identification import (
    UNKNOWN,
    Thing,
    check_total,
    copies,
    different_labels,
    identification_from,
    identification_header,
    lowest_costs,
    merge_equal,
    possible_answers,
)
from guessbook.book.games.weights import exact, lowest_terms, weights_from, weights_in
from guessbook.book.games.words import MAX_WORDS, check_different, marked_words, marks_of
from guessbook.book.installation import physical_memory
from guessbook.book.tree import all_below, from_planes, split_planes

# A label has at most this number of characters.
MAX_LABEL = 100


def label_of(value: object) -> str:
    """Return the label of a string, an integer, a truth value (yes or no), or a tuple or list.

    The labels of the values in a tuple or list are joined by commas. Outer blanks are removed. Each
    run of inner blanks becomes one space.

    >>> label_of(" both   left "), label_of(3), label_of(True), label_of((1, 2))
    ('both left', '3', 'yes', '1,2')

    Raises InvalidTableError for another type, or a label that is empty, too long or not printable.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()  # values of numpy become values of Python
    if isinstance(value, bool):
        return "yes" if value else "no"
    # Larger integers are rejected, because the conversion of a million digits to a text would take
    # long.
    if isinstance(value, int):
        if abs(value) >= 10**MAX_LABEL:
            raise InvalidTableError(f"label too long: {quote(value)}, limit {MAX_LABEL} characters")
        return str(value)
    if isinstance(value, (list, tuple)) and value:
        text = ",".join([label_of(part) for part in _parts(value)])
    elif isinstance(value, str):
        text = normalize("NFC", " ".join(value[: 4 * MAX_LABEL].split()))
    else:
        raise InvalidTableError(f"{quote(value)} is not a label; give a string or an integer")
    if not text:
        raise InvalidTableError("empty label; give at least one visible character")
    if len(text) > MAX_LABEL:
        raise InvalidTableError(f"label too long: {quote(text)}, limit {MAX_LABEL} characters")
    if not text.isprintable():
        raise InvalidTableError(f"label with characters that cannot be printed: {quote(text)}")
    return text


def _parts(values: Sequence[object]) -> Iterator[object]:
    """Yield the values in nested lists and tuples, in order.

    Raises InvalidTableError if there are too many.
    """
    rest: list[object] = [values]
    # Each step takes one value or one list. A label of MAX_LABEL characters has at most MAX_LABEL /
    # 2 values, joined by commas; the other steps open nested lists. The limit also ends the loop if
    # a list contains itself.
    for _ in range(2 * MAX_LABEL):
        part = rest.pop()
        if isinstance(part, (list, tuple)) and part:
            rest.extend(reversed(part[:MAX_LABEL]))
        else:
            yield part
        if not rest:
            return
    raise InvalidTableError(
        f"label with too many parts: {quote(values)}; give a string, an integer or a short tuple"
    )


class LabelNumbers(dict[str, int]):
    """A map from labels of guesses, secrets or answers to their numbers."""

    @cached_property
    def folded(self) -> dict[str, int]:
        """A map from each case-folded label to its number.

        The number is -1 if several labels differ only in case.
        """
        found: dict[str, int] = {}
        for label, number in self.items():
            folded = label.casefold()
            found[folded] = -1 if folded in found else number
        return found

    def find(self, value: object) -> int | None:
        """Return the number of a label; None if unknown.

        Case is ignored, unless labels differ only in case.
        """
        try:
            text = label_of(value)
        except InvalidTableError:
            return None
        number = self[text] if text in self else self.folded.get(text.casefold(), -1)
        return None if number < 0 else number


def labels_in(text: str, different: bool = True) -> tuple[str, ...]:
    """Return the labels in a string with one label per line.

    Raises InvalidGameError for invalid labels, and for repeated labels if all must be `different`.
    """
    # Check this before the split, because a list of labels takes many times the memory of its text.
    if text.count("\n") >= MAX_WORDS:
        raise InvalidGameError(f"too many labels: {1 + text.count(chr(10)):,}, limit {MAX_WORDS:,}")
    # Labels are printed without escapes, so all characters must be printable. The only printable
    # blank is a space.
    plain = text.replace("\n", "").isprintable() and is_normalized("NFC", text)
    labels = tuple(text.split("\n"))
    if not plain or search(" ( |\n|$)|(\n|^)( |\n|$)", text) or max(map(len, labels)) > MAX_LABEL:
        wrong = next((label for label in labels if label_of(label) != label), text)
        raise InvalidGameError(
            f"the label {quote(wrong)} is not in its usual form {quote(label_of(wrong))}"
        )
    if different:
        check_different(labels, "label")
    return labels


# The answers from a caller: one row for each guess, with an answer for each secret.
Rows = Iterable[Iterable[object]]
# The answers to one guess, as the number of each secret's answer.
Row: TypeAlias = "bytes | array[int]"

# Upper bound for the different answers of a game, because the number of an answer has at most two
# bytes.
MAX_ANSWERS = 1 << 16

# A game may add guesses that name a secret. For this secret, such a guess gets the table's own
# answer to correct guesses, or FOUND if the table has none. For all others, it gets MISSED.
FOUND, MISSED = "found", "no"
FOUND_ONCE = (
    "give every correct guess the same answer, and no wrong guess that answer, or use "
    "the goal identify"
)
# If a test has at least this number of known answers, and all are different, they may be remarks.
MANY_ANSWERS = 5


def type_of(numbers: int) -> Literal["B", "H", "I"]:
    """Return the typecode of an array that can hold the numbers 0 to `numbers - 1`."""
    return "B" if numbers <= 1 << 8 else "H" if numbers <= 1 << 16 else "I"


def make_table(
    rows: Rows, asked: dict[str, int], wanted: dict[str, int], order: Sequence[str]
) -> tuple[bytes, tuple[str, ...]]:
    """Return the numbers of all answers as bytes, row by row, and the label of each number.

    A number has 1 byte, or 2 bytes if there are more than 256 different answers. `asked` maps each
    guess to its row in `rows`, and `wanted` maps each secret to its column. `order` has the secrets
    in the order of the resulting columns.
    """
    found, known = _number_rows(rows, list(asked), list(wanted))
    labels = list(known.labels)
    last = _last(found, labels, asked, wanted)
    added = [wanted[label] for label in order if label not in asked]
    _check_apart(found, added, list(wanted))
    answers = _order_answers(labels, last, bool(added))
    columns = [wanted[label] for label in order]
    moved = columns != sorted(columns)
    for k, row in enumerate(found):
        if moved:
            found[k] = as_row([row[column] for column in columns], len(labels))
    return _as_cells(found, labels, answers), answers


def _as_cells(rows: list[Row], labels: list[str], answers: tuple[str, ...]) -> bytes:
    """Return the cells of a table as bytes, row by row, as numbers of `answers`.

    `rows` has the cells as numbers of `labels`. The rows are converted in place.
    """
    places = {label: number for number, label in enumerate(answers)}
    # Unknown answers have been replaced, so no row has labels such as `?`.
    numbers = [places.get(label, 0) for label in labels]
    table = bytes(numbers).ljust(256) if len(answers) <= 1 << 8 and len(labels) <= 1 << 8 else b""
    # Rows are converted one by one in place, because all rows together may occupy half of the
    # memory.
    for k, row in enumerate(rows):
        if table:
            rows[k] = bytes(row).translate(table)
        else:
            rows[k] = array(type_of(len(answers)), [numbers[n] for n in row])
    return b"".join(rows)


def identify(
    tests: dict[str, int],
    things: dict[str, int],
    rows: Rows,
    weights: Iterable[object] | None,
    outcomes: Iterable[object] | None,
    costs: Iterable[object] | None,
    merge_outcomes: bool,
) -> tuple[tuple[Any, ...], list[str]]:
    """Return the parts of a table game with the goal "identify", and its notes.

    `TableGame._set` takes these parts. Raises InvalidTableError for an invalid table, and
    InvalidGameError for invalid weights.
    """
    names = list(tests)
    found, known = _number_rows(rows, names, list(things), unknown=True)
    if FOUND in known.labels:
        raise InvalidTableError(f"the answer {FOUND!r} is reserved; use another word")
    options = []
    for k, row in enumerate(found):
        try:
            possible = possible_answers(list(known.labels), row, names[k])
        except InvalidTableError as error:
            column = error.places[0][1] if error.places else None
            raise _at(error.reason, f"test {quote(names[k])}", (k, column)) from None
        options.append(
            {n: tuple([known[answer] for answer in some]) for n, some in possible.items()}
        )
    for values, kind in ((weights, "weights"), (outcomes, "outcomes"), (costs, "costs")):
        if values is not None:
            _check_list(values, f"a list of {kind} in a fixed order")
    counted = [exact(weight) for weight in weights] if weights is not None else [1] * len(things)
    ends = list(things) if outcomes is None else [label_of(outcome) for outcome in outcomes]
    if outcomes is not None:
        _check_capitals(ends)
    for values, kind in ((counted, "weights"), (ends, "outcomes")):
        if len(values) != len(things):
            each = f"{quantity(len(values), kind[:-1])} for {quantity(len(things), 'thing')}"
            raise InvalidTableError(f"{each}; give one for each")
    columns = zip(*found, strict=True) if found else [()] * len(things)
    every = [Thing(*parts) for parts in zip(things, ends, counted, columns, strict=True)]
    every, notes = merge_equal(copies(every, options), merge_outcomes, any(options))
    check_size(len(tests), len(every))
    labels = list(known.labels)
    remarks = [
        test for test, row in zip(names, found, strict=True) if _has_remarks(row, known.labels)
    ]
    answers = _order_answers(
        [labels[n] for n in sorted({n for t in every for n in t.answers})], None, False
    )
    ended = tuple(dict.fromkeys([thing.outcome for thing in every]))
    places = {outcome: number for number, outcome in enumerate(ended)}
    whole, unit = lowest_costs(costs, names)
    asked = [as_row([t.answers[k] for t in every], len(labels)) for k in range(len(names))]
    notes += [
        f"the test {quote(test)} tells nothing: all its answers are equal"
        for test, row in zip(names, asked, strict=True)
        if len({*row}) == 1
    ]
    notes += [
        f"the test {quote(test)} has a different answer for each thing; leave it out if it is a remark"
        for test in remarks
    ]
    identification = Identification(
        ended, tuple([places[thing.outcome] for thing in every]), whole, unit,
        tuple([thing.label for thing in every]),
    )  # fmt: skip
    share = lowest_terms([thing.weight for thing in every], len(every))
    check_total(sum(share or [1] * len(every)), whole)
    secrets = different_labels(identification.things)
    cells = _as_cells(asked, labels, answers)
    return ((*names, *ended), secrets, answers, len(names), cells, share, identification), notes


def _has_remarks(row: Row, labels: dict[str, int]) -> bool:
    """Return whether many things have an answer in this row, and all these answers are different."""
    known = [number for number in row if number != labels.get(UNKNOWN)]
    return len({*known}) == len(known) >= MANY_ANSWERS


def _check_capitals(outcomes: list[str]) -> None:
    """Raise InvalidTableError if two outcomes differ only in capitals."""
    folded: dict[str, int] = {}
    for thing, outcome in enumerate(outcomes):
        first = folded.setdefault(outcome.casefold(), thing)
        if outcomes[first] != outcome:
            reason = (
                f"their outcomes {quote(outcome)} and {quote(outcomes[first])} differ only in "
                "capitals; spell them alike"
            )
            where = f"things {thing + 1} and {first + 1}"
            raise _at(reason, where, (None, thing), (None, first))


def as_row(numbers: list[int], answers: int) -> Row:
    """Return the numbers of a row as bytes, or as an array if there are more than 256 answers."""
    return bytes(numbers) if answers <= 1 << 8 else array(type_of(answers), numbers)


def list_values(values: Iterable[object], kind: str) -> list[object]:
    """Return the values as a list; `kind` is "guesses" or "secrets".

    Raises InvalidTableError for more than 1,000,000 values, or for values without a fixed order,
    such as a set.
    """
    _check_list(values, f"a list of {kind} in a fixed order")
    found = list(islice(values, MAX_WORDS + 1))
    if len(found) > MAX_WORDS:
        raise InvalidTableError(f"more than {MAX_WORDS:,} {kind}; use fewer")
    return found


def _check_list(values: object, expected: str) -> None:
    if not isinstance(values, (set, frozenset, dict)):
        # A numpy array without dimensions has the method `__iter__`, but this method raises
        # TypeError.
        with suppress(TypeError):
            iter(values)  # type: ignore[call-overload]
            return
    raise InvalidTableError(f"{quote(values)} is not {expected}")


def share_labels(some: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether the lists share a label, ignoring case: a guess then seems to name a secret.

    If so, the goal is "name" by default, and `check_spelling` rejects labels that differ only in
    case.
    """
    return not {*map(str.casefold, some)}.isdisjoint(map(str.casefold, others))


def check_spelling(asked: dict[str, int], wanted: dict[str, int]) -> None:
    """Raise InvalidTableError if a guess and a secret differ only in capitals.

    This is allowed if another guess equals the secret, or another secret equals the guess.
    """
    unnamed = {label.casefold(): label for label in wanted if label not in asked}
    for label, number in asked.items():
        secret = unnamed.get(label.casefold())
        if secret is not None and label not in wanted:
            raise _at(
                f"the guess {quote(label)} and the secret {quote(secret)} differ only in capitals; "
                "spell them alike",
                f"guess {number + 1}",
                (number, None),
                (None, wanted[secret]),
            )


def labels_of(values: Sequence[object], kind: str) -> dict[str, int]:
    """Return a map from the label of each value to the index of the value.

    `kind` is "guess" or "secret".

    Raises InvalidTableError if a value has no label, or a label occurs twice.
    """
    labels: dict[str, int] = {}
    for number, value in enumerate(values):
        found = [number]
        try:
            label = label_of(value)
            if label in labels:
                found.append(labels[label])
                raise InvalidTableError(f"{quote(label)} is listed twice; list it once")
        except InvalidTableError as error:
            places = [(n, None) if kind == "guess" else (None, n) for n in found]
            raise _at(error.reason, f"{kind} {number + 1}", *places) from None
        labels[label] = number
    return labels


def _at(reason: str, where: str, *places: tuple[int | None, int | None]) -> InvalidTableError:
    return InvalidTableError(reason, f"{where}: {reason}", places)


class Numbers(dict[object, int]):
    """A map from the answers in a caller's table to their numbers.

    An answer with a new label gets the next number.
    """

    def __init__(self, unknown: bool = False) -> None:
        super().__init__()
        self.labels: dict[str, int] = {}
        self._folded: dict[str, str] = {}
        # Whether `?` is allowed, which stands for an unknown answer.
        self._unknown = unknown

    def label(self, value: object) -> str:
        """Return the label of an answer.

        Raises InvalidTableError if the answer has no label, or is `?` where no answer may be
        unknown.
        """
        label = label_of(value)
        if label == UNKNOWN and not self._unknown:
            raise InvalidTableError(
                "'?' is not an answer; write the answer that this secret gives, or use "
                "the goal identify"
            )
        return label

    def __missing__(self, value: object) -> int:
        label = self.label(value)
        if label not in self.labels and len(self.labels) == MAX_ANSWERS:
            raise InvalidTableError(f"more than {MAX_ANSWERS:,} different answers; use fewer")
        other = self._folded.setdefault(label.casefold(), label)
        if other != label:
            raise InvalidTableError(
                f"the answers {quote(label)} and {quote(other)} differ only in capitals; spell them alike"
            )
        number = self.labels.setdefault(label, len(self.labels))
        # The cache is limited, because extra blanks allow millions of spellings of a label.
        if len(self) < 2 * MAX_ANSWERS:
            self[value] = number
        return number


def _number_rows(
    rows: Rows, guesses: list[str], secrets: list[str], unknown: bool = False
) -> tuple[list[Row], Numbers]:
    """Return the rows with numbers in place of answers, and the map from answers to numbers.

    `unknown` says whether a cell may be `?`.
    """
    _check_list(rows, "a function or a list with a row of answers for each guess")
    known = Numbers(unknown)
    found: list[Row] = []
    for number, row in enumerate(rows):
        if number == len(guesses):
            raise InvalidTableError(
                f"more than {quantity(number, 'row')} for {quantity(number)}; give one for each"
            )
        where = f"guess {quote(guesses[number])}"
        try:
            _check_list(row, "a list with an answer for each secret")
        except InvalidTableError as error:
            raise _at(error.reason, where, (number, None)) from None
        values = row.tolist() if hasattr(row, "tolist") else list(row)
        if len(values) != len(secrets):
            given = quantity(len(values), "answer")
            reason = f"{given} for {quantity(len(secrets), 'secret')}; give one for each"
            raise _at(reason, where, (number, None))
        try:
            numbers = list(map(known.__getitem__, _distinct_values(values)))
        except (InvalidTableError, TypeError):
            numbers = []
            for secret, value in enumerate(values):
                try:
                    numbers.append(known[label_of(value)])
                except InvalidTableError as error:
                    place = f"{where}, secret {quote(secrets[secret])}"
                    raise _at(error.reason, place, (number, secret)) from None
        found.append(as_row(numbers, len(known.labels)))
    if len(found) < len(guesses):
        raise InvalidTableError(
            f"{quantity(len(found), 'row')} for {quantity(len(guesses))}; give one for each"
        )
    return found, known


def _distinct_values(values: list[object]) -> list[object]:
    """Return the values, or their labels if equal values (1 and True) may have different labels."""
    kinds = {*map(type, values)}
    if kinds == {bool}:
        return list(map([label_of(False), label_of(True)].__getitem__, values))  # type: ignore[arg-type]
    if tuple in kinds:
        parts = chain.from_iterable(value for value in values if isinstance(value, tuple))
        kinds = kinds - {tuple} | {*map(type, parts)}
    if kinds <= {str, int}:
        return values
    return [label_of(value) for value in values]


def _last(
    rows: list[Row], labels: list[str], asked: dict[str, int], wanted: dict[str, int]
) -> int | None:
    """Return the number of the answer to correct guesses; None if no guess names a secret.

    Raises InvalidTableError if correct guesses have different answers, or a wrong guess has the
    same answer.
    """
    named = [label for label in asked if label in wanted]
    if not named:
        if FOUND in labels:
            raise InvalidTableError(
                f"the answer {FOUND!r} is reserved for guesses that name a secret; use another word"
            )
        return None
    first = asked[named[0]], wanted[named[0]]
    found = rows[first[0]][first[1]]
    for label in named:
        place = asked[label], wanted[label]
        answer = rows[place[0]][place[1]]
        if answer != found:
            raise _at(
                f"the correct guess {quote(label)} has the answer {quote(labels[answer])}, but "
                f"{quote(named[0])} has {quote(labels[found])}; {FOUND_ONCE}",
                f"guess {quote(label)}, secret {quote(label)}",
                place,
                first,
            )
    for (label, number), row in zip(asked.items(), rows, strict=True):
        if row.count(found) > (label in wanted):
            secret = next(s for s, column in wanted.items() if row[column] == found and s != label)
            raise _at(
                f"a wrong guess has the answer {quote(labels[found])} of the correct guess "
                f"{quote(named[0])}; {FOUND_ONCE}",
                f"guess {quote(label)}, secret {quote(secret)}",
                (number, wanted[secret]),
                first,
            )
    return found


def _check_apart(rows: list[Row], columns: list[int], secrets: list[str]) -> None:
    """Raise InvalidTableError if two secrets in `columns` have equal answers to every guess."""
    groups = [columns]
    for row in rows:
        split = []
        for group in groups:
            cells: dict[int, list[int]] = {}
            for column in group:
                cells.setdefault(row[column], []).append(column)
            split += [cell for cell in cells.values() if len(cell) > 1]
        groups = split
    for first, second, *_ in (group for group in groups if len(group) > 1):
        raise _at(
            # The labels are not shortened, because long labels often have equal beginnings.
            f"{secrets[first]!r} and {secrets[second]!r} give equal answers to every guess; correct "
            "an answer, or merge the two secrets",
            "secrets",
            (None, first),
            (None, second),
        )


def _order_answers(labels: list[str], found: int | None, added: bool) -> tuple[str, ...]:
    """Return the labels of all answers in the order of their numbers, the one for "found" last.

    "no" comes before it if the game has `added` guesses, or if there is no other answer.
    """
    last = FOUND if found is None else labels[found]
    # A tree needs at least one answer that does not mean "found".
    missed = [MISSED] if added or not {*labels} - {last} else []
    if last in missed:
        raise InvalidTableError(
            f"a correct guess has the answer {MISSED!r}, which stands for a wrong guess; use another word"
        )
    answers = (*sorted({*labels} - {last, *missed}, key=_rank), *missed, last)
    if len(answers) > MAX_ANSWERS:
        raise InvalidTableError(
            f"too many answers: {len(answers):,} with those to added guesses, limit {MAX_ANSWERS:,}"
        )
    return answers


def _rank(label: str) -> tuple[bool, int, str]:
    """Return the sort key of an answer's label: integers ascending, then other labels."""
    number = fullmatch("-?[0-9]+", label)
    return not number, int(label) if number else 0, label


# Upper bound for the (guess, secret) pairs of a table.
MAX_PAIRS = 1 << 30
# Upper bound for the answers that an error message lists.
LISTED = 8
# The displayed prefix of each guess that the game added to name a secret; see `TableGame`.
NAME = "name: "


class TableGame(ListGame):
    """A game given by its guesses (tests), its secrets (things) and a table of the answers.

    By default, if no guess has the label of a secret, or if there are outcomes or costs, the goal
    is to identify the outcome of the hidden thing: tests are asked until only one outcome is
    possible. An answer `?` is unknown, and `a|b` is one of several; a thing with unknown answers
    becomes several secrets.

    Otherwise the goal is to name the secret: a guess with the label of a secret names this secret.
    If a guess names the hidden secret, its answer is always the same, and means "found". No other
    guess gets this answer. For each secret that no guess names, the game adds a guess at the end,
    with the label of this secret. If another secret is the hidden one, the answer to this guess is
    "no".

    >>> coins = TableGame(["1 against 2"], ["1", "2", "3"], [["left", "right", "balanced"]])
    >>> coins.answers
    ('balanced', 'left', 'right', 'found')
    >>> coins.feedback("1 against 2", "3")
    'balanced'
    >>> TableGame(["1 against 2"], ["1", "2", "3"], [["left", "right", "balanced"]], goal="name").guesses
    ('1 against 2', '1', '2', '3')

    Labels are strings of 1 to 100 printable characters (outer blanks are removed), integers, truth
    values (yes, no), or tuples of strings, integers and truth values (joined by commas).

    Args:
        guesses: the questions, in the order that breaks ties; may be empty.
        secrets: the possible secrets.
        feedback: the answers: a function of a guess and a secret, or a row for each guess with an
            answer for each secret, such as an array of numpy.
        weights: the weight of each secret, such as how likely a fault is: positive numbers.
        outcomes: for the goal "identify", the outcome of each thing; if None, each thing is its
            own outcome.
        costs: for the goal "identify", the cost of each test: positive numbers; if None, each is 1.
        goal: "identify" or "name". If None, it is "name" if a guess has the label of a secret and
            there are neither outcomes nor costs.
        merge_equal: for the goal "identify", whether the outcomes of things with equal answers
            become one, such as "a or b". Otherwise different outcomes of such things are an error.

    Attributes:
        guesses: the labels of all guesses; for the goal "identify", of the tests, then of the
            outcomes.
        secrets: the labels of all secrets; for the goal "name", in the order of `guesses`.
        answers: the labels of all answers, in the order of their numbers: integers ascending, then
            other labels, then "no" if a guess was added. The last answer means "found".
        given: the number of guesses in the table, without added guesses.
        cells: the numbers of the answers in the table, row by row, each in 1 or 2 bytes.
        weights: the weight of each of `secrets`, in lowest terms; None if all weights are equal.
        notes: how the table was read, such as things that were merged; empty for a game of a book.

    Raises:
        InvalidTableError: a guess, secret or answer cannot be a label, or two guesses or two
            secrets have the same label. A row has a wrong length. The guesses that name the hidden
            secret do not all have the same answer, or another guess has this answer too. Two
            secrets have equal answers to every guess. There are no secrets. There are more than
            65,536 answers, more than 1,000,000 guesses, or more than 2**30 pairs of a guess and a
            secret. The table exceeds the memory. An argument has no fixed order, such as a set.
        InvalidGameError: the weights are invalid.
    """

    kind = "table"
    since = 2
    hard_mode_refusal = (
        "hard mode is a rule about letters, and this game is a table; play it without hard mode"
    )
    smaller = "fewer guesses or secrets"

    answers: tuple[str, ...]
    given: int
    cells: memoryview[int]
    notes: list[str]

    def __init__(
        self,
        guesses: Iterable[object],
        secrets: Iterable[object],
        feedback: Callable[[Any, Any], object] | Rows,
        weights: Iterable[object] | None = None,
        *,
        outcomes: Iterable[object] | None = None,
        costs: Iterable[object] | None = None,
        goal: Literal["identify", "name"] | None = None,
        merge_equal: bool = False,
    ) -> None:
        guesses, secrets = list_values(guesses, "guesses"), list_values(secrets, "secrets")
        # Check the size before the labels take memory, and again after guesses are added.
        check_size(len(guesses), len(secrets))
        asked, wanted = labels_of(guesses, "guess"), labels_of(secrets, "secret")
        rows: Any = feedback
        if callable(feedback):
            rows = ([feedback(guess, secret) for secret in secrets] for guess in guesses)
        if goal is None:
            named = share_labels(asked, wanted)
            goal = "name" if named and outcomes is None and costs is None else "identify"
        if goal not in ("identify", "name"):
            raise InvalidTableError(f"the goal {quote(goal)} is neither 'identify' nor 'name'")
        if goal == "identify":
            parts, notes = identify(asked, wanted, rows, weights, outcomes, costs, merge_equal)
            self._set(*parts)
            self.notes.extend(notes)
            return
        if outcomes is not None or costs is not None or merge_equal:
            raise InvalidTableError(
                "outcomes, costs and merged things need the goal identify; leave out the goal name"
            )
        check_spelling(asked, wanted)
        labels = tuple({**asked, **wanted})
        check_size(len(labels), len(wanted))
        order = tuple(filter(wanted.__contains__, labels))
        cells, answers = make_table(rows, asked, wanted, order)
        known = None if weights is None else lowest_terms(weights, len(wanted))
        counts = known and tuple([known[wanted[label]] for label in order])
        self._set(labels, order, answers, len(asked), cells, counts, None)

    def _set(self, *parts: Any) -> None:
        self.guesses, self.secrets, self.answers, self.given, cells = parts[:5]
        self.weights, self.identification = parts[5:]
        if self.identification is not None:
            self.kind, self.since = "identification", 4
        self.feedbacks = len(self.answers)
        self.solved = self.feedbacks - 1
        self.cells = memoryview(cells).cast(type_of(self.feedbacks))
        self.length = max(map(len, self.secrets))
        weighted = "" if self.weights is None else "-weighted"
        rows = len(self.guesses) if self.identification is None else self.given
        self.name = f"table-{rows}x{len(self.secrets)}{weighted}"
        self.note = self._describe_added()
        self.notes = []

    @property
    def listed(self) -> int:
        """The number of guesses that a player may make, that is, without the outcomes."""
        return len(self.guesses) if self.identification is None else self.given

    def _describe_added(self) -> str:
        if self.identification is not None:
            return ""
        added = len(self.guesses) - self.given
        if not added:
            return ""
        each = "one per secret" if added == len(self.secrets) else "one per secret without a guess"
        return f"added {quantity(added)}, {each}"

    def row(self, guess: int) -> array[int]:
        """Return the number of each secret's answer to a guess, as an array."""
        size = len(self.secrets)
        if guess < self.given:
            cells = self.cells[guess * size : (guess + 1) * size]
            return array(type_of(self.feedbacks), cells.tobytes())
        row = array(type_of(self.feedbacks), [self.solved - 1]) * size
        if self.identification is not None:
            ended = self.identification.outcome_of
            return array(row.typecode, [self.solved - (o != guess - self.given) for o in ended])
        # The added guesses come last. They equal the last secrets, in the same order.
        row[guess - len(self.guesses)] = self.solved
        return row

    def feedback(self, guess: object, secret: object) -> str:
        """Return the answer of `secret` to `guess`, as a label.

        Raises InvalidCodeError for unknown labels.
        """
        return self.format_feedback(number_between(self, guess, secret))

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the answer of `secret` to `guess`, as a number. Both are labels of the game."""
        row = self.places[guess]
        if row < self.given:
            return self.cells[row * len(self.secrets) + self.columns[secret]]
        return self.solved - (guess != secret)

    @cached_property
    def places(self) -> LabelNumbers:
        """A map from the label of each guess that a player may make to its index."""
        return LabelNumbers(
            {label: number for number, label in enumerate(self.guesses[: self.listed])}
        )

    @cached_property
    def columns(self) -> LabelNumbers:
        """A map from the label of each secret to its index in a row."""
        return LabelNumbers({label: number for number, label in enumerate(self.secrets)})

    @cached_property
    def _numbers(self) -> LabelNumbers:
        return LabelNumbers({label: number for number, label in enumerate(self.answers)})

    def display_name(self, guess: str) -> str:
        """Return a guess as displayed: its label, or `name: bulb` if the game added it.

        `parse_code` reads both.
        """
        return NAME * (self.places.get(guess, -1) >= self.given) + guess

    def parse_code(self, code: object) -> int:
        """Return the index of the guess with this label.

        Case is ignored, except for guesses that differ only in case. Raises InvalidCodeError for an
        unknown label.
        """
        text = code.strip() if isinstance(code, str) else ""
        index = self.places.find(code)
        if index is None and text.startswith(NAME):
            index = self.places.find(text.removeprefix(NAME))
        if index is None:
            known = self.guesses[: self.listed]
            near = did_you_mean(text, known[:LOOKED_AT]) if len(text) <= MAX_LABEL else ""
            what = "guesses of this game" if self.identification is None else "tests of this table"
            some = f", such as {quote(self.display_name(known[0]))}" if known else ""
            raise InvalidCodeError(
                f"{quote(code)} is not one of the {len(known):,} {what}{some}{near}"
            )
        return index

    def parse_secret(self, code: object) -> str:
        """Return the label of a secret, ignoring case.

        Raises InvalidCodeError for an unknown label, UsageError for a guess that is never the
        secret.
        """
        if self.identification is None:
            return super().parse_secret(code)
        found = self.columns.find(code)
        if found is None:
            near = did_you_mean(str(code), self.secrets[:LOOKED_AT])
            raise InvalidCodeError(
                f"{quote(code)} is not one of the {len(self.secrets):,} things of this table, such "
                f"as {quote(self.secrets[0])}{near}"
            )
        return self.secrets[found]

    def parse_feedback(self, feedback: object) -> int:
        """Return an answer's number from its label; case is ignored.

        If the game identifies outcomes, `?` has the number -1. Raises InvalidFeedbackError for an
        unknown label.
        """
        if self.identification is not None and str(feedback).strip() == UNKNOWN:
            return NOT_KNOWN
        number = self._numbers.find(feedback)
        if number is None:
            known = self.answers if self.identification is None else self.answers[:-1]
            raise self._unknown_answer(feedback, known, "one of")
        return number

    def feedback_to(self, guess: object, feedback: object) -> int:
        """Return the number of an answer to `guess`.

        If the game identifies outcomes, `?` has the number -1. The error for a wrong answer lists
        the possible answers.

        Raises InvalidCodeError for an unknown guess, and InvalidFeedbackError for an impossible
        answer.
        """
        if guess is None:
            return self.parse_feedback(feedback)
        row, number = self.parse_code(guess), self._numbers.find(feedback)
        is_wrong = number is None or (row >= self.given and number < self.solved - 1)
        if self.identification is not None:
            if isinstance(feedback, str) and feedback.strip() == UNKNOWN:
                return NOT_KNOWN
            is_wrong = number not in self.row(row)
        if is_wrong or number is None:
            own = [self.answers[answer] for answer in sorted(set(self.row(row)))]
            asked = quote(self.display_name(self.guesses[row]))
            raise self._unknown_answer(feedback, own, f"an answer to {asked}; use")
        return number

    def _unknown_answer(
        self, feedback: object, answers: Sequence[str], due: str
    ) -> InvalidFeedbackError:
        some = [quote(label) for label in answers[:LISTED]]
        some += ["..."] * (len(answers) > LISTED)
        some += [UNKNOWN] * (self.identification is not None)
        known = ", ".join(some) if some[-1] == "..." else listing(some, "or")
        return InvalidFeedbackError(f"{quote(feedback)} is not {due} {known}")

    def format_feedback(self, feedback: int) -> str:
        """Return the label of the answer with this number."""
        return UNKNOWN if feedback == NOT_KNOWN else self.answers[feedback]

    def is_possible(self, feedback: int) -> bool:
        """Return whether the game has an answer with this number."""
        return 0 <= feedback <= self.solved

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for a book's header (docs/reference/FORMAT.md)."""
        cells = {
            "answers": "\n".join(self.answers),
            # All low bytes come first, then all high bytes.
            "table": split_planes(self.cells.tobytes(), self.cells.itemsize),
            **weights_in(self),
        }
        if self.identification is None:
            return {
                "type": self.kind,
                "guesses": "\n".join(self.guesses),
                "given": self.given,
                "secrets": marks_of(self.guesses, self.secrets),
                **cells,
            }
        return {
            "type": self.kind,
            **cells,
            "tests": "\n".join(self.guesses[: self.given]),
            "things": "\n".join(self.identification.things),
            **identification_header(self.identification),
        }

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> TableGame:
        """Return the game of a book's header. Raises InvalidGameError for an invalid header."""
        if header.get("type") == "identification":
            return cls._identified(header)
        # Two secrets never have equal answers to every guess, because only one secret answers
        # "found" to the guess that names it. So no check is needed.
        asked, given, marks, answers, planes = header_values(
            header, guesses=str, given=int, secrets=bytes, answers=str, table=bytes
        )
        guesses, labels = labels_in(asked), labels_in(answers)
        secrets = marked_words(guesses, marks)
        check_size(len(guesses), len(secrets))
        added = len(guesses) - given
        if not 0 <= added <= len(secrets) or secrets[len(secrets) - added :] != guesses[given:]:
            raise InvalidGameError(
                f"the {added:,} guesses after the {given:,} in the table are not the last secrets"
            )
        wanted = set(secrets)
        rows = [row for row, label in enumerate(guesses[:given]) if label in wanted]
        # Secrets have the order of the guesses that name them: the guess of row `rows[k]` names the
        # secret of column k.
        named = [row * len(secrets) + column for column, row in enumerate(rows)]
        cells = _read_cells(planes, given * len(secrets), len(labels), len(named))
        if any(cells[place] != len(labels) - 1 for place in named):
            raise InvalidGameError("a correct guess has another answer than the last in the table")
        weights = weights_from(header, len(secrets))
        return cls._make(guesses, secrets, labels, given, bytes(cells), weights, None)

    @classmethod
    def _identified(cls, header: dict[str, Any]) -> TableGame:
        asked, things, answers, planes, ends = header_values(
            header, tests=str, things=str, answers=str, table=bytes, outcomes=str
        )
        tests = labels_in(asked) if asked else ()
        labels, outcomes = labels_in(answers), labels_in(ends)
        known = labels_in(things, different=False)
        secrets = different_labels(known)
        check_size(len(tests), len(secrets))
        cells = _read_cells(planes, len(tests) * len(secrets), len(labels), 0)
        weights = weights_from(header, len(secrets))
        identification = identification_from(header, outcomes, len(tests), known)
        check_total(sum(weights or [1] * len(secrets)), identification.costs)
        guesses = (*tests, *outcomes)
        return cls._make(
            guesses, secrets, labels, len(tests), bytes(cells), weights, identification
        )

    def _parts(self) -> tuple[Any, ...]:
        cells = self.cells.obj
        lists = self.guesses, self.secrets, self.answers, self.given, cells
        return *lists, self.weights, self.identification

    def __repr__(self) -> str:
        return f"<TableGame {self.name}: {len(self.answers)} answers>"


def _read_cells(planes: bytes, size: int, answers: int, named: int) -> Row:
    """Return the numbers in the `size` cells of a table from a book's header, row by row.

    The last of the `answers` must occur `named` times. Raises InvalidGameError for invalid cells.
    """
    if not 1 < answers <= MAX_ANSWERS:
        raise InvalidGameError(f"{answers:,} answers are not 2 to {MAX_ANSWERS:,}")
    width = array(type_of(answers)).itemsize
    if len(planes) != size * width:
        raise InvalidGameError(f"the table has {len(planes):,} bytes, not {width} for each cell")
    _check_planes(planes, width, answers - 1, named)
    return from_planes(planes, size) if planes else planes


def _check_planes(planes: bytes, width: int, last: int, named: int) -> None:
    """Raise InvalidGameError if a number is above `last`, or `last` does not occur `named` times.

    `planes` has the numbers in the form that `from_planes` reads.
    """
    # All steps run in C, because a Python loop over the numbers would take seconds.
    size = len(planes) // width
    low, high = planes[:size], planes[size:]
    top, rest = divmod(last, 256)
    larger = high.translate(None, bytes(range(top + 1)))
    if high:
        # Only numbers with the greatest high byte can be `last` or larger.
        low = bytes(compress(low, high.translate(bytes([byte == top for byte in range(256)]))))
    if larger or not all_below(rest + 1, low):
        raise InvalidGameError(
            f"a number in the table belongs to no answer; they are 0 to {last:,}"
        )
    if low.count(rest) != named:
        raise InvalidGameError(
            f"the table has the last answer {low.count(rest):,} times; the correct guesses are {named:,}"
        )


def check_size(guesses: int, secrets: int) -> None:
    """Raise InvalidTableError if a table of this size has no secrets or would be too large."""
    if not secrets:
        raise InvalidTableError("no secrets; give at least one")
    if guesses > MAX_WORDS:
        raise InvalidTableError(f"too many guesses: {guesses:,}, limit {MAX_WORDS:,}")
    if guesses * secrets > MAX_PAIRS:
        raise InvalidTableError(
            f"table too large: {guesses:,} guesses (with one per secret) and {secrets:,} secrets are "
            f"{guesses * secrets:,} pairs, limit {MAX_PAIRS:,}"
        )
    # The rows and the table made from them need memory at the same time, hence the factor 2.
    needed, memory = 2 * guesses * secrets, physical_memory()
    if needed > memory:
        raise InvalidTableError(
            f"table too large for the memory: {guesses:,} guesses and {secrets:,} secrets need about "
            f"{needed / 2**30:.1f} GiB of {memory / 2**30:.1f} GiB; use fewer guesses or secrets"
        )
