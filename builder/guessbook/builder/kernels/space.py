"""Working space for the nodes of a level, which a thread keeps, and what is where in it."""

from __future__ import annotations

from threading import local
from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Array
from guessbook.builder.kernels.orders import Orders

# Of so many candidates each is tried before all other guesses: as many as there are lanes.
FEW = 64

# As many candidates as a byte can count.
BYTE = 255

# Above so many candidates symmetry is worth its while.
LARGE = 4096


class Space(NamedTuple):
    """Working space for the nodes of a level.

    Attributes:
        local: uint8, rows of 64 for the candidates of a node: one for each symbol at each position,
            and one for each copy of each symbol.
        places: int32[n, pegs], where the rows of some sums begin; of up to 64 sums twice as many.
        digits: int32[n, pegs], the symbol at each position of each candidate as a number.
        home: int32[n], the multiset of each candidate.
        column: int64[64], its lane in `Orders.shared`, of up to 64 candidates; and
        total: uint8[128], from 64 on, the total of black and white with a multiset.
        slot: int32[pegs * colors], the row of each symbol at each position.
        counts: uint8, a row of 64 for each cell;
        sums: int64, the same where bytes are too small.
        most: uint8, how many candidates of each cell count.
        caps: uint8[pegs + 1], the cells that a class of each total splits into at most.
        cells: uint8[tiles * 64], the most cells that an order of each multiset splits into.
        fitting: uint64[tiles], the multisets of each tile that are worth guessing.
        state: int64, small things: see the offsets below.
        limits: int64[multisets], what each that is promising can score at best.
        turns: int32[multisets], some of them, in the order in which they are looked at.
        often: int32[multisets], how many candidates have each; zero before and after.
        classes: int32[multisets, pegs + 3], of each that is promising how many candidates have each
            total with it, how many of its orders may be as good as the best guess, and which it is.
        rest: int32[multisets, pegs + 3], rows of `classes` that a search is given, or leaves.
        there: int32[pegs, colors], how many candidates have each symbol at each position,
        weights: int32[pegs, width], the same for the symbols of a multiset.
        shares: uint8[tiles * 64], the total of a multiset with each.
        elements: int64[e, pegs + colors], the symmetries of the history of a very large node.
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
    turns: Array
    often: Array
    classes: Array
    rest: Array
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
# The symbols held by candidates and used by guesses; repeats; how many symmetries there are.
HELD, USED, REPEATS, ELEMENTS = range(FACTS, FACTS + 4)


class Kept(local):
    """The working space of a thread: memory that is given back is slow to get again.

    Attributes:
        rest: its `rest`, as bytes.
    """

    def __init__(self) -> None:
        self.orders: Orders | None = None
        self.space: Space | None = None
        self.rest = memoryview(b"")


KEPT = Kept()


def space_for(orders: Orders, most: int) -> Space:
    """Working space for nodes of up to so many candidates.

    It is this thread's, until it asks again.
    """
    space = KEPT.space
    if space is None or KEPT.orders is not orders or len(space.home) < most:
        space = new_space(orders, 1 << max(most - 1, FEW - 1).bit_length())
        KEPT.orders, KEPT.space, KEPT.rest = orders, space, memoryview(space.rest).cast("B")
    return space


def new_space(orders: Orders, room: int) -> Space:
    """Working space for so many candidates, at least 64."""
    count, pegs = orders.number, orders.pegs
    cells, tiles = (pegs + 1) * (pegs + 2) // 2, len(orders.having)
    longest = -(-int(orders.tiles[:, 1].max()) // LANES)
    # Of N pegs in all, N - 1 black and 1 white cannot be.
    caps = np.minimum(np.arange(1, pegs + 2), pegs).astype(np.uint8)
    return Space(
        np.empty(2 * pegs * orders.colors * LANES, np.uint8),
        np.empty(max(room, 2 * FEW) * pegs, np.int32), np.empty(room * pegs, np.int32),
        np.empty(room, np.int32), np.empty(FEW, np.int64), np.empty(LANES + FEW, np.uint8),
        np.empty(pegs * orders.colors, np.int32),
        np.empty(cells * LANES, np.uint8), np.empty(cells * LANES, np.int64),
        np.empty(cells, np.uint8), caps,
        np.empty(tiles * LANES, np.uint8), np.empty(tiles, np.uint64),
        np.zeros(SIZES + 256, np.int64), np.empty(count, np.int64), np.empty(count, np.int32),
        np.zeros(count, np.int32), np.empty((count, pegs + 3), np.int32),
        np.empty((count, pegs + 3), np.int32),
        np.empty(pegs * orders.colors, np.int32), np.empty(pegs * orders.width, np.int32),
        np.empty(tiles * LANES, np.uint8),
        np.empty((orders.shuffled, pegs + orders.colors), np.int64),
        np.empty(longest * orders.blacks_tile, np.uint8), np.empty(longest * LANES, np.int32),
        tiles,
    )  # fmt: skip
