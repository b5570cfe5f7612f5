"""The opening of a large code game: of the guesses that repeat symbols alike, one is enough."""

from __future__ import annotations

import math

import numpy as np

from guessbook.builder.kernels.arrays import Bytes2D, Integers, Rule
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import even_scores


def openings(orders: Orders, counts: Bytes2D, rule: Rule) -> tuple[Integers, Integers]:
    """The lowest multiset of each kind, and the best score that a guess of it may have.

    Of all codes as many have each total of black and white pegs as the multisets say; of a total
    there are so many feedbacks, into which an even split is best.

    Args:
        orders: the tables of the game.
        counts: see `counts_each`.
        rule: the policy.

    Returns:
        int64[k], rows of `orders.sets`, the most promising first, and int64[k].
    """
    pegs, colors = orders.pegs, orders.colors
    # How often its symbols come, in order, as the digits of a number.
    most = min(pegs, colors)
    firsts = np.sort(np.unique(orders.shapes, return_index=True)[1])
    kinds = (pegs + 1) ** np.arange(most) @ np.sort(counts[:, firsts], axis=0)[-most:]
    lowest = firsts[np.unique(kinds, return_index=True)[1]]
    number = orders.tiles[orders.shapes, 1]
    sizes = [np.bincount(totals_with(counts, first), number, pegs + 1) for first in lowest]
    cells = np.minimum(np.arange(1, pegs + 2), pegs)
    scores = even_scores(rule, np.array(sizes, np.int64), cells)
    limits = rule.credit + (scores.sum(axis=1) if rule.additive else scores.min(axis=1))
    order = np.argsort(-limits, kind="stable")
    return lowest[order], limits[order]


def counts_each(sets: Bytes2D, colors: int) -> Bytes2D:
    """uint8[colors, m]: how often each symbol comes in each multiset."""
    places = np.ascontiguousarray(sets.T)
    return np.stack([(places == c).sum(axis=0, dtype=np.uint8) for c in range(colors)])


def totals_with(counts: Bytes2D, guess: int) -> Integers:
    """uint8[m]: how many pegs each multiset shares with one of them."""
    totals: Integers = np.minimum(counts, counts[:, guess, None]).sum(axis=0, dtype=np.uint8)
    return totals


def partition(orders: Orders, counts: Bytes2D, guess: int) -> Integers:
    """How many of all codes give each feedback to a multiset's lowest order, without a look at any.

    The orders of a multiset that have k given symbols where the guess has them are counted by
    symbol, and summed over all choices of k places; inclusion and exclusion makes of it how many
    have exactly so many blacks (the rook polynomials of Kaplansky and Riordan 1946).

    Args:
        orders: the tables of the game.
        counts: see `counts_each`.
        guess: the row of the guess's multiset.

    Returns:
        int64[(pegs + 1)**2], by total of pegs times (pegs + 1) and blacks.
    """
    pegs = orders.pegs
    # Floats are quicker, and right once they are rounded: the largest number here is 1e15, of 15
    # pegs of 3 colors, below 2**53.
    places = np.zeros((pegs + 1, orders.number))
    places[0] = orders.tiles[orders.shapes, 1]
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
    totals = totals_with(counts, guess)
    by_total = np.array([np.bincount(totals, row, pegs + 1) for row in places])
    return (by_total.T @ np.array(exactly, np.float64)).astype(np.int64).ravel()
