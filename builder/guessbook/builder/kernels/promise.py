"""What a multiset of symbols promises: the best score that a guess with these symbols can have.

All orders of a multiset share the totals of black and white pegs. A class of candidates with total
t is split by the blacks into at most t + 1 cells, and an even split is the best; where even splits
of all classes could not win, no order can. The totals are counted with 64 multisets side by side.
Counted for 5x8 by entropy, one guess at a time, with the number of cells in `lanes`: 8.1e7 pairs
instead of 1.4e9.
"""

from __future__ import annotations

from threading import local
from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.jit import at_least, lowest_one, part, split_sum, tally
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Array, Integers, Integers2D, Number, Rule
from guessbook.builder.kernels.orders import Orders

# Below every score; those of 2**22 candidates come close to the end of an int64.
LEAST_SCORE = -(1 << 63)

# Of so many candidates each is tried before all other guesses: as many as there are lanes.
FEW = 64

# Up to so many candidates multisets are taken by the number of cells they allow; above it by the
# best score, which takes longer to find, but is another for each.
BY_CELLS = 16

# Working space for more candidates, 12 bytes a peg and 13 more for each, is not kept for later.
MOST_KEPT = 1 << 18

# As many candidates as a byte can count.
BYTE = 255


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


class Space(NamedTuple):
    """Working space for the nodes of a level.

    Attributes:
        local: uint8, rows of 64 for the candidates of a node: one for each symbol at each position,
            and one for each copy of each symbol.
        places: int32[n, 2 * pegs], where the rows of some sums begin.
        digits: int32[n, pegs], the symbol at each position of each candidate as a number.
        home: int32[n], the multiset of each candidate.
        column: int64[n], its lane in `Orders.shared`.
        total: uint8[64 + n], the total of black and white with a multiset, from 64 on.
        slot: int32[pegs * colors], the row of each symbol at each position.
        counts: uint8, a row of 64 for each cell;
        sums: int64, the same where bytes are too small.
        most: uint8, how many candidates of each cell count.
        caps: uint8[pegs + 1], the cells that a class of each total splits into at most.
        cells: uint8[tiles * 64], the most cells that an order of each multiset splits into.
        fitting: uint64[tiles], the multisets of each tile that are worth guessing.
        state: int64, small things: see the offsets below.
        limits: int64[multisets], what each that is promising can score at best.
        found: int64[multisets], which these are.
        classes: int32[multisets, pegs + 2], how many candidates have each total with them; and how
            many of their orders may be as good as the best guess.
        there: int32[pegs, colors], how many candidates have each symbol at each position,
        weights: int32[pegs, width], the same for the symbols of a multiset.
        shares: uint8[tiles * 64], the total of a multiset with each.
        elements: int64[e, pegs + colors], the symmetries of the histories of very large nodes.
        chosen: uint8, tiles as in `Orders.blacks`, of orders that may win: by their blacks, and of
            those that a symmetry carries onto each other the lowest.
        picked: int32, which orders these are.
        tiles: how many tiles of multisets there are.
    """

    local: Array
    places: Array
    digits: Array
    home: Array
    column: Array
    total: Array
    slot: Array
    counts: Array
    sums: Array
    most: Array
    caps: Array
    cells: Array
    fitting: Array
    state: Array
    limits: Array
    found: Array
    classes: Array
    there: Array
    weights: Array
    shares: Array
    elements: Array
    chosen: Array
    picked: Array
    tiles: int


# Parts of `state`: the size of each class, where it begins and where a part of it begins; the
# symbols of a guess, and of the best one; which symbols each requires, and what becomes of each;
# the facts of a node; the sizes of cells.
WIDTH = 64
SIZE, START, SOME, CODE, GUESS, KINDS, REQUIRED, IMAGE, FACTS, SIZES = range(0, 10 * WIDTH, WIDTH)
# The symbols held by candidates and used by guesses; repeats; the first symmetry, and the end.
HELD, USED, REPEATS, FIRST_ELEMENT, LAST_ELEMENT = range(FACTS, FACTS + 5)

# Above so many candidates symmetry is worth its while.
LARGE = 4096


class Kept(local):
    """The working space of a thread: memory that is given back is slow to get again."""

    def __init__(self) -> None:
        self.orders: Orders | None = None
        self.space: Space | None = None


