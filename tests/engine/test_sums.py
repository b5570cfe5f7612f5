"""Games whose feedbacks are sums of parts, and functions for all games, against definitions."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.calls import (
    RULES,
    VARIANTS,
    Caller,
    Rule,
    Sums,
    best_pairs,
    distinct,
    split_nodes,
    starts_of,
)

rules = st.sampled_from(sorted(RULES))
LANES = {"B": 1 << 8, "H": 1 << 16, "I": 1 << 32}


def weights_of(cells: list[Any], weights: list[int]) -> Counter[Any]:
    """Return the weight of each cell; `cells` has the cell of each candidate."""
    found = Counter[Any]()
    for cell, weight in zip(cells, weights, strict=True):
        found[cell] += weight
    return found


class Sample(NamedTuple):
    """A game as sums: guess k has the parts `parts[k]`, or [-1 - s, ...] if it names secret s."""

    sums: list[list[int]]
    parts: list[list[int]]
    homes: list[int]
    weights: list[int]
    feedbacks: int

    def feedback(self, guess: int, secret: int) -> int:
        first = self.parts[guess][0]
        if first < 0:
            return self.feedbacks - 1 - (-1 - first != secret)
        return sum(self.sums[part][secret] for part in self.parts[guess])

    def score(self, rule: Rule, guess: int, candidates: list[int]) -> int:
        weights = [self.weights[secret] for secret in candidates]
        cells = weights_of([self.feedback(guess, secret) for secret in candidates], weights)
        own = sum(self.weights[secret] for secret in candidates if self.homes[secret] == guess)
        return rule.score(cells.values()) + rule.credit * own


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Draw a game whose guesses have equally many parts; some guesses only name a secret."""
    secrets, parts, width = (draw(st.integers(1, most)) for most in (9, 6, 3))
    high = draw(st.sampled_from([2, 60, 20_000, 70_000]))
    row = st.lists(st.integers(0, high), min_size=secrets, max_size=secrets)
    sums = [draw(row) for _ in range(parts)]
    one = st.lists(st.integers(0, parts - 1), min_size=width, max_size=width)
    guesses = [draw(one) for _ in range(secrets + draw(st.integers(0, 4)))]
    homes = sorted(draw(st.permutations(range(len(guesses))))[:secrets])
    for secret, home in enumerate(homes):
        if draw(st.booleans()):
            guesses[home] = [-1 - secret] + [0] * (width - 1)
    weights = draw(st.lists(st.integers(1, 50), min_size=secrets, max_size=secrets))
    most = max(sum(max(sums[max(part, 0)]) for part in guess) for guess in guesses)
    # Two numbers above the sums are for guesses that name a secret.
    return Sample(sums, guesses, homes, weights, most + 3)


@given(samples(), rules, st.sampled_from([0, 1, 1 << 20]), st.sampled_from(VARIANTS), st.data())
def test_guess_and_scores_of_sums_match_the_definition(
    sample: Sample, name: str, credit: int, variant: int, data: st.DataObject
) -> None:
    rule = RULES[name]._replace(credit=credit)
    high = max(map(max, sample.sums))
    lane = data.draw(st.sampled_from([lane for lane, limit in LANES.items() if high < limit]))
    search = Sums(*sample, rule, lane, variant)
    every = range(len(sample.weights))
    candidates = sorted(data.draw(st.sets(st.sampled_from(every), min_size=1)))
    expected = [sample.score(rule, guess, candidates) for guess in range(len(sample.parts))]
    guesses = sorted(data.draw(st.sets(st.sampled_from(range(len(expected))))))
    assert search.scores(candidates, guesses) == [expected[guess] for guess in guesses]
    own = {sample.homes[secret] for secret in candidates}
    best = max(range(len(expected)), key=lambda guess: (expected[guess], guess in own, -guess))
    assert search.guess(candidates) == (best if len(candidates) > 1 else min(own))
    sums = [
        sum(max(sample.sums[part]) for part in guess) for guess in sample.parts if guess[0] >= 0
    ]
    assert search.told() == max([0, *sums])


def test_wrong_indices_of_parts_and_homes_are_detected() -> None:
    sample = Sample([[0, 4], [1, 2], [0, 1]], [[0], [1], [2]], [0, 1], [1, 1], 5)
    for change, told in (
        ({}, 4),
        ({"parts": [[0], [1], [3]]}, -2),
        ({"parts": [[0], [-3], [1]]}, -2),
        ({"homes": [0, 3]}, -2),
        ({"homes": [1, 1]}, -2),
    ):
        search = Sums(*sample._replace(**change), RULES["cells"])
        assert search.told() == told


def test_costs_near_the_limit_of_64_bits_are_exact() -> None:
    count, bits = 1 << 10, 44
    logarithms = Rule(lambda n: n * int(math.log2(n) * (1 << bits)))
    # Guess 0 tells nothing; guess k + 1 names secret k. All secrets in one cell cost 15 * 2**59.
    parts = [[0], *([-1 - secret] for secret in range(count))]
    homes, weights = list(range(1, count + 1)), [32] * count
    search = Sums([[0] * count], parts, homes, weights, 3, logarithms, "B")
    every, cost = list(range(count)), logarithms.cost(32 * count)
    assert cost - count * logarithms.cost(32) > 1 << 62
    assert search.scores(every, [0])[0] == -cost
    assert search.guess(every) == 1


