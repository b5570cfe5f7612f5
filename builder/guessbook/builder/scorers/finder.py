"""The scorer of a game and a policy: found by the registry of policies."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from guessbook.book.games.registry import loaded
from guessbook.policy.registry import KINDS

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.builder.scorers.scorer import Scorer
    from guessbook.policy.policy import Policy

__all__ = ["scorer_of"]


@lru_cache(maxsize=2)
def scorer_of(game: Game, policy: Policy) -> Scorer:
    """The scorer of a game and a policy; kept for the next task of the same build.

    Raises:
        InvalidGameError: there is no builder for this kind of game, or the policy cannot play it.
    """
    scorer: Scorer = loaded(KINDS[policy.name].scorer)(game, policy)
    return scorer
