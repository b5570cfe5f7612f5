"""A large node: what a search for its guess is about, how far it is, and its division into parts.

The parts of a search are given the multisets of symbols that are left in turn. Each begins with the
best guess known before, so that what it finds, and how many guesses it scores, is the same wherever
and whenever it runs.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from threading import local
from typing import NamedTuple

import numpy as np

from guessbook.builder.kernels.arrays import Bytes2D, Integers
from guessbook.builder.kernels.lanes import ANEW, EVERY
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import LEAST_SCORE, Bound
from guessbook.builder.kernels.space import Space, space_for
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
        repeats: of the game.
        bound: the policy, for nodes of any size.
        candidates: uint32[n], the indices of the candidates in `table`.
        root: how many they are, and the guesses so far: see `root_of`.
    """

    table: Bytes2D
    sets: Integers
    orders: Orders
    repeats: bool
    bound: Bound
    candidates: Integers
    root: Roots


def root_of(size: int, path: Integers) -> Roots:
    """A node alone, of so many candidates, to which some guesses lead."""
    return ALONE._replace(
        starts=np.array([0, size]), paths=path.astype(np.uint32), depths=np.array([len(path)])
    )


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
    space, known = searched(node, ANEW, budget, Found(LEAST_SCORE, 0, 0, 0))
    left, guesses = OWN.plan[:2].tolist()
    if not left:
        return Opened(known, [])
    best = np.argsort(-space.limits[:left], kind="stable")
    count = min(-(-guesses * len(node.candidates) // (SPARED * pairs)), left)
    dealt = [best[k::count] for k in range(count)]
    order, ends = np.concatenate(dealt), accumulate(map(len, dealt), initial=0)
    # To cut bytes costs less than to cut arrays.
    found, limits, classes = (
        column.take(order, axis=0).tobytes()
        for column in (space.found, space.limits, space.classes)
    )
    width = 4 * (node.orders.pegs + 2)
    parts = [
        (found[4 * a : 4 * b], limits[8 * a : 8 * b], classes[width * a : width * b])
        for a, b in pairwise(ends)
    ]
    return Opened(known, parts)


def go_on(node: Node, found: Found, part: Part) -> Found:
    """Search a part to the end, beginning with the best guess that is known, which others may be.

    What is found, and how many guesses are scored, is the same wherever and whenever it runs.
    """
    space = space_for(node.orders, len(node.candidates))
    for column, data in zip((space.found, space.limits, space.classes), part, strict=True):
        memoryview(column).cast("B")[: len(data)] = data
    return searched(node, len(part[0]) // 4, EVERY, found)[1]


class Own(local):
    """A thread's own room: arrays that were there before cost a call next to nothing.

    Attributes:
        plan: see `lanes.best_of_node`.
        forest: a node.
    """

    def __init__(self) -> None:
        self.plan, self.forest = np.zeros(5, np.int64), Forest.of(1)


OWN = Own()
UNSORTED, ALONE = Sorting.of(0, 0), Roots.of(1)


def searched(node: Node, given: int, budget: int, known: Found) -> tuple[Space, Found]:
    """Begin a search, or go on with one of so many multisets."""
    plan, forest = OWN.plan, OWN.forest
    plan[0], plan[1], plan[2], plan[3] = given, budget, known.score, known.is_candidate
    plan[4] = -known.higher
    space = space_for(node.orders, len(node.candidates))
    grow_trees(
        node.table, node.sets, node.orders, node.repeats, node.bound, space, plan, UNSORTED, 0,
        node.candidates, node.root, 1, False, forest,
    )  # fmt: skip
    _, _, score, is_candidate, _ = plan.tolist()
    guess, scored = forest.nodes.guess.tolist()[0], forest.nodes.scored.tolist()[0]
    return space, Found(score, is_candidate, -guess, scored)
