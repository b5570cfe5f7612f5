"""The most secrets within some guesses: as the least weight that is missed, by branch and bound.

What a guess misses is the sum of what its cells miss. So the search is that of optimal play with
another cost, and what is known of sets, the limits and the trials are shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import secret_weights
from guessbook.builder.arrays import Chosen, Integers, Integers2D
from guessbook.builder.scorers.batch import Batch, step
from guessbook.builder.scorers.optimal import OptimalScorer
from guessbook.builder.scorers.ranked import RankedScorer
from guessbook.builder.scorers.trial import level_of, splits_all
from guessbook.kernels.sets import LANES, MAX_LEFT, Problem
from guessbook.policy.search.bounds import reach
from guessbook.policy.win import Win

# Guesses whose cells are bounded together: BATCH in sets.h.
TOGETHER = 32


class _Missed:
    """The cost of a search for the most that is found: the weight of what is missed."""

    missed = True

    def own_cost(self, candidates: Integers) -> int:
        """Return 0: only cells miss candidates."""
        return 0

    def is_settled(self, size: int, left: int) -> bool:
        """Return whether a bound by size is the exact cost of `size` candidates."""
        return size <= 2 or left < 2 or size <= left


class WinScorer(_Missed, OptimalScorer):
    """A game and the policy `win`: see `guessbook.policy.win`."""

    policy: Win
    # The search itself is about as quick as what the one-step policy finds.
    promising = 1

    def quick_names(self) -> tuple[str, ...]:
        """Return the policy that finds the most where two guesses are left."""
        return ("parts",)

    def bounds_below(self, size: int, answers: int, others: int) -> Integers2D:
        """Return what is missed of 0 to `size` candidates at least, by guesses left."""
        return missed_below(size, answers, others)

    def prepared(self, problem: Problem, memory: int) -> Problem:
        """Return the problem with its guesses in blocks, where one has many feedbacks."""
        alike = secret_weights(self.game) is None
        if not alike or problem.fitting or problem.length or not 64 < problem.answers <= 256:
            return problem
        # The blocks are about as large as the table; a quarter of the memory is for sets.
        if 2 * problem.table.nbytes > memory // 4 * 3:
            return problem
        rows, peaks = blocks_of(problem.table, problem.answers)
        self.together = TOGETHER
        # No guess has as many cells as there are feedbacks; some have no solved one among them.
        most = int(peaks[0])
        bounds = missed_below(problem.secrets, most, most)
        steps = np.ascontiguousarray(np.diff(bounds))
        return problem._replace(rows=rows, peaks=peaks, bounds=bounds, steps=steps)

    def prepare(
        self, candidates: Integers, path: Integers, guesses: Sequence[int], limit: int, left: int
    ) -> None:
        """Bound the cells of some guesses of a node together, where that is quicker."""
        if left == 3 and len(self.problem.peaks) and len(candidates) > left:
            columns = self.places[np.array(guesses)].astype(np.uint32)
            self.search.bound_cells(self.set(candidates, path, left), columns, limit)

    def is_one_ply(self, left: int) -> bool:
        """Return whether a look at every guess finds the cost of a set."""
        return left <= 2

    def played_cost(self, unsolved: list[int], left: int) -> int:
        """Return what a strategy misses: the weight that is unsolved after `left` guesses."""
        return unsolved[left] if left < len(unsolved) else 0

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Choose the guess of each node; counts the guesses that were tried on the way."""
        best, _ = self.plain.choose(candidates, starts, paths)
        scored = np.zeros(len(best), np.int64)
        batch = level_of(candidates, starts, paths)
        for node, left in open_nodes(self, batch, best):
            own, path = batch.node(node).candidates, paths[node]
            if left == 1:
                best[node] = last_guess(self, own, path, int(best[node]))
            else:
                best[node], scored[node] = self.best(own, path, left, int(best[node]))
        return best, scored


