"""The vector instructions of the kernels against plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from guessbook.builder.compiler.jit import (
    Native,
    alike,
    at_least,
    lowest_one,
    popcount,
    split_sum,
    sum_rows,
    tally,
)
from guessbook.builder.compiler.machine import LANES
from hypothesis import given, settings
from hypothesis import strategies as st

HEIGHT, WIDTH = 6, 3


@Native
def sums(rows: Any, places: Any, count: int, out: Any) -> None:
    """All sums of `WIDTH` rows, from the second row on."""
    for of in range(count):
        sum_rows(rows, LANES, places, of, WIDTH, out, of * LANES)


@Native
def tallies(rows: Any, places: Any, starts: Any, first: int, last: int, out: Any) -> None:
    """`tally`, with the starts from the second on."""
    tally(rows, LANES, places, WIDTH, starts, 1, first, last, out)


@Native
def words(rows: Any, most: Any, needed: int, out: Any, found: Any) -> None:
    """The lesser of each byte and its row's most, added up; and the lanes that reach so much."""
    split_sum(rows, HEIGHT, most, out, LANES)
    found[0] = at_least(out, LANES, needed)


@Native
def bits(word: Any, out: Any) -> None:
    """The number of ones, and the place of the lowest."""
    out[0] = popcount(word[0])
    out[1] = lowest_one(word[0])


@Native
def equal_bytes(array: Any, first: int, second: int, count: int, out: Any) -> None:
    """How many bytes are the same."""
    out[0] = alike(array, first, second, count)


def table(data: st.DataObject, most: int) -> Any:
    """Some rows of random bytes, the first two of them not to be used."""
    numbers = st.lists(st.integers(0, most), min_size=LANES, max_size=LANES)
    return np.array([data.draw(numbers) for _ in range(HEIGHT + 1)], np.uint8)


def chosen(data: st.DataObject, count: int) -> Any:
    """For each of so many sums, which rows it is of."""
    one = st.lists(st.integers(0, HEIGHT - 1), min_size=WIDTH, max_size=WIDTH)
    return np.array([data.draw(one) for _ in range(count)], np.int32).reshape(-1, WIDTH)


@settings(deadline=None, max_examples=30)
@given(st.data(), st.integers(0, 4))
def test_sums_of_rows(data: st.DataObject, count: int) -> None:
    """The bytes of rows are added lane by lane, modulo 256, and nothing else is written."""
    rows, places = table(data, 255), chosen(data, count)
    out = np.full((count + 1, LANES), 7, np.uint8)
    sums(rows, places * np.int32(LANES), count, out)
    expected = rows[1:][places].sum(axis=1, dtype=np.uint8)
    assert out.tolist() == [*expected.tolist(), [7] * LANES]


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(0, 15), st.integers(0, 3))
def test_tallies_of_sums(data: st.DataObject, first: int, more: int) -> None:
    """The sums of each class are counted value by value; empty classes have no rows."""
    last = min(first + more, 15)
    sizes = [data.draw(st.integers(0, 6)) for _ in range(first, last + 1)]
    starts = np.zeros(20, np.int64)
    starts[1 + first : 3 + last] = np.cumsum([0, *sizes])
    rows = table(data, max(1, first // WIDTH))
    places = chosen(data, sum(sizes))
    expected = []
    for t, size in zip(range(first, last + 1), sizes, strict=True):
        of = places[starts[1 + t] : starts[2 + t]]
        totals = rows[1:][of].sum(axis=1)
        # Rows that sum up to more than their class allows are not counted anywhere.
        counted = [(totals == v).sum(axis=0) for v in range(1, t + 1)]
        if size:
            expected += [size - sum(counted, np.zeros(LANES, np.int64)), *counted]
    out = np.full((len(expected) + 1, LANES), 7, np.uint8)
    tallies(rows, places * np.int32(LANES), starts, first, last, out)
    assert out.tolist() == [*map(list, expected), [7] * LANES]


@settings(deadline=None, max_examples=30)
@given(st.data(), st.integers(0, 60))
def test_sums_of_splits(data: st.DataObject, needed: int) -> None:
    """Each byte counts up to the most of its row; a bit is set where the sum is large enough."""
    rows = table(data, 12)[:HEIGHT]
    most = np.array([data.draw(st.integers(0, 15)) for _ in range(HEIGHT)], np.uint8)
    out, found = np.full(3 * LANES, 7, np.uint8), np.zeros(1, np.uint64)
    words(rows, most, needed, out, found)
    expected = np.minimum(rows, most[:, None]).sum(axis=0)
    assert out.tolist() == [7] * LANES + expected.tolist() + [7] * LANES
    assert int(found[0]) == sum(1 << k for k, total in enumerate(expected) if total >= needed)


@settings(deadline=None)
@given(st.integers(1, (1 << 64) - 1))
def test_ones_of_a_word(word: int) -> None:
    """The ones are counted and the lowest is found, in all 64 bits."""
    out = np.zeros(2, np.int64)
    bits(np.array([word], np.uint64), out)
    assert out.tolist() == [word.bit_count(), (word & -word).bit_length() - 1]


@settings(deadline=None)
@given(st.lists(st.integers(0, 127), min_size=16, max_size=16), st.integers(1, 8))
def test_bytes_that_are_alike(symbols: list[int], count: int) -> None:
    """Those at two places are compared, and none behind them."""
    out = np.zeros(1, np.int64)
    for other in (symbols, [symbols[0], *symbols[:3], *symbols[4:]]):
        equal_bytes(np.array(symbols[:8] + other[:8], np.uint8), 0, 8, count, out)
        assert out[0] == sum(a == b for a, b in zip(symbols[:count], other, strict=False))
