"""Trees of a code game, grown to the end in one call; and nodes of any game, split by answers.

What is between two searches for a guess is little: to answer it and to sort the candidates into
the children. In Python it would take as long as the searches of small nodes, and threads would
wait for each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.jit import Native, alike, part
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Array, Integers
from guessbook.builder.kernels.lanes import EVERY, WHOLE, best_of_node
from guessbook.builder.kernels.orbits import find_stabilizer
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import Bound
from guessbook.builder.kernels.scores import share
from guessbook.builder.kernels.space import ELEMENTS, FEW, GUESS, IMAGE, LARGE, REQUIRED, Space

# Bytes of a finished node, and where in them are its guess, the feedback that leads to it, how many
# children it has, and how many candidates.
ROW = 10
GUESSED, ANSWERED, CHILDREN, CANDIDATES = 0, 4, 5, 6


class Trees(NamedTuple):
    """Nodes as the kernels have them: a level of a task after the other.

    Attributes:
        begin: int64[nodes], where the candidates of each begin.
        size: int64[nodes], how many these are.
        used: int64[nodes], the set of symbols in the guesses of its history, as bits.
        guess: uint32[nodes], the index of its guess.
        scored: int64[nodes], how many guesses were scored to find its own.
        rows: uint8[nodes * 10], the finished nodes: see `scorers.subtrees.row`.
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


class Halves(NamedTuple):
    """Working space to split a node of a code game.

    Attributes:
        shares: uint8, as in `Space`.
        answers: uint8, of the candidates.
        ends: int64[feedbacks], where those of each feedback end,
        early: int64[feedbacks], and those of the first half of the candidates.
    """

    shares: Array
    answers: Array
    ends: Array
    early: Array

    @classmethod
    def of(cls, orders: Orders, feedbacks: int, most: int) -> Halves:
        """Space for a game of so many feedbacks, and nodes of so many candidates."""
        ends = np.zeros(feedbacks, np.int64)
        shares = np.empty(len(orders.having) * LANES, np.uint8)
        return cls(shares, np.empty(most, np.uint8), ends, ends.copy())


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
                cells = 0
                if deep and n > 1:
                    answer_node(
                        table, sets, orders, guess, candidates, begin, n, space.shares,
                        sorting.answers, 0,
                    )  # fmt: skip
                    cells = hang(table, pegs, head, tail, candidates, feedbacks, sorting, trees)
                write(trees.rows, head * ROW + GUESSED, guess)
                trees.rows[head * ROW + CHILDREN] = cells
                write(trees.rows, head * ROW + CANDIDATES, n)
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


@Native
def split_node(
    table: Array, sets: Array, orders: Orders, guess: int, candidates: Array, n: int,
    feedbacks: int, room: Halves, below: Array,
) -> None:  # fmt: skip
    """Sort the candidates of a node of a code game by their feedbacks to a guess.

    One half of them is sorted beside the other: to add to the same count again takes longer.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        sets: int32[codes], the multiset of every code.
        orders: the tables of the game.
        guess: the index of the guess.
        candidates: uint32[n].
        n: how many there are.
        feedbacks: how many the game has.
        room: working space; `ends` receives where the candidates of each feedback end.
        below: uint32[n], receives the candidates, those of a feedback in order.
    """
    answers, ends, early = room.answers, room.ends, room.early
    answer_node(table, sets, orders, guess, candidates, 0, n, room.shares, answers, 0)
    for cell in range(feedbacks):
        ends[cell] = early[cell] = 0
    half = n // 2
    for s in range(half):
        early[answers[s]] += 1
        ends[answers[half + s]] += 1
    if n > 2 * half:
        ends[answers[n - 1]] += 1
    at = 0
    for cell in range(feedbacks):
        before = early[cell]
        after = before + ends[cell]
        early[cell], ends[cell] = at, at + before
        at += after
    for s in range(half):
        cell, other = answers[s], answers[half + s]
        to, there = early[cell], ends[other]
        early[cell], ends[other] = to + 1, there + 1
        below[to], below[there] = candidates[s], candidates[half + s]
    if n > 2 * half:
        cell = answers[n - 1]
        below[ends[cell]] = candidates[n - 1]
        ends[cell] += 1


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
    first = np.int64(guess) * pegs
    many = n > FEW
    if many:
        share(orders, own, shares)
    for s in range(n):
        code = np.int64(candidates[begin + s])
        home = np.int64(sets[code])
        number = np.int64(0)
        if many:
            number += shares[home]
        else:
            column = home // LANES * orders.shared_tile + home % LANES
            for g in range(width):
                number += orders.shared[column + orders.rows[own * width + g]]
        number *= pegs + 1
        number += alike(table, first, code * pegs, min(pegs, 8))
        # Of more than 15 pegs a feedback would be more than a byte.
        if pegs > 8:
            number += alike(table, first + 8, code * pegs + 8, pegs - 8)
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