class RankedWin(_Missed, RankedScorer):
    """A game and the policy `win` with a width."""

    policy: Win

    def bounds_below(self, size: int, answers: int) -> Integers2D:
        """Return what is missed of 0 to `size` candidates at least, by guesses left."""
        return missed_below(size, answers, answers)

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Choose the guess of each node; counts the guesses of the width."""
        best, _ = self.plain.choose(candidates, starts, paths)
        scored = np.zeros(len(best), np.int64)
        batch = level_of(candidates, starts, paths)
        for node, left in open_nodes(self, batch, best):
            own, path = batch.node(node).candidates, paths[node]
            if left == 1:
                best[node] = last_guess(self, own, path, int(best[node]))
            else:
                most = int(self.weights[own].sum())
                best[node] = self.best(own, path, left, most)[1]
                scored[node] = self.policy.width or 0
        return best, scored


def win_scorer(game: Game, policy: Win, memory: int) -> WinScorer | RankedWin:
    """Return the scorer of a game and the policy `win`, with `memory` bytes for its tables."""
    make = WinScorer if policy.width is None else RankedWin
    return make(game, policy, memory)


def missed_below(size: int, answers: int, others: int) -> Integers2D:
    """Return what is missed at least, by guesses left: int64[MAX_LEFT + 1, size + 1].

    With MAX_LEFT, which stands for as many as there are candidates, nothing is.

    Args:
        size: the most candidates.
        answers: how many feedbacks a guess that may be right can get, "solved" with them.
        others: how many one that cannot be right can get; 0 if there is none.
    """
    bounds = np.zeros((MAX_LEFT + 1, size + 1), np.int64)
    for left in range(MAX_LEFT):
        found = min(reach(answers - 1, max(answers - 1, others), left), size)
        bounds[left] = np.maximum(np.arange(size + 1) - found, 0)
    return bounds


def blocks_of(table: Integers2D, answers: int) -> tuple[Any, Integers]:
    """Return the cells of all guesses in blocks, those with the most cells first.

    Args:
        table: uint8[secrets, guesses], the feedbacks.
        answers: how many there are.

    Returns:
        uint8[blocks, secrets, LANES], labels of the cells: the largest of a guess is 0, and so on.
        int64[blocks], how many cells a guess of each block has at most.
    """
    guesses = np.arange(table.shape[1])
    counts = np.zeros((answers, len(guesses)), np.int16 if len(table) < 1 << 15 else np.int64)
    for row in table:
        counts[row, guesses] += 1
    parts = (counts > 0).sum(axis=0)
    order = np.argsort(-parts, kind="stable")
    largest = np.argsort(-counts, axis=0, kind="stable")
    labels = np.empty((answers, len(guesses)), np.uint8)
    np.put_along_axis(labels, largest, np.arange(answers, dtype=np.uint8)[:, None], axis=0)
    blocks = -(-len(guesses) // LANES)
    rows = np.zeros((blocks, len(table), LANES), np.uint8)
    room = np.zeros(blocks * LANES, np.uint8)
    for secret, row in enumerate(table):
        room[: len(guesses)] = labels[row, guesses][order]
        rows[:, secret] = room.reshape(blocks, LANES)
    return rows, parts[order[::LANES]].astype(np.int64)


def open_nodes(
    scorer: WinScorer | RankedWin, batch: Batch, guesses: Integers
) -> list[tuple[int, int]]:
    """Return the nodes where the base's guess may not be the policy's, and their guesses left.

    With no guess left it is. Where a guess tells all candidates apart, or there are no more than
    guesses are left, it leads to all of them, if it tells anything, and the base's always does.
    """
    nodes = []
    tells = splits_all(*step(scorer.plain, batch, guesses)[:2])
    for node in np.flatnonzero(batch.sizes > 1).tolist():
        left = scorer.policy.left(len(np.unique(batch.paths[node])))
        if left == 1 or (left > 1 and not tells[node] and batch.sizes[node] > left):
            nodes.append((node, left))
    return nodes


def last_guess(
    scorer: WinScorer | RankedWin, candidates: Integers, path: Integers, guess: int
) -> int:
    """Return the heaviest candidate that the base ranks first; its first guess is `guess`."""
    weights = scorer.weights[candidates]
    heaviest = scorer.homes[candidates[weights == weights.max()]]
    if guess in heaviest:
        return guess
    scores, _ = scorer.ranker.scores(candidates, path, heaviest)
    # Those of the highest score ascend: the first one has the lowest index.
    return int(heaviest[scores.argmax()])
