"""One-step policies: scored by the engine, or, with limits, only among the allowed guesses."""

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Integers
from guessbook.builder.games.ranking import best_first
from guessbook.builder.games.scoring import ranker_of, scorer_of
from guessbook.builder.scorers.scorer import NodeScorer, Scorer
from guessbook.policy.one_step import OneStep


class LimitedScorer(NodeScorer):
    """A game and a one-step policy that may not make every guess, such as `consistent_only`."""

    def __init__(self, game: Game, policy: OneStep) -> None:
        super().__init__(scorer_of(game, policy))
        self.ranker = ranker_of(game, policy)

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the best allowed guess; a guess for each candidate counts as scored."""
        return int(best_first(self.ranker, candidates, path, 1)[0]), len(candidates)


def one_step_scorer(game: Game, policy: OneStep) -> Scorer:
    """Return the scorer of a game and a one-step policy."""
    return LimitedScorer(game, policy) if policy.limited else scorer_of(game, policy)