nodes_of_answers = st.integers(1, 300).flatmap(
    lambda feedbacks: st.tuples(
        st.lists(st.lists(st.integers(0, feedbacks - 1), max_size=30), max_size=4),
        st.just(feedbacks),
    )
)


@given(nodes_of_answers)
def test_nodes_are_split_into_children_without_the_solved_candidate(
    sample: tuple[list[list[int]], int],
) -> None:
    answers, feedbacks = sample
    starts, expected = starts_of(answers), []
    nodes = [
        [1000 + start + k for k in range(len(node))]
        for start, node in zip(starts, answers, strict=False)
    ]
    for node, told in zip(nodes, answers, strict=True):
        cells: dict[int, list[int]] = {}
        for candidate, answer in zip(node, told, strict=True):
            cells.setdefault(answer, []).append(candidate)
        cells.pop(feedbacks - 1, None)
        expected.append(sorted(cells.items()))
    assert split_nodes(nodes, [f for node in answers for f in node], feedbacks) == expected


@given(st.data(), st.integers(1, 8), st.integers(1, 6))
def test_guesses_with_equal_partitions_and_weights_are_kept_once(
    data: st.DataObject, n: int, feedbacks: int
) -> None:
    row = st.lists(st.integers(0, feedbacks - 1), min_size=n, max_size=n)
    calls = data.draw(st.lists(st.lists(row, max_size=6), max_size=3))
    weight = st.lists(st.integers(1, 2), min_size=n, max_size=n)
    weights, width = data.draw(st.just([0] * n) | weight), data.draw(st.integers(1, 5))
    known, kept = [], []
    for guess, answers in enumerate(answers for rows in calls for answers in rows):
        own = [w for w, answer in zip(weights, answers, strict=True) if answer == feedbacks - 1]
        partition = [answers.index(answer) for answer in answers], (own or [0])[-1]
        if partition not in known:
            known.append(partition)
            kept.append(guess)
    assert distinct(calls, width, feedbacks, weights) == kept[:width]


@given(st.data(), st.integers(1, 12))
def test_best_pairs_are_the_cheapest_of_all(data: st.DataObject, n: int) -> None:
    row = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    rows = data.draw(st.lists(row, min_size=2, max_size=8))
    firsts = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
    weights = data.draw(st.lists(st.sampled_from([1, 2, 3_000]), min_size=n, max_size=n))
    rule, count, expected = RULES["logarithms"], data.draw(st.integers(1, 6)), []
    for b in range(len(rows)):
        for a in range(b):
            cells = weights_of(list(zip(rows[a], rows[b], strict=True)), weights)
            if {a, b} & firsts:
                expected.append((-rule.score(cells.values()), a, b))
    assert best_pairs(rows, firsts, rule, count, weights, 0) == sorted(expected)[:count]


numbers = st.lists(st.integers(0, 255), max_size=9)


@given(numbers, st.integers(0, 256), st.sampled_from("BHI"))
def test_first_index_beyond_a_limit_is_found(values: list[int], limit: int, lane: str) -> None:
    caller = Caller()
    array = caller.give(lane, values)
    found = caller.call("first_beyond", array, len(values), array.itemsize, limit)
    assert found == next((k for k, value in enumerate(values) if value >= limit), len(values))


@given(st.lists(st.integers(-1, 6), min_size=1, max_size=6), st.integers(0, 2), st.integers(0, 3))
def test_first_wrong_node_is_found(starts: list[int], least: int, most: int) -> None:
    caller, sizes = Caller(), np.diff(starts).tolist()
    found = caller.call("first_wrong_node", caller.give("q", starts), len(sizes), least, most)
    wrong = [
        start < 0 or size < 0 or not least <= size <= most
        for start, size in zip(starts, sizes, strict=False)
    ]
    assert found == [*wrong, True].index(True)


def test_search_of_sums_and_pairs_ends_when_the_stop_flag_is_set() -> None:
    sample = Sample([[0, 1, 1], [0, 1, 2]], [[0], [1], [0]], [0, 1, 2], [1, 1, 1], 3)
    search, flag = Sums(*sample, RULES["cells"]), np.ones(1, np.int32)
    search.stop = flag.ctypes.data
    for question in (
        lambda: search.guess([0, 1, 2]),
        lambda: search.scores([0, 1, 2], [0]),
        lambda: best_pairs(sample.sums, {0}, RULES["cells"], 1, [1] * 3, flag.ctypes.data),
    ):
        with pytest.raises(KeyboardInterrupt):
            question()


def test_too_little_memory_for_the_cells_raises_an_error() -> None:
    with pytest.raises(MemoryError):
        Sums([[0]], [[0]], [0], [1], 1 << 45, RULES["cells"])
    with pytest.raises(MemoryError):
        Caller().make("set_table_new", 1 << 45)
