"""Functions that check a table of answers from a caller, and convert its answers to numbers."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from re import fullmatch
from typing import Literal, TypeAlias

from guessbook.book.errors import InvalidGameError, InvalidTableError, quote
from guessbook.book.games.labels import label_of
from guessbook.book.games.vocabulary import MAX_WORDS

# The answers from a caller: one row for each guess, with an answer for each secret.
Rows = Iterable[Iterable[object]]
# The answers to one guess: for each secret, the number of its answer.
Row: TypeAlias = "bytes | array[int]"

# Upper bound for the different answers of a game, because the number of an answer has at most two bytes.
MAX_ANSWERS = 1 << 16

# A game may add guesses that name a secret. The answer to such a guess is FOUND for this secret, MISSED for others.
FOUND, MISSED = "found", "no"
FOUND_ONCE = "expected one answer to all correct guesses, and other answers to wrong guesses"


def type_of(answers: int) -> Literal["B", "H"]:
    """Return the typecode of an array that can hold the answer numbers 0 to `answers - 1`."""
    return "B" if answers <= 1 << 8 else "H"


def make_table(
    rows: Rows, asked: dict[str, int], wanted: dict[str, int], order: Sequence[str]
) -> tuple[bytes, tuple[str, ...]]:
    """Return the numbers of all answers as bytes, row by row, and the label of each number.

    A number has 1 byte, or 2 bytes if there are more than 256 different answers. `asked` maps each guess to its row in
    `rows`, and `wanted` maps each secret to its column. `order` has the secrets in the order of the resulting columns.
    """
    found, labels = _number_rows(rows, list(asked), list(wanted))
    last = _last(found, labels, asked, wanted)
    added = [wanted[label] for label in order if label not in asked]
    _check_apart(found, added, list(wanted))
    answers = _order_answers(labels, last, bool(added))
    places = {label: number for number, label in enumerate(answers)}
    numbers = [places[label] for label in labels]
    columns = [wanted[label] for label in order]
    moved = columns != sorted(columns)
    table = bytes(numbers).ljust(256) if len(answers) <= 1 << 8 else b""
    # Rows are converted one by one in place, because all rows together may occupy half of the memory.
    for k, row in enumerate(found):
        if moved:
            row = as_row([row[column] for column in columns], len(labels))
        found[k] = bytes(row).translate(table) if table else array("H", [numbers[n] for n in row])
    return b"".join(found), answers


def as_row(numbers: list[int], answers: int) -> Row:
    """Return the numbers of a row as bytes, or as an array of 2-byte numbers if there are more than 256 answers."""
    return bytes(numbers) if answers <= 1 << 8 else array("H", numbers)


def list_values(values: Iterable[object], kind: str) -> list[object]:
    """Return the values as a list; `kind` is "guesses" or "secrets".

    Raises InvalidTableError for more than 1,000,000 values, or for values without a fixed order, such as a set.
    """
    _check_list(values, f"a list of {kind} in a fixed order")
    found = list(islice(values, MAX_WORDS + 1))
    if len(found) > MAX_WORDS:
        raise InvalidTableError(f"found more than {MAX_WORDS:,} {kind}; take fewer")
    return found


def _check_list(values: object, expected: str) -> None:
    if not isinstance(values, (set, frozenset, dict)):
        # A numpy array without dimensions has the method `__iter__`, but this method raises TypeError.
        with suppress(TypeError):
            iter(values)  # type: ignore[call-overload]
            return
    raise InvalidTableError(f"found {quote(values)}, expected {expected}")


def check_spelling(asked: dict[str, int], wanted: dict[str, int]) -> None:
    """Raise InvalidTableError if a guess and a secret differ only in capitals, and no guess equals the secret."""
    unnamed = {label.casefold(): label for label in wanted if label not in asked}
    for label, number in asked.items():
        secret = unnamed.get(label.casefold())
        if secret is not None and label not in wanted:
            reason = f"found the guess {quote(label)} and the secret {quote(secret)}"
            where = f"guess {number + 1}"
            places = (number, None), (None, wanted[secret])
            raise _at(f"{reason}, expected one spelling", where, *places)


def labels_of(values: Sequence[object], kind: str) -> dict[str, int]:
    """Return a map from the label of each value to the index of the value; `kind` is "guess" or "secret".

    Raises InvalidTableError if a value has no label, or a label occurs twice.
    """
    labels: dict[str, int] = {}
    for number, value in enumerate(values):
        found = [number]
        try:
            label = label_of(value)
            if label in labels:
                found.append(labels[label])
                raise InvalidTableError(f"found {quote(label)} twice, expected each {kind} once")
        except InvalidTableError as error:
            places = [(n, None) if kind == "guess" else (None, n) for n in found]
            raise _at(error.reason, f"{kind} {number + 1}", *places) from None
        labels[label] = number
    return labels


def _at(reason: str, where: str, *places: tuple[int | None, int | None]) -> InvalidTableError:
    return InvalidTableError(reason, f"{where}: {reason}", places)


class Numbers(dict[object, int]):
    """A map from the answers in a caller's table to their numbers. An answer with a new label gets the next number."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: dict[str, int] = {}
        self._folded: dict[str, str] = {}

    def label(self, value: object) -> str:
        """Return the label of an answer. Raises InvalidTableError if the answer has no label, or is `?`."""
        label = label_of(value)
        if label == "?":
            raise InvalidTableError(
                "found '?', expected the answer that this secret gives; if it may give several "
                "answers, split it into several secrets, one for each answer"
            )
        return label

    def __missing__(self, value: object) -> int:
        label = self.label(value)
        if label not in self.labels and len(self.labels) == MAX_ANSWERS:
            raise InvalidTableError(f"found more than {MAX_ANSWERS:,} different answers; use fewer")
        other = self._folded.setdefault(label.casefold(), label)
        if other != label:
            raise InvalidTableError(
                f"found {quote(label)}, and {quote(other)} elsewhere, expected one spelling of an answer"
            )
        number = self.labels.setdefault(label, len(self.labels))
        # The cache is limited, because extra blanks allow millions of spellings of a label.
        if len(self) < 2 * MAX_ANSWERS:
            self[value] = number
        return number


