"""Scoring: how one kind of game becomes arrays, and what scores it.

Each kind of game has a companion here (see `guessbook.book.games.registry`), a module with the
functions of `Scoring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from guessbook.book.games.game import Game
from guessbook.book.games.registry import companion
from guessbook.builder.games.ranking import Ranker
from guessbook.policy.one_step import OneStep

if TYPE_CHECKING:
    from guessbook.builder.scorers.scorer import PlainScorer


class Scoring(Protocol):
    """What a module has that scores one kind of game."""

    def scorer(self, game: Game, policy: OneStep) -> PlainScorer:
        """The scorer of a game and a one-step policy without limits; kept for the next task."""

    def ranker(self, game: Game, policy: OneStep) -> Ranker:
        """The ranker of a game and a one-step policy, which may be limited."""


def scoring_of(game: Game) -> Scoring:
    """The companion that scores a game."""
    return cast(Scoring, companion(game, "scoring"))
