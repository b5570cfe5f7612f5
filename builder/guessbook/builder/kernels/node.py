"""A large node: what a search for its guess is about, how far it is, and its division into parts.

The parts of a search are ranges of the multisets of symbols that are left. Each begins with the
best guess known before, so that what it finds, and how many guesses it scores, is the same wherever
and whenever it runs.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from guessbook.builder.kernels.arrays import Bytes2D, Integers, Integers2D, Rule
from guessbook.builder.kernels.lanes import ANEW, EVERY, Symmetries, best_of_level, bound_of
from guessbook.builder.kernels.orders import Orders, orders_of, set_of_each
from guessbook.builder.kernels.promise import LEAST_SCORE, space_for

# The tables of a game, for the parts of its searches that are done here.
tables = lru_cache(maxsize=2)(orders_of)

# Of the pairs that are left about so many are spared for each that is scored: by symmetry, and by
# better guesses that are found on the way.
SPARED = 2


class Node(NamedTuple):
    """What a search is about.

    Attributes:
        digits: uint8[n, pegs], the candidates.
        history: uint8[k, pegs], the guesses so far.
        shuffles: int64[m, pegs], the permutations of the positions, see `orbits.permutations`.
        colors: of the game.
        repeats: of the game.
        used: the set of symbols in the guesses of the history, as bits.
        rule: the policy.
    """

    digits: Bytes2D
    history: Bytes2D
    shuffles: Integers2D
    colors: int
    repeats: bool
    used: int
    rule: Rule


class Search(NamedTuple):
    """The search for the best guess of a node, as far as it is.

    Attributes:
        score: of the best guess so far;
        is_candidate: whether that is one, 0 or 1;
        guess: uint8[pegs], its symbols.
        scored: how many guesses were scored to find it.
        multisets: uint8[m, pegs], those whose orders are still to be scored, best first, and
        limits: int64[m], the best score that each may have.
    """

    score: int
    is_candidate: int
    guess: Integers
    scored: int
    multisets: Bytes2D
    limits: Integers

    def portions(self, pairs: int, candidates: int) -> list[Search]:
        """What is left as parts of about so many pairs, more or less.

        Each begins with the best guess so far, whatever becomes of the others. Multisets are dealt
        out in turn: most of the promising ones are searched, of the others few.
        """
        every = int(orders_each(self.multisets).sum()) * candidates
        count = min(-(-every // (SPARED * pairs)), len(self.multisets))
        return [
            self._replace(
                scored=0, multisets=self.multisets[k::count], limits=self.limits[k::count]
            )
            for k in range(count)
        ]

    @property
    def rank(self) -> tuple[int, int, list[int]]:
        """How good its guess is: by the score, then whether it is a candidate, then the lowest."""
        return int(self.score), int(self.is_candidate), [-int(symbol) for symbol in self.guess]


def orders_each(multisets: Bytes2D) -> Integers:
    """int64[m]: how many orders the symbols of each multiset have, these being sorted."""
    orders = np.full(len(multisets), math.factorial(multisets.shape[1]), np.int64)
    run = np.ones(len(multisets), np.int64)
    for before, after in pairwise(multisets.T):
        run = np.where(before == after, run + 1, 1)
        orders //= run
    return orders


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
