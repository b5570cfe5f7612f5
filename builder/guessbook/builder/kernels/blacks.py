"""The blacks that a guess must have with all candidates together, if it is to score enough.

Their sum is found without a look at the candidates, from how many of them have each symbol at each
position. It limits what a guess can tell: n_tb candidates with t pegs in all, b of them black, are
at best spread like r**b for some r, as of all partitions with the same sizes of the classes t and
the same sum of b this one has the most entropy. By duality any r gives a bound,

    -sum n_tb L(n_tb) <= sum_t (-N_t L(N_t) + N_t L(Z_t(r))) - B L(r),  Z_t(r) = sum_b r**b,

with N_t candidates in class t, B blacks in all and L = log2. So there is an interval for B, outside
of which no guess can win. Counted for 6x8: of the orders of promising multisets one in 8 is left
where candidates are few hundreds, one in 20 where they are thousands.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.compiler.jit import between, lowest_one, part
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Integers, Rule
from guessbook.builder.kernels.orbits import in_order, is_lowest
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import Bound, even_splits
from guessbook.builder.kernels.scores import spell
from guessbook.builder.kernels.space import (
    BYTE,
    CODE,
    ELEMENTS,
    HELD,
    IMAGE,
    KINDS,
    REPEATS,
    REQUIRED,
    USED,
    Space,
)

# The values of log2(r) that are tried: so many below 0 and above, this far apart.
STEPS, STEP = 16, 0.25

# Bits by which a bound is raised, and units of the logarithms for each candidate: more than
# rounding takes, of floats and of L(n), a sum of at most 24 rounded logarithms of primes.
SLACK, ROUNDED = 0.001, 32


def spreads_of(pegs: int) -> Integers:
    """float64[2 * STEPS + 1, pegs + 1], flat: log2 of Z_t(r), for each r and each class t."""
    logs = np.arange(-STEPS, STEPS + 1) * STEP
    # Of N pegs in all, N - 1 black and 1 white cannot be.
    blacks = [[b for b in range(t + 1) if not b == pegs - 1 == t - 1] for t in range(pegs + 1)]
    sums = [[np.exp2(log * np.array(values)).sum() for values in blacks] for log in logs]
    return np.log2(np.array(sums)).ravel()


def bound_of(rule: Rule, orders: Orders) -> Bound:
    """A policy for the kernel."""
    most = min(len(rule.costs) - 1, BYTE)
    splits = even_splits(rule, most, orders.pegs * (orders.pegs + 3) // 2)
    unit = int(rule.costs[2]) // 2 if rule.logarithmic and len(rule.costs) > 2 else 0
    return Bound(
        rule.costs, splits, splits.shape[1], rule.additive, rule.credit, unit,
        spreads_of(orders.pegs),
    )  # fmt: skip


@part
def count_symbols(n: int, orders: Orders, space: Space) -> None:
    """`there`: how many candidates have each symbol at each position."""
    pegs, there, digits = orders.pegs, space.there, space.digits
    for k in range(pegs * orders.colors):
        there[k] = 0
    for k in range(n * pegs):
        there[digits[k]] += 1


@part
def blacks_needed(
    n: int, pegs: int, classes: int, bound: Bound, space: Space, best: int
) -> tuple[int, int]:
    """The least and the most blacks in all with which a guess can score `best`.

    `classes` is where the sizes of the classes begin in those of `space`.
    """
    lowest, highest = 0, n * pegs
    cost = np.int64(0)
    for t in range(pegs + 1):
        cost += bound.costs[space.classes[classes + t]]
    # What even splits of all classes must add, in bits.
    wanted = (np.float64(best) - bound.credit + np.float64(cost)) / bound.unit - SLACK
    wanted -= np.float64(ROUNDED * n) / bound.unit
    at = 0
    for k in range(-STEPS, STEPS + 1):
        most = 0.0
        for t in range(pegs + 1):
            most += space.classes[classes + t] * bound.spreads[at]
            at += 1
        if k < 0:
            lowest = max(lowest, int(np.ceil((wanted - most) / (-k * STEP))))
        elif k > 0:
            highest = min(highest, int(np.floor((most - wanted) / (k * STEP))))
    return lowest, highest


@part
def choose_orders(
    orders: Orders, m: int, lowest: int, highest: int, most: int, space: Space
) -> int:
    """Copy the orders of a multiset that have enough blacks, and not too many; returns how many.

    Of those that a symmetry carries onto each other only the lowest; no more than `most`.
    """
    pegs, colors, width = orders.pegs, orders.colors, orders.width
    state, there, chosen = space.state, space.there, space.chosen
    symmetric = state[ELEMENTS] > 0
    kinds = 0
    for p in range(pegs):
        c = np.int64(orders.sets[m * pegs + p])
        if p == 0 or c != orders.sets[m * pegs + p - 1]:
            state[KINDS + kinds] = c
            for q in range(pegs):
                space.weights[q * width + kinds] = there[q * colors + c]
            kinds += 1
    first = orders.tiles[orders.shapes[m] * 2]
    number = orders.tiles[orders.shapes[m] * 2 + 1]
    kept = 0
    for tile in range((number + LANES - 1) // LANES):
        mask = between(
            orders.blacks, (first + tile) * orders.blacks_tile, space.weights, pegs, width, kinds,
            lowest, highest,
        )  # fmt: skip
        mask &= ~np.uint64(0) >> np.uint64(LANES - min(LANES, number - tile * LANES))
        while mask and kept < most:
            order = (first + tile) * LANES + lowest_one(mask)
            mask &= mask - np.uint64(1)
            if symmetric:
                spell(orders, order, state)
                if not in_order(state, CODE, pegs, state, REQUIRED) or not is_lowest(
                    state, CODE, pegs, space.elements, state[ELEMENTS], state[HELD], state[USED],
                    state[REPEATS] > 0, state, IMAGE, colors,
                ):  # fmt: skip
                    continue
            base = kept // LANES * orders.blacks_tile
            if kept % LANES == 0:
                for r in range(orders.blacks_tile):
                    chosen[base + r] = 0
            for p in range(pegs):
                j = np.int64(orders.places[order * pegs + p])
                chosen[base + (p * width + j) * LANES + kept % LANES] = 1
            space.picked[kept] = order
            kept += 1
    return kept
