"""The ranking of a node in a code game: one guess of those that are equivalent by symmetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.builder.games.ranking import LEFT_OUT
from guessbook.builder.kernels.arrays import Array, Integers, Integers2D, Scored
from guessbook.builder.kernels.jit import kernel
from guessbook.builder.kernels.orbits import in_order, is_lowest, require, stabilizer

if TYPE_CHECKING:
    from guessbook.builder.games.codes import CodeScorer


class CodeRanker(NamedTuple):
    """The ranker of a code game.

    Attributes:
        scorer: the scorer of the game and the policy.
        consistent_only: whether only candidates are ranked.
    """

    scorer: CodeScorer
    consistent_only: bool = False

    def allowed(self, candidates: Integers, path: Integers) -> Integers:
        """See `Ranker.allowed`."""
        guesses = candidates if self.consistent_only else np.arange(len(self.scorer.codes))
        return guesses.astype(np.uint32)

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """The codes, ascending, that no symmetry of a history carries onto a lower one: uint32."""
        table, game = self.scorer.codes, self.scorer.game
        used, held, elements = self.symmetries(candidates, path)
        lowest = np.zeros(len(table), np.bool_)
        mark_lowest(
            table, elements, held, used, game.repeats, np.zeros(2 * game.colors, np.int64), lowest
        )
        return np.flatnonzero(lowest).astype(np.uint32)

    def symmetries(self, candidates: Integers, path: Integers) -> tuple[int, int, Integers2D]:
        """The symbols used by a history and held by its candidates, as bits; its symmetries."""
        table = self.scorer.codes
        history = table[path]
        used = sum(1 << int(c) for c in np.unique(history))
        held = sum(1 << int(c) for c in np.unique(table[candidates]))
        return used, held, stabilizer(history, self.scorer.shuffles, self.scorer.game.colors)

    def scores(self, candidates: Integers, path: Integers | None, guesses: Integers) -> Scored:
        """See `Ranker.scores`."""
        game, rule, table = self.scorer.game, self.scorer.rule, self.scorer.codes
        pegs, digits = game.pegs, table[candidates]
        symbols = np.arange(game.colors, dtype=np.uint8)
        match = (digits.T[:, None, :] == symbols[None, :, None]).astype(np.uint8)
        counts = match.sum(axis=0, dtype=np.uint8)
        copies = np.arange(pegs, dtype=np.uint8)
        extra = (counts[:, None, :] > copies[None, :, None]).astype(np.uint8) * np.uint8(pegs + 1)
        if path is None:  # as if a history had used every symbol
            used = held = (1 << game.colors) - 1
            elements = np.zeros((1, pegs + game.colors), np.int64)
        else:
            used, held, elements = self.symmetries(candidates, path)
        scores = np.full(len(guesses), LEFT_OUT, np.int64)
        solves = np.zeros(len(guesses), np.uint8)
        score_codes(
            table, guesses, match.reshape(-1, len(digits)), extra.reshape(-1, len(digits)),
            elements, held, used, game.repeats, rule.costs, rule.additive, rule.credit,
            np.zeros((pegs + 1, len(digits)), np.uint8), np.zeros(2 * game.colors, np.int64),
            np.zeros(256, np.int64), np.full(pegs, -1, np.int64), scores, solves,
        )  # fmt: skip
        return scores, solves


@kernel
def score_codes(
    table: Array, guesses: Array, match: Array, extra: Array, elements: Array, held: int,
    used: int, repeats: bool, costs: Array, additive: bool, credit: int, partial: Array,
    required: Array, sizes: Array, before: Array, scores: Array, solves: Array,
) -> None:  # fmt: skip
    """Score codes against the candidates of a node; those left out by symmetry keep their score.

    A feedback is a sum over the positions of a guess: where it has symbol c at position p, the
    j-th c so far, a candidate with c at p adds 1 (a black peg), and one with at least j times c
    adds pegs + 1 (a peg of either kind). The sums for the positions that a guess shares with the
    one before it are kept.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        guesses: uint32[m], the codes to score.
        match: uint8[pegs * colors, n], 1 for candidates with c at p in row p * colors + c.
        extra: uint8[colors * pegs, n], pegs + 1 for candidates with more than j times c in row
            c * pegs + j.
        elements: the symmetries of the history, see `orbits.stabilizer`.
        held: the set of symbols in the candidates, as bits.
        used: the set of symbols in the guesses of the history.
        repeats: of the game.
        costs: of the policy, with
        additive: and
        credit: see `arrays.Rule`.
        partial: uint8[pegs + 1, n], working space, its first row 0.
        required: int64[2 * colors], working space, see `orbits.require` and `orbits.is_lowest`.
        sizes: int64[256], working space, 0.
        before: int64[pegs], working space, -1.
        scores: int64[m], receives the scores.
        solves: uint8[m], receives 1 for each guess that is a candidate.
    """
    pegs = table.shape[1]
    colors = elements.shape[1] - pegs
    flat = elements.reshape(-1)
    n = match.shape[1]
    feedbacks = (pegs + 1) * (pegs + 1)
    require(held, used, colors, repeats, required, 0)
    for i in range(len(guesses)):
        code = table[guesses[i]]
        if not in_order(code, 0, pegs, required, 0):
            continue
        if not is_lowest(
            code, 0, pegs, flat, 0, len(elements), held, used, repeats, required, colors, colors
        ):
            continue
        same = True
        for p in range(pegs):
            c = np.int64(code[p])
            same = same and before[p] == c
            if same:
                continue
            before[p] = c
            j = 0
            for q in range(p):
                j += before[q] == c
            a = p * colors + c
            b = c * pegs + j
            for k in range(n):
                partial[p + 1, k] = partial[p, k] + match[a, k] + extra[b, k]
        for k in range(n):
            sizes[partial[pegs, k]] += 1
        if sizes[feedbacks - 1]:
            solves[i] = 1
        total = np.int64(0)
        if n > feedbacks:
            for f in range(feedbacks):
                cost = costs[sizes[f]]
                total = total + cost if additive else max(total, cost)
                sizes[f] = 0
        else:
            for k in range(n):
                f = partial[pegs, k]
                cost = costs[sizes[f]]
                total = total + cost if additive else max(total, cost)
                sizes[f] = 0
        scores[i] = credit * solves[i] - total


@kernel
def mark_lowest(
    table: Array,
    elements: Array,
    held: int,
    used: int,
    repeats: bool,
    required: Array,
    lowest: Array,
) -> None:
    """Mark the codes that no symmetry of a history carries onto a lower one; see `score_codes`."""
    pegs = table.shape[1]
    colors = elements.shape[1] - pegs
    flat = elements.reshape(-1)
    require(held, used, colors, repeats, required, 0)
    for i in range(len(table)):
        code = table[i]
        lowest[i] = in_order(code, 0, pegs, required, 0) and is_lowest(
            code, 0, pegs, flat, 0, len(elements), held, used, repeats, required, colors, colors
        )
