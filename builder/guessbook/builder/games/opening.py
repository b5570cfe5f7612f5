"""The opening of a large code game: of the guesses that repeat symbols alike, one is enough."""

from __future__ import annotations

import numpy as np

from guessbook.builder.kernels.arrays import Bytes2D, Integers, Rule
from guessbook.builder.kernels.node import orders_each


def openings(sets: Bytes2D, colors: int, rule: Rule) -> tuple[Integers, Integers]:
    """The lowest multiset of each kind, and the best score that a guess of it may have.

    Of all codes as many have each total of black and white pegs as the multisets say; of a total
    there are so many feedbacks, into which an even split is best.

    Args:
        sets: uint8[m, pegs], all multisets of symbols, ascending.
        colors: of the game.
        rule: the policy.

    Returns:
        int64[k], rows of `sets`, the most promising first, and int64[k].
    """
    pegs = sets.shape[1]
    counts = (sets[:, :, None] == np.arange(colors)).sum(axis=1)
    _, lowest = np.unique(-np.sort(-counts, axis=1), axis=0, return_index=True)
    number = orders_each(sets)
    limits = []
    for first in lowest:
        totals = np.minimum(counts, counts[first]).sum(axis=1)
        sizes = np.bincount(totals, number, pegs + 1).astype(np.int64)
        cells = np.minimum(np.arange(1, pegs + 2), pegs)
        small, large = np.divmod(sizes, cells)
        most, least = rule.costs[small + (large > 0)], rule.costs[small]
        cost = (large * most + (cells - large) * least).sum() if rule.additive else most.max()
        limits.append(rule.credit - int(cost))
    order = np.argsort(-np.array(limits), kind="stable")
    return lowest[order], np.array(limits)[order]
