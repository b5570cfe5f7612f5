"""A large node: what a search for its guess is about, and its division into parts.

Each part begins with the best guess known before, so that what it finds, and how many guesses it
scores, is the same wherever and whenever it runs.
"""

from __future__ import annotations

from threading import local
from typing import NamedTuple

import numpy as np

from guessbook.builder.kernels.arrays import Bytes2D, Integers
from guessbook.builder.kernels.cells import Sorting
from guessbook.builder.kernels.lanes import ANEW, EVERY
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import LEAST_SCORE, Bound
from guessbook.builder.kernels.space import KEPT, space_for
from guessbook.builder.kernels.trees import Forest, Roots, grow_trees


class Node(NamedTuple):
    """What a search is about.

    Attributes:
        table: uint8[codes, pegs], the symbols of every code.
        sets: int32[codes], the multiset of every code.
        orders: the tables of the game.
        repeats: of the game.
        bound: the policy, for nodes of any size.
        candidates: uint32[n], the indices of the candidates in `table`.
        path: uint32[depth], the indices of the guesses so far.
    """

    table: Bytes2D
    sets: Integers
    orders: Orders
    repeats: bool
    bound: Bound
    candidates: Integers
    path: Integers


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


# Multisets whose orders are still to be scored, best first: rows of `Space.rest`, as bytes.
Part = bytes


class Opened(NamedTuple):
    """A search that has begun: what it has found, and its parts, if it has not come to its end."""

    found: Found
    parts: list[Part]


def begin(node: Node, budget: int, pairs: int) -> Opened:
    """Search for the best guess of a node, until so many guesses are scored, more or less.

    What is left then becomes parts of about so many pairs.
    """
    found, left, count = searched(node, ANEW, budget, pairs, Found(LEAST_SCORE, 0, 0, 0))
    parts, at, row = [], 0, 4 * (node.orders.pegs + 3)
    for k in range(count):
        # Multisets were dealt out in turn.
        end = at + row * -(-(left - k) // count)
        parts.append(bytes(KEPT.rest[at:end]))
        at = end
    return Opened(found, parts)


def go_on(node: Node, found: Found, part: Part) -> Found:
    """Search a part to the end, beginning with the best guess that is known."""
    space_for(node.orders, len(node.candidates))
    KEPT.rest[: len(part)] = part
    return searched(node, len(part) // (4 * (node.orders.pegs + 3)), EVERY, 1, found)[0]


class Own(local):
    """A thread's own room: arrays that were there before cost a call next to nothing.

    Attributes:
        plan: see `lanes.best_of_node`.
        roots: a node,
        forest: and what becomes of it.
    """

    def __init__(self) -> None:
        self.plan, self.roots, self.forest = np.zeros(6, np.int64), Roots.of(64), Forest.of(1)


OWN = Own()
UNSORTED = Sorting.of(0, 0)


def searched(
    node: Node, given: int, budget: int, pairs: int, known: Found
) -> tuple[Found, int, int]:
    """Begin a search, or go on with one of so many multisets.

    Returns what is found, how many multisets are left, and how many parts these are.
    """
    n, depth = len(node.candidates), len(node.path)
    if depth > len(OWN.roots.paths):
        OWN.roots = Roots.of(2 * depth)
    plan, roots, forest = OWN.plan, OWN.roots, OWN.forest
    roots.starts[1], roots.depths[0], roots.paths[:depth] = n, depth, node.path
    plan[0], plan[1], plan[2] = given, budget, pairs
    plan[3], plan[4], plan[5] = known.score, known.is_candidate, -known.higher
    grow_trees(
        node.table, node.sets, node.orders, node.repeats, node.bound, space_for(node.orders, n),
        plan, UNSORTED, 0, node.candidates, roots, 1, False, forest,
    )  # fmt: skip
    left, parts, _, score, is_candidate, _ = plan.tolist()
    guess, scored = int(forest.nodes.guess[0]), int(forest.nodes.scored[0])
    return Found(score, is_candidate, -guess, scored), left, parts
