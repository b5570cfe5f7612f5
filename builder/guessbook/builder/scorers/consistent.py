"""Candidates by other rules than a score: drawn at random, or the rarest place by place."""

from __future__ import annotations

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.builder.arrays import Chosen, Integers, Integers2D, log_table
from guessbook.builder.games.scoring import scoring_of
from guessbook.builder.games.sums import symbol_table
from guessbook.builder.scorers.scorer import Derived
from guessbook.policy.consistent import Consistent, draw
from guessbook.policy.one_step import POLICIES
from guessbook.policy.positional import Positional


class ConsistentScorer(Derived):
    """A game and the policy `consistent`: see `guessbook.policy.consistent`."""

    def __init__(self, game: Game, policy: Consistent) -> None:
        # For the feedbacks any will do: nothing is scored with it.
        super().__init__(scoring_of(game).scorer(game, POLICIES["parts"]))
        self.random_seed = policy.random_seed

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Choose the guess of each node; nothing is scored."""
        best = candidates[starts[:-1]]
        for node in np.flatnonzero(np.diff(starts) > 1):
            cell = candidates[starts[node] : starts[node + 1]]
            named, weights = cell.astype("<u4").tobytes(), self.weights[cell].tolist()
            best[node] = cell[draw(self.random_seed, named, weights)]
        return self.homes[best], np.zeros(len(best), np.int64)


class PositionalScorer(Derived):
    """A game and the policy `positional`: see `guessbook.policy.positional`."""

    def __init__(self, game: Game, policy: Positional) -> None:
        super().__init__(scoring_of(game).scorer(game, POLICIES["parts"]))
        self.table = symbol_table(game)
        self.logs = log_table(total_weight(game))

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Choose the guess of each node; every candidate is scored."""
        best = candidates[starts[:-1]]
        sizes = np.diff(starts)
        # Of few candidates no symbol is rarer than another, unless all have it: the lowest one.
        for node in np.flatnonzero(sizes > self.few):
            cell = candidates[starts[node] : starts[node + 1]]
            symbols = self.table[cell]
            # The sum of -log2(m/n) is largest where that of log2(m) is smallest.
            commonness = np.zeros(len(cell), np.int64)
            for column in symbols.T:
                common = np.bincount(column, self.weights[cell]).astype(np.int64)
                commonness += self.logs[common[column]]
            best[node] = cell[np.argmin(commonness)]
        return self.homes[best], np.where(sizes > self.few, sizes, 0)
