"""Trees of a code game, grown to the end in one call.

What is between two searches for a guess is little: to answer it and to sort the candidates into
the children. In Python it would take as long as the searches of small nodes, and threads would
wait for each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.jit import Native, part
from guessbook.builder.kernels.arrays import Array, Integers
from guessbook.builder.kernels.cells import Sorting, answer_node, sort_cells
from guessbook.builder.kernels.lanes import EVERY, WHOLE, best_of_node
from guessbook.builder.kernels.orbits import find_stabilizer
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import Bound
from guessbook.builder.kernels.space import ELEMENTS, GUESS, IMAGE, LARGE, REQUIRED, Space

# Bytes of a finished node, and where in them are its guess, the feedback that leads to it, and how
# many children it has. A guess that solves a candidate has this bit besides.
ROW = 6
GUESSED, ANSWERED, CHILDREN = 0, 4, 5
SOLVES = 1 << 31


class Trees(NamedTuple):
    """Nodes as the kernels have them: a level of a task after the other.

    Attributes:
        begin: int64[nodes], where the candidates of each begin.
        size: int64[nodes], how many these are.
        used: int64[nodes], the set of symbols in the guesses of its history, as bits.
        guess: uint32[nodes], the index of its guess.
        scored: int64[nodes], how many guesses were scored to find its own.
        rows: uint8[nodes * ROW], the finished nodes: see `scorers.subtrees.row`.
    """

    begin: Array
    size: Array
    used: Array
    guess: Array
    scored: Array
    rows: Array

    @classmethod
    def of(cls, nodes: int) -> Trees:
        """Room for so many nodes."""
        begin, size, used, scored = (np.empty(nodes, np.int64) for _ in range(4))
        guess, rows = np.empty(nodes, np.uint32), np.empty(nodes * ROW, np.uint8)
        return cls(begin, size, used, guess, scored, rows)


class Roots(NamedTuple):
    """Nodes whose trees are to be grown: those of a task after the other, which are siblings.

    Attributes:
        starts: int64[nodes + 1], where the candidates of each begin, and those of the last end.
        feedback: uint8[nodes], the number of the feedback that leads to each.
        counts: int64[tasks], how many nodes each task has.
        paths: uint32, the indices of the guesses that lead to those of each task in turn;
        depths: int64[tasks], so many.
    """

    starts: Integers
    feedback: Integers
    counts: Integers
    paths: Integers
    depths: Integers

    @classmethod
    def of(cls, nodes: int) -> Roots:
        """Room for so many nodes, as many tasks, and guesses that lead to them."""
        return cls(
            np.zeros(nodes + 1, np.int64), np.zeros(nodes, np.uint8), np.ones(nodes, np.int64),
            np.zeros(nodes, np.uint32), np.zeros(nodes, np.int64),
        )  # fmt: skip


class Forest(NamedTuple):
    """The trees of some tasks, which are next to each other.

    Attributes:
        nodes: all of them.
        ends: int64, where their levels end, those of a task after the other.
        pairs: int64, how many pairs were scored for each of these levels.
        levels: int64[tasks], how many levels belong to each task or one before.
    """

    nodes: Trees
    ends: Integers
    pairs: Integers
    levels: Integers

    @classmethod
    def of(cls, nodes: int) -> Forest:
        """Room for so many nodes, levels and tasks."""
        return cls(Trees.of(nodes), *(np.empty(nodes, np.int64) for _ in range(3)))


class Bench(NamedTuple):
    """What `grow_trees` is given and fills.

    Attributes:
        candidates: uint32, see `scorers.batch.Batch`; of all tasks.
        roots: the nodes that are given.
        sorting: working space.
        forest: their trees.
    """

    candidates: Integers
    roots: Roots
    sorting: Sorting
    forest: Forest

    @classmethod
    def of(cls, candidates: int, feedbacks: int) -> Bench:
        """Room for so many candidates, of a game of so many feedbacks."""
        # A guess that is no candidate has two children at least.
        return cls(
            np.empty(candidates, np.uint32), Roots.of(candidates),
            Sorting.of(feedbacks, candidates), Forest.of(2 * candidates),
        )  # fmt: skip


# The plan of a search that nobody divides.
UNDIVIDED = np.array([WHOLE, EVERY, 0, 0, 0, 0])


@Native
def grow_trees(
    table: Array, sets: Array, orders: Orders, repeats: int, bound: Bound, space: Space,
    plan: Array, sorting: Sorting, feedbacks: int, candidates: Array, roots: Roots, tasks: int,
    deep: int, forest: Forest,
) -> None:  # fmt: skip
    """Find the guesses of some nodes, and those of all nodes below them, if it is to be `deep`.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        sets: int32[codes], the multiset of every code.
        orders: the tables of the game.
        repeats: of the game.
        bound: the policy.
        space: working space.
        plan: of a search, see `lanes.best_of_node`.
        sorting: working space.
        feedbacks: how many the game has; the last one says that the guess is the secret.
        candidates: uint32, see `scorers.batch.Batch`; they will be in another order.
        roots: the nodes that are given, of
        tasks: so many.
        deep: whether the nodes below are looked at, too.
        forest: receives the nodes, at most twice as many as there are candidates.
    """
    pegs, trees = orders.pegs, forest.nodes
    given = head = tail = level = path = 0
    for task in range(tasks):
        depth, used = roots.depths[task], np.int64(0)
        for h in range(path, path + depth):
            used |= orders.symbols[sets[roots.paths[h]]]
        for _ in range(roots.counts[task]):
            trees.begin[tail] = roots.starts[given]
            trees.size[tail] = roots.starts[given + 1] - roots.starts[given]
            trees.used[tail] = used
            trees.rows[tail * ROW + ANSWERED] = roots.feedback[given]
            given += 1
            tail += 1
        while head < tail:
            end, pairs = tail, 0
            while head < end:
                begin, n = trees.begin[head], trees.size[head]
                # One candidate, or two: the lower one splits them, and nothing can do better.
                guess, scored = candidates[begin], 0
                if n > 2:
                    space.state[ELEMENTS] = 0
                    if n > LARGE and not deep:
                        space.state[ELEMENTS] = find_stabilizer(
                            table, roots.paths, path, depth, orders.shuffles, orders.shuffled, pegs,
                            orders.colors, space.elements, space.state, IMAGE, REQUIRED,
                        )  # fmt: skip
                    scored = best_of_node(
                        table, sets, orders, candidates, begin, n, trees.used[head], repeats, bound,
                        space, plan,
                    )  # fmt: skip
                    guess = index_of(pegs, orders.colors, repeats, space.state, GUESS)
                trees.guess[head], trees.scored[head] = guess, scored
                pairs += scored * n
                cells = below = 0
                if deep and n > 1:
                    answer_node(
                        table, sets, orders, guess, candidates, begin, n, space.shares,
                        sorting.answers, 0,
                    )  # fmt: skip
                    cells = hang(table, pegs, head, tail, candidates, feedbacks, sorting, trees)
                    last = tail + cells - 1
                    below = trees.begin[last] + trees.size[last] - begin
                write(trees.rows, head * ROW + GUESSED, guess + SOLVES * (below < n))
                trees.rows[head * ROW + CHILDREN] = cells
                head += 1
                tail += cells
            forest.ends[level], forest.pairs[level] = head, pairs
            level += 1
        forest.levels[task] = level
        path += depth


@part
def hang(
    table: Array, pegs: int, node: int, tail: int, candidates: Array, feedbacks: int,
    sorting: Sorting, trees: Trees,
) -> int:  # fmt: skip
    """Split a node whose answers are known, from `tail` on; returns how many children it has."""
    begin, n, symbols = trees.begin[node], trees.size[node], trees.used[node]
    for s in range(n):
        sorting.spare[s] = candidates[begin + s]
    cells = sort_cells(sorting.spare, 0, n, sorting.answers, feedbacks, sorting, candidates, begin)
    for p in range(pegs):
        symbols |= np.int64(1) << table[trees.guess[node] * pegs + p]
    for k in range(cells):
        cell = sorting.order[k]
        trees.begin[tail + k], trees.used[tail + k] = begin, symbols
        trees.size[tail + k] = sorting.counts[cell] - begin
        trees.rows[(tail + k) * ROW + ANSWERED] = cell
        begin = sorting.counts[cell]
        sorting.counts[cell] = 0
    return cells


@part
def write(rows: Array, at: int, number: int) -> None:
    """Write a number of 32 bits, the lowest eight first."""
    for b in range(4):
        rows[at + b] = number >> (8 * b) & 255


@part
def index_of(pegs: int, colors: int, repeats: int, symbols: Array, at: int) -> int:
    """The index of a code given by its symbols: `enumeration.code_index`."""
    index = 0
    for p in range(pegs):
        digit = symbols[at + p]
        if repeats:
            index = index * colors + digit
        else:
            lower = 0
            for q in range(p):
                lower += symbols[at + q] < digit
            index = index * (colors - p) + digit - lower
    return index
