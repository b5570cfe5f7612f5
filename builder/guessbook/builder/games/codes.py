"""Code games as arrays: the guess for each node of a level, and the feedbacks to it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.enumeration import code_index
from guessbook.builder.compiler.jit import Native
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.games.code_ranking import CodeRanker
from guessbook.builder.games.opening import counts_each, openings, partition
from guessbook.builder.kernels.arrays import (
    Array,
    Bytes2D,
    Chosen,
    Integers,
    Integers2D,
    Rule,
)
from guessbook.builder.kernels.blacks import bound_of
from guessbook.builder.kernels.cells import answer, halves_for, split_node
from guessbook.builder.kernels.node import UNSORTED, Node
from guessbook.builder.kernels.orders import Orders, orders_of, set_of_each
from guessbook.builder.kernels.promise import LEAST_SCORE, Bound
from guessbook.builder.kernels.space import LARGE, space_for
from guessbook.builder.kernels.trees import UNDIVIDED, Bench, Forest, Roots, grow_trees
from guessbook.policy.one_step import OneStep


def code_table(game: Mastermind) -> Bytes2D:
    """uint8[codes, pegs]: the ranks of the symbols of every code, in the order of the guesses.

    Behind the last there is a word to spare, as eight symbols are read at a time.
    """
    size = len(game.guesses) * game.pegs
    table = np.zeros(size + 8, np.uint8)[:size]
    if not game.repeats:
        every = itertools.chain.from_iterable(itertools.permutations(range(game.colors), game.pegs))
        table[:] = np.fromiter(every, np.uint8, size)
        return table.reshape(-1, game.pegs)
    codes = table.reshape((game.colors,) * game.pegs + (game.pegs,))
    for p in range(game.pegs):
        shape = [1] * game.pegs
        shape[p] = game.colors
        codes[..., p] = np.arange(game.colors, dtype=np.uint8).reshape(shape)
    return table.reshape(-1, game.pegs)


def counts_of(codes: Bytes2D, colors: int) -> Bytes2D:
    """uint8[codes, colors]: how often each code holds each symbol."""
    counts = np.zeros((len(codes), colors), np.uint8)
    every = np.arange(len(codes))
    for symbols in codes.T:
        counts[every, symbols] += 1
    return counts


class CodeScorer(NamedTuple):
    """A code game and a one-step policy, ready for the kernels.

    Attributes:
        game: the game.
        rule: the policy.
        codes: uint8[codes, pegs], see `code_table`.
        sets: int32[codes], the multiset of every code: its row in
        orders: the tables of the game.
        bound: the policy for the kernel.
    """

    game: Mastermind
    rule: Rule
    codes: Bytes2D
    sets: Integers
    orders: Orders
    bound: Bound

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """The policy's guess for each node of a level: see `scorer.Scorer`."""
        if not paths.shape[1] and len(candidates) > LARGE:
            return self.opening()
        sizes = np.diff(starts)
        feedback, each = np.zeros(len(sizes), np.uint8), np.ones(len(sizes), np.int64)
        roots = Roots(starts, feedback, each, paths.ravel(), each * paths.shape[1])
        bench = Bench(candidates, roots, UNSORTED, Forest.of(len(sizes)))
        self.grow(bench, len(sizes), int(sizes.max()), False)
        return bench.forest.nodes.guess, bench.forest.nodes.scored

    def grow(self, bench: Bench, tasks: int, most: int, deep: bool = True) -> None:
        """See `scorer.Growing`; if it is not to be `deep`, the guesses of the given nodes alone."""
        grow_trees(
            self.codes, self.sets, self.orders, self.game.repeats, self.bound,
            space_for(self.orders, most), UNDIVIDED, bench.sorting, self.game.feedbacks,
            bench.candidates, bench.roots, tasks, deep, bench.forest,
        )  # fmt: skip

    def opening(self) -> Chosen:
        """The same for the root of a large game: few guesses, and their cells are counted."""
        best, scored = (LEAST_SCORE, 0), 0
        counts = counts_each(self.orders.sets, self.orders.colors)
        for first, limit in zip(*openings(self.orders, counts, self.rule), strict=True):
            if limit < best[0]:
                continue
            symbols = self.orders.sets[first].tolist()
            index = code_index(symbols, self.game.colors, self.game.repeats)
            cells = self.rule.costs[partition(self.orders, counts, first)]
            cost = cells.sum() if self.rule.additive else cells.max()
            # Each may be the secret; of equals the lowest wins.
            best = max(best, (self.rule.credit - int(cost), -index))
            scored += 1
        return np.array([-best[1]], np.uint32), np.array([scored])

    def node(self, candidates: Integers, path: Integers) -> Node | None:
        """See `scorer.Divisible`."""
        if len(candidates) < 3 or (not len(path) and len(candidates) > LARGE):
            return None
        return Node(
            self.codes, self.sets, self.orders, self.game.repeats, self.bound, candidates, path
        )  # fmt: skip

    @property
    def symbols(self) -> Bytes2D:
        """See `scorer.PlainScorer`: every code may be the secret."""
        return self.codes

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """uint8: the feedback number of each candidate to its node's guess."""
        out = np.empty(len(candidates), np.uint8)
        answer(
            self.codes, self.sets, self.orders, guesses.astype(np.uint32), len(guesses),
            candidates.astype(np.uint32, copy=False), starts.astype(np.int64),
            np.empty(len(self.orders.having) * LANES, np.uint8), out,
        )  # fmt: skip
        return out

    def split(self, guess: int, candidates: Integers) -> tuple[Integers, list[int]]:
        """See `scorer.Splitting`."""
        n, feedbacks = len(candidates), self.game.feedbacks
        room, below = halves_for(self.orders, feedbacks, n), np.empty(n, np.uint32)
        split_node(self.codes, self.sets, self.orders, guess, candidates, n, feedbacks, room, below)
        return below, room.ends.tolist()

    def table(self, guesses: Integers, candidates: Integers) -> Integers2D:
        """uint8[guesses, candidates]: the feedback numbers of all to all."""
        out = np.empty((len(guesses), len(candidates)), np.uint8)
        own, others = self.codes[guesses], self.codes[candidates]
        fill_table(
            own, counts_of(own, self.game.colors), len(guesses), self.game.pegs, others.T.copy(),
            counts_of(others, self.game.colors).T.copy(), len(candidates), self.game.colors, out,
        )  # fmt: skip
        return out


