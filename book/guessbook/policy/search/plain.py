"""Any game in plain Python: one feedback at a time, by the rule of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.policy.reference import best_guess, consistent, partition
from guessbook.policy.search.search import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import Game, History
    from guessbook.policy.one_step import OneStep

__all__ = ["Search", "Sums", "table_bytes"]

# What the feedback of a simple game takes, about.
FEEDBACK_SECONDS = 5e-7


class Search:
    """The candidates of a history, ready to be searched."""

    __slots__ = ("_candidates", "game")

    def __init__(self, game: Game, history: History) -> None:
        self.game = game
        self._candidates = consistent(game, history)

    @property
    def size(self) -> int:
        """How many candidates there are."""
        return len(self._candidates)

    @property
    def seconds(self) -> float:
        """About how long `best_guess` takes."""
        return len(self.game.guesses) * self.size * FEEDBACK_SECONDS

    def candidates(self) -> list[str]:
        """Every secret that fits the history, in the order of the game."""
        return self._candidates

    def best_guess(self, policy: OneStep) -> Choice | None:
        """A one-step policy's guess, as `reference.best_guess` makes it; None without candidates.

        All guesses of the game are considered: limits of the policy are not its business.
        """
        if not self._candidates:
            return None
        index, _ = best_guess(self.game, self._candidates, policy)
        sizes = partition(self.game, self.game.guesses[index], self._candidates)
        return Choice(index, self.size, list(sizes.values()), self.game.solved in sizes)


class Sums:
    """The feedbacks of some candidates: where there is a quick way to those of many guesses, it."""

    __slots__ = ("candidates", "game")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        self.game = game
        self.candidates = candidates

    def answers(self, guess: str) -> Sequence[int]:
        """The feedback number that each candidate gives to a guess."""
        return [self.game.feedback(guess, secret) for secret in self.candidates]


def table_bytes(game: Game) -> int:
    """The bytes of the table of all feedbacks, at most four each."""
    return 4 * len(game.guesses) * len(game.secrets)
