"""Code games as arrays: the guess for each node of a level, and the feedbacks to it."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from guessbook.book.games.codes import Mastermind
from guessbook.builder.kernels.arrays import Bytes2D, Integers, Integers2D, Rule
from guessbook.builder.kernels.lanes import FEW, few_each
from guessbook.builder.kernels.orbits import MAX_PERMUTED_PEGS, permutations
from guessbook.policy.one_step import OneStep

__all__ = ["CodeScorer", "code_scorer", "code_table"]

# Up to so many codes, `lanes` does it all, and `multisets` need not even be compiled.
SMALL_GAME = 2048


def code_table(game: Mastermind) -> Bytes2D:
    """uint8[codes, pegs]: the ranks of the symbols of every code, in the order of the guesses."""
    if not game.repeats:
        every = itertools.chain.from_iterable(itertools.permutations(range(game.colors), game.pegs))
        size = len(game.guesses) * game.pegs
        return np.fromiter(every, np.uint8, size).reshape(-1, game.pegs)
    table = np.empty((game.colors,) * game.pegs + (game.pegs,), np.uint8)
    for p in range(game.pegs):
        shape = [1] * game.pegs
        shape[p] = game.colors
        table[..., p] = np.arange(game.colors, dtype=np.uint8).reshape(shape)
    return table.reshape(-1, game.pegs)


class CodeScorer(NamedTuple):
    """A code game and a one-step policy, ready for the kernels.

    Attributes:
        game: the game.
        rule: the policy.
        table: uint8[codes, pegs], see `code_table`.
        counts: uint8[codes, colors], how often each code holds each symbol.
        shuffles: int64[m, pegs], the permutations of the positions.
    """

    game: Mastermind
    rule: Rule
    table: Bytes2D
    counts: Bytes2D
    shuffles: Integers2D

    def choose(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, Integers]:
        """The policy's guess for each node of a level: see `scorer.Scorer`."""
        game, pegs = self.game, self.game.pegs
        sizes = np.diff(starts)
        history = self.table[paths]
        symbols = np.int64(1) << history.reshape(len(sizes), -1).astype(np.int64)
        used = np.bitwise_or.reduce(symbols, axis=1)
        scored = np.zeros(len(sizes), np.int64)
        # One candidate, or two: the lower one splits them, and nothing can do better.
        best = self.table[candidates[starts[:-1]]]
        many = (sizes > FEW) & (1 < pegs <= MAX_PERMUTED_PEGS) & (len(self.table) > SMALL_GAME)
        few = np.flatnonzero((sizes > 2) & ~many)
        if len(few):
            few_each(
                self.table, candidates, starts, few, used, game.colors, game.repeats, self.rule,
                best, scored,
            )  # fmt: skip
        if many.any():
            from guessbook.builder.kernels.multisets import best_of_many

            for node in np.flatnonzero(many):
                digits = self.table[candidates[starts[node] : starts[node + 1]]]
                scored[node] = best_of_many(
                    digits, history[node], self.shuffles, game.colors, game.repeats, used[node],
                    self.rule, best[node],
                )  # fmt: skip
        return self.indices(best), scored

    def indices(self, codes: Bytes2D) -> Integers:
        """uint32[n]: the indices of codes given as symbols; `mastermind.code_index` on arrays."""
        index = np.zeros(len(codes), np.uint32)
        for p in range(self.game.pegs):
            digit = codes[:, p].astype(np.uint32)
            if self.game.repeats:
                index = index * np.uint32(self.game.colors) + digit
            else:
                lower = (codes[:, :p] < codes[:, p : p + 1]).sum(axis=1, dtype=np.uint32)
                index = index * np.uint32(self.game.colors - p) + digit - lower
        return index

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """uint8: the feedback number of each candidate to its node's guess."""
        of = np.repeat(guesses, np.diff(starts))
        black = (self.table[of] == self.table[candidates]).sum(axis=1, dtype=np.uint8)
        shared = np.minimum(self.counts[of], self.counts[candidates])
        total = shared.sum(axis=1, dtype=np.uint8)
        numbers: Integers = total * np.uint8(self.game.pegs + 1) + black
        return numbers


@lru_cache(maxsize=2)
def code_scorer(game: Mastermind, policy: OneStep) -> CodeScorer:
    """The scorer of a code game and a one-step policy."""
    weights = np.array(policy.weights(len(game.secrets)), np.int64)
    rule = Rule(weights, policy.additive, policy.credit)
    table = code_table(game)
    counts = np.stack([(table == c).sum(axis=1) for c in range(game.colors)], axis=1)
    return CodeScorer(game, rule, table, counts.astype(np.uint8), permutations(game.pegs))
