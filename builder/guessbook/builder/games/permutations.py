"""Permutations of guesses and secrets: whether they are automorphisms, and their products.

`guessbook.builder.games.automorphisms` says for what.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from guessbook.builder.arrays import Integers, Integers2D

# A stabilizer is drawn from products of at least POOL permutations; the first MIXED products are
# not yet random enough. Each of the DRAWN ones doubles the group that is generated, at least, with
# a chance of a half, until it is the whole.
POOL, MIXED, DRAWN = 10, 50, 20
# Pairs of a guess and a secret that are looked at together: some tens of megabytes.
BLOCK = 1 << 20


def blocks_of(table: Integers2D) -> Iterator[slice]:
    """Yield the rows of a table in blocks."""
    rows = max(BLOCK // max(table.shape[1], 1), 1)
    for begin in range(0, len(table), rows):
        yield slice(begin, begin + rows)


def mixed(words: Any) -> Any:
    """Return words (uint64) as others, so that sums of such words say of what they are sums."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def numbered(table: Integers2D, solved: int) -> Integers2D:
    """Return the cells of each guess, numbered from 1 as they appear; 0 is what it names."""
    cells = np.empty(table.shape, np.min_scalar_type(table.shape[1]))
    for block in blocks_of(table):
        answers = table[block].astype(np.int64)
        # Equal answers side by side, the first of them first.
        order = np.argsort(answers, axis=1, kind="stable")
        ordered = np.take_along_axis(answers, order, axis=1)
        begins = np.ones(answers.shape, bool)
        begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
        first = np.zeros(answers.shape, bool)
        np.put_along_axis(first, order, begins & (ordered != solved), axis=1)
        numbers = np.where(first, np.cumsum(first, axis=1), 0)
        # Each takes the number of the first of its cell.
        own = np.take_along_axis(numbers, order, axis=1)
        places = np.where(begins, np.arange(answers.shape[1]), 0)
        own = np.take_along_axis(own, np.maximum.accumulate(places, axis=1), axis=1)
        found = np.empty(answers.shape, np.int64)
        np.put_along_axis(found, order, own, axis=1)
        cells[block] = found
    return cells


def refine(table: Integers2D, guesses: Integers, secrets: Integers) -> None:
    """Give guesses colors by the colors of the secrets in each cell, then vice versa.

    Args:
        table: uint[guesses, secrets], the cells: see `numbered`.
        guesses: uint64[guesses], the colors, which are replaced.
        secrets: uint64[secrets], likewise.
    """
    told = np.zeros(len(secrets), np.uint64)
    width = int(table.max(initial=0)) + 1
    for block in blocks_of(table):
        rows = table[block]
        places = rows + np.arange(len(rows))[:, None] * width
        sums = np.zeros(len(rows) * width, np.uint64)
        np.add.at(sums, places.ravel(), np.tile(secrets, len(rows)))
        there: Any = np.zeros(len(sums), bool)
        there[places.ravel()] = True
        cells: Any = sums.reshape(-1, width)
        # The cell that a guess names is another one.
        cells[:, 0] ^= np.uint64(0x9E3779B97F4A7C15)
        cells = mixed(cells)
        there = there.reshape(-1, width)
        there[:, 0] = True
        colors = mixed(guesses[block] + np.where(there, cells, np.uint64(0)).sum(axis=1))
        guesses[block] = colors
        cells = mixed(cells + colors[:, None])
        told += cells.ravel()[places].sum(axis=0, dtype=np.uint64)
    secrets[:] = mixed(secrets + told)


def is_automorphism(table: Integers2D, moved: Integers, image: Integers) -> bool:
    """Return whether permutations of guesses and of secrets carry cells onto cells."""
    width = int(table.max(initial=0)) + 1
    for block in blocks_of(table):
        own = table[block].astype(np.int64)
        other = table[moved[block]][:, image].astype(np.int64)
        # A named secret is carried onto a named one.
        if ((own == 0) != (other == 0)).any():
            return False
        row = np.arange(len(own))[:, None] * width
        for one, two in ((own, other), (other, own)):
            to = np.zeros(len(own) * width, np.int64)
            to[(row + one).ravel()] = two.ravel()
            if (to[row + one] != two).any():
                return False
    return True


def orbits(generators: Integers2D, size: int) -> Integers:
    """Return for each of the first points the lowest one that products carry it onto: int64."""
    lowest = np.arange(size)
    while True:
        before = lowest.copy()
        for image in generators:
            to = image[:size].astype(np.int64)
            least = np.minimum(lowest, lowest[to])
            lowest = least.copy()
            lowest[to] = np.minimum(lowest[to], least)
        lowest = lowest[lowest]
        if np.array_equal(lowest, before):
            return lowest


def stabilizer(generators: Integers2D, point: int, blocks: Integers) -> Integers2D:
    """Return products of permutations that carry a block of points onto itself; nearly all.

    Every product carries the block onto some other, and products that lead back from there are
    known (Schreier's lemma). The products of products are drawn at random (Celler et al. 1995), but
    equally in every run.

    Args:
        generators: uint32[m, n], the permutations.
        point: one of the block.
        blocks: int64[n], the block of each point, that any product carries a point onto.
    """
    if (blocks[generators[:, point]] == blocks[point]).all():
        return generators
    ways = ways_back(generators, point, blocks)
    pool = [generators[k % len(generators)] for k in range(max(len(generators), POOL))]
    choices = np.random.default_rng(1).integers(len(pool) - 1, size=(MIXED + DRAWN, 2))
    drawn: dict[bytes, Integers] = {}
    for turn, (one, other) in enumerate(choices.tolist()):
        pool[one] = pool[other + (other >= one)][pool[one]]  # never of one with itself
        if turn < MIXED:
            continue
        element = pool[one]
        while blocks[element[point]] != blocks[point]:
            element = ways[int(blocks[element[point]])][element]
        drawn[element.tobytes()] = element
    identity = np.arange(generators.shape[1], dtype=generators.dtype)
    drawn.pop(identity.tobytes(), None)
    none = np.empty((0, generators.shape[1]), generators.dtype)
    return np.array(list(drawn.values())) if drawn else none


def ways_back(generators: Integers2D, point: int, blocks: Integers) -> dict[int, Integers]:
    """Return, for each block that products carry a point to, a permutation to a nearer one."""
    inverses = np.argsort(generators, axis=1)
    ways: dict[int, Integers] = {int(blocks[point]): inverses[0]}
    reached = [point]
    for place in reached:
        for image, inverse in zip(generators, inverses, strict=True):
            new = int(image[place])
            if int(blocks[new]) not in ways:
                ways[int(blocks[new])] = inverse
                reached.append(new)
    return ways
