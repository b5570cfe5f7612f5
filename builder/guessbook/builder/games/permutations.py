"""Permutations of guesses and secrets: orbits, stabilizers, and hash colors (hashes that equivalent codes share)."""

from typing import Any

import numpy as np

from guessbook.builder.arrays import Integers, Integers2D

# Random products from a pool of at least POOL permutations generate a stabilizer. The first MIXED products only mix the
# pool. Until the generated group is complete, each of the next DRAWN enlarges it with probability 1/2 or more.
POOL, MIXED, DRAWN = 10, 50, 20
# The maximal number of (guess, secret) pairs that are processed at once. They take some tens of megabytes.
BLOCK = 1 << 20
# The exclusive or with this number makes the hash color of a chosen secret, or of the solved cell, unique.
NAMED = np.uint64(0x9E3779B97F4A7C15)


def mix(words: Any) -> Any:
    """Return a hash of each uint64. If two sums of hashes are equal, their terms are nearly always equal, too."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def number_cells(table: Integers2D, solved: int) -> Integers2D:
    """Return a table with new feedback numbers: 0 for `solved`, then 1, 2, ... by first occurrence in each row."""
    cells, size = np.empty(table.shape, np.min_scalar_type(table.shape[1])), table.shape[1]
    # Positions count from 1. The lowest position of each feedback is assigned last, so `first` retains it.
    first = np.empty(int(table.max(initial=solved)) + 1, np.int64)
    for row, answers in zip(cells, table, strict=True):
        first[:] = size + 1
        first[answers[::-1]] = np.arange(size, 0, -1)
        first[solved] = 0
        row[:] = np.argsort(np.argsort(first, kind="stable"))[answers]
    return cells


def refine(table: Integers2D, guesses: Integers, secrets: Integers) -> None:
    """Refine uint64 hashes in place: rehash each guess by its cells, then each secret by the cells that contain it."""
    told = np.zeros(len(secrets), np.uint64)
    width = int(table.max(initial=0)) + 1
    height = max(BLOCK // len(secrets), 1)
    for begin in range(0, len(table), height):
        rows = table[begin : begin + height]
        places = rows + np.arange(len(rows))[:, None] * width
        cells: Any = np.zeros((len(rows), width), np.uint64)
        np.add.at(cells.reshape(-1), places.ravel(), np.tile(secrets, len(rows)))
        # The solved cell gets a unique hash color. Other cells, if empty, have hash 0, which changes no sum.
        cells[:, 0] ^= NAMED
        cells = mix(cells)
        colors = mix(guesses[begin : begin + height] + cells.sum(axis=1))
        guesses[begin : begin + height] = colors
        told += mix(cells + colors[:, None]).ravel()[places].sum(axis=0, dtype=np.uint64)
    secrets[:] = mix(secrets + told)


def orbits(generators: Integers2D, size: int) -> Integers:
    """Return, for each of the first `size` points, the lowest point of its orbit under generators: int64[size]."""
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
    """Return generators of the subgroup that maps the block of a point to itself; in rare cases some are missing.

    `blocks` is int64[n], the block of each point; every permutation of the group must map blocks to blocks.
    """
    if (blocks[generators[:, point]] == blocks[point]).all():
        return generators
    # Each random product of generators (Celler et al. 1995) is multiplied by some of `ways` until it maps the block of
    # `point` to itself (Schreier's lemma).
    ways = ways_back(generators, point, blocks)
    pool = [generators[k % len(generators)] for k in range(max(len(generators), POOL))]
    choices = np.random.default_rng(1).integers(len(pool) - 1, size=(MIXED + DRAWN, 2))
    drawn: dict[bytes, Integers] = {}
    for turn, (one, other) in enumerate(choices.tolist()):
        pool[one] = pool[other + (other >= one)][
            pool[one]
        ]  # `other + (other >= one)` is never `one`.
        if turn < MIXED:
            continue
        element = pool[one]
        while blocks[element[point]] != blocks[point]:
            element = ways[int(blocks[element[point]])][element]
        drawn[element.tobytes()] = element
    identity = np.arange(generators.shape[1], dtype=generators.dtype)
    drawn.pop(identity.tobytes(), None)
    return np.array(list(drawn.values()), generators.dtype).reshape(-1, len(identity))


def ways_back(generators: Integers2D, point: int, blocks: Integers) -> dict[int, Integers]:
    """Return, for each block that generators reach from the block of `point`, the inverse of the last generator."""
    inverses = np.argsort(generators, axis=1)
    ways: dict[int, Integers] = {int(blocks[point]): inverses[0]}
    reached = [point]
    for place in reached:
        for image, inverse in zip(generators, inverses, strict=True):
            new = int(image[place])
            if int(blocks[new]) not in ways:
                # `inverse` maps the new block to the block of `place`, which is one generator closer to `point`.
                ways[int(blocks[new])] = inverse
                reached.append(new)
    return ways
