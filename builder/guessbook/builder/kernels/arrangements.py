"""Arrangements of symbols: the one walk that lists multisets, and the orders of a multiset.

Both are sequences in which each symbol may be taken so often and only after certain others, and
come in ascending order. A kernel takes a step at a time and adds what the new symbol tells, so
arrangements with a common beginning share the work for it.

Counted for 5x8 by entropy: before the last two positions an order costs `lanes` 0.85 additions of
rows instead of 3, and before the last one it costs `multisets` 1.9 positions instead of 4.
"""

from __future__ import annotations

import math

import numpy as np

from guessbook.builder.kernels.arrays import Array, Bytes2D, Integers
from guessbook.builder.kernels.jit import part

# Where the parts of the kernels' working array `state` begin; all its entries are int64.
WIDTH = 40  # more than there are symbols, or positions
(
    CHOICES,  # the symbols to choose from, ascending
    LEFT,  # how often each symbol may still be chosen
    CHOSEN,  # the symbol at each position
    TURN,  # the next of the choices to try at each position
    PLACED,  # the set of the symbols before each position, as bits
    REQUIRED,  # the set of symbols that have to come before each symbol
    PLACES,  # the set of positions where each symbol is worth guessing
    ANYWHERE,  # all positions, for each symbol
    COPIES,  # how many copies of each symbol a code has
    LEAST,  # over all candidates, the least of these numbers
    GREATEST,  # and the greatest
    TALLY,  # from here on, for each position, how many candidates have each symbol there
) = range(0, 12 * WIDTH, WIDTH)
# The size of `state`: TALLY has a row for each of at most 15 positions.
STATE = TALLY + 15 * WIDTH


def working_space(pegs: int, colors: int, repeats: bool) -> tuple[Integers, Bytes2D, Integers]:
    """What a search over the multisets of a game works with.

    Returns `state`, room for the symbols of every multiset, and for the best score each can have.
    """
    state = np.zeros(STATE, np.int64)
    state[ANYWHERE : ANYWHERE + WIDTH] = -1
    sets = math.comb(pegs + colors - 1, pegs) if repeats else math.comb(colors, pegs)
    return state, np.empty((sets, pegs), np.uint8), np.empty(sets, np.int64)


@part
def start(state: Array) -> int:
    """Begin with the first arrangement; returns the first position."""
    state[PLACED] = 0
    state[TURN] = 0
    return np.int64(0)


@part
def advance(state: Array, p: int, choices: int, places: int) -> int:
    """Choose the next symbol at position p, or, if there is none, at one before it.

    `places`, which is PLACES or ANYWHERE, says where a symbol may stand. Before going on to a
    position set its TURN; to try the next symbol at the same one put the chosen one back, in LEFT.

    Returns the position that has a new symbol; the symbols after it are to be chosen anew. Below 0
    after the last arrangement.
    """
    while p >= 0:
        placed = state[PLACED + p]
        turn = state[TURN + p]
        while turn < choices:
            c = state[CHOICES + turn]
            turn += 1
            if (
                state[LEFT + c]
                and (state[places + c] >> p) & 1
                and not state[REQUIRED + c] & ~placed
            ):
                state[TURN + p] = turn
                state[CHOSEN + p] = c
                state[LEFT + c] -= 1
                state[PLACED + p + 1] = placed | (1 << c)
                return p
        p -= 1
        if p >= 0:
            state[LEFT + state[CHOSEN + p]] += 1
    return p


@part
def in_turn(limits: Array, count: int, turn: int, first: int) -> int:
    """Which of `count` multisets is next: the `first` most promising ones, then all in order.

    `limits` has the best score that each can have, and the least of all for those that were tried.
    """
    if turn >= first:
        return turn - first
    best = np.int64(0)
    for m in range(count):
        if limits[m] > limits[best]:
            best = np.int64(m)
    return best
