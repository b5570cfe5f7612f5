"""A policy for Guessbook: guess the last secret that fits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import guessbook as gb


@dataclass(frozen=True, repr=False)
class Last(gb.Policy):
    """The last candidate, or one of those before it: `last:skip=1` is the last but one."""

    skip: int = 0

    name = "last"
    options = ("skip",)
    numbers: ClassVar = {"skip": (0, 1000)}
    only_candidates = True

    def choose(
        self, game: gb.Game, history: list[tuple[int, int]], candidates: Sequence[str]
    ) -> int:
        """Return the index of the guess."""
        return game.guesses.index(candidates[-min(self.skip + 1, len(candidates))])

    def work(self, game: gb.Game, candidates: int) -> int:
        """Return roughly how many feedbacks `choose` computes."""
        return candidates
