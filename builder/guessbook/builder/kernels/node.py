"""A large node: what a search for its guess is about, how far it is, and its division into parts.

The parts of a search are given the multisets of symbols that are left in turn. Each begins with the
best guess known before, so that what it finds, and how many guesses it scores, is the same wherever
and whenever it runs.
"""

from __future__ import annotations

from threading import local
from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Bytes2D, Integers, Integers2D
from guessbook.builder.kernels.lanes import ANEW, EVERY
from guessbook.builder.kernels.orbits import stabilizer
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import LEAST_SCORE, Bound
from guessbook.builder.kernels.space import GUESS, LARGE, space_for
from guessbook.builder.kernels.trees import Sorting, Trees, grow_trees

# Of the pairs that are left about so many are spared for each that is scored: by symmetry, and by
# better guesses that are found on the way.
SPARED = 2


class Node(NamedTuple):
    """What a search is about.

    Attributes:
        table: uint8[codes, pegs], the symbols of every code.
        sets: int32[codes], the multiset of every code.
        orders: the tables of the game.
        candidates: uint32[n], the indices of the candidates in `table`.
        history: uint8[k, pegs], the guesses so far.
        shuffles: int64[m, pegs], the permutations of the positions, see `orbits.permutations`.
        repeats: of the game.
        used: the set of symbols in the guesses of the history, as bits.
        bound: the policy, for nodes of any size.
    """

    table: Bytes2D
    sets: Integers
    orders: Orders
    candidates: Integers
    history: Bytes2D
    shuffles: Integers2D
    repeats: bool
    used: int
    bound: Bound


class Search(NamedTuple):
    """The search for the best guess of a node, as far as it is.

    Attributes:
        score: of the best guess so far;
        is_candidate: whether that is one, 0 or 1;
        guess: its index.
        scored: how many guesses were scored to find it.
        multisets: int64[m], those whose orders are still to be scored, best first, and
        limits: int64[m], the best score that each may have.
        classes: int32[m, pegs + 2], how many candidates have each total with them; and how many
            of their orders may be as good as the best guess.
    """

    score: int
    is_candidate: int
    guess: int
    scored: int
    multisets: Integers
    limits: Integers
    classes: Integers2D

    def portions(self, node: Node, pairs: int) -> list[Search]:
        """What is left as parts of about so many pairs, more or less.

        Each begins with the best guess so far, whatever becomes of the others. Multisets are dealt
        out in turn: most of the promising ones are searched, of the others few.
        """
        every = int((self.classes[:, -1] + LANES).sum()) * len(node.candidates)
        count = min(-(-every // (SPARED * pairs)), len(self.multisets))
        return [
            self._replace(
                scored=0,
                multisets=self.multisets[k::count],
                limits=self.limits[k::count],
                classes=self.classes[k::count],
            )
            for k in range(count)
        ]


def begin(node: Node, budget: int = EVERY) -> Search:
    """Search for the best guess of a node.

    Ends after so many guesses, more or less; then some multisets are left.
    """
    none = np.zeros(0, np.int64)
    classes = np.zeros((0, node.orders.pegs + 2), np.int32)
    begun = Search(LEAST_SCORE, 0, 0, 0, none, none, classes)
    return searched(node, begun, ANEW, budget)


def go_on(node: Node, search: Search) -> Search:
    """The same from what is left of an earlier search, or of a part of it, to the end."""
    return searched(node, search, len(search.multisets), EVERY)


class Room(NamedTuple):
    """What `grow_trees` is given and fills beside the working space, for a node alone."""

    plan: Integers
    symmetries: Integers
    starts: Integers
    used: Integers
    feedback: Integers
    counts: Integers
    trees: Trees
    ends: Integers
    levels: Integers


class Own(local):
    """A thread's own room: arrays that were there before cost a call next to nothing."""

    def __init__(self) -> None:
        one = np.ones(1, np.int64)
        self.room = Room(
            np.zeros(4, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64), one.copy(),
            np.zeros(1, np.uint8), one, Trees.of(1), one.copy(), one.copy(),
        )  # fmt: skip


OWN = Own()
UNSORTED = Sorting.of(0, 0)


def searched(node: Node, search: Search, given: int, budget: int) -> Search:
    """Go on with a search of so many multisets, or begin it; the most promising first."""
    orders, n = node.orders, len(node.candidates)
    elements = np.zeros((0, orders.pegs + orders.colors), np.int64)
    if n > LARGE:
        elements = stabilizer(node.history, node.shuffles, orders.colors)
    space = space_for(orders, n, elements)
    if given > 0:
        space.limits[:given] = search.limits
        space.found[:given] = search.multisets
        space.classes[: search.classes.size] = search.classes.ravel()
    space.state[GUESS : GUESS + orders.pegs] = node.table[search.guess]
    room = OWN.room
    room.plan[:] = given, budget, search.score, search.is_candidate
    room.symmetries[1], room.starts[1], room.used[0] = len(elements), n, node.used
    grow_trees(
        node.table, node.sets, orders, node.repeats, node.bound, space, room.symmetries, room.plan,
        UNSORTED, 0, node.candidates, room.starts, room.used, room.feedback, room.counts, 1, False,
        room.trees, room.ends, room.levels,
    )  # fmt: skip
    listed, _, score, is_candidate = room.plan.tolist()
    # Of a search that was not cut short nothing is left.
    limits = space.limits[: listed if budget < EVERY else 0]
    left = np.flatnonzero((limits > LEAST_SCORE) & (limits >= score))
    left = left[np.argsort(-limits[left], kind="stable")]
    classes = space.classes.reshape(-1, orders.pegs + 2)
    return Search(
        score, is_candidate, int(room.trees.guess[0]), search.scored + int(room.trees.scored[0]),
        space.found[left], limits[left], classes[left],
    )  # fmt: skip
