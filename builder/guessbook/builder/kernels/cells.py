"""Nodes split by the answers of their candidates: the cells of a partition, sorted."""

from __future__ import annotations

from threading import local
from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.jit import Native, alike, part
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels.arrays import Array
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.scores import share
from guessbook.builder.kernels.space import FEW


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


class Kept(local):
    """The halves of a thread: see `space.Kept`."""

    def __init__(self) -> None:
        self.orders: Orders | None = None
        self.halves: Halves | None = None


KEPT = Kept()


def halves_for(orders: Orders, feedbacks: int, most: int) -> Halves:
    """Working space for nodes of up to so many candidates, this thread's until it asks again."""
    halves = KEPT.halves
    if halves is None or KEPT.orders is not orders or len(halves.answers) < most:
        halves = Halves.of(orders, feedbacks, 1 << most.bit_length())
        KEPT.orders, KEPT.halves = orders, halves
    return halves


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
