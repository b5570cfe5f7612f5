"""The proof that no strategy of a game needs fewer guesses than a bound."""

import os
from collections.abc import Mapping

import numpy as np

from guessbook.book.file.container import LIMITS
from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.builder.executors.workers import Threads
from guessbook.builder.growth.optimum import OptimumSearch
from guessbook.builder.growth.plan import Goal, Run
from guessbook.builder.limits import MEMORY, check_limits, check_policy, check_table
from guessbook.builder.scorers.batch import root_batch
from guessbook.policy.notation import policy_of


def cheaper(game: Game, policy: Mapping[str, object], bound: int) -> int | None:
    """Search for a strategy that needs fewer guesses than `bound`, and return its cost.

    None proves that there is no such strategy. Of the policy, as a header has it, only the options
    that limit strategies count. The bound is the guesses for all secrets, each times its weight.
    Raises UsageError or BuildError if optimal play of this game cannot be computed here.
    """
    limits = {name: policy[name] for name in ("max_guesses", *LIMITS) if name in policy}
    rule = policy_of({"name": "optimal", **limits})
    check_limits(game)
    check_policy(game, rule)
    check_table(game, rule, MEMORY)
    if bound <= total_weight(game):
        return None  # each secret needs at least one guess
    first = policy.get("first_guess")
    goal = Goal(game, rule, None if first is None else game.parse_code(str(first)))
    with Threads(os.cpu_count() or 1) as workers:
        search = OptimumSearch(Run(workers, lambda _: None), goal, bound)
        root, left = root_batch(len(game.secrets)), search.scorer.left(np.zeros(0, np.uint32))
        quick = search.scorer.quick_cost(root, goal.first_guess, left)
        if quick < bound:
            return quick
        found = search.opening()
    return found.cost if found.guess >= 0 else None
