"""Scores of the orders of a multiset: the candidates by their totals, 64 guesses side by side."""

from __future__ import annotations

import numpy as np

from guessbook.builder.compiler.jit import part, sum_rows
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Array, Number
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import Bound, count_many, count_sums
from guessbook.builder.kernels.space import BYTE, CODE, FEW, GUESS, KINDS, SIZE, START, Space


@part
def sort_by_total(n: int, orders: Orders, m: int, classes: int, bound: Bound, space: Space) -> int:
    """Sort the candidates by their total with a multiset: SIZE, START and `places`.

    `classes` is where the sizes of the classes begin in those of `space`, if they are known; else
    it is negative.

    Returns the best score that an order of the multiset can have, of at most 255 candidates.
    """
    pegs, colors, width = orders.pegs, orders.colors, orders.width
    state, slot, total = space.state, space.slot, space.total
    for k in range(pegs * colors):
        slot[k] = pegs * width * LANES
    j = -1
    for p in range(pegs):
        c = np.int64(orders.sets[m * pegs + p])
        if p == 0 or c != orders.sets[m * pegs + p - 1]:
            j += 1
            state[KINDS + j] = c
            for q in range(pegs):
                slot[q * colors + c] = (q * width + j) * LANES
    many = n > FEW
    known = many and classes >= 0
    for t in range(pegs + 1):
        state[SIZE + t] = space.classes[classes + t] if known else 0
    if many:
        share(orders, m, space.shares)
    for s in range(0 if known else n):
        t = np.int64(0)
        if many:
            t += space.shares[space.home[s]]
        else:
            for g in range(width):
                t += orders.shared[space.column[s] + orders.rows[m * width + g]]
            total[LANES + s] = t
        state[SIZE + t] += 1
    limit = np.int64(0)
    state[START] = 0
    for t in range(pegs + 1):
        size = state[SIZE + t]
        state[START + t + 1] = state[START + t] + size
        if n <= BYTE:
            score = bound.splits[size * bound.columns + space.caps[t]]
            limit = limit + score if bound.additive else min(limit, score)
    for s in range(n):
        t = np.int64(space.shares[space.home[s]] if many else total[LANES + s])
        at = state[START + t] * pegs
        state[START + t] += 1
        for p in range(pegs):
            space.places[at + p] = slot[space.digits[s * pegs + p]]
    for t in range(pegs, 0, -1):
        state[START + t] = state[START + t - 1]
    state[START] = 0
    return limit + (bound.credit if many else 0)


@part
def share(orders: Orders, m: Number, shares: Array) -> None:
    """Find the total of a multiset with each other one, see `Space`."""
    for tile in range((orders.number + LANES - 1) // LANES):
        sum_rows(
            orders.shared, tile * orders.shared_tile, orders.rows, m, orders.width, shares,
            tile * LANES,
        )  # fmt: skip


@part
def cells_of(pegs: int, state: Array) -> int:
    """How many rows of cells `count_order` fills."""
    cells = np.int64(0)
    for t in range(1, pegs + 1):
        if state[SIZE + t]:
            cells += t + 1
    return cells


@part
def count_order(n: int, orders: Orders, rows: Array, base: int, space: Space) -> None:
    """Count the cells of 64 orders, into `counts`, or of more than 255 candidates into `sums`."""
    pegs = orders.pegs
    if n <= BYTE:
        count_sums(
            rows, base, space.places, pegs, space.state, np.int64(START), np.int64(1), pegs,
            space.counts,
        )  # fmt: skip
    else:
        count_many(rows, base, space, pegs)


@part
def score_of(
    n: int, pegs: int, lane: int, cells: int, bound: Bound, space: Space
) -> tuple[int, bool]:
    """The score of one of the orders that were counted, and whether it is a candidate."""
    state, counts, sums = space.state, space.counts, space.sums
    # Only a candidate has all blacks with one: that is the last cell.
    own = (cells - 1) * LANES + lane if state[SIZE + pegs] else np.int64(-1)
    if n <= BYTE:
        score = lane_score(counts, lane, cells, state[SIZE], bound.costs, bound.additive)
        solves = own >= 0 and counts[own] > 0
    else:
        score = lane_score(sums, lane, cells, state[SIZE], bound.costs, bound.additive)
        solves = own >= 0 and sums[own] > 0
    return score + (bound.credit if solves else 0), solves


@part
def lane_score(
    sizes: Array, lane: int, cells: int, other: int, costs: Array, additive: bool
) -> int:
    """The score of a partition: so many cells of a lane, and one other."""
    total = costs[other]
    if additive:
        for k in range(cells):
            total += costs[sizes[k * LANES + lane]]
    else:
        for k in range(cells):
            total = max(total, costs[sizes[k * LANES + lane]])
    return -total


@part
def spell(orders: Orders, order: int, state: Array) -> None:
    """CODE: the symbols of an order, if KINDS are those of its multiset."""
    pegs = orders.pegs
    for p in range(pegs):
        state[CODE + p] = state[KINDS + orders.places[order * pegs + p]]


@part
def is_before(pegs: int, state: Array) -> bool:
    """Whether the code comes before the guess."""
    for p in range(pegs):
        if state[CODE + p] != state[GUESS + p]:
            return state[CODE + p] < state[GUESS + p]
    return False
