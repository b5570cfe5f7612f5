"""Trees of a code game, grown to the end in one call; and nodes of any game, split by answers.

What is between two searches for a guess is little: to answer it and to sort the candidates into
the children. In Python it would take as long as the searches of small nodes, and threads would
wait for each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.jit import Native, part
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Array, Integers
from guessbook.builder.kernels.lanes import EVERY, WHOLE, best_of_node
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import Bound
from guessbook.builder.kernels.scores import share
from guessbook.builder.kernels.space import FEW, FIRST_ELEMENT, GUESS, LAST_ELEMENT, Space


class Trees(NamedTuple):
    """Nodes as the kernels have them: a level of a task after the other.

    Attributes:
        begin: int64[nodes], where the candidates of each begin.
        size: int64[nodes], how many these are.
        used: int64[nodes], the set of symbols in the guesses of its history, as bits.
        guess: uint32[nodes], the index of its guess.
        feedback: uint8[nodes], the number of the feedback that leads to it.
        children: uint8[nodes], how many it has.
        scored: int64[nodes], how many guesses were scored to find its own.
    """

    begin: Array
    size: Array
    used: Array
    guess: Array
    feedback: Array
    children: Array
    scored: Array

    @classmethod
    def of(cls, nodes: int) -> Trees:
        """Room for so many nodes."""
        kinds = np.int64, np.int64, np.int64, np.uint32, np.uint8, np.uint8, np.int64
        return cls(*(np.empty(nodes, kind) for kind in kinds))


class Forest(NamedTuple):
    """The trees of some tasks, which are next to each other.

    Attributes:
        nodes: all of them.
        ends: int64, where their levels end, those of a task after the other.
        levels: int64[tasks], how many of these belong to each task or one before.
    """

    nodes: Trees
    ends: Integers
    levels: Integers


class Sorting(NamedTuple):
    """Working space to sort the candidates of nodes into cells.

    Attributes:
        counts: int64[feedbacks], zero before and after.
        order: int64[feedbacks], those that occur.
        answers: uint8[most], of the candidates of a node, and
        spare: uint32[most], these candidates.
    """

    counts: Array
    order: Array
    answers: Array
    spare: Array

    @classmethod
    def of(cls, feedbacks: int, most: int) -> Sorting:
        """Space for a game of so many feedbacks, and nodes of so many candidates."""
        counts, order = np.zeros(feedbacks, np.int64), np.empty(feedbacks, np.int64)
        return cls(counts, order, np.empty(most, np.uint8), np.empty(most, np.uint32))


# The plan of a search that nobody divides.
UNDIVIDED = np.array([WHOLE, EVERY, 0, 0])


@Native
def grow_trees(
    table: Array, sets: Array, orders: Orders, repeats: int, bound: Bound, space: Space,
    symmetries: Array, plan: Array, sorting: Sorting, feedbacks: int, candidates: Array,
    starts: Array, used: Array, feedback: Array, counts: Array, tasks: int, deep: int,
    trees: Trees, ends: Array, levels: Array,
) -> None:  # fmt: skip
    """Find the guesses of some nodes, and those of all nodes below them, if it is to be `deep`.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        sets: int32[codes], the multiset of every code.
        orders: the tables of the game.
        repeats: of the game.
        bound: the policy.
        space: working space, with symmetries of the histories of the nodes that are given;
        symmetries: int64, where those of each begin: for searches that are not deep.
        plan: of a search, see `lanes.best_of_node`.
        sorting: working space.
        feedbacks: how many the game has; the last one says that the guess is the secret.
        candidates: uint32, see `scorers.batch.Batch`; they will be in another order.
        starts: int64, see `scorers.batch.Batch`.
        used: int64[nodes], the set of symbols in the guesses of each node's history, as bits.
        feedback: uint8[nodes], the number of the feedback that leads to each.
        counts: int64[tasks], how many nodes are the roots of the trees of each task.
        tasks: how many there are.
        deep: whether the nodes below are looked at, too.
        trees: receives the nodes, at most twice as many as there are candidates.
        ends: int64, receives where each level ends, of as many levels as there can be nodes.
        levels: int64[tasks], receives how many of them belong to this task or one before.
    """
    pegs = orders.pegs
    given = head = tail = level = 0
    for task in range(tasks):
        for _ in range(counts[task]):
            trees.begin[tail] = starts[given]
            trees.size[tail] = starts[given + 1] - starts[given]
            trees.used[tail] = used[given]
            trees.feedback[tail] = feedback[given]
            given += 1
            tail += 1
        while head < tail:
            end = tail
            while head < end:
                begin, n = trees.begin[head], trees.size[head]
                # One candidate, or two: the lower one splits them, and nothing can do better.
                guess, scored = candidates[begin], 0
                if n > 2:
                    space.state[FIRST_ELEMENT] = 0 if deep else symmetries[head]
                    space.state[LAST_ELEMENT] = 0 if deep else symmetries[head + 1]
                    scored = best_of_node(
                        table, sets, orders, candidates, begin, n, trees.used[head], repeats, bound,
                        space, plan,
                    )  # fmt: skip
                    guess = index_of(pegs, orders.colors, repeats, space.state, GUESS)
                trees.guess[head], trees.scored[head] = guess, scored
                trees.children[head] = 0
                if deep and n > 1:
                    answer_node(
                        table, sets, orders, guess, candidates, begin, n, space.shares,
                        sorting.answers, 0,
                    )  # fmt: skip
                    tail = hang(table, pegs, head, tail, candidates, feedbacks, sorting, trees)
                head += 1
            ends[level] = head
            level += 1
        levels[task] = level


@part
def hang(
    table: Array, pegs: int, node: int, tail: int, candidates: Array, feedbacks: int,
    sorting: Sorting, trees: Trees,
) -> int:  # fmt: skip
    """Split a node whose answers are known, from `tail` on; returns where its children end."""
    begin, n, symbols = trees.begin[node], trees.size[node], trees.used[node]
    for s in range(n):
        sorting.spare[s] = candidates[begin + s]
    cells = sort_cells(sorting.spare, 0, n, sorting.answers, feedbacks, sorting, candidates, begin)
    trees.children[node] = cells
    for p in range(pegs):
        symbols |= np.int64(1) << table[trees.guess[node] * pegs + p]
    for k in range(cells):
        cell = sorting.order[k]
        trees.begin[tail + k], trees.used[tail + k] = begin, symbols
        trees.size[tail + k] = sorting.counts[cell] - begin
        trees.feedback[tail + k] = cell
        begin = sorting.counts[cell]
        sorting.counts[cell] = 0
    return tail + cells


@Native
def answer(
    table: Array, sets: Array, orders: Orders, guesses: Array, count: int, candidates: Array,
    starts: Array, shares: Array, out: Array,
) -> None:  # fmt: skip
    """`CodeScorer.feedbacks`, for so many guesses; `shares` is as in `Space`."""
    for node in range(count):
        begin = starts[node]
        answer_node(
            table, sets, orders, guesses[node], candidates, begin,
            starts[node + 1] - begin, shares, out, begin,
        )  # fmt: skip


@Native
def split_nodes(
    candidates: Array, starts: Array, nodes: int, answers: Array, feedbacks: int, sorting: Sorting,
    below: Array, ends: Array, feedback: Array, children: Array,
) -> None:  # fmt: skip
    """Sort the candidates of some nodes into children, but for those that are guessed.

    Args:
        candidates: uint32, see `scorers.batch.Batch`.
        starts: int64, see `scorers.batch.Batch`.
        nodes: how many there are.
        answers: uint32, the feedback number of each candidate to the guess of its node.
        feedbacks: how many there are; the last one says that the guess is the secret.
        sorting: working space.
        below: uint32, receives the candidates of the children.
        ends: int64, receives where those of each child end,
        feedback: int64, and the number of the feedback that leads to it.
        children: int64[nodes], receives how many each node has.
    """
    to = tail = 0
    for node in range(nodes):
        begin = starts[node]
        cells = sort_cells(
            candidates, begin, starts[node + 1] - begin, answers, feedbacks, sorting, below, to
        )
        for k in range(cells):
            cell = sorting.order[k]
            to = sorting.counts[cell]
            sorting.counts[cell] = 0
            ends[tail], feedback[tail] = to, cell
            tail += 1
        children[node] = cells


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


@part
def answer_node(
    table: Array, sets: Array, orders: Orders, guess: int, candidates: Array, begin: int, n: int,
    shares: Array, out: Array, at: int,
) -> None:  # fmt: skip
    """The feedback numbers of n candidates to a guess: of total and blacks one number."""
    pegs, width, own = orders.pegs, orders.width, np.int64(sets[guess])
    many = n > FEW
    if many:
        share(orders, own, shares)
    for s in range(n):
        code = candidates[begin + s]
        home = np.int64(sets[code])
        number = np.int64(0)
        if many:
            number += shares[home]
        else:
            column = home // LANES * orders.shared_tile + home % LANES
            for g in range(width):
                number += orders.shared[column + orders.rows[own * width + g]]
        number *= pegs + 1
        for p in range(pegs):
            number += table[guess * pegs + p] == table[code * pegs + p]
        out[at + s] = number


@part
def sort_cells(
    source: Array, begin: int, n: int, answers: Array, feedbacks: int, sorting: Sorting,
    target: Array, to: int,
) -> int:  # fmt: skip
    """Sort n candidates by their answers, those of a cell in order, and leave out who is guessed.

    `order` of the working space says which cells there are, ascending, and `counts` where each
    ends in `target`, of those that were made: the caller makes them zero again.

    Returns how many cells there are.
    """
    counts, order = sorting.counts, sorting.order
    cells = 0
    for s in range(begin, begin + n):
        cell = answers[s]
        if cell != feedbacks - 1:
            if counts[cell] == 0:
                order[cells] = cell
                cells += 1
            counts[cell] += 1
    in_turn(order, cells, counts, feedbacks)
    at = to
    for k in range(cells):
        size = counts[order[k]]
        counts[order[k]] = at
        at += size
    for s in range(begin, begin + n):
        cell = answers[s]
        if cell != feedbacks - 1:
            target[counts[cell]] = source[s]
            counts[cell] += 1
    return cells


@part
def in_turn(order: Array, cells: int, counts: Array, feedbacks: int) -> None:
    """Sort the cells that there are: few by insertion, of many all that there can be are asked."""
    if cells * cells > 4 * feedbacks:
        k = 0
        for cell in range(feedbacks):
            if counts[cell]:
                order[k] = cell
                k += 1
        return
    for k in range(1, cells):
        cell = order[k]
        j = k
        while j > 0 and order[j - 1] > cell:
            order[j] = order[j - 1]
            j -= 1
        order[j] = cell
