"""Scoring: each kind of game has a module here that makes its scorers and rankers.

The registry of games names the module. It has two functions: `scorer(game, policy)`, whose policy
has no limits, and `ranker(scorer, policy)`, whose policy may be limited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.games.game import Game
from guessbook.book.games.registry import companion
from guessbook.builder.games.ranking import Ranker
from guessbook.policy.one_step import OneStep

if TYPE_CHECKING:
    from guessbook.builder.scorers.scorer import PlainScorer


def scorer_of(game: Game, policy: OneStep) -> PlainScorer:
    """Return the scorer of a game and a one-step policy, without the limits of the policy."""
    plain = policy._replace(consistent_only=False, hard_mode=False)
    scorer: PlainScorer = companion(game, "scoring").scorer(game, plain)
    return scorer


def ranker_of(game: Game, policy: OneStep) -> Ranker:
    """Return the ranker of a game and a one-step policy, which may be limited."""
    ranker: Ranker = companion(game, "scoring").ranker(scorer_of(game, policy), policy)
    return ranker
