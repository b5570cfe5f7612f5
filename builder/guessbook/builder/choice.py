"""The policy's guess for one history, as a build finds it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from guessbook.book.errors import InconsistentFeedbackError
from guessbook.book.games.game import Game, History
from guessbook.builder.arrays import weight_table
from guessbook.builder.limits import MEMORY, check_limits
from guessbook.builder.scorers.batch import step, weighed
from guessbook.builder.scorers.scorer import Scorer, make_scorer
from guessbook.builder.scorers.trial import level_of
from guessbook.policy.policy import Policy

# What `choose` returns.
Chosen = tuple[int, int, list[int], bool, int | None]


def choose(game: Game, history: History, policy: Policy) -> Chosen:
    """The policy's guess for one history.

    The history is (guess index, feedback number) pairs, in any order.

    Returns:
        The index of the guess, how many candidates there are, how much each of the cells counts
        that the guess splits them into, whether it is itself a candidate, and of the policy `win`
        how much the candidates count that it finds within the guesses that are left.

    Raises:
        InconsistentFeedbackError: no secret fits the history.
        InvalidGameError: the game is larger than this builder or this machine can hold.
    """
    check_limits(game)
    scorer = kept_scorer(game, policy)
    candidates = np.arange(len(game.secrets), dtype=np.uint32)
    for guess, feedback in history:
        whole = np.array([0, len(candidates)])
        answers = scorer.feedbacks(np.array([guess], np.uint32), candidates, whole)
        candidates = candidates[answers == feedback]
    if not len(candidates):
        raise InconsistentFeedbackError("no secret fits this history; re-check its feedbacks")
    paths = np.array([[guess for guess, _ in history]], np.uint32)
    batch = level_of(candidates, np.array([0, len(candidates)]), paths)
    level, children, _ = step(scorer, batch)
    weights = weight_table(game)
    cells = weighed(children, weights).tolist()
    own = int(weights[candidates].sum()) - sum(cells)
    asked: Any = policy
    found = None
    if hasattr(asked, "answer"):
        found = own + sum(cells)
        # It finds what it does not miss: it plays on, with what its scorer remembers.
        for turn in range(asked.left(len(dict(history)))):
            batch = step(scorer, batch)[1] if turn else children
        found -= int(weights[batch.candidates].sum())
    return int(level.guess[0]), len(candidates), cells + [own] * (own > 0), own > 0, found


# typed: policies of different classes with equal options are equal, as tuples are.
@lru_cache(maxsize=2, typed=True)
def kept_scorer(game: Game, policy: Policy) -> Scorer:
    """The scorer of a game and a policy, kept for the next question: to make one may take a second.

    A build keeps its scorer in its own context.
    """
    return make_scorer(game, policy, MEMORY)
