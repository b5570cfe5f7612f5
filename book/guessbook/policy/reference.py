"""The rule in plain Python: slow, obvious, and what every faster path is tested against."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from guessbook.policy.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from guessbook.book.games.game import Game, History

__all__ = ["best_guess", "consistent", "partition"]


def consistent(game: Game, history: History) -> list[str]:
    """The candidates: every secret that gives each guess of the history its feedback."""
    candidates = list(game.secrets)
    for index, feedback in history:
        guess = game.guesses[index]
        candidates = [s for s in candidates if game.feedback(guess, s) == feedback]
    return candidates


def partition(game: Game, guess: str, candidates: Sequence[str]) -> Counter[int]:
    """How many candidates give each feedback to `guess`."""
    return Counter(game.feedback(guess, secret) for secret in candidates)


def best_guess(
    game: Game, candidates: Sequence[str], policy: Policy, allowed: Iterable[int] | None = None
) -> tuple[int, int]:
    """The index of the policy's guess for these candidates, and its score.

    All guesses are considered, candidates or not, or only those `allowed`. The highest score wins;
    among equal scores a guess that is a candidate; among those the lowest index.
    """
    weights = policy.weights(len(candidates))
    possible = set(candidates)
    best: tuple[int, bool, int] | None = None
    for index in range(len(game.guesses)) if allowed is None else allowed:
        guess = game.guesses[index]
        score = policy.score(partition(game, guess, candidates).values(), weights)
        score += policy.credit * (guess in possible)
        if best is None or (score, guess in possible, -index) > best:
            best = (score, guess in possible, -index)
    assert best is not None  # a game has guesses
    return -best[2], best[0]
