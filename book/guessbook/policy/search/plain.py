"""Any game in plain Python: one feedback at a time, by the rule of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.policy.reference import best_guess, consistent, partition
from guessbook.policy.search.search import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import Game, History
    from guessbook.policy.one_step import OneStep

__all__ = ["PlainSearch", "PlainSums", "search", "sums", "table_bytes"]

# What the feedback of a simple game takes, about.
FEEDBACK_SECONDS = 5e-7


class PlainSearch:
    """The candidates of a history: see `search.Search`."""

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
        """Every secret that fits the history."""
        return self._candidates

    def best_guess(self, policy: OneStep) -> Choice | None:
        """A one-step policy's guess, by the reference itself."""
        if not self._candidates:
            return None
        index, _ = best_guess(self.game, self._candidates, policy)
        sizes = partition(self.game, self.game.guesses[index], self._candidates)
        return Choice(index, self.size, list(sizes.values()), self.game.solved in sizes)


class PlainSums:
    """The feedbacks of some candidates: see `search.Sums`."""

    __slots__ = ("candidates", "game")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        self.game = game
        self.candidates = candidates

    def answers(self, guess: str) -> list[int]:
        """The feedback number that each candidate gives to a guess."""
        return [self.game.feedback(guess, secret) for secret in self.candidates]


search = PlainSearch
sums = PlainSums


def table_bytes(game: Game) -> int:
    """The bytes of the table of all feedbacks, at most four each."""
    return 4 * len(game.guesses) * len(game.secrets)