@lru_cache(maxsize=2, typed=True)
def scorer(game: Mastermind, policy: OneStep) -> CodeScorer:
    """The scorer of a code game and a one-step policy."""
    rule = Rule.of(policy, game)
    size = game.pegs, game.colors, game.repeats
    orders = orders_of(*size)
    return CodeScorer(
        game, rule, code_table(game), set_of_each(*size), orders, bound_of(rule, orders)
    )  # fmt: skip


def ranker(game: Mastermind, policy: OneStep) -> CodeRanker:
    """The ranker of a code game and a one-step policy, which may be limited to candidates."""
    plain = policy._replace(consistent_only=False)
    known = scorer(game, plain)
    return CodeRanker(known, np.argsort(known.sets, kind="stable"), policy.consistent_only)


def samples(game: Mastermind) -> Iterator[Mastermind]:
    """Small games which need all the kernels that a build of this game will use."""
    yield Mastermind(2, 3)


@Native
def fill_table(
    codes: Array, counts: Array, count: int, pegs: int, others: Array, other_counts: Array,
    width: int, colors: int, out: Array,
) -> None:  # fmt: skip
    """out[i, k]: the feedback number of the k-th of the others to the i-th code.

    The others, so many, are given by position and by symbol, uint8[pegs, width] and
    uint8[colors, width], so that many are looked at side by side.
    """
    times = np.uint8(pegs + 1)
    for i in range(count):
        row = i * width
        for k in range(row, row + width):
            out[k] = 0
        for c in range(colors):
            own, theirs = counts[i * colors + c], c * width
            if own:
                for k in range(width):
                    out[row + k] += min(own, other_counts[theirs + k])
        for k in range(row, row + width):
            out[k] *= times
        for p in range(pegs):
            symbol, there = codes[i * pegs + p], p * width
            for k in range(width):
                out[row + k] += np.uint8(symbol == others[there + k])
