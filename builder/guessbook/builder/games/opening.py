"""The opening of a large code game: of the guesses that repeat symbols alike, one is enough."""

from __future__ import annotations

import ctypes
import math
from typing import NamedTuple

import numpy as np

from guessbook.builder.arrays import Bytes2D, Integers
from guessbook.kernels.codes import CodeTables
from guessbook.kernels.costs import Rule


class Multisets(NamedTuple):
    """The multisets of symbols of a code game, ascending.

    Attributes:
        symbols: uint8[m, pegs], the symbols of each, ascending.
        counts: uint8[colors, m], how often each symbol comes in each.
        number: int64[m], how many codes have each.
    """

    symbols: Bytes2D
    counts: Bytes2D
    number: Integers

    @classmethod
    def of(cls, tables: CodeTables) -> Multisets:
        """Return the multisets of a game."""
        flat = tables.numbers("sets", ctypes.c_uint8, tables.multisets * tables.pegs)
        symbols = np.frombuffer(flat, np.uint8).reshape(-1, tables.pegs)
        places = np.ascontiguousarray(symbols.T)
        counts = np.stack([(places == c).sum(axis=0, dtype=np.uint8) for c in range(tables.colors)])
        sets = np.frombuffer(tables.numbers("set_of", ctypes.c_int32, tables.codes), np.int32)
        return cls(symbols, counts, np.bincount(sets, minlength=len(symbols)))


def even_scores(rule: Rule, n: Integers, cells: Integers) -> Integers:
    """Return the best score of n candidates in at most so many cells, an even split: int64.

    All costs grow faster than their sizes, or not at all. The arguments are broadcast.
    """
    costs, k = rule.costs, np.minimum(n, cells)
    small, large = np.divmod(n, np.maximum(k, 1))
    if rule.additive:
        cost: Integers = large * costs[small + (large > 0)] + (k - large) * costs[small]
    else:
        cost = costs[small + (large > 0)]
    return -cost


def openings(sets: Multisets, rule: Rule) -> tuple[Integers, Integers]:
    """Return the lowest multiset of each kind, and the best score that a guess of it may have.

    Of all codes as many have each total of black and white pegs as the multisets say; of a total
    there are so many feedbacks, into which an even split is best.

    Args:
        sets: the multisets of the game.
        rule: the policy.

    Returns:
        int64[k], rows of `sets`, the most promising first, and int64[k].
    """
    colors, pegs = len(sets.counts), sets.symbols.shape[1]
    # How often its symbols come, in order, as the digits of a number.
    kinds = (pegs + 1) ** np.arange(min(pegs, colors)) @ np.sort(sets.counts, axis=0)[
        -min(pegs, colors) :
    ].astype(np.int64)
    lowest = np.unique(kinds, return_index=True)[1]
    sizes = [np.bincount(totals_with(sets, first), sets.number, pegs + 1) for first in lowest]
    cells = np.minimum(np.arange(1, pegs + 2), pegs)
    scores = even_scores(rule, np.array(sizes).astype(np.int64), cells)
    limits = rule.credit + (scores.sum(axis=1) if rule.additive else scores.min(axis=1))
    order = np.argsort(-limits, kind="stable")
    return lowest[order], limits[order]


def totals_with(sets: Multisets, guess: int) -> Integers:
    """Return how many pegs each multiset shares with one of them: uint8[m]."""
    totals: Integers = np.minimum(sets.counts, sets.counts[:, guess, None]).sum(
        axis=0, dtype=np.uint8
    )
    return totals


def partition(sets: Multisets, guess: int) -> Integers:
    """Return how many of all codes give each feedback to a multiset's lowest arrangement.

    No code is looked at: the arrangements of a multiset that have k given symbols where the guess
    has them are counted by symbol, and summed over all choices of k places. Inclusion and exclusion
    makes of that how many have exactly so many blacks (the rook polynomials of Kaplansky and
    Riordan 1946).

    Args:
        sets: the multisets of the game.
        guess: the row of the guess's multiset.

    Returns:
        int64[(pegs + 1)**2], by total of pegs times (pegs + 1) and blacks.
    """
    counts, pegs = sets.counts, sets.symbols.shape[1]
    # Floats are quicker, and right once they are rounded: the largest number here is 1e15, of 15
    # pegs of 3 colors, below 2**53.
    places = np.zeros((pegs + 1, len(sets.number)))
    places[0] = sets.number
    longest = 0
    for symbol in np.flatnonzero(counts[:, guess]):
        own, there = int(counts[symbol, guess]), counts[symbol].astype(np.float64)
        ways, more = 1.0, []
        for k in range(1, own + 1):
            ways = ways * (there - k + 1)
            more.append(places[: longest + 1] * (math.comb(own, k) * ways))
        for k in range(1, own + 1):
            places[k : longest + k + 1] += more[k - 1]
        longest += own
    places = np.rint(places / [[float(math.perm(pegs, k))] for k in range(pegs + 1)])
    exactly = [
        [(-1) ** (k + b) * math.comb(k, b) for b in range(pegs + 1)] for k in range(pegs + 1)
    ]
    # Numbers of codes with each total first: then few are left for the exact ones.
    totals = totals_with(sets, guess)
    by_total = np.array([np.bincount(totals, row, pegs + 1) for row in places])
    return (by_total.T @ np.array(exactly, np.float64)).astype(np.int64).ravel()
