"""A large node: what a search for its guess is about, how far it is, and its division into parts.

The parts of a search are given the multisets of symbols that are left in turn. Each begins with the
best guess known before, so that what it finds, and how many guesses it scores, is the same wherever
and whenever it runs.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from threading import local
from typing import NamedTuple, cast

import numpy as np

from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Bytes2D, Integers, Integers2D
from guessbook.builder.kernels.lanes import ANEW, EVERY
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import LEAST_SCORE, Bound
from guessbook.builder.kernels.space import GUESS, Space, space_for
from guessbook.builder.kernels.trees import Forest, Roots, Sorting, grow_trees

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
        elements: int64[e, pegs + colors], the symmetries of the history of a very large node.
        repeats: of the game.
        used: the set of symbols in the guesses of the history, as bits.
        bound: the policy, for nodes of any size.
    """

    table: Bytes2D
    sets: Integers
    orders: Orders
    candidates: Integers
    elements: Integers2D
    repeats: bool
    used: int
    bound: Bound


class Found(NamedTuple):
    """The best guess of a search, or of a part of one: the best of them all is the greatest.

    Attributes:
        score: its score, and
        is_candidate: whether it is one; then the lowest guess wins.
        higher: minus its index.
        scored: how many guesses were scored to find it.
    """

    score: int
    is_candidate: int
    higher: int
    scored: int


# Multisets whose orders are still to be scored, best first: int32; the best score that each may
# have: int64; and what `Space.classes` has of each: int32. As bytes, which are only passed on.
Part = tuple[bytes, bytes, bytes]


class Opened(NamedTuple):
    """A search that has begun: what it has found, and its parts, if it has not come to its end."""

    found: Found
    parts: list[Part]


def begin(node: Node, budget: int, pairs: int) -> Opened:
    """Search for the best guess of a node, until so many guesses are scored, more or less.

    What is left then becomes parts of about so many pairs. Multisets are dealt out in turn: most of
    the promising ones are searched, of the others few.
    """
    space = space_of(node)
    found, listed = searched(node, space, ANEW, budget, Found(LEAST_SCORE, 0, 0, 0))
    limits = space.limits[:listed]
    left = np.flatnonzero(limits >= max(found.score, LEAST_SCORE + 1))
    # Of a search that was not cut short nothing is left.
    if budget == EVERY or not len(left):
        return Opened(found, [])
    left = left[np.argsort(-limits[left], kind="stable")]
    every = int(space.classes[left, -1].sum()) + LANES * len(left)
    count = min(-(-every * len(node.candidates) // (SPARED * pairs)), len(left))
    dealt = [left[k::count] for k in range(count)]
    ends = list(accumulate(map(len, dealt), initial=0))
    columns = [
        (column[0].nbytes, column.take(np.concatenate(dealt), axis=0).tobytes())
        for column in (space.found, space.limits, space.classes)
    ]
    return Opened(
        found,
        [
            cast(Part, tuple(data[size * start : size * end] for size, data in columns))
            for start, end in pairwise(ends)
        ],
    )


def go_on(node: Node, found: Found, part: Part) -> Found:
    """Search a part to the end, beginning with the best guess that is known, which others may be.

    What is found, and how many guesses are scored, is the same wherever and whenever it runs.
    """
    space = space_of(node)
    for column, data in zip((space.found, space.limits, space.classes), part, strict=True):
        memoryview(column).cast("B")[: len(data)] = data
    space.state[GUESS : GUESS + node.orders.pegs] = node.table[-found.higher]
    return searched(node, space, len(part[0]) // 4, EVERY, found)[0]


class Room(NamedTuple):
    """What `grow_trees` is given and fills beside the working space, for a node alone."""

    plan: Integers
    symmetries: Integers
    roots: Roots
    forest: Forest


class Own(local):
    """A thread's own room: arrays that were there before cost a call next to nothing."""

    def __init__(self) -> None:
        self.room = Room(np.zeros(4, np.int64), np.zeros(2, np.int64), Roots.of(1), Forest.of(1))


OWN = Own()
UNSORTED = Sorting.of(0, 0)


def space_of(node: Node) -> Space:
    """Working space for a node."""
    return space_for(node.orders, len(node.candidates), node.elements)


def searched(node: Node, space: Space, given: int, budget: int, known: Found) -> tuple[Found, int]:
    """Begin a search, or go on with one of so many multisets; and how many are listed then."""
    room, plan = OWN.room, OWN.room.plan
    plan[0], plan[1], plan[2], plan[3] = given, budget, known.score, known.is_candidate
    room.symmetries[1], room.roots.starts[1] = len(node.elements), len(node.candidates)
    room.roots.used[0] = node.used
    grow_trees(
        node.table, node.sets, node.orders, node.repeats, node.bound, space, room.symmetries, plan,
        UNSORTED, 0, node.candidates, room.roots, 1, False, room.forest,
    )  # fmt: skip
    listed, _, score, is_candidate = plan.tolist()
    guess, scored = int(room.forest.nodes.guess[0]), int(room.forest.nodes.scored[0])
    return Found(score, is_candidate, -guess, scored), listed
