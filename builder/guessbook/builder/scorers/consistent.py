"""Policies that guess candidates only: drawn at random, or the rarest place by place."""

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.builder.arrays import Integers, log_table
from guessbook.builder.games.scoring import scorer_of
from guessbook.builder.games.sums import symbol_table
from guessbook.builder.scorers.scorer import NodeScorer
from guessbook.policy.consistent import Consistent, draw
from guessbook.policy.one_step import POLICIES
from guessbook.policy.positional import Positional


class ConsistentScorer(NodeScorer):
    """A game and the policy `consistent`: see `guessbook.policy.consistent`."""

    def __init__(self, game: Game, policy: Consistent) -> None:
        # The plain scorer only gives feedbacks, so any policy will do.
        super().__init__(scorer_of(game, POLICIES["parts"]))
        self.few = 1
        self.random_seed = policy.random_seed

    def guess(self, candidates: Integers, path: Integers) -> tuple[int, int]:
        """Draw the guess of a node; nothing is scored."""
        named, weights = candidates.astype("<u4").tobytes(), self.weights[candidates].tolist()
        return int(self.homes[candidates[draw(self.random_seed, named, weights)]]), 0


class PositionalScorer(NodeScorer):
    """A game and the policy `positional`: see `guessbook.policy.positional`."""

    def __init__(self, game: Game, policy: Positional) -> None:
        super().__init__(scorer_of(game, POLICIES["parts"]))
        self.table = symbol_table(game)
        self.logs = log_table(total_weight(game))

    def guess(self, candidates: Integers, path: Integers) -> tuple[int, int]:
        """Return the candidate whose symbols are rarest; every candidate is scored."""
        # The sum of -log2(m/n) is largest where that of log2(m) is smallest.
        commonness = np.zeros(len(candidates), np.int64)
        for column in self.table[candidates].T:
            common = np.bincount(column, self.weights[candidates]).astype(np.int64)
            commonness += self.logs[common[column]]
        return int(self.homes[candidates[np.argmin(commonness)]]), len(candidates)
