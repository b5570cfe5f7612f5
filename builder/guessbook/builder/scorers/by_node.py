"""Scorers of policies that the engine does not implement: they choose the guess of one node at a time."""

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.builder.arrays import Integers, log_table, symbols_of
from guessbook.builder.games.scoring import best_first, ranker_of, scorer_of
from guessbook.builder.scorers.scorer import NodeScorer, Scorer
from guessbook.policy.consistent import Consistent, Positional, draw
from guessbook.policy.one_step import POLICIES, OneStep
from guessbook.policy.policy import Policy, checked_guess

# Creating a scorer needs a one-step policy. If the scorer only computes feedbacks, the policy has no effect.
ANY = POLICIES["parts"]


class LimitedScorer(NodeScorer):
    """The scorer of a one-step policy that does not allow every guess, such as a policy with hard mode."""

    def __init__(self, game: Game, policy: OneStep) -> None:
        super().__init__(scorer_of(game, policy))
        self.ranker = ranker_of(game, policy)

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the best allowed guess, and the number of candidates (used as the number of guesses scored)."""
        return int(best_first(self.ranker, candidates, path, 1)[0]), len(candidates)


def one_step_scorer(game: Game, policy: OneStep) -> Scorer:
    """Return the scorer of a game and a one-step policy; the scorer respects the policy's limits on guesses."""
    return LimitedScorer(game, policy) if policy.limited else scorer_of(game, policy)


class DefinitionScorer(NodeScorer):
    """The scorer of any policy: it calls the policy's own `choose` for each node."""

    def __init__(self, game: Game, policy: Policy) -> None:
        super().__init__(scorer_of(game, ANY))
        self.few, self.policy = 0, policy

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the policy's guess, and about how many guesses the policy scores to choose it."""
        game, size = self.game, len(candidates)
        codes = [game.secrets[index] for index in candidates.tolist()]
        # All candidates have equal feedbacks to the guesses of the path, so the history uses the first candidate.
        # `fromkeys` drops a repeated guess.
        history = [
            (guess, game.feedback_number(game.guesses[guess], codes[0]))
            for guess in dict.fromkeys(path.tolist())
        ]
        chosen = checked_guess(game, self.policy, self.policy.choose(game, history, codes))
        return chosen, self.policy.work(game, size) // size


class ConsistentScorer(NodeScorer):
    """The scorer of the policy `consistent`; `guessbook.policy.consistent` explains the policy."""

    def __init__(self, game: Game, policy: Consistent) -> None:
        super().__init__(scorer_of(game, ANY))
        self.few, self.random_seed = 1, policy.random_seed

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Draw the guess of a node at random from its candidates; return it, and 0 as the number of guesses scored."""
        named, weights = candidates.astype("<u4").tobytes(), self.weights[candidates].tolist()
        return int(self.homes[candidates[draw(self.random_seed, named, weights)]]), 0


class PositionalScorer(NodeScorer):
    """The scorer of the policy `positional`; `guessbook.policy.consistent` explains the policy."""

    def __init__(self, game: Game, policy: Positional) -> None:
        super().__init__(scorer_of(game, ANY))
        symbols = symbols_of(game.secrets, game.length)
        known = np.unique(symbols)
        # `ranks` has a number for each symbol of each secret: the index of the symbol in `known`. The loop over
        # positions saves memory: searchsorted returns 64 bits per symbol.
        self.ranks = np.empty(symbols.shape, np.min_scalar_type(len(known) - 1))
        for place in range(game.length):
            self.ranks[:, place] = np.searchsorted(known, symbols[:, place])
        self.logs = log_table(total_weight(game))

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the candidate whose symbols are rarest at their positions, and the number of candidates scored."""
        # If m of n candidates have a symbol at a position, this symbol counts -log2(m/n) bits. The candidate with the
        # least sum of log2(m) has the most bits.
        commonness = np.zeros(len(candidates), np.int64)
        for column in self.ranks[candidates].T:
            common = np.bincount(column, self.weights[candidates]).astype(np.int64)
            commonness += self.logs[common[column]]
        return int(self.homes[candidates[np.argmin(commonness)]]), len(candidates)
