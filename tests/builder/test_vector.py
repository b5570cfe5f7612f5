"""The vector instructions of the kernels against plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.builder.kernels.jit import kernel
from guessbook.builder.kernels.vector import (
    add_three,
    add_two,
    equal_64,
    lowest_one,
    popcount,
    seen_narrow,
    seen_wide,
)


@kernel
def sums(array: Any) -> None:
    """Rows of 32: the third becomes the sum of the first two, the fourth of the first three."""
    add_two(array, 0, 32, 64, 32)
    add_three(array, 0, 32, 64, 96, 32)


@kernel
def words(array: Any, value: int, out: Any) -> None:
    """One result of each instruction that gives a word."""
    out[0] = seen_narrow(array, 0, 32, 64, 32)
    out[1] = seen_wide(array, 192, 224, 256, 32)
    out[2] = equal_64(array, 1, value)


@kernel
def bits(word: Any, out: Any) -> None:
    """The number of ones, and the place of the lowest."""
    out[0] = popcount(word)
    out[1] = lowest_one(word)


@settings(deadline=None)
@given(st.binary(min_size=64, max_size=64))
def test_sums_of_rows(data: bytes) -> None:
    """The bytes of rows are added lane by lane, modulo 256, and nothing else is written."""
    array = np.zeros(144, np.uint8)
    array[:64] = list(data)
    sums(array)
    pairs = [(a + b) % 256 for a, b in zip(data[:32], data[32:], strict=True)]
    triples = [2 * total % 256 for total in pairs]
    assert array.tolist() == [*data, *pairs, *triples, *[0] * 16]


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 10), min_size=192, max_size=192),
    st.lists(st.integers(0, 21), min_size=192, max_size=192),
    st.integers(0, 10),
)
def test_sets_of_sums_and_places_of_a_value(low: list[int], high: list[int], value: int) -> None:
    """Bit s is set exactly if s is a sum; bit i exactly if byte i has the value."""
    out = np.zeros(3, np.uint64)
    words(np.array(low + high, np.uint8), value, out)

    def seen(rows: list[int]) -> int:
        return sum(1 << s for s in {sum(rows[i:96:32]) for i in range(32)})

    expected = [seen(low), seen(high)]
    places = sum(1 << i for i in range(64) if low[1 + i] == value)
    assert out.tolist() == [*expected, places]


@settings(deadline=None)
@given(st.integers(1, (1 << 64) - 1))
def test_ones_of_a_word(word: int) -> None:
    """The ones are counted and the lowest is found, in all 64 bits."""
    out = np.zeros(2, np.int64)
    bits(np.uint64(word), out)
    assert out.tolist() == [word.bit_count(), (word & -word).bit_length() - 1]
