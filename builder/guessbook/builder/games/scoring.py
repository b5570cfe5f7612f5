"""Scoring: how one kind of game becomes arrays, and which kernels score it.

Each kind of game has a companion here (see `guessbook.book.games.registry`), a module with the
functions of `Scoring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from guessbook.book.games.registry import companion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guessbook.book.games.game import Game
    from guessbook.builder.scorers.ranking import Ranker
    from guessbook.builder.scorers.scorer import PlainScorer
    from guessbook.policy.policy import Policy

__all__ = ["Scoring", "scoring_of"]


class Scoring(Protocol):
    """What a module has that scores one kind of game."""

    def scorer(self, game: Game, policy: Policy) -> PlainScorer:
        """The scorer of a game and a one-step policy without limits; kept for the next task."""

    def ranker(self, game: Game, policy: Policy) -> Ranker:
        """The ranker of a game and a one-step policy, which may be limited."""

    def samples(self, game: Game) -> Iterator[Game]:
        """Small games which need all the kernels that a build of this game will use."""


def scoring_of(game: Game) -> Scoring:
    """The companion that scores a game."""
    return cast(Scoring, companion(game, "scoring"))
