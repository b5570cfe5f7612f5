"""Lower bounds of the total number of guesses for all candidates, by their number and the number of guesses left."""

import numpy as np

from guessbook.builder.arrays import Integers, Integers2D
from guessbook.engine.sets import IMPOSSIBLE, MAX_LEFT

# Up to this number of candidates, the minimum over all splits is quick to compute, so it may be used as a bound.
EXACT = 256


def bounds_below(size: int, answers: int, others: int) -> Integers2D:
    """Return lower bounds of the total number of guesses: int64[MAX_LEFT + 1, size + 1].

    Entry [left, n] is the bound for n candidates if `left` guesses are left.

    `answers` is the maximal number of feedbacks to a guess that may be the secret, including "solved". `others` is the
    maximal number of feedbacks to a guess that cannot be the secret; 0 if there are no such guesses.
    """
    bounds = np.full((MAX_LEFT + 1, size + 1), IMPOSSIBLE, np.int64)
    bounds[:, 0] = 0
    bounds[1:, 1:2] = 1
    cells = answers - 1
    # Above EXACT candidates, the cheapest split takes long to compute; a split into equal cells gives a good bound.
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
    """Return lower bounds of the total number of guesses for 0, 1, ... candidates if a guess splits them evenly.

    The guess solves one candidate and splits the others into `cells` cells. `below[k]` is a lower bound for a cell of k
    candidates.
    """
    row = below if left == MAX_LEFT else below.copy()
    for n in range(2, len(below)):
        small, large = divmod(n - 1, cells)
        cost = n + large * below[small + 1] + (cells - large) * below[small]
        row[n] = min(cost, IMPOSSIBLE)
    return row


def fill_exact(row: Integers, below: Integers, cells: int, others: int) -> None:
    """Fill `row` with lower bounds of the total number of guesses for 0, 1, ... candidates: the minima over all splits.

    `below[k]` is a lower bound for a cell of k candidates. A guess that may be the secret gives "solved" and at most
    `cells` other cells; any other guess gives at most `others` cells.
    """
    most = max(cells, others)
    # least[k, n] is the least sum of bounds if n candidates are split into at most k cells.
    least = np.full((most + 1, len(row)), IMPOSSIBLE, np.int64)
    least[:, 0] = 0
    least[1:, 1:2] = below[1:2]
    for n in range(2, len(row)):
        # split[k] is the least sum of bounds if n candidates are split into 2 to k cells.
        sums = below[1:n] + least[:most, n - 1 : 0 : -1]
        split = np.append(IMPOSSIBLE, np.minimum(sums.min(axis=1), IMPOSSIBLE))
        row[n] = min(n + min(split[others], least[cells, n - 1]), IMPOSSIBLE)
        least[1:, n] = np.minimum(below[n], split[1:])
        least[1, n] = below[n]