def _number_rows(rows: Rows, guesses: list[str], secrets: list[str]) -> tuple[list[Row], list[str]]:
    """Return the rows with numbers in place of answers, and the labels of the answers in the order of their numbers."""
    _check_list(rows, "a function, or a list with a row of answers for each guess")
    known = Numbers()
    found: list[Row] = []
    for number, row in enumerate(rows):
        if number == len(guesses):
            raise InvalidTableError(
                f"found more than {number:,} rows, expected {number:,}, one for each guess"
            )
        where = f"guess {quote(guesses[number])}"
        try:
            _check_list(row, "a row of answers")
        except InvalidTableError as error:
            raise _at(error.reason, where, (number, None)) from None
        values = row.tolist() if hasattr(row, "tolist") else list(row)
        if len(values) != len(secrets):
            reason = f"found {len(values):,} answers, expected one for each of {len(secrets):,}"
            raise _at(f"{reason} secrets", where, (number, None))
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
            f"found {len(found):,} rows, expected one for each of the {len(guesses):,} guesses"
        )
    return found, list(known.labels)


def _distinct_values(values: list[object]) -> list[object]:
    """Return the values, or their labels if equal values, such as 1 and True, may have different labels."""
    kinds = {*map(type, values)}
    if kinds <= {str, int, tuple}:
        return values
    if kinds == {bool}:
        return list(map([label_of(False), label_of(True)].__getitem__, values))  # type: ignore[arg-type]
    return [label_of(value) for value in values]


def _last(
    rows: list[Row], labels: list[str], asked: dict[str, int], wanted: dict[str, int]
) -> int | None:
    """Return the number of the answer to correct guesses; None if no guess has the label of a secret."""
    named = [label for label in asked if label in wanted]
    if not named:
        if FOUND in labels:
            reason = f"found the answer {FOUND!r}, but no guess that names a secret"
            raise InvalidTableError(f"{reason}; use another word for this answer")
        return None
    first = asked[named[0]], wanted[named[0]]
    found = rows[first[0]][first[1]]
    for label in named:
        place = asked[label], wanted[label]
        answer = rows[place[0]][place[1]]
        if answer != found:
            raise _at(
                f"found the answer {quote(labels[answer])} to the correct guess {quote(label)}, but "
                f"{quote(labels[found])} to the correct guess {quote(named[0])}; {FOUND_ONCE}",
                f"guess {quote(label)}, secret {quote(label)}",
                place,
                first,
            )
    for (label, number), row in zip(asked.items(), rows, strict=True):
        if row.count(found) > (label in wanted):
            secret = next(s for s, column in wanted.items() if row[column] == found and s != label)
            raise _at(
                f"found the answer {quote(labels[found])} to a wrong guess, but the correct guess "
                f"{quote(named[0])} also has this answer; {FOUND_ONCE}",
                f"guess {quote(label)}, secret {quote(secret)}",
                (number, wanted[secret]),
                first,
            )
    return found