KEPT = Kept()


def space_for(orders: Orders, most: int, elements: Integers2D) -> Space:
    """Working space for nodes of up to so many candidates, with the symmetries of large ones.

    It is this thread's, until it asks again.
    """
    space = KEPT.space
    if space is None or KEPT.orders is not orders or len(space.home) < most:
        space = new_space(orders, 1 << max(most - 1, FEW - 1).bit_length())
        KEPT.orders, KEPT.space = (orders, space) if most <= MOST_KEPT else (None, None)
    return space._replace(elements=elements) if len(elements) else space


def new_space(orders: Orders, room: int) -> Space:
    """Working space for so many candidates, at least 64, without symmetries."""
    count, pegs = orders.number, orders.pegs
    cells, tiles = (pegs + 1) * (pegs + 2) // 2, len(orders.having)
    longest = -(-int(orders.tiles[:, 1].max()) // LANES)
    # Of N pegs in all, N - 1 black and 1 white cannot be.
    caps = np.minimum(np.arange(1, pegs + 2), pegs).astype(np.uint8)
    return Space(
        np.empty(2 * pegs * orders.colors * LANES, np.uint8), np.empty(room * 2 * pegs, np.int32),
        np.empty(room * pegs, np.int32), np.empty(room, np.int32), np.empty(room, np.int64),
        np.empty(LANES + room, np.uint8), np.empty(pegs * orders.colors, np.int32),
        np.empty(cells * LANES, np.uint8), np.empty(cells * LANES, np.int64),
        np.empty(cells, np.uint8), caps,
        np.empty(tiles * LANES, np.uint8), np.empty(tiles, np.uint64),
        np.zeros(SIZES + 256, np.int64), np.empty(count, np.int64), np.empty(count, np.int64),
        np.empty(count * (pegs + 2), np.int32), np.empty(pegs * orders.colors, np.int32),
        np.empty(pegs * orders.width, np.int32),
        np.empty(tiles * LANES, np.uint8),
        np.empty((0, pegs + orders.colors), np.int64),
        np.empty(longest * orders.blacks_tile, np.uint8), np.empty(longest * LANES, np.int32),
        tiles,
    )  # fmt: skip


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
    n: int, orders: Orders, bound: Bound, space: Space, best: int, given: int, by_cells: bool
) -> int:
    """Find the multisets of symbols that could make a guess better than `best`, in order.

    Fills `cells` of `space` if it is for that, else `limits` and `found`, if they are not given;
    returns how many these are.
    """
    pegs, width = orders.pegs, orders.width
    state, places, home = space.state, space.places, space.home
    if given >= 0:
        return given
    for s in range(n):
        of = np.int64(home[s])
        for g in range(width):
            places[s * width + g] = orders.rows[of * width + g]
    state[START + pegs] = 0
    state[START + pegs + 1] = n
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
                orders.shared, base, places, width, state, np.int64(START), pegs, pegs, space.counts
            )
            split_sum(space.counts, pegs + 1, space.caps, space.cells, tile * LANES)
            if by_cells:
                continue
            mask &= at_least(space.cells, tile * LANES, needed)
        else:
            count_many(orders.shared, base, space, width, pegs, pegs)
        while mask:
            lane = lowest_one(mask)
            mask &= mask - np.uint64(1)
            limit = np.int64(0)
            m, row = tile * LANES + lane, found * (pegs + 2)
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
                space.limits[found] = limit
                space.found[found] = m
                found += 1
    return found


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
def count_many(
    rows: Array, base: int, space: Space, width: int, first: Number, last: Number
) -> None:
    """`tally` into `sums`, for any number of sums in each class."""
    counts, sums, state = space.counts, space.sums, space.state
    at = 0
    for t in range(first, last + 1):
        start, end = state[START + t], state[START + t + 1]
        if start < end:
            for k in range(at, at + (t + 1) * LANES):
                sums[k] = 0
            for begin in range(start, end, BYTE):
                state[SOME + t] = begin
                state[SOME + t + 1] = min(begin + BYTE, end)
                count_sums(rows, base, space.places, width, state, np.int64(SOME), t, t, counts)
                for k in range((t + 1) * LANES):
                    sums[at + k] += counts[k]
            at += (t + 1) * LANES
