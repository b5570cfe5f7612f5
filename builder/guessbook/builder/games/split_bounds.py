"""Lower bounds for the cost of candidates, by their number and the guesses left."""

import numpy as np

from guessbook.builder.arrays import Integers, Integers2D
from guessbook.kernels.sets import IMPOSSIBLE, MAX_LEFT

# Sets of at most this size are bounded by the cheapest of all splits.
EXACT = 256


def bounds_below(size: int, answers: int, others: int) -> Integers2D:
    """Return lower bounds for n candidates: int64[MAX_LEFT + 1, size + 1], by guesses left.

    A guess that is a candidate solves one, and splits the others among the other feedbacks; any
    other guess splits them all. The bound of a split is the sum of the bounds of its cells: of
    cells of equal size if candidates have the most feedbacks, else of the cheapest sizes.

    `answers` is the most feedbacks of a guess that may be the secret, "solved" included; `others`
    the most feedbacks of a guess that is no candidate, 0 if there is none.
    """
    bounds = np.full((MAX_LEFT + 1, size + 1), IMPOSSIBLE, np.int64)
    bounds[:, 0] = 0
    bounds[1:, 1:2] = 1
    cells = answers - 1
    # For larger sets the cheapest split takes long to find, and is closer to cells of equal size.
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
    """Return bounds for 0, 1, ... candidates that split into cells of equal size."""
    row = below if left == MAX_LEFT else below.copy()
    for n in range(2, len(below)):
        small, large = divmod(n - 1, cells)
        cost = n + large * below[small + 1] + (cells - large) * below[small]
        row[n] = min(cost, IMPOSSIBLE)
    return row


def fill_exact(row: Integers, below: Integers, cells: int, others: int) -> None:
    """Fill a row with the bounds of the cheapest splits into at least two cells."""
    most = max(cells, others)
    # least[k, n]: the bound of n candidates in at most k cells.
    least = np.full((most + 1, len(row)), IMPOSSIBLE, np.int64)
    least[:, 0] = 0
    least[1:, 1:2] = below[1:2]
    for n in range(2, len(row)):
        # split[k]: the bound of n candidates in 2 to k cells.
        sums = below[1:n] + least[:most, n - 1 : 0 : -1]
        split = np.append(IMPOSSIBLE, np.minimum(sums.min(axis=1), IMPOSSIBLE))
        row[n] = min(n + min(split[others], least[cells, n - 1]), IMPOSSIBLE)
        least[1:, n] = np.minimum(below[n], split[1:])
        least[1, n] = below[n]