def _check_apart(rows: list[Row], columns: list[int], secrets: list[str]) -> None:
    """Raise InvalidTableError if two of the secrets in these `columns` have equal answers to every guess."""
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
            f"found equal answers of {secrets[first]!r} and {secrets[second]!r} to every guess, "
            "expected different answers to some guess; correct an answer, or merge the two secrets",
            "secrets",
            (None, first),
            (None, second),
        )


def _order_answers(labels: list[str], found: int | None, added: bool) -> tuple[str, ...]:
    """Return the labels of all answers, ordered by number, with "no" if the game added guesses or needs it."""
    last = FOUND if found is None else labels[found]
    # A tree needs at least one answer that does not mean "found".
    missed = [MISSED] if added or not {*labels} - {last} else []
    if last in missed:
        raise InvalidTableError(
            f"found the answer {MISSED!r} to a correct guess, but Guessbook uses {MISSED!r} for a wrong "
            "guess; use another word for this answer"
        )
    answers = (*sorted({*labels} - {last, *missed}, key=_rank), *missed, last)
    if len(answers) > MAX_ANSWERS:
        raise InvalidTableError(
            f"found {len(answers):,} answers (including the answers to added guesses), expected at most {MAX_ANSWERS:,}"
        )
    return answers


def _rank(label: str) -> tuple[bool, int, str]:
    """Return the sort key of an answer's label: integers ascending, then texts."""
    number = fullmatch("-?[0-9]+", label)
    return not number, int(label) if number else 0, label


def low_first(width: int) -> Iterable[int]:
    """Return the offset of each byte of a number in memory, the lowest byte first. The number has `width` bytes."""
    return range(width) if sys.byteorder == "little" else reversed(range(width))


def from_planes(planes: bytes, width: int) -> bytes:
    """Return numbers of `width` bytes in this machine's byte order; `planes` has all low bytes, then all high bytes."""
    if width == 1:
        return planes
    cells = bytearray(len(planes))
    half = len(planes) // width
    for plane, k in enumerate(low_first(width)):
        cells[k::width] = planes[plane * half : (plane + 1) * half]
    return bytes(cells)


def check_planes(planes: bytes, width: int, found: int, named: list[int]) -> None:
    """Check the answer numbers in a table, given as `planes` and `width` in the form that `from_planes` reads.

    `found` is the largest answer number. It must occur exactly at the indices in the table that `named` lists. Raises
    InvalidGameError if it does not, or if a number in the table is larger.
    """
    size = len(planes) // width
    top, last = divmod(found, 256)
    low, high = planes[:size], planes[size:]
    # All steps below run in C, because a Python loop over the numbers would take seconds.
    if width == 1:
        wrong = bool(low.translate(None, bytes(range(last + 1))))
        times = low.count(last)
    else:
        tops = _bits(high, [top])
        above = _bits(high, range(top + 1, 256)) | tops & _bits(low, range(last + 1, 256))
        wrong = bool(above)
        times = (tops & _bits(low, [last])).bit_count()
    if wrong:
        raise InvalidGameError(
            f"found a number in the table that belongs to no answer, expected 0 to {found:,}"
        )
    places = all(low[k] == last and (width == 1 or high[k] == top) for k in named)
    if times != len(named) or not places:
        where = (
            f"found the last answer {times:,} times"
            if places
            else "found another answer to a correct guess"
        )
        raise InvalidGameError(
            f"{where}, expected the last answer only to the {len(named):,} correct guesses"
        )


def _bits(plane: bytes, values: Iterable[int]) -> int:
    """Return an integer: bit 8 * k is set if byte k of `plane` is one of `values`."""
    marks = bytearray(256)
    for value in values:
        marks[value] = 1
    return int.from_bytes(plane.translate(marks), "little")
