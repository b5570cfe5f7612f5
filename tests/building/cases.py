"""Games and policies for tests that divide, interrupt and resume builds."""

from __future__ import annotations

from functools import cache

import guessbook as gb

GAME = gb.Mastermind(4, 6)
WORDS = gb.WordGame([a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"])
WEIGHTED = gb.WordGame(WORDS.secrets, weights=range(1, 46))

# The engine grows whole trees for the first three; for the others, Python grows them from single
# guesses.
CASES: list[tuple[gb.Game, str]] = [
    (GAME, "entropy"),
    (gb.Mastermind(4, 6, repeats=False), "minimax"),
    (gb.Mastermind(9, 2), "expected"),
    (gb.Mastermind(4, 5), "consistent"),
    (gb.Mastermind(3, 5), "rollout:width=5"),
    (gb.Mastermind(3, 5), "lookahead"),
    (gb.Mastermind(3, 5), "optimal"),
    (gb.Mastermind(3, 4), "win:within=4"),
    (WORDS, "parts"),
    (WORDS, "optimal"),
    (WEIGHTED, "entropy"),
]


class Counted(gb.Policy):
    """A policy in Python that guesses the first candidate and counts its calls."""

    name = "counted"

    def __init__(self) -> None:
        self.calls = 0

    def choose(self, game: gb.Game, history: object, candidates: object) -> int:
        self.calls += 1
        return game.guesses.index(candidates[0])  # type: ignore[index]


@cache
def book_bytes(case: tuple[gb.Game, str], first_guess: str | None = None) -> bytes:
    """The bytes of a book that is built without interruption, with the default task size."""
    return gb.build(*case, first_guess=first_guess).to_bytes()
