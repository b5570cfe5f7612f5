"""Permutations of guesses and secrets: refinement of colors, orbits, and stabilizers."""

from typing import Any

import numpy as np

from guessbook.builder.arrays import Integers, Integers2D

# A stabilizer is drawn from products of at least POOL permutations. The first MIXED products are
# not random enough. With a chance of a half, each of the next DRAWN products at least doubles the
# generated group, until the group is complete.
POOL, MIXED, DRAWN = 10, 50, 20
# The most pairs of a guess and a secret in a block, which takes some tens of megabytes.
BLOCK = 1 << 20
# The color of a cell or of a secret changes by an exclusive or with this number.
NAMED = np.uint64(0x9E3779B97F4A7C15)


def mix(words: Any) -> Any:
    """Return a hash of each word (uint64), so that equal sums nearly always have equal terms."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def number_cells(table: Integers2D, solved: int) -> Integers2D:
    """Return the cells of each guess, numbered from 1 as they appear; 0 is the solved one."""
    cells, size = np.empty(table.shape, np.min_scalar_type(table.shape[1])), table.shape[1]
    # The first place of each answer, counted from 1: a later assignment replaces an earlier one.
    first = np.empty(int(table.max(initial=solved)) + 1, np.int64)
    for row, answers in zip(cells, table, strict=True):
        first[:] = size + 1
        first[answers[::-1]] = np.arange(size, 0, -1)
        first[solved] = 0
        row[:] = np.argsort(np.argsort(first, kind="stable"))[answers]
    return cells


def refine(table: Integers2D, guesses: Integers, secrets: Integers) -> None:
    """Refine the colors (uint64) of guesses by their cells, then those of secrets, in place."""
    told = np.zeros(len(secrets), np.uint64)
    width = int(table.max(initial=0)) + 1
    height = max(BLOCK // len(secrets), 1)
    for begin in range(0, len(table), height):
        rows = table[begin : begin + height]
        places = rows + np.arange(len(rows))[:, None] * width
        cells: Any = np.zeros((len(rows), width), np.uint64)
        np.add.at(cells.reshape(-1), places.ravel(), np.tile(secrets, len(rows)))
        # The solved cell gets another color. An empty cell stays 0, as the hash of 0 is 0.
        cells[:, 0] ^= NAMED
        cells = mix(cells)
        colors = mix(guesses[begin : begin + height] + cells.sum(axis=1))
        guesses[begin : begin + height] = colors
        told += mix(cells + colors[:, None]).ravel()[places].sum(axis=0, dtype=np.uint64)
    secrets[:] = mix(secrets + told)


def orbits(generators: Integers2D, size: int) -> Integers:
    """Return the lowest point in the orbit of each of the first `size` points: int64."""
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
    """Return generators of the products that map the block of a point to itself.

    `blocks` is int64[n], the block of each point; every product maps blocks to blocks. Random
    products (Celler et al. 1995), equal in every run, map the block to another one, and a known
    product maps the other block back (Schreier's lemma). Generators are rarely missing.
    """
    if (blocks[generators[:, point]] == blocks[point]).all():
        return generators
    ways = ways_back(generators, point, blocks)
    pool = [generators[k % len(generators)] for k in range(max(len(generators), POOL))]
    choices = np.random.default_rng(1).integers(len(pool) - 1, size=(MIXED + DRAWN, 2))
    drawn: dict[bytes, Integers] = {}
    for turn, (one, other) in enumerate(choices.tolist()):
        pool[one] = pool[other + (other >= one)][pool[one]]  # never with itself
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
    """Return a permutation to a nearer block, for each block that products map a point to."""
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
