"""Code games as arrays, and the two kernels of one level: choose a guess for each node, split it."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from guessbook.book.mastermind import Mastermind
from guessbook.builder.jit import kernel
from guessbook.builder.lanes import FEW, best_of_few
from guessbook.builder.multisets import best_of_many
from guessbook.builder.orbits import MAX_PERMUTED_PEGS, permutations, stabilizer
from guessbook.builder.policy import Policy

__all__ = ["CodeScorer", "code_table"]

Bytes2D = np.ndarray[tuple[int, int], np.dtype[np.uint8]]


def code_table(game: Mastermind) -> Bytes2D:
    """uint8[codes, pegs]: the ranks of the symbols of every code, in the order of the guesses."""
    if not game.repeats:
        every = itertools.chain.from_iterable(
            itertools.permutations(range(game.colors), game.pegs)
        )
        size = len(game.guesses) * game.pegs
        return np.fromiter(every, np.uint8, size).reshape(-1, game.pegs)
    table = np.empty((game.colors,) * game.pegs + (game.pegs,), np.uint8)
    for p in range(game.pegs):
        shape = [1] * game.pegs
        shape[p] = game.colors
        table[..., p] = np.arange(game.colors, dtype=np.uint8).reshape(shape)
    return table.reshape(-1, game.pegs)


class CodeScorer(NamedTuple):
    """A code game and a policy, ready for the kernels.

    Attributes:
        game: the game.
        additive, weights, credit: the policy; see `Policy`.
        table: uint8[codes, pegs], see `code_table`.
        shuffles: the permutations of the positions.
    """

    game: Mastermind
    additive: bool
    weights: np.ndarray[tuple[int], np.dtype[np.int64]]
    credit: int
    table: Bytes2D
    shuffles: np.ndarray[tuple[int, int], np.dtype[np.int64]]

    @classmethod
    def of(cls, game: Mastermind, policy: Policy) -> CodeScorer:
        """The scorer of a game and a policy; kept for the next task of the same build."""
        return _scorer(game, policy)

    def choose(
        self,
        candidates: np.ndarray[tuple[int], np.dtype[np.uint32]],
        starts: np.ndarray[tuple[int], np.dtype[np.int64]],
        paths: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
    ) -> tuple[np.ndarray[tuple[int], np.dtype[np.uint32]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """The policy's guess for each node of a level.

        Args:
            candidates: the indices of all nodes' candidates, one node after the other.
            starts: where each node's begin, and the end of the last.
            paths: uint8[nodes, depth, pegs], the guesses that lead to each node.

        Returns:
            The index of each node's guess, and how many guesses were scored to find it.
        """
        nodes = len(starts) - 1
        guesses = np.empty(nodes, np.uint32)
        scored = np.empty(nodes, np.int64)
        choose_each(
            self.table, candidates, starts, paths, self.game.colors, self.game.repeats,
            self.shuffles, self.weights, self.additive, self.credit, guesses, scored,
        )  # fmt: skip
        return guesses, scored

    def feedbacks(
        self,
        guesses: np.ndarray[tuple[int], np.dtype[np.uint32]],
        candidates: np.ndarray[tuple[int], np.dtype[np.uint32]],
        starts: np.ndarray[tuple[int], np.dtype[np.int64]],
    ) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """The feedback number of each candidate to its node's guess."""
        out = np.empty(len(candidates), np.uint8)
        answer_each(self.table, guesses, candidates, starts, self.game.colors, out)
        return out


@lru_cache(maxsize=2)
def _scorer(game: Mastermind, policy: Policy) -> CodeScorer:
    weights = np.array(policy.weights(len(game.secrets)), np.int64)
    table = code_table(game)
    return CodeScorer(game, policy.additive, weights, policy.credit, table, permutations(game.pegs))


@kernel
def choose_each(table, candidates, starts, paths, colors, repeats, shuffles, weights, additive, credit, guesses, scored):  # type: ignore[no-untyped-def]
    """Fill in the guess of each node, and how many guesses were scored for it."""
    pegs = table.shape[1]
    guess = np.zeros(pegs, np.uint8)
    cells = (pegs + 1) * (pegs + 2) // 2 - 1
    for node in range(len(starts) - 1):
        n = starts[node + 1] - starts[node]
        if n <= 2:
            # One candidate, or two: the lower one splits them, and nothing can do better.
            guesses[node] = candidates[starts[node]]
            scored[node] = 0
            continue
        digits = table[candidates[starts[node] : starts[node + 1]]]
        used = np.uint64(0)
        for depth in range(paths.shape[1]):
            for p in range(pegs):
                used |= np.uint64(1) << np.uint64(paths[node, depth, p])
        if n <= FEW or not 1 < pegs <= MAX_PERMUTED_PEGS:
            bounds = best_scores(n, cells, weights, additive)
            scored[node] = best_of_few(
                digits, colors, repeats, used, weights, bounds, additive, credit, guess
            )
        else:
            elements = stabilizer(paths[node], shuffles, colors)
            scored[node] = best_of_many(
                digits, colors, repeats, used, elements, weights, additive, credit, guess
            )
        guesses[node] = index_of(guess, colors, repeats)


@kernel
def best_scores(n, cells, weights, additive):  # type: ignore[no-untyped-def]
    """The best score that n candidates in 0, 1, 2, ... cells can have: that of an even split."""
    most = min(n, cells)
    bounds = np.empty(most + 1, np.int64)
    bounds[0] = -(1 << 62)
    for k in range(1, most + 1):
        small = n // k
        large = n % k
        if additive:
            bounds[k] = -(large * weights[small + 1] + (k - large) * weights[small])
        else:
            bounds[k] = -weights[small + (large > 0)]
    return bounds


@kernel
def index_of(code, colors, repeats):  # type: ignore[no-untyped-def]
    """The index of a code among the guesses: `mastermind.code_index` for the kernels."""
    index = np.int64(0)
    for p in range(len(code)):
        digit = np.int64(code[p])
        if repeats:
            index = index * colors + digit
        else:
            for q in range(p):
                digit -= code[q] < code[p]
            index = index * (colors - p) + digit
    return index


@kernel
def answer_each(table, guesses, candidates, starts, colors, out):  # type: ignore[no-untyped-def]
    """Fill in the feedback number of each candidate to the guess of its node."""
    pegs = table.shape[1]
    counts = np.zeros(colors, np.int64)
    for node in range(len(starts) - 1):
        guess = table[guesses[node]]
        for k in range(starts[node], starts[node + 1]):
            secret = table[candidates[k]]
            black = 0
            total = 0
            for p in range(pegs):
                counts[guess[p]] += 1
            for p in range(pegs):
                black += guess[p] == secret[p]
                if counts[secret[p]] > 0:
                    counts[secret[p]] -= 1
                    total += 1
            for p in range(pegs):
                counts[guess[p]] = 0
            out[k] = total * (pegs + 1) + black
