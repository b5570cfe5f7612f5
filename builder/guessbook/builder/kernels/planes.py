"""Bit planes: the blacks of many candidates, 64 to a word, and the sizes of the cells.

A row holds a bit for each candidate that has a symbol at a position; three planes of words count
the blacks so far in binary. The candidates are sorted by their total of black and white, each class
from a new word on, so that the cells of a class are told by its blacks alone.

Counted, for 64 candidates at once: five instructions add a position, and the cells of a class take
a popcount if its total is 1, three if it is 2 or 3, seven beyond, instead of 64 feedbacks.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.kernels.arrangements import CHOICES
from guessbook.builder.kernels.arrays import Array
from guessbook.builder.kernels.jit import part
from guessbook.builder.kernels.vector import popcount

# The rows of the working array `scratch`: for each total of black and white the size of its class
# and its first word, the sizes of the cells, and for `sort_into_rows` the place of each symbol
# among the choices and where the next candidate of each total goes.
SIZE, START, CELLS, PLACE, FOLLOWING, TERMS = range(6)


@part
def sort_into_rows(
    digits: Array, totals: Array, state: Array, choices: int, rows: Array, scratch: Array
) -> None:
    """Set rows[p * pegs + k] to the candidates with choice k at p, sorted by their total."""
    n, pegs = digits.shape
    for c in range(scratch.shape[1]):
        scratch[PLACE, c] = -1
    for k in range(choices):
        scratch[PLACE, state[CHOICES + k]] = k
    for r in range(pegs * pegs):
        for w in range(scratch[START, pegs + 1]):
            rows[r, w] = 0
    for t in range(pegs + 1):
        scratch[FOLLOWING, t] = scratch[START, t] * 64
    for s in range(n):
        t = totals[pegs, s]
        if t == 0:
            continue
        at = scratch[FOLLOWING, t]
        scratch[FOLLOWING, t] = at + 1
        word = at >> 6
        bit = np.uint64(1) << np.uint64(at & 63)
        for p in range(pegs):
            k = scratch[PLACE, digits[s, p]]
            if k >= 0:
                rows[p * pegs + k, word] |= bit


@part
def add_position(planes: Array, p: int, rows: Array, row: int, words: int) -> None:
    """Planes of the blacks up to position p: those before p plus the matches there."""
    after = np.uint64(p * 3)
    if p == 0:
        for w in range(words):
            planes[after, w] = rows[row, w]
            planes[after + np.uint64(1), w] = np.uint64(0)
            planes[after + np.uint64(2), w] = np.uint64(0)
        return
    before = np.uint64(p * 3 - 3)
    for w in range(words):
        match = rows[row, w]
        ones = planes[before, w]
        twos = planes[before + np.uint64(1), w]
        carry = ones & match
        planes[after, w] = ones ^ match
        planes[after + np.uint64(1), w] = twos ^ carry
        planes[after + np.uint64(2), w] = planes[before + np.uint64(2), w] | (twos & carry)


@part
def count_cells(
    planes: Array, before: int, rows: Array, row: int, pegs: int, scratch: Array
) -> int:
    """scratch[CELLS, t * (pegs + 1) + b]: how many candidates have total t and b blacks.

    `before` is the first of the planes up to the last position, `row` that of the matches there.
    Returns how many candidates are the guess itself.
    """
    scratch[CELLS, 0] = scratch[SIZE, 0]
    for t in range(1, pegs + 1):
        ones = np.int64(0)
        twos = np.int64(0)
        threes = np.int64(0)
        fours = np.int64(0)
        fives = np.int64(0)
        sixes = np.int64(0)
        sevens = np.int64(0)
        begin = np.uint64(scratch[START, t])
        end = np.uint64(scratch[START, t + 1])
        if t == 1:
            for w in range(begin, end):
                ones += popcount(planes[before, w] ^ rows[row, w])
        elif t < 4:
            for w in range(begin, end):
                match = rows[row, w]
                x = planes[before, w] ^ match
                y = planes[before + np.uint64(1), w] ^ (planes[before, w] & match)
                ones += popcount(x)
                twos += popcount(y)
                threes += popcount(x & y)
        else:
            for w in range(begin, end):
                match = rows[row, w]
                carry = planes[before, w] & match
                x = planes[before, w] ^ match
                y = planes[before + np.uint64(1), w] ^ carry
                z = planes[before + np.uint64(2), w] | (planes[before + np.uint64(1), w] & carry)
                ones += popcount(x)
                twos += popcount(y)
                threes += popcount(x & y)
                fours += popcount(z)
                fives += popcount(x & z)
                sixes += popcount(y & z)
                sevens += popcount(x & y & z)
        first = t * (pegs + 1)
        scratch[CELLS, first] = (
            scratch[SIZE, t] - ones - twos - fours + threes + fives + sixes - sevens
        )
        scratch[CELLS, first + 1] = ones - threes - fives + sevens
        if t > 1:
            scratch[CELLS, first + 2] = twos - threes - sixes + sevens
        if t > 2:
            scratch[CELLS, first + 3] = threes - sevens
        if t > 3:
            scratch[CELLS, first + 4] = fours - fives - sixes + sevens
        if t > 4:
            scratch[CELLS, first + 5] = fives - sevens
        if t > 5:
            scratch[CELLS, first + 6] = sixes - sevens
        if t > 6:
            scratch[CELLS, first + 7] = sevens
    return scratch[CELLS, pegs * (pegs + 1) + pegs]
