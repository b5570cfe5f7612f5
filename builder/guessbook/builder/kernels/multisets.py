"""The search for the guess of one node, multiset by multiset: it can be divided into parts."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from guessbook.builder.kernels.lanes import ANEW, EVERY, Symmetries, best_of_level, bound_of
from guessbook.builder.kernels.node import Node, Search
from guessbook.builder.kernels.orders import Orders, orders_of, set_of_each
from guessbook.builder.kernels.promise import LEAST_SCORE, space_for

# The tables of a game, for the parts of its searches that are done here.
tables = lru_cache(maxsize=2)(orders_of)


def begin(node: Node, budget: int = EVERY) -> Search:
    """Search for the best guess of a node.

    Ends after so many guesses, more or less; then some multisets are left.
    """
    orders = tables_of(node)
    nothing = np.zeros(orders.pegs, np.uint8)
    begun = Search(LEAST_SCORE, 0, nothing, 0, orders.sets, np.zeros(orders.number, np.int64))
    return searched(node, begun, ANEW, budget)


def go_on(node: Node, search: Search) -> Search:
    """The same from what is left of an earlier search, or of a part of it, to the end."""
    return searched(node, search, len(search.multisets), EVERY)


def tables_of(node: Node) -> Orders:
    """The tables of the game of a node."""
    return tables(node.digits.shape[1], node.colors, node.repeats)


def searched(node: Node, search: Search, given: int, budget: int) -> Search:
    """Go on with a search of so many multisets, or begin it; the most promising first."""
    orders, (n, _) = tables_of(node), node.digits.shape
    known = Symmetries.of(node.history[None], np.array([n]), node.shuffles, node.colors)
    space = space_for(orders, n, known.elements)
    if given > 0:
        space.limits[:given] = search.limits
        space.found[:given] = set_of_each(search.multisets, orders.sets, node.colors)
    plan = np.array([given, budget, search.score, search.is_candidate])
    guess, scored = search.guess[None].copy(), np.zeros(1, np.int64)
    best_of_level(
        np.ascontiguousarray(node.digits), set_of_each(node.digits, orders.sets, node.colors),
        orders, np.arange(n, dtype=np.uint32), np.array([0, n]), np.zeros(1, np.int64), 1,
        np.array([node.used]), node.repeats, bound_of(node.rule, orders, n), known.starts,
        space, plan, guess, scored,
    )  # fmt: skip
    listed, _, score, is_candidate = plan.tolist()
    limits = space.limits[:listed]
    left = np.flatnonzero((limits > LEAST_SCORE) & (limits >= score))
    left = left[np.argsort(-limits[left], kind="stable")]
    return Search(
        score, is_candidate, guess[0], search.scored + int(scored[0]),
        orders.sets[space.found[left]], limits[left],
    )  # fmt: skip
