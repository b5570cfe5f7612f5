"""The scorers of the policy `win`: it finds the most secrets within a number of guesses, by branch and bound.

The search minimizes its cost: the weight of the missed candidates.
"""

from typing import Any

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import secret_weights
from guessbook.builder.arrays import Integers, Integers2D
from guessbook.builder.scorers.batch import level_of, step
from guessbook.builder.scorers.optimal import OptimalScorer
from guessbook.builder.scorers.ranked import RankedScorer, SearchScorer
from guessbook.builder.scorers.scorer import Started
from guessbook.builder.scorers.trial import splits_all
from guessbook.engine.sets import LANES, MAX_LEFT, Problem
from guessbook.policy.search.bounds import reach
from guessbook.policy.win import Win

# A task tries at least this number of guesses, or all guesses that remain. TOGETHER must equal BATCH in sets.h: the
# engine takes BATCH guesses at a time, and computes the bounds of their cells together.
TOGETHER = 32


class _Missed(SearchScorer):
    """The base class of both scorers of `win`: a cost is the weight of missed candidates."""

    policy: Win
    missed = True

    def bounds_below(self, size: int, answers: int, others: int) -> Integers2D:
        """Return lower bounds of the number of missed candidates. `split_bounds.bounds_below` explains the array."""
        bounds = np.zeros((MAX_LEFT + 1, size + 1), np.int64)
        for left in range(MAX_LEFT):
            found = min(reach(answers - 1, max(answers - 1, others), left), size)
            bounds[left] = np.maximum(np.arange(size + 1) - found, 0)
        return bounds

    def own_cost(self, candidates: Integers) -> int:
        """Return 0, because a guess itself misses no candidates."""
        return 0

    def is_settled(self, size: int, left: int) -> bool:
        """Return whether the lower bound of the cost of `size` candidates is exact if `left` guesses remain."""
        return size <= 2 or left < 2 or size <= left

    def start(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Started:
        """Return the one-step policy's guess for each node, and the nodes where another guess may be better."""
        best, _ = self.plain.choose(candidates, starts, paths)
        batch, nodes = level_of(candidates, starts, paths), []
        splits = splits_all(*step(self.plain, batch, best)[:2])
        for node in np.flatnonzero(batch.sizes > 1).tolist():
            left = self.left(paths[node])
            # With one guess left, another may be better than this one. With two or more, it can be better only if this
            # guess does not separate all candidates, and fewer guesses are left than candidates.
            if left == 1 or (left > 1 and not splits[node] and batch.sizes[node] > left):
                nodes.append(node)
        return best, nodes

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the guess of a node, and the number of guesses tried; `first` is the best-ranked guess."""
        if self.left(path) > 1:
            return super().guess(candidates, path, first)
        # The last guess is the best-ranked of the heaviest candidates.
        weights = self.weights[candidates]
        heaviest = self.homes[candidates[weights == weights.max()]]
        if first in heaviest:
            return first, 0
        scores, _ = self.ranker.scores(candidates, path, heaviest)
        # The indices in `heaviest` ascend, so argmax picks the lowest index with the highest score.
        return int(heaviest[scores.argmax()]), 0


class WinScorer(_Missed, OptimalScorer):
    """The scorer of the policy `win`; `guessbook.policy.win` explains the policy."""

    # Upper bounds from more openings do not pay: playing one opening takes about as long as the search itself.
    promising = 1

    def quick_names(self) -> tuple[str, ...]:
        """Return the name of the one-step policy that finds the most secrets if two guesses remain."""
        return ("parts",)

    def prepare_problem(self, problem: Problem, memory: int) -> Problem:
        """Return the problem (a table), with the arrays of `blocks_of` if they save time and fit in `memory`."""
        alike = secret_weights(self.game) is None and 64 < problem.answers <= 256
        # The table and the arrays are about equally large, and must leave a quarter of `memory` for other tables.
        fits = 2 * problem.table.nbytes <= memory // 4 * 3
        if not (alike and fits) or problem.fitting or problem.length:
            return problem
        rows, peaks = blocks_of(problem.table, problem.answers)
        self.together = TOGETHER
        # The largest number of cells of any guess. A cell with only the guess itself counts, too.
        most = int(peaks[0])
        bounds = self.bounds_below(problem.secrets, most, most)
        steps = np.ascontiguousarray(np.diff(bounds))
        return problem._replace(rows=rows, peaks=peaks, bounds=bounds, steps=steps)

    def played_cost(self, unsolved: list[int], left: int) -> int:
        """Return the weight that a strategy misses: the weight of the unsolved secrets after `left` guesses."""
        return unsolved[left] if left < len(unsolved) else 0


class RankedWin(_Missed, RankedScorer):
    """The scorer of the policy `win` if its option `width` limits the number of guesses to try at each node."""


def win_scorer(game: Game, policy: Win, memory: int) -> WinScorer | RankedWin:
    """Return the scorer of the policy `win` for a game; the scorer's tables take at most `memory` bytes."""
    make = WinScorer if policy.width is None else RankedWin
    return make(game, policy, memory)


def blocks_of(table: Integers2D, answers: int) -> tuple[Any, Integers]:
    """Divide the guesses into blocks of LANES guesses, and return two arrays.

    Rows: for each guess, the index of each secret's cell, uint8[blocks, secrets, LANES]. The largest cell is cell 0.
    Peaks: the largest number of cells of any guess in each block, int64[blocks].
    """
    # Guesses with more cells come first, so the first guess of each block has the most cells.
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
