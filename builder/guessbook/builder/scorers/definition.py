"""A policy by its plain definition, asked at every node: slow, and right for every policy."""

from __future__ import annotations

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Chosen, Integers, Integers2D
from guessbook.builder.games.scoring import scoring_of
from guessbook.builder.scorers.scorer import Derived
from guessbook.policy.one_step import POLICIES
from guessbook.policy.policy import Policy, checked_guess


class DefinitionScorer(Derived):
    """A game and any policy."""

    def __init__(self, game: Game, policy: Policy) -> None:
        # For the feedbacks any will do: nothing is scored with it.
        super().__init__(scoring_of(game).scorer(game, POLICIES["parts"]))
        self.policy = policy

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Choose by the definition; counts the guesses that the policy says it takes."""
        sizes = np.diff(starts)
        best = [
            self.guess(candidates[start:end].tolist(), path.tolist())
            for start, end, path in zip(starts[:-1], starts[1:], paths, strict=True)
        ]
        scored = [self.policy.work(self.game, size) // size for size in sizes.tolist()]
        return np.array(best, np.uint32), np.array(scored, np.int64)

    def guess(self, candidates: list[int], path: list[int]) -> int:
        """The guess of one node. Raises UsageError if the policy gives none."""
        game = self.game
        codes = [game.secrets[index] for index in candidates]
        # All candidates have had the same feedbacks; a path may repeat its first guess.
        history = [
            (guess, game.feedback_number(game.guesses[guess], codes[0]))
            for guess in dict.fromkeys(path)
        ]
        return checked_guess(game, self.policy, self.policy.choose(game, history, codes))
