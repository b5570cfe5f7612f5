"""Partitions inside the kernels: the scores of cells, and the best score that any could have.

That best score, of an even split, is the bound by which `lanes` and `multisets` drop guesses. For
5x8 by entropy they list the orders of so few multisets that 8.1e7 pairs are scored, not 1.4e9; and
in `lanes`, of 4.2e7 pairs for guesses that are no candidate, the number of cells drops nine in ten.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.kernels.arrays import Array, Integers2D, Rule
from guessbook.builder.kernels.jit import part
from guessbook.builder.kernels.vector import equal_64, lowest_one, popcount

# Below every score; those of 2**22 candidates come close to the end of an int64.
LEAST_SCORE = -(1 << 63)


def even_splits(rule: Rule, most: int, cells: int) -> Integers2D:
    """int64[most + 1, cells + 1]: the best score that n candidates in at most k cells can have.

    That is the score of an even split: all costs grow faster than their sizes, or not at all.
    """
    n = np.arange(most + 1)[:, None]
    k = np.minimum(n, np.arange(cells + 1))
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
def seen_score(vectors: Array, start: int, n: int, seen: int, costs: Array, additive: bool) -> int:
    """The score of the partition by at most 64 feedbacks from `start`, whose set is `seen`."""
    valid = ~np.uint64(0) >> np.uint64(64 - n)
    total = np.int64(0)
    while seen:
        feedback = lowest_one(seen)
        seen &= seen - np.uint64(1)
        cost = costs[popcount(equal_64(vectors, start, feedback) & valid)]
        total = total + cost if additive else max(total, cost)
    return -total


@part
def cell_score(
    vectors: Array, start: int, n: int, sizes: Array, costs: Array, additive: bool
) -> int:
    """The score of the partition by n feedbacks from `start`; `sizes` is zero before and after."""
    total = np.int64(0)
    if additive:
        for k in range(start, start + n):
            size = sizes[vectors[k]]
            sizes[vectors[k]] = size + 1
            total += costs[size + 1] - costs[size]
    else:
        for k in range(start, start + n):
            size = sizes[vectors[k]] + 1
            sizes[vectors[k]] = size
            total = max(total, costs[size])
    for k in range(start, start + n):
        sizes[vectors[k]] = 0
    return -total


@part
def count_values(vectors: Array, start: int, n: int, most: int, sizes: Array) -> None:
    """sizes[v]: how many of the n bytes from `start` are v, for v up to `most`; all were 0."""
    if n > 64:
        for k in range(start, start + n):
            sizes[vectors[k]] += 1
        return
    valid = ~np.uint64(0) >> np.uint64(64 - n)
    for v in range(most + 1):
        sizes[v] = popcount(equal_64(vectors, start, v) & valid)
