"""The ranking of a node in a code game: one guess of those that are equivalent by symmetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.builder.compiler.jit import Native
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.games.ranking import LEFT_OUT
from guessbook.builder.kernels.arrays import Array, Integers, Integers2D, Scored
from guessbook.builder.kernels.lanes import enter
from guessbook.builder.kernels.orbits import in_order, is_lowest, require, stabilizer
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import Bound, mark_fitting
from guessbook.builder.kernels.scores import cells_of, count_order, score_of, sort_by_total
from guessbook.builder.kernels.space import IMAGE, REQUIRED, Space, space_for

if TYPE_CHECKING:
    from guessbook.builder.games.codes import CodeScorer


class CodeRanker(NamedTuple):
    """The ranker of a code game.

    Attributes:
        scorer: the scorer of the game and the policy.
        by_set: int64[codes], the codes in the order of their multisets.
        consistent_only: whether only candidates are ranked.
    """

    scorer: CodeScorer
    by_set: Integers
    consistent_only: bool = False

    def allowed(self, candidates: Integers, path: Integers) -> Integers:
        """See `Ranker.allowed`."""
        guesses = candidates if self.consistent_only else np.arange(len(self.scorer.codes))
        return guesses.astype(np.uint32)

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """The codes, ascending, that no symmetry of a history carries onto a lower one: uint32."""
        table, game = self.scorer.codes, self.scorer.game
        used, held, elements = self.symmetries(candidates, path)
        lowest = np.zeros(len(table), np.uint8)
        mark_lowest(
            table, len(table), game.pegs, game.colors, elements, len(elements), held, used,
            game.repeats, np.zeros(2 * game.colors, np.int64), lowest,
        )  # fmt: skip
        return np.flatnonzero(lowest).astype(np.uint32)

    def symmetries(self, candidates: Integers, path: Integers) -> tuple[int, int, Integers2D]:
        """The symbols used by a history and held by its candidates, as bits; its symmetries."""
        table = self.scorer.codes
        colors, shuffles = self.scorer.game.colors, self.scorer.orders.shuffles
        used, held = (
            sum(1 << c for c in range(colors) if c in codes)
            for codes in (table.take(some, axis=0).tobytes() for some in (path, candidates))
        )
        return used, held, stabilizer(table, path, shuffles, colors)

    def scores(self, candidates: Integers, path: Integers | None, guesses: Integers) -> Scored:
        """See `Ranker.scores`."""
        scorer, game, codes = self.scorer, self.scorer.game, len(self.scorer.codes)
        orders, n = scorer.orders, len(candidates)
        if path is None:  # as if a history had used every symbol
            used, elements = (
                (1 << game.colors) - 1,
                np.zeros((1, game.pegs + game.colors), np.int64),
            )
        else:
            used, _, elements = self.symmetries(candidates, path)
        wanted = np.zeros(orders.number, np.uint8)
        wanted[scorer.sets[guesses]] = 1
        scores = np.full(codes, LEFT_OUT, np.int64)
        solves = np.zeros(codes, np.uint8)
        starts = np.append(0, np.cumsum(np.bincount(scorer.sets, minlength=orders.number)))
        score_orders(
            scorer.codes, scorer.sets, orders, candidates.astype(np.uint32), n, wanted, self.by_set,
            starts, used, path is None, game.repeats, elements, len(elements),
            scorer.bound, space_for(orders, n), scores, solves,
        )  # fmt: skip
        return scores[guesses], solves[guesses]


@Native
def score_orders(
    table: Array, sets: Array, orders: Orders, candidates: Array, n: int, wanted: Array,
    by_set: Array, starts: Array, used: int, every: int, repeats: int, elements: Array, count: int,
    bound: Bound, space: Space, scores: Array, solves: Array,
) -> None:  # fmt: skip
    """Score the orders of some multisets; those left out by symmetry keep their score.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        sets: int32[codes], the multiset of every code.
        orders: the tables of the game.
        candidates: uint32[n], those of the node,
        n: so many.
        wanted: uint8[multisets], which of them to score.
        by_set: int64[codes], the codes of the first multiset, those of the second, and so on.
        starts: int64[multisets + 1], where those of each multiset begin.
        used: the set of symbols in the guesses of the history, as bits.
        every: whether none is left out.
        repeats: of the game.
        elements: the symmetries of the history, see `orbits.stabilizer`,
        count: so many.
        bound: the policy.
        space: working space.
        scores: int64[codes], receives the scores.
        solves: uint8[codes], receives 1 for each guess that is a candidate.
    """
    pegs, colors, state = orders.pegs, orders.colors, space.state
    held = enter(table, sets, orders, candidates, 0, n, space)
    if every:
        held = used
    require(held, used, colors, repeats > 0, state, REQUIRED)
    mark_fitting(orders, space)
    for m in range(orders.number):
        fits = space.fitting[m // LANES] >> np.uint64(m % LANES) & np.uint64(1)
        if not wanted[m] or not fits:
            continue
        sort_by_total(n, orders, m, -1, bound, space)
        cells = cells_of(pegs, state)
        first = orders.tiles[orders.shapes[m] * 2]
        for k in range(starts[m + 1] - starts[m]):
            if k % LANES == 0:
                base = (first + k // LANES) * orders.blacks_tile
                count_order(n, orders, orders.blacks, base, space)
            code = by_set[starts[m] + k]
            if in_order(table, code * pegs, pegs, state, REQUIRED) and is_lowest(
                table, code * pegs, pegs, elements, count, held, used, repeats > 0, state, IMAGE,
                colors,
            ):  # fmt: skip
                score, right = score_of(n, pegs, k % LANES, cells, bound, space)
                scores[code] = score
                solves[code] = right


@Native
def mark_lowest(
    table: Array, codes: int, pegs: int, colors: int, elements: Array, count: int, held: int,
    used: int, repeats: int, required: Array, lowest: Array,
) -> None:  # fmt: skip
    """Mark the codes that no symmetry of a history carries onto a lower one; see `score_orders`."""
    require(held, used, colors, repeats > 0, required, 0)
    for i in range(codes):
        lowest[i] = in_order(table, i * pegs, pegs, required, 0) and is_lowest(
            table, i * pegs, pegs, elements, count, held, used, repeats > 0, required, colors,
            colors,
        )  # fmt: skip
