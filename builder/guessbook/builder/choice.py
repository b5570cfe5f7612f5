"""The guess of a policy after one history, computed with numpy and the engine as in a build."""

from dataclasses import replace
from functools import lru_cache
from typing import cast

import numpy as np

from guessbook.book.errors import InconsistentFeedbackError
from guessbook.book.games.game import Game, History
from guessbook.builder.arrays import weight_table
from guessbook.builder.limits import MEMORY, check_limits
from guessbook.builder.optimal import WinScorer
from guessbook.builder.policies import make_scorer
from guessbook.builder.scorers import level_of, node_sums, step
from guessbook.builder.scoring import Scorer
from guessbook.policy.candidates import Choice
from guessbook.policy.policy import Policy
from guessbook.policy.win import Win


def choose(game: Game, history: History, policy: Policy) -> Choice:
    """Return the policy's guess after a history.

    Raises InconsistentFeedbackError if no secret fits.
    """
    check_limits(game)
    scorer = cached_scorer(game, policy)
    candidates = np.arange(len(game.secrets), dtype=np.uint32)
    for guess, feedback in history:
        starts = np.array([0, len(candidates)])
        answers = scorer.feedbacks(np.array([guess], np.uint32), candidates, starts)
        candidates = candidates[answers == feedback]
    if not len(candidates):
        raise InconsistentFeedbackError("no secret fits this history; re-check its feedbacks")
    paths = np.array([[guess for guess, _ in history]], np.uint32)
    if isinstance(policy, Win) and not cast(WinScorer, scorer).is_feasible(candidates, paths[0]):
        return choose(game, history, replace(policy, max_guesses=None))
    batch = level_of(candidates, np.array([0, len(candidates)]), paths)
    level, children, _ = step(scorer, batch)
    weights = weight_table(game)
    cells = node_sums(children, weights).tolist()
    own = int(weights[candidates].sum()) - sum(cells)
    found = None
    if isinstance(policy, Win):
        # The policy plays all remaining guesses. This is quick: the results are in its
        # transposition table.
        for turn in range(max(0, policy.within - len(dict(history)))):
            batch = step(scorer, batch)[1] if turn else children
        found = own + sum(cells) - int(weights[batch.candidates].sum())
    sizes = cells + [own] * (own > 0)
    return Choice(int(level.guess[0]), len(candidates), sizes, own > 0, found)


# `typed` is needed because policies of different classes with equal options are equal as tuples.
@lru_cache(maxsize=2, typed=True)
def cached_scorer(game: Game, policy: Policy) -> Scorer:
    """Return the scorer of a game and a policy, cached because creating it may take a second."""
    return make_scorer(game, policy, MEMORY)
