"""The search for the best pair of guesses, by a kernel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from guessbook.builder.compiler.jit import Native
from guessbook.builder.kernels.arrays import Array

# Feedback numbers from here on are replaced by the number of their cell.
MANY = 1000

# The cost of a place in the list that is still free.
NOTHING = 1 << 62


def search(
    rows: Sequence[Sequence[int]],
    firsts: Sequence[int],
    costs: Sequence[int],
    count: int,
    weights: Sequence[int] | None = None,
) -> list[tuple[int, int, int]]:
    """The pairs of guesses whose cells together cost least, as (cost, guess, guess), best first.

    Of pairs of equal cost the one with the lower guesses comes first.

    Args:
        rows: the feedback number of each candidate to each guess, as bytes or arrays.
        firsts: the guesses of which a pair has at least one.
        costs: the cost of a cell whose candidates count 0, 1, ..., of the policy `entropy`.
        count: how many pairs are wanted.
        weights: how much each candidate counts; 1 if None.
    """
    # Bytes and arrays as they are: a list of words has tens of millions of feedbacks.
    table = np.array([np.asarray(memoryview(row)) for row in rows])  # type: ignore[arg-type]
    if table.max() > MANY:
        # Long words have more feedbacks than a table of pairs can hold, but few that occur.
        table = np.array([np.unique(row, return_inverse=True)[1] for row in table], np.uint32)
    feedbacks = int(table.max()) + 1
    cost = np.array(costs, np.int64)
    counted = np.array(weights or [1] * table.shape[1], np.int64)
    cells = np.zeros(feedbacks * feedbacks, np.int32)
    sums = (np.bincount(row, counted).astype(np.int64) for row in table)
    alone = np.array([cost[cell].sum() for cell in sums])
    order = np.lexsort((np.arange(len(alone)), alone))
    is_first = np.zeros(len(table), np.uint8)
    is_first[list(firsts)] = 1
    kept = np.full((count, 3), NOTHING, np.int64)
    search_pairs(
        table[order], *table.shape, order, is_first[order], alone[order], cost, len(cost), counted,
        feedbacks, cells, kept, count,
    )  # fmt: skip
    return [(int(c), int(a), int(b)) for c, a, b in kept if c < NOTHING]


@Native
def search_pairs(
    rows: Array, guesses: int, n: int, order: Array, is_first: Array, alone: Array, costs: Array,
    most: int, weights: Array, feedbacks: int, cells: Array, kept: Array, count: int,
) -> None:  # fmt: skip
    """Fill `kept` with the best pairs.

    Two feedbacks never tell more than the sum of what each of them tells, so a pair costs at least
    the costs of both guesses alone minus the cost of no guess; and a sum of steps never falls.

    Args:
        rows: uint8, uint16 or uint32[guesses, n], the feedbacks, the guess that costs least alone
            first; of
        guesses: so many, and of
        n: so many candidates.
        order: int64[guesses], the index of each of these guesses.
        is_first: uint8[guesses], whether each may be the one that a pair must have.
        alone: int64[guesses], what each costs alone.
        costs: int64[most], the cost of a cell whose candidates count 0, 1, ...; the last is that of
            all.
        most: one more than all candidates count.
        weights: int64[n], how much each candidate counts.
        feedbacks: one more than the largest feedback number.
        cells: int32[feedbacks**2], 0 before and after.
        kept: int64[count, 3], cost and guesses; becomes the best pairs,
        count: so many.
    """
    last, whole = (count - 1) * 3, costs[most - 1]
    for i in range(guesses):
        if not is_first[i]:
            continue
        for j in range(guesses):
            if alone[i] + alone[j] - whole > kept[last]:
                break
            # A pair of two such guesses is met once.
            if j == i or (j < i and is_first[j]):
                continue
            cost = np.int64(0)
            done = 0
            while done < n and cost <= kept[last]:
                cell = np.int64(rows[i * n + done]) * feedbacks + np.int64(rows[j * n + done])
                before = cells[cell]
                after = before + weights[done]
                cost += costs[after] - costs[before]
                cells[cell] = after
                done += 1
            for k in range(done):
                cells[np.int64(rows[i * n + k]) * feedbacks + np.int64(rows[j * n + k])] = 0
            if cost > kept[last]:
                continue
            a = min(order[i], order[j])
            b = max(order[i], order[j])
            place = last + 3
            while place > 0 and (
                cost < kept[place - 3]
                or (
                    cost == kept[place - 3]
                    and (a < kept[place - 2] or (a == kept[place - 2] and b < kept[place - 1]))
                )
            ):
                place -= 3
            if place > last:
                continue
            for k in range(last + 2, place + 2, -1):
                kept[k] = kept[k - 3]
            kept[place], kept[place + 1], kept[place + 2] = cost, a, b
