"""Guesses that fit all answers: drawn at random, by position, or the best of a one-step policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.scorers.scorer import Derived
from guessbook.policy.policy import drawn, integer_logs

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.builder.kernels.arrays import Bytes2D, Integers, Integers2D
    from guessbook.builder.scorers.ranking import Ranker
    from guessbook.builder.scorers.scorer import Scorer

__all__ = [
    "ConsistentScorer",
    "LimitedScorer",
    "PositionalScorer",
    "guesses_of_secrets",
    "symbol_table",
]


def symbol_table(game: Game) -> Bytes2D:
    """The symbols of every secret as small numbers: uint8[secrets, length]."""
    symbols = np.frombuffer("".join(game.secrets).encode("utf-32-le"), "<u4")
    _, ranks = np.unique(symbols, return_inverse=True)
    return ranks.astype(np.uint8).reshape(-1, game.length)


def guesses_of_secrets(game: Game) -> Integers:
    """The index in `game.guesses` of each secret: uint32[secrets]."""
    if game.secrets is game.guesses:
        return np.arange(len(game.secrets), dtype=np.uint32)
    index = {code: i for i, code in enumerate(game.guesses)}
    return np.array([index[secret] for secret in game.secrets], np.uint32)


@dataclass(frozen=True, eq=False)
class ConsistentScorer(Derived):
    """A game and the policy `consistent`: see `guessbook.policy.policy.Consistent`.

    Attributes:
        secrets: see `guesses_of_secrets`.
        random_seed: of the policy.
    """

    secrets: Integers
    random_seed: int

    def choose(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, Integers]:
        """See `scorer.Scorer.choose`; nothing is scored."""
        best = candidates[starts[:-1]]
        for node in np.flatnonzero(np.diff(starts) > 1):
            cell = candidates[starts[node] : starts[node + 1]]
            best[node] = cell[drawn(self.random_seed, cell.astype("<u4").tobytes())]
        return self.secrets[best], np.zeros(len(best), np.int64)


@dataclass(frozen=True, eq=False)
class PositionalScorer(Derived):
    """A game and the policy `positional`: see `guessbook.policy.policy.Positional`.

    Attributes:
        secrets: see `guesses_of_secrets`.
        table: see `symbol_table`.
        logs: int64, see `policy.integer_logs`.
    """

    secrets: Integers
    table: Bytes2D
    logs: Integers

    @classmethod
    def of(cls, plain: Scorer, secrets: Integers) -> PositionalScorer:
        """The scorer for the game of another one."""
        game = plain.game
        logs = np.array(integer_logs(len(game.secrets)), np.int64)
        return cls(plain, secrets, symbol_table(game), logs)

    def choose(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, Integers]:
        """See `scorer.Scorer.choose`; every candidate is scored."""
        best = candidates[starts[:-1]]
        sizes = np.diff(starts)
        # Of two candidates no symbol is rarer than another, unless both have it: the lower one.
        for node in np.flatnonzero(sizes > 2):
            cell = candidates[starts[node] : starts[node + 1]]
            symbols = self.table[cell]
            # The sum of -log2(m/n) is largest where that of log2(m) is smallest.
            commonness = np.zeros(len(cell), np.int64)
            for p in range(symbols.shape[1]):
                commonness += self.logs[np.bincount(symbols[:, p])[symbols[:, p]]]
            best[node] = cell[np.argmin(commonness)]
        return self.secrets[best], np.where(sizes > 2, sizes, 0)


@dataclass(frozen=True, eq=False)
class LimitedScorer(Derived):
    """A game and a one-step policy that may not make every guess: `consistent_only`, `hard_mode`.

    Attributes:
        ranker: ranks the guesses that are allowed.
        secrets: see `guesses_of_secrets`.
    """

    ranker: Ranker
    secrets: Integers

    def choose(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, Integers]:
        """See `scorer.Scorer.choose`; counts as many guesses as there are candidates."""
        # Candidates are always allowed, and of two the lower one is best.
        best = self.secrets[candidates[starts[:-1]]]
        sizes = np.diff(starts)
        for node in np.flatnonzero(sizes > 2):
            cell = candidates[starts[node] : starts[node + 1]]
            best[node] = self.ranker.rank(cell, paths[node], 1)[0]
        return best, np.where(sizes > 2, sizes, 0)
