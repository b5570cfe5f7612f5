"""Identification: the outcomes of things, the costs of tests, and things with unknown answers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from struct import pack, unpack
from typing import Any, NamedTuple

from guessbook.book.errors import InvalidGameError, InvalidTableError, quantity, quote
from guessbook.book.games.game import Identification
from guessbook.book.games.weights import Weight, exact, whole_numbers
from guessbook.book.games.words import MAX_WORDS

# Marks a cell whose answer is not known.
UNKNOWN = "?"
# Separates the possible answers in a cell.
EITHER = "|"
# Upper bound for costs in lowest terms, so that gains per cost can be compared in 128 bits.
MAX_COST = 1 << 31
# Upper bound for the total weight times the sum of all costs, so that the cost of every strategy
# fits into 64 bits.
MAX_TOTAL = 1 << 60
# The notation of the unit of costs in the header of a book, without an exponent: a large one could
# fill the memory.
UNIT = re.compile("[0-9]{1,40}(/[0-9]{1,40})?")
# At most this number of groups of equal things are listed in an error, or noted as merged.
LISTED = 20


def identification_header(found: Identification) -> dict[str, Any]:
    """Return the entries of a book's header that store outcomes and costs."""
    entries: dict[str, Any] = {
        "goal": "identify",
        "outcomes": "\n".join(found.outcomes),
        "outcome": pack(f"<{len(found.outcome_of)}I", *found.outcome_of),
    }
    if found.costs.count(1) < len(found.costs):
        entries["costs"] = pack(f"<{len(found.costs)}I", *found.costs)
    if found.unit != 1:
        entries["unit"] = str(found.unit)
    return entries


def identification_from(
    header: Mapping[str, Any], outcomes: tuple[str, ...], tests: int, things: tuple[str, ...]
) -> Identification:
    """Return the outcomes and costs in a book's header.

    Raises InvalidGameError for invalid entries.
    """
    numbers = _numbers(header, "outcome", len(things))
    if header.get("goal") != "identify" or {*numbers} != {*range(len(outcomes))}:
        raise InvalidGameError("the goal is not `identify`, or an outcome has no thing")
    costs = _numbers(header, "costs", tests) if "costs" in header else (1,) * tests
    text = header.get("unit", "1")
    try:
        plain = isinstance(text, str) and UNIT.fullmatch(text)
        unit = Fraction(text) if plain else Fraction(0)
    except ZeroDivisionError:
        unit = Fraction(0)
    limits = min(costs, default=1) < 1 or max(costs, default=1) >= MAX_COST
    if unit <= 0 or limits or math.gcd(*costs) > 1:
        raise InvalidGameError(
            "costs are not positive numbers in lowest terms with a positive unit"
        )
    return Identification(outcomes, numbers, costs, unit, things)


def _numbers(header: Mapping[str, Any], key: str, count: int) -> tuple[int, ...]:
    data = header.get(key)
    if not isinstance(data, bytes) or len(data) != 4 * count:
        raise InvalidGameError(f"{key} {quote(data)} in the header is not {4 * count:,} bytes")
    return unpack(f"<{count}I", data)


def lowest_costs(
    costs: Iterable[object] | None, tests: Sequence[str]
) -> tuple[tuple[int, ...], Fraction]:
    """Return the costs of tests as integers without a common divisor, and the unit of these integers.

    >>> lowest_costs(["0.5", 2, 1], ["look", "open", "measure"])
    ((1, 4, 2), Fraction(1, 2))

    Raises InvalidTableError for a wrong number of costs, a cost that is not a positive number, or
    an integer of 2**31 or more.
    """
    if costs is None:
        return (1,) * len(tests), Fraction(1)
    found = list(costs)
    if len(found) != len(tests):
        raise InvalidTableError(
            f"{quantity(len(found), 'cost')} for {quantity(len(tests), 'test')}; give one for each"
        )
    exactly = []
    for test, cost in zip(tests, found, strict=True):
        try:
            exactly.append(Fraction(exact(cost)))
        except InvalidGameError:
            raise InvalidTableError(
                f"the cost {quote(cost)} of {quote(test)} is not a positive number such as 5 or 0.25"
            ) from None
    lowest, common, scale = whole_numbers(exactly)
    if max(lowest, default=1) >= MAX_COST:
        raise InvalidTableError(
            f"costs too different: the largest is {max(lowest):,} in lowest terms, limit {MAX_COST - 1:,}; "
            "round the costs to fewer digits"
        )
    return lowest, Fraction(common, scale)


def check_total(weight: int, costs: Sequence[int]) -> None:
    """Raise InvalidTableError if the cost of a strategy might not fit into 64 bits."""
    if weight * sum(costs) >= MAX_TOTAL:
        raise InvalidTableError(
            "weights and costs too large for exact sums; round them to fewer digits"
        )


class Thing(NamedTuple):
    """A column of a table: a thing, or a copy of it without unknown answers."""

    label: str
    outcome: str
    weight: Weight
    answers: tuple[int, ...]


