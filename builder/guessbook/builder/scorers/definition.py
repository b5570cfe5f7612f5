"""Any policy by its plain definition, which is asked at every node: slow, but always right."""

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Integers
from guessbook.builder.games.scoring import scorer_of
from guessbook.builder.scorers.scorer import NodeScorer
from guessbook.policy.one_step import POLICIES
from guessbook.policy.policy import Policy, checked_guess


class DefinitionScorer(NodeScorer):
    """A game and any policy."""

    def __init__(self, game: Game, policy: Policy) -> None:
        # The plain scorer only gives feedbacks, so any policy will do.
        super().__init__(scorer_of(game, POLICIES["parts"]))
        self.few = 0
        self.policy = policy

    def guess(self, candidates: Integers, path: Integers) -> tuple[int, int]:
        """Return the guess by the definition, and the number of guesses the policy says it scores.

        Raises:
            UsageError: the policy gives no guess.
        """
        game, size = self.game, len(candidates)
        codes = [game.secrets[index] for index in candidates.tolist()]
        # All candidates have had the same feedbacks; a path may repeat its first guess.
        history = [
            (guess, game.feedback_number(game.guesses[guess], codes[0]))
            for guess in dict.fromkeys(path.tolist())
        ]
        chosen = checked_guess(game, self.policy, self.policy.choose(game, history, codes))
        return chosen, self.policy.work(game, size) // size
