"""A policy for Guessbook: guess the last secret that fits."""

from collections.abc import Sequence
from dataclasses import dataclass

from guessbook.book.games.game import Game, History
from guessbook.policy.policy import Policy
from guessbook.policy.registry import Kind


@dataclass(frozen=True)
class Last(Policy):
    """The last candidate, or one of those before it: `last:skip=1` is the last but one."""

    skip: int = 0
    name = "last"
    consistent_only = True

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess."""
        return game.guesses.index(candidates[-min(self.skip + 1, len(candidates))])

    def work(self, game: Game, candidates: int) -> int:
        """Return roughly how many feedbacks `choose` computes."""
        return candidates


KIND = Kind(f"{__name__}:Last", options=("skip",), numbers={"skip": (0, 1000)})
