"""What a multiset of symbols promises: the best score that a guess with these symbols can have.

All orders of a multiset share the totals of black and white pegs. A class of candidates with total
t is split by the blacks into at most t + 1 cells, and an even split is the best; where even splits
of all classes could not win, no order can. The totals are counted with 64 multisets side by side;
they depend on a candidate's multiset alone, so many candidates are counted by their multisets.
Counted for 5x8 by entropy, one guess at a time, with the number of cells in `lanes`: 8.1e7 pairs
instead of 1.4e9.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.jit import (
    at_least,
    lowest_one,
    part,
    split_sum,
    tally,
)
from guessbook.builder.compiler.machine import BRIEF, LANES, hinted
from guessbook.builder.kernels.arrays import Array, Integers, Integers2D, Number, Rule
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.space import BYTE, FEW, REQUIRED, SOME, START, Space

# Below every score; those of 2**22 candidates come close to the end of an int64.
LEAST_SCORE = -(1 << 63)

# Up to so many candidates multisets are taken by the number of cells they allow; above it by the
# best score, which takes longer to find, but is another for each.
BY_CELLS = 16


class Bound(NamedTuple):
    """A policy, and what it allows.

    Attributes:
        costs: see `arrays.Rule`.
        splits: int64, `even_splits`: rows of so many
        columns: one more than there are feedbacks.
        additive: see `arrays.Rule`.
        credit: see `arrays.Rule`.
        unit: what a bit of entropy is in costs; 0 if they are none.
        spreads: see `blacks.spreads_of`.
    """

    costs: Array
    splits: Array
    columns: int
    additive: int
    credit: int
    unit: int
    spreads: Array


def even_splits(rule: Rule, most: int, cells: int) -> Integers2D:
    """int64[most + 1, cells + 1]: the best score that n candidates in at most k cells can have.

    That is the score of an even split: all costs grow faster than their sizes, or not at all.
    """
    return even_scores(rule, np.arange(most + 1)[:, None], np.arange(cells + 1))


def even_scores(rule: Rule, n: Integers, cells: Integers) -> Integers:
    """int64: `even_score` of sizes and numbers of cells, which are broadcast."""
    k = np.minimum(n, cells)
    small, large = np.divmod(n, np.maximum(k, 1))
    if rule.additive:
        return -(large * rule.costs[small + (large > 0)] + (k - large) * rule.costs[small])
    return -rule.costs[small + (large > 0)]


@part
def even_score(n: int, cells: int, costs: Array, additive: bool) -> int:
    """The best score of n candidates in at most so many cells: that of an even split."""
    cells = min(n, cells)
    if cells == 0:
        return np.int64(0)
    small = n // cells
    large = n - small * cells
    if additive:
        return -(large * costs[small + 1] + (cells - large) * costs[small])
    return -costs[small + (large > 0)]


@part
def cell_score(cells: Array, n: int, sizes: Array, at: int, costs: Array, additive: bool) -> int:
    """The score of the partition by n feedbacks; `sizes`, from `at`, is zero before and after."""
    total = np.int64(0)
    if additive:
        for k in range(n):
            place = at + cells[k]
            size = sizes[place]
            sizes[place] = size + 1
            total += costs[size + 1] - costs[size]
    else:
        for k in range(n):
            place = at + cells[k]
            size = sizes[place] + 1
            sizes[place] = size
            total = max(total, costs[size])
    for k in range(n):
        sizes[at + cells[k]] = 0
    return -total


@part
def mark_fitting(orders: Orders, space: Space) -> None:
    """Find the multisets in which no symbol lacks one that it requires."""
    state, colors = space.state, orders.colors
    for tile in range(space.tiles):
        lanes = min(LANES, orders.number - tile * LANES)
        mask = ~np.uint64(0) >> np.uint64(LANES - lanes)
        for c in range(colors):
            required = state[REQUIRED + c]
            if required < 0:
                mask &= ~orders.having[tile * colors + c]
            elif required:
                # The highest of them requires the others.
                last = c - 1
                while not (required >> last) & 1:
                    last -= 1
                mask &= ~orders.having[tile * colors + c] | orders.having[tile * colors + last]
        space.fitting[tile] = mask


@part
def list_promising(
    n: int, orders: Orders, bound: Bound, space: Space, best: int, by_cells: bool
) -> int:
    """Find the multisets of symbols that could make a guess better than `best`, in order.

    Fills `cells` of `space` if it is for that, else `limits` and `classes`; returns how many these
    are.
    """
    pegs, width, state = orders.pegs, orders.width, space.state
    digits = np.int64(0)
    if n <= BYTE:
        for s in range(n):
            copy_rows(orders, space.home[s], space, s)
        state[START + pegs] = 0
        state[START + pegs + 1] = n
    else:
        digits = list_digits(n, orders, space)
    margin = bound.credit if n > FEW else 0
    needed = np.int64(0)
    if n <= BYTE:
        needed = cells_needed(n, bound, margin, best, n <= FEW)
    found = 0
    for tile in range(space.tiles):
        mask = space.fitting[tile]
        if not mask:
            continue
        base = tile * orders.shared_tile
        if n <= BYTE:
            count_sums(
                orders.shared, base, space.places, width, state, np.int64(START), pegs, pegs,
                space.counts,
            )  # fmt: skip
            split_sum(space.counts, pegs + 1, space.caps, space.cells, tile * LANES)
            if by_cells:
                continue
            mask &= at_least(space.cells, tile * LANES, needed)
        else:
            count_digits(orders, base, space, digits)
        while mask:
            lane = lowest_one(mask)
            mask &= mask - np.uint64(1)
            limit = np.int64(0)
            m, row = tile * LANES + lane, found * (pegs + 3)
            for t in range(pegs + 1):
                if n <= BYTE:
                    size = np.int64(space.counts[t * LANES + lane])
                    space.classes[row + t] = size
                    score = bound.splits[size * bound.columns + space.caps[t]]
                else:
                    size = space.sums[t * LANES + lane]
                    space.classes[row + t] = size
                    score = even_score(size, space.caps[t], bound.costs, bound.additive > 0)
                limit = limit + score if bound.additive else min(limit, score)
            limit += margin
            if limit > best:
                space.classes[row + pegs + 1] = orders.tiles[orders.shapes[m] * 2 + 1]
                space.classes[row + pegs + 2] = m
                space.limits[found] = limit
                found += 1
    return found


@part
@hinted(BRIEF)
def take_up(n: int, pegs: int, bound: Bound, space: Space, given: int) -> None:
    """The same for multisets that an earlier search has left in `rest`."""
    for k in range(given):
        row, limit = k * (pegs + 3), 0
        for t in range(pegs + 3):
            space.classes[row + t] = space.rest[row + t]
        for t in range(pegs + 1):
            size = space.rest[row + t]
            score = even_score(size, space.caps[t], bound.costs, bound.additive > 0)
            limit = limit + score if bound.additive else min(limit, score)
        space.limits[k] = limit + (bound.credit if n > FEW else 0)


@part
@hinted(BRIEF)
def sort_turns(turns: Array, count: int, limits: Array) -> None:
    """Sort multisets by their limits, the best first, of equals the first first (Shell 1959)."""
    gap = 1
    while gap < count:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for i in range(gap, count):
            k, j = turns[i], i
            while j >= gap:
                other = turns[j - gap]
                if limits[other] > limits[k] or (limits[other] == limits[k] and other < k):
                    break
                turns[j] = other
                j -= gap
            turns[j] = k


@part
def copy_rows(orders: Orders, m: Number, space: Space, to: int) -> None:
    """The rows of `Orders.shared` that a multiset is the sum of, as a sum of `places`."""
    for g in range(orders.width):
        space.places[to * orders.width + g] = orders.rows[np.int64(m) * orders.width + g]


@part
def list_digits(n: int, orders: Orders, space: Space) -> int:
    """List the candidates' multisets for each binary digit of how many candidates have them.

    In `places` those come first where the lowest digit is 1, then those where the second is, and so
    on: START. That is once for 2**k candidates at a time: 6,540 times for 208,945 of 6x10.

    Returns how many digits there are.
    """
    often, met, state = space.often, space.turns, space.state
    left = np.int64(0)
    for s in range(n):
        m = np.int64(space.home[s])
        if often[m] == 0:
            met[left] = m
            left += 1
        often[m] += 1
    digits = rows = np.int64(0)
    state[START] = 0
    while left:
        higher = np.int64(0)
        for k in range(left):
            m = np.int64(met[k])
            if often[m] & 1:
                copy_rows(orders, m, space, rows)
                rows += 1
            often[m] >>= 1
            if often[m]:
                met[higher] = m
                higher += 1
        left = higher
        digits += 1
        state[START + digits] = rows
    return digits


@part
def cells_needed(n: int, bound: Bound, margin: int, best: int, better: bool) -> int:
    """How many cells a guess must have to score `best` with a margin, or better than that."""
    most = min(n, bound.columns - 1)
    row = n * bound.columns
    needed = 1
    while needed < most and bound.splits[row + needed] + margin < best + better:
        needed += 1
    return needed


@part
def count_sums(
    rows: Array, base: int, places: Array, width: int, starts: Array, at: Number, first: Number,
    last: Number, out: Array,
) -> None:  # fmt: skip
    """`tally`, with the starts from `at` on."""
    tally(rows, base, places, width, starts, at, first, last, out)


@part
def count_many(rows: Array, base: int, space: Space, pegs: int) -> None:
    """`tally` the blacks into `sums`, of any number of candidates in each class but that of 0."""
    at = np.int64(0)
    for t in range(1, pegs + 1):
        start, end = space.state[START + t], space.state[START + t + 1]
        if start < end:
            clear_sums(space, at, t)
            add_sums(rows, base, space, pegs, start, end, t, at, np.int64(0))
            at += (t + 1) * LANES


@part
def count_digits(orders: Orders, base: int, space: Space, digits: int) -> None:
    """The same for the totals with a tile of multisets, by what `list_digits` has listed."""
    pegs, width = orders.pegs, orders.width
    at = np.int64(0)
    clear_sums(space, at, pegs)
    for digit in range(digits):
        start, end = space.state[START + digit], space.state[START + digit + 1]
        add_sums(orders.shared, base, space, width, start, end, pegs, at, digit)


@part
def clear_sums(space: Space, at: int, t: int) -> None:
    """Make the sums of a class zero."""
    for k in range(at, at + (t + 1) * LANES):
        space.sums[k] = 0


@part
def add_sums(
    rows: Array, base: int, space: Space, width: int, start: int, end: int, t: int, at: int,
    digit: int,
) -> None:  # fmt: skip
    """`tally` some sums of 0 to t, each of which counts 2**digit times, on top of those there."""
    counts, sums, state = space.counts, space.sums, space.state
    for begin in range(start, end, BYTE):
        state[SOME + t] = begin
        state[SOME + t + 1] = min(begin + BYTE, end)
        count_sums(rows, base, space.places, width, state, np.int64(SOME), t, t, counts)
        for k in range((t + 1) * LANES):
            sums[at + k] += np.int64(counts[k]) << digit
