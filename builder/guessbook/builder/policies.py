"""The scorers of a build, by policy."""

from collections.abc import Callable
from typing import Any

from guessbook.book.games.game import Game
from guessbook.builder.lookahead import LookaheadScorer
from guessbook.builder.optimal import OptimalScorer, WinScorer
from guessbook.builder.rollout import RolloutScorer
from guessbook.builder.scorers import (
    ConsistentScorer,
    DefinitionScorer,
    PositionalScorer,
    one_step_scorer,
)
from guessbook.builder.scoring import Scorer
from guessbook.policy.policy import POLICIES, Policy

# The scorers of policies. All other policies choose the guess of each node by their own `choose`.
SCORERS: dict[str, Callable[..., Scorer]] = {
    **dict.fromkeys(POLICIES, one_step_scorer),
    "consistent": ConsistentScorer,
    "positional": PositionalScorer,
    "lookahead": LookaheadScorer,
    "rollout": RolloutScorer,
    "optimal": OptimalScorer,
    "win": WinScorer,
}


def make_scorer(game: Game, policy: Policy, memory: int) -> Scorer:
    """Return the scorer of a game and a policy; tables of a search take at most `memory` bytes."""
    maker = SCORERS.get(policy.name, DefinitionScorer)
    room: tuple[Any, ...] = (memory,) if policy.remembers else ()
    return maker(game, policy, *room)
