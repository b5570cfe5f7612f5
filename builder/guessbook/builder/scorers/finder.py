"""The scorer of a game and a policy: found by the registry of policies."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from guessbook.builder.games.scoring import plain_scorer
from guessbook.builder.scorers.definition import DefinitionScorer
from guessbook.policy.one_step import POLICIES
from guessbook.policy.registry import KINDS, loaded

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.builder.scorers.scorer import Scorer
    from guessbook.policy.policy import Policy

__all__ = ["scorer_of"]


def scorer_of(game: Game, policy: Policy) -> Scorer:
    """The scorer of a game and a policy; kept for the next task of the same build.

    Raises:
        InvalidGameError: there is no builder for this kind of game, or the policy cannot play it.
    """
    # Both are values; a protocol cannot say so.
    return made(game, policy)  # type: ignore[arg-type]


@lru_cache(maxsize=2)
def made(game: Game, policy: Policy) -> Scorer:
    """The scorer of a game and a policy, made anew."""
    name = KINDS[policy.name].scorer
    if name is None:
        # For the feedbacks any will do: nothing is scored with it.
        return DefinitionScorer(plain_scorer(game, POLICIES["parts"]), policy)
    scorer: Scorer = loaded(name)(game, policy)
    return scorer
