"""Permutations of guesses and secrets: whether they are automorphisms, and what they generate.

See `guessbook.builder.games.automorphisms`.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.compiler.jit import kernel, part
from guessbook.builder.kernels.arrays import Array, Integers, Integers2D

# A stabilizer is drawn from products of at least so many permutations; the first products are not
# yet as good as any. Each that is drawn doubles what has been generated, at least, with a chance of
# a half, until it is the whole.
POOL, MIXED, DRAWN = 10, 50, 20


@part
def mixed(word: int) -> int:
    """A word, so that sums of such words say what they are sums of."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def number(table: Array, solved: int, numbers: Array, cells: Array) -> None:
    """Number the cells of each guess as they appear; 0 is what it names. `numbers` is all 0."""
    for g in range(len(table)):
        count = 0
        for s in range(table.shape[1]):
            answer = table[g, s]
            if answer != solved and numbers[answer] == 0:
                count += 1
                numbers[answer] = count
            cells[g, s] = numbers[answer]
        for s in range(table.shape[1]):
            numbers[table[g, s]] = 0


@kernel
def refine(table: Array, sums: Array, guesses: Array, secrets: Array) -> None:
    """Give guesses colors by the colors of the secrets in each cell, then vice versa.

    Args:
        table: uint[guesses, secrets], the cells: see `Symmetries`.
        sums: uint64[secrets + 1], working space.
        guesses: uint64[guesses], the colors, which are replaced.
        secrets: uint64[secrets], the same.
    """
    told = np.zeros(len(secrets), np.uint64)
    for g in range(len(table)):
        row = table[g]
        sums[0] = last = 0
        for s in range(len(row)):
            sums[row[s]] = 0
        for s in range(len(row)):
            sums[row[s]] += secrets[s]
            last = max(last, np.int64(row[s]))
        # The cell that it names is another one.
        sums[0] ^= np.uint64(0x9E3779B97F4A7C15)
        color = guesses[g]
        for k in range(last + 1):
            sums[k] = mixed(sums[k])
            color += sums[k]
        color = mixed(color)
        guesses[g] = color
        for k in range(last + 1):
            sums[k] = mixed(sums[k] + color)
        for s in range(len(row)):
            told[s] += sums[row[s]]
    for s in range(len(secrets)):
        secrets[s] = mixed(secrets[s] + told[s])


@kernel
def carries(table: Array, moved: Array, image: Array) -> bool:
    """Whether permutations of guesses and of secrets are an automorphism."""
    size = table.shape[1]
    to, back = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
    for g in range(len(table)):
        for k in range(size + 1):
            to[k] = back[k] = -1
        # What is named is carried onto what is named.
        to[0] = back[0] = 0
        for s in range(size):
            own, other = np.int64(table[g, s]), np.int64(table[moved[g], image[s]])
            if to[own] < 0 and back[other] < 0:
                to[own] = other
                back[other] = own
            elif to[own] != other:
                return False
    return True


@kernel
def orbits(generators: Array, size: int) -> Integers:
    """int64[size]: for each of the first points the lowest one that products carry it onto."""
    lowest = np.arange(size)
    for image in generators:
        for k in range(size):
            one, other = np.int64(k), np.int64(image[k])
            while lowest[one] != one:
                one = lowest[one]
            while lowest[other] != other:
                other = lowest[other]
            if other < one:
                one, other = other, one
            lowest[other] = one
    for k in range(size):
        lowest[k] = lowest[lowest[k]]
    return lowest


def stabilizer(generators: Integers2D, point: int, blocks: Integers) -> Integers2D:
    """Products of permutations that carry a block of points onto itself; nearly always the whole.

    Drawn at random, but the same in every run: see `products`.

    Args:
        generators: uint32[m, n], the permutations.
        point: one of the block.
        blocks: int64[n], the block of each point, that any product carries a point onto.
    """
    if (blocks[generators[:, point]] == blocks[point]).all():
        return generators
    choices = np.random.default_rng(1).integers(
        max(len(generators), POOL) - 1, size=(MIXED + DRAWN, 2)
    )
    return products(generators, point, blocks, choices)


@kernel
def products(generators: Array, point: int, blocks: Array, choices: Array) -> Integers2D:
    """Products of permutations that carry a block of points onto itself; see `stabilizer`.

    Every product carries the block onto some other, and products that lead back from there are
    known (Schreier's lemma). What is drawn are products of products (Celler et al. 1995), which
    the int64[MIXED + DRAWN, 2] choices say.
    """
    count, n = generators.shape
    block = blocks[point]
    back = np.empty_like(generators)
    for k in range(count):
        for i in range(n):
            back[k, generators[k, i]] = i
    # The permutation that leads to each block that is reached, from one nearer to the start.
    by = np.full(n, -1)
    by[block] = count
    reached = np.full(n, point)
    end = 1
    for i in range(n):
        if i == end:
            break
        for k in range(count):
            new = generators[k, reached[i]]
            if by[blocks[new]] < 0:
                by[blocks[new]] = k
                reached[end] = new
                end += 1
    pool = np.empty((max(count, POOL), n), generators.dtype)
    for k in range(len(pool)):
        pool[k] = generators[k % count]
    drawn = np.empty((len(choices) - MIXED, n), generators.dtype)
    kept = 0
    element = np.empty(n, generators.dtype)
    for turn in range(len(choices)):
        one, other = choices[turn]
        if other >= one:  # never of one with itself
            other += 1
        for i in range(n):
            element[i] = pool[other, pool[one, i]]
        pool[one] = element
        if turn < MIXED:
            continue
        while blocks[element[point]] != block:
            k = by[blocks[element[point]]]
            for i in range(n):
                element[i] = back[k, element[i]]
        new = is_new(element, np.arange(n))
        for k in range(kept):
            new = new and is_new(element, drawn[k])
        if new:
            drawn[kept] = element
            kept += 1
    return drawn[:kept]


@part
def is_new(element: Array, other: Array) -> bool:
    """Whether two permutations differ."""
    new = False
    for i in range(len(element)):
        new = new or element[i] != other[i]
    return new
