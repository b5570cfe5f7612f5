"""Policies that choose the guess of one node at a time, by rules that the engine does not have."""

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.builder.arrays import Integers, log_table, symbols_of
from guessbook.builder.games.scoring import best_first, ranker_of, scorer_of
from guessbook.builder.scorers.scorer import NodeScorer, Scorer
from guessbook.policy.consistent import Consistent, Positional, draw
from guessbook.policy.one_step import POLICIES, OneStep
from guessbook.policy.policy import Policy, checked_guess

# The plain scorer only gives feedbacks, so any policy will do.
ANY = POLICIES["parts"]


class LimitedScorer(NodeScorer):
    """A game and a one-step policy that may not make every guess, such as `consistent_only`."""

    def __init__(self, game: Game, policy: OneStep) -> None:
        super().__init__(scorer_of(game, policy))
        self.ranker = ranker_of(game, policy)

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the best allowed guess; a guess for each candidate counts as scored."""
        return int(best_first(self.ranker, candidates, path, 1)[0]), len(candidates)


def one_step_scorer(game: Game, policy: OneStep) -> Scorer:
    """Return the scorer of a game and a one-step policy, limited or not."""
    return LimitedScorer(game, policy) if policy.limited else scorer_of(game, policy)


class DefinitionScorer(NodeScorer):
    """A game and any policy by its plain definition: slow, but always right."""

    def __init__(self, game: Game, policy: Policy) -> None:
        super().__init__(scorer_of(game, ANY))
        self.few, self.policy = 0, policy

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the guess by the definition, and the number of guesses that it says it scores."""
        game, size = self.game, len(candidates)
        codes = [game.secrets[index] for index in candidates.tolist()]
        # All candidates have had the same feedbacks; a path may repeat its first guess.
        history = [
            (guess, game.feedback_number(game.guesses[guess], codes[0])) for guess in dict.fromkeys(path.tolist())
        ]
        chosen = checked_guess(game, self.policy, self.policy.choose(game, history, codes))
        return chosen, self.policy.work(game, size) // size


class ConsistentScorer(NodeScorer):
    """A game and the policy `consistent`: see `guessbook.policy.consistent`."""

    def __init__(self, game: Game, policy: Consistent) -> None:
        super().__init__(scorer_of(game, ANY))
        self.few, self.random_seed = 1, policy.random_seed

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Draw the guess of a node; nothing is scored."""
        named, weights = candidates.astype("<u4").tobytes(), self.weights[candidates].tolist()
        return int(self.homes[candidates[draw(self.random_seed, named, weights)]]), 0


class PositionalScorer(NodeScorer):
    """A game and the policy `positional`: see `guessbook.policy.consistent`."""

    def __init__(self, game: Game, policy: Positional) -> None:
        super().__init__(scorer_of(game, ANY))
        symbols = symbols_of(game.secrets, game.length)
        known = np.unique(symbols)
        # The rank of each symbol, one place at a time, as searchsorted returns 64 bits.
        self.ranks = np.empty(symbols.shape, np.min_scalar_type(len(known) - 1))
        for place in range(game.length):
            self.ranks[:, place] = np.searchsorted(known, symbols[:, place])
        self.logs = log_table(total_weight(game))

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the candidate whose symbols are rarest; every candidate is scored."""
        # The sum of -log2(m/n) is largest where that of log2(m) is smallest.
        commonness = np.zeros(len(candidates), np.int64)
        for column in self.ranks[candidates].T:
            common = np.bincount(column, self.weights[candidates]).astype(np.int64)
            commonness += self.logs[common[column]]
        return int(self.homes[candidates[np.argmin(commonness)]]), len(candidates)
