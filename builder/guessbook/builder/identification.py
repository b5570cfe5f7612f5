"""Books that identify outcomes: the engine grows the whole tree of tests in one call."""

from __future__ import annotations

from typing import Any, cast

from guessbook.book.errors import UsageError, quote
from guessbook.book.games.game import Game
from guessbook.book.games.tables import TableGame
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Columns, outcome_tree
from guessbook.builder.limits import MEMORY, Resources
from guessbook.engine.identification import Grown, Identifier
from guessbook.policy.lookahead import Lookahead
from guessbook.policy.optimal import Optimal
from guessbook.policy.policy import OneStep, Policy
from guessbook.policy.registry import policy_header
from guessbook.policy.rollout import Rollout
from guessbook.policy.win import Win


def identify(game: Game, policy: Policy, first_test: int | None, resources: Resources) -> Strategy:
    """Build the book of a table whose tests are asked until the outcome is known.

    With a gap and no first test, the book of `optimal` has the tree of `rollout` if the cost of
    this tree is proven to be within the gap. Raises UsageError for a policy that cannot identify
    outcomes, for an option that does not apply, and for a first guess that is not a test.
    """
    if not isinstance(policy, (OneStep, Lookahead, Rollout, Optimal, Win)):
        raise UsageError(
            f"the policy {policy.name} cannot identify outcomes; use entropy, lookahead, rollout, optimal or win"
        )
    if resources.scheduler is not None:
        raise UsageError("a table of outcomes is built in one thread; leave out the scheduler")
    if resources.gap and not isinstance(policy, Optimal):
        raise UsageError(
            "in a table of outcomes, a gap applies only to the policy optimal; leave it out"
        )
    if first_test is not None and first_test >= game.listed:
        raise UsageError(f"{quote(game.guesses[first_test])} is not a test")
    table = cast(TableGame, game)
    header = policy_header(game, policy, first_test)
    search = Identifier(table, policy.plan(game), memory=resources.memory or MEMORY)
    if isinstance(policy, Optimal) and resources.gap and first_test is None:
        quick = Identifier(table, Rollout(policy.base).plan(game))
        rolled = strategy_of(game, header, quick.grow())
        limit = int(rolled.tree.total_cost() * (1 - resources.gap))
        bound = search.cost(limit)
        if bound > limit:
            return Strategy(game, {**header, "proven": bound}, rolled.tree)
    return strategy_of(game, header, search.grow(first_test))


def strategy_of(game: Game, header: dict[str, Any], grown: Grown) -> Strategy:
    """Return the book of a grown tree of tests."""
    return Strategy(game, header, outcome_tree(game, Columns(*grown)))