def possible_answers(
    labels: Sequence[str], row: Sequence[int], test: str
) -> dict[int, tuple[str, ...]]:
    """Map the number of each unknown answer in a row to the labels that it stands for.

    An unknown answer is `?`, which stands for every other answer in the row, or a list such as
    `a|b`. Raises InvalidTableError for an invalid list, or if all answers are unknown.
    """
    known: dict[str, None] = {}
    unknown: dict[int, tuple[str, ...]] = {}
    for number in sorted({*row}):
        parts = [part.strip() for part in labels[number].split(EITHER)]
        if parts == [UNKNOWN]:
            unknown[number] = ()
            continue
        if not all(parts) or UNKNOWN in parts:
            raise InvalidTableError(
                f"{quote(labels[number])} is neither an answer nor {UNKNOWN} nor answers such as a|b",
                places=((None, row.index(number)),),
            )
        if len(parts) > 1:
            unknown[number] = tuple(dict.fromkeys(parts))
        known.update(dict.fromkeys(parts))
    if not known:
        raise InvalidTableError(f"every answer to {quote(test)} is unknown; leave the test out")
    return {number: options or tuple(known) for number, options in unknown.items()}


def copies(
    things: Sequence[Thing], options: Sequence[Mapping[int, tuple[int, ...]]]
) -> list[Thing]:
    """Return a copy of each thing for each combination of its possible answers.

    The copies of a thing share its weight equally. `options` has the result of `possible_answers`
    for each test, with answers as numbers. Raises InvalidTableError if there would be more than
    1,000,000 copies.
    """
    numbers = [
        math.prod([len(of.get(n, "1")) for of, n in zip(options, thing.answers, strict=True)])
        for thing in things
    ]
    if sum(numbers) > MAX_WORDS:
        worst = sorted(zip(numbers, things, strict=True), key=lambda pair: -pair[0])[:3]
        some = ", ".join(
            [f"{quote(thing.label)} ({count:,})" for count, thing in worst if count > 1]
        )
        raise InvalidTableError(
            f"too many combinations of unknown answers: {sum(numbers):,}, limit {MAX_WORDS:,}; "
            f"write more answers of {some}"
        )
    found = []
    for count, thing in zip(numbers, things, strict=True):
        if count == 1:
            alone = tuple(
                [of[n][0] if n in of else n for of, n in zip(options, thing.answers, strict=True)]
            )
            found.append(thing._replace(answers=alone))
            continue
        choices = [of.get(n, (n,)) for of, n in zip(options, thing.answers, strict=True)]
        share = Fraction(thing.weight) / count
        found += [thing._replace(weight=share, answers=answers) for answers in product(*choices)]
    return found


def merge_equal(
    things: Sequence[Thing], merge_outcomes: bool, unknown: bool
) -> tuple[list[Thing], list[str]]:
    """Merge things with equal answers, and add their weights.

    Things with equal answers and different outcomes cannot be told apart. If `merge_outcomes` is
    true, they get one outcome, such as `a or b`; otherwise InvalidTableError is raised. Return the
    things, and a note for each merger, up to 20. `unknown` says whether the table has unknown
    answers, which may make things equal.
    """
    groups: dict[tuple[int, ...], list[Thing]] = {}
    for thing in things:
        groups.setdefault(thing.answers, []).append(thing)
    apart = [group for group in groups.values() if len({thing.outcome for thing in group}) > 1]
    if apart and not merge_outcomes:
        # Several copies of two things may be equal, but the error names the two things only once.
        named = list(dict.fromkeys([_either([t.label for t in group]) for group in apart]))
        listed = "; ".join(named[:LISTED])
        more = f"; and {len(named) - LISTED:,} more" if len(named) > LISTED else ""
        raise InvalidTableError(
            f"some things {'may ' * unknown}have equal answers to every test but different outcomes "
            f"({listed}{more}){', since some answers are unknown' * unknown}; add "
            "a test that tells them apart, or --merge-equal (merge_equal=True) to treat each group as one outcome"
        )
    joined = {thing.outcome: [thing.outcome] for thing in things}
    order = {outcome: number for number, outcome in enumerate(joined)}
    merged = []
    notes: dict[str, None] = {}
    for group in groups.values():
        first = group[0]
        outcomes = sorted({thing.outcome for thing in group}, key=order.__getitem__)
        outcome = text = _either(outcomes)
        number = 1
        # Different outcomes need different names, even if these are shortened.
        while joined.setdefault(outcome, outcomes) != outcomes:
            number += 1
            outcome = f"{text} ({number})"
        if len(group) > 1:
            label = _either([thing.label for thing in group])
            weight = sum([Fraction(thing.weight) for thing in group])
            first = Thing(label, outcome, weight, first.answers)
            notes.setdefault(label)
        merged.append(first._replace(outcome=outcome))
    return merged, [f"merged, since their answers are equal: {note}" for note in [*notes][:LISTED]]


def _either(labels: Iterable[str]) -> str:
    """Join different labels, as in `a or b`; a long result is shortened, as in `a or 9 others`."""
    names = list(dict.fromkeys(labels))
    text = " or ".join(names)
    return text if len(text) <= 100 else f"{names[0][:60]} or {quantity(len(names) - 1, 'other')}"


def different_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels, with a number added to each label that occurs more than once.

    The copies of a thing have equal labels.

    >>> different_labels(["rust", "dirt", "rust"])
    ('rust #1', 'dirt', 'rust #2')
    """
    if len({*labels}) == len(labels):
        return tuple(labels)
    counts = Counter(labels)
    last: dict[str, int] = {}
    found = []
    for label in labels:
        if counts[label] == 1:
            found.append(label)
            continue
        number = last.get(label, 0) + 1
        # Another thing may already have this label.
        while f"{label} #{number}" in counts:
            number += 1
        last[label] = number
        found.append(f"{label} #{number}")
    return tuple(found)
