"""What candidates cost at least, by how many they are and how many guesses are left."""

from __future__ import annotations

import numpy as np

from guessbook.builder.arrays import Integers, Integers2D
from guessbook.kernels.sets import IMPOSSIBLE, MAX_LEFT

# Sets of at most so many candidates have the least of all splits for a bound.
EXACT = 256


def bounds_below(size: int, answers: int, others: int) -> Integers2D:
    """Return what n candidates cost at least: int64[MAX_LEFT + 1, size + 1], by guesses left.

    A guess that may be right finds one, and the others split among all other feedbacks; one that
    cannot be right splits them all. What a split costs at least is a sum over its parts: of equal
    size where a guess of the first kind has as many cells as any, else the least of all sums.

    Args:
        size: the most candidates.
        answers: how many feedbacks a guess that may be right can get, "solved" with them.
        others: how many one that cannot be right can get; 0 if there is none.
    """
    bounds = np.full((MAX_LEFT + 1, size + 1), IMPOSSIBLE, np.int64)
    bounds[:, 0] = 0
    bounds[1:, 1:2] = 1
    cells = answers - 1
    # Of larger sets a split takes long to find, and is less far from one into parts of equal size.
    exact = cells < others and size <= EXACT
    if not exact:
        cells = max(cells, others)
    for left in range(2, (MAX_LEFT if cells else 1) + 1):
        row = bounds[left]
        below = bounds[left - 1] if left < MAX_LEFT else row
        if exact:
            fill_exact(row, below, cells, others)
        else:
            row[:] = even_row(below.tolist(), left, cells)
    return bounds


def even_row(below: list[int], left: int, cells: int) -> list[int]:
    """Return what 0, 1, ... candidates cost at least where they split into cells of equal size."""
    row = below if left == MAX_LEFT else below.copy()
    for n in range(2, len(below)):
        small, large = divmod(n - 1, cells)
        cost = n + large * below[small + 1] + (cells - large) * below[small]
        row[n] = min(cost, IMPOSSIBLE)
    return row


def fill_exact(row: Integers, below: Integers, cells: int, others: int) -> None:
    """Fill a row by the least of all splits, without the one that leaves all together."""
    most = max(cells, others)
    # least[k, n]: what n candidates in at most k cells cost at least.
    least = np.full((most + 1, len(row)), IMPOSSIBLE, np.int64)
    least[:, 0] = 0
    least[1:, 1:2] = below[1:2]
    for n in range(2, len(row)):
        # split[k]: the same in 2 to k cells, by the size of the first.
        sums = below[1:n] + least[:most, n - 1 : 0 : -1]
        split = np.append(IMPOSSIBLE, np.minimum(sums.min(axis=1), IMPOSSIBLE))
        row[n] = min(n + min(split[others], least[cells, n - 1]), IMPOSSIBLE)
        least[1:, n] = np.minimum(below[n], split[1:])
        least[1, n] = below[n]
