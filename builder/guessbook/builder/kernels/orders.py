"""Orders: all guesses of a game by their symbols, 64 side by side, as tables made once for a game.

All orders of the same symbols share the total of black and white pegs. What is left, the blacks, is
a sum over the positions: in a row of bytes, one for each of 64 orders, a candidate's symbol at a
position has a 1 where the order has it there, too. These rows depend on how often each symbol
comes, not on which it is, so a game of N pegs has them for each way to write N as a sum. The totals
are sums of such rows as well, with 64 multisets side by side.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Bytes2D, Integers, Integers2D
from guessbook.builder.kernels.orbits import permutations


class Orders(NamedTuple):
    """The tables of a game. A tile is a block of rows of 64 bytes, the last of them all 0.

    Attributes:
        sets: uint8[m, pegs], the symbols of each multiset, ascending; the multisets ascending.
        symbols: int64[m], the same as a set of symbols, as bits.
        having: uint64[tiles, colors], which multisets of a tile have each symbol, as bits.
        shapes: int64[m], of each multiset how often its symbols come, as a row of `tiles`.
        tiles: int64[shapes, 2], the first tile of the orders in `blacks`, and how many there are.
        blacks: uint8, tiles of orders, ascending. Row p * width + j has a 1 for the orders with
            the j-th of the multiset's symbols at position p; `width` is at most that many symbols.
        places: uint8[64 * tiles, pegs], the same by order: which of the symbols is at a position.
        shared: uint8, tiles of multisets. Row c * most + j - 1 says how many pegs each multiset
            shares with j times symbol c; a code has a symbol at most `most` times.
        rows: int32[m, width], where the rows of each multiset's symbols begin in a tile of
            `shared`; filled up with the row of zeros.
        shuffles: int64[s, pegs], the permutations of the positions, see `orbits.permutations`;
        shuffled: so many.
        pegs: of the game.
        colors: of the game.
        width: see `blacks`.
        number: how many multisets there are.
        shared_tile: the bytes of a tile of `shared`,
        blacks_tile: and of one of `blacks`.
    """

    sets: Bytes2D
    symbols: Integers
    having: Integers2D
    shapes: Integers
    tiles: Integers2D
    blacks: Integers
    places: Bytes2D
    shared: Integers
    rows: Integers2D
    shuffles: Integers2D
    shuffled: int
    pegs: int
    colors: int
    width: int
    number: int
    shared_tile: int
    blacks_tile: int


def orders_of(pegs: int, colors: int, repeats: bool) -> Orders:
    """The tables of a game."""
    sets = multisets(pegs, colors, repeats)
    counts = np.stack([(sets == c).sum(axis=1) for c in range(colors)], axis=1)
    most, width = pegs if repeats else 1, min(pegs, colors)
    shuffles = permutations(pegs)
    shared = np.minimum(counts.T[:, None, :], np.arange(1, most + 1)[None, :, None])
    row = np.arange(colors) * most + counts - 1
    rows = np.full((len(sets), colors), colors * most)
    rows[counts > 0] = row[counts > 0]
    # How often its symbols come, as one number for each multiset.
    steps = np.diff(sets.astype(np.int64), axis=1) > 0
    _, first, shapes = np.unique(
        steps @ (1 << np.arange(pegs - 1)), return_index=True, return_inverse=True
    )
    tiles, blacks, places, at = [], [], [], 0
    for numbers in np.cumsum(np.pad(steps[first], ((0, 0), (1, 0))), axis=1):
        every = all_orders(np.bincount(numbers))
        match = every.T[:, None, :] == np.arange(width)[None, :, None]
        blacks.append(tiled(match.reshape(pegs * width, -1)))
        tiles.append((at, len(every)))
        places.append(np.pad(every, ((0, -len(every) % LANES), (0, 0))))
        at += -(-len(every) // LANES)
    return Orders(
        sets,
        np.bitwise_or.reduce(np.int64(1) << sets.astype(np.int64), axis=1),
        bits(counts > 0),
        shapes,
        np.array(tiles),
        np.concatenate(blacks),
        np.concatenate(places),
        tiled(shared.reshape(colors * most, -1)),
        (np.sort(rows, axis=1)[:, :width] * LANES).astype(np.int32),
        shuffles,
        len(shuffles),
        pegs,
        colors,
        width,
        len(sets),
        (colors * most + 1) * LANES,
        (pegs * width + 1) * LANES,
    )


def bits(rows: Integers2D) -> Integers2D:
    """uint64[tiles, columns]: for each column which rows of a tile are true, as bits."""
    tiles = -(-len(rows) // LANES)
    padded = np.zeros((tiles * LANES, rows.shape[1]), np.uint64)
    padded[: len(rows)] = rows
    places = np.uint64(1) << np.arange(LANES, dtype=np.uint64)
    words: Integers2D = np.bitwise_or.reduce(
        padded.reshape(tiles, LANES, -1) * places[:, None], axis=1
    )
    return words


def all_orders(counts: Integers) -> Bytes2D:
    """uint8[orders, sum of counts]: the orders of so many of each of some things, ascending."""
    found = np.zeros((1, 0), np.uint8)
    left = np.array(counts)[None, :]
    for _ in range(int(np.sum(counts))):
        which, thing = np.nonzero(left)
        left = left[which]
        left[np.arange(len(which)), thing] -= 1
        found = np.concatenate([found[which], thing[:, None].astype(np.uint8)], axis=1)
    return found


def tiled(rows: Bytes2D) -> Integers:
    """Rows of any length as tiles, one after the other: uint8."""
    height, length = rows.shape
    tiles = -(-length // LANES)
    out = np.zeros((tiles, height + 1, LANES), np.uint8)
    padded = np.zeros((height, tiles * LANES), np.uint8)
    padded[:, :length] = rows
    out[:, :height] = padded.reshape(height, tiles, LANES).transpose(1, 0, 2)
    return out.reshape(-1)


def multisets(pegs: int, colors: int, repeats: bool) -> Bytes2D:
    """uint8[m, pegs]: all multisets of so many symbols, ascending."""
    choose = itertools.combinations_with_replacement if repeats else itertools.combinations
    flat = itertools.chain.from_iterable(choose(range(colors), pegs))
    return np.fromiter(flat, np.uint8).reshape(-1, pegs)


def set_of_each(pegs: int, colors: int, repeats: bool) -> Integers:
    """int32[codes]: the multiset of every code of a game, ascending, as a row of `multisets`.

    Longer by a position at a time: what follows a code depends on its multiset alone.
    """
    found, sets = np.zeros(1, np.int32), np.zeros((1, 0), np.uint8)
    symbols = np.arange(colors, dtype=np.uint8)
    for length in range(1, pegs + 1):
        longer = np.empty((len(sets), colors, length), np.uint8)
        longer[..., :-1], longer[..., -1] = sets[:, None], symbols
        if not repeats:
            longer = longer[(sets[:, :, None] != symbols).all(axis=1)]
        above, place = multisets(length, colors, repeats), colors ** np.arange(length)[::-1]
        named = np.sort(longer.reshape(-1, length), axis=1) @ place
        rows = np.searchsorted(above @ place, named).astype(np.int32)
        found, sets = rows.reshape(len(sets), -1)[found].ravel(), above
    return found
