"""Identification in the engine: tests are asked until the outcome of a thing is known."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from ctypes import byref
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from guessbook.book.errors import BuildError
from guessbook.book.games.game import unanswered
from guessbook.book.games.identification import MAX_COST, MAX_TOTAL
from guessbook.engine.binding import (
    Space,
    address,
    engine,
    fill,
    indices,
    numbers,
    stop_address,
    within,
)
from guessbook.engine.partitions import costs_up_to
from guessbook.engine.sets import MAX_WEIGHT, SetTable
from guessbook.policy.identification import things_of

if TYPE_CHECKING:
    from guessbook.book.games.game import History
    from guessbook.book.games.tables import TableGame
    from guessbook.policy.identification import Plan
    from guessbook.policy.policy import OneStep, Policy

# The result of a search whose recursion is too deep for the stack of a thread.
TOO_DEEP = -4
# The rule by which identification.c measures the doubt about an outcome, for each one-step policy.
RULES = {"entropy": 0, "entropy-corrected": 0, "expected": 1, "minimax": 2, "parts": 3}
# The value of `Strategy.budget` if there is no budget.
NO_BUDGET = -1
# The value of `TestGrowth.first` if the plan chooses the first test.
NO_TEST = -16
# The smallest size of the transposition table, in entries.
FEWEST_ENTRIES = 1 << 16


class Grown(NamedTuple):
    """A tree of tests, breadth first. Each array (uint32) has an entry for each node."""

    # The test of each node. At a leaf: the number of tests plus the lowest outcome of its things.
    tests: array[int]
    answers: array[int]  # the answer that leads to each node; 0 for the root
    children: array[int]  # the number of children of each node
    sizes: array[int]  # the number of things of each node


class Identifier:
    """The tests of a table and a plan, ready for searches in any number of threads.

    `tests` are the indices of the tests that may be asked; None allows all. `memory` is the limit
    in bytes for the transposition table.
    """

    def __init__(
        self, game: TableGame, plan: Plan, tests: Sequence[int] | None = None, memory: int = 1 << 26
    ) -> None:
        found = game.identification
        assert found is not None
        self._allowed = list(range(game.given)) if tests is None else list(tests)
        self._outcomes, self._given = array("I", found.outcome_of), game.given
        things, lane = len(game.secrets), game.cells.itemsize
        table = b"".join([game.row(test).tobytes() for test in self._allowed])
        weights = array("q", game.weights or [1] * things)
        costs = array("q", [found.costs[test] for test in self._allowed])
        # The keys are random, but the same in every run, so that every search takes the same steps.
        draw = Random(1)
        keys = array("Q", [draw.getrandbits(64) for _ in range(things)])
        numbers("weight", weights, things, 1, MAX_WEIGHT)
        numbers("cost", costs, len(costs), 1, MAX_COST - 1)
        within("weight times cost", sum(weights) * sum(costs), 0, MAX_TOTAL)
        beyond = engine().first_beyond(
            address(table, "B"), len(table) // lane, lane, len(game.answers)
        )
        within("number of leading valid answers", beyond, len(table) // lane, len(table) // lane)
        # The rule `parts` counts cells, and ignores their weights.
        worth = array("q", [0])
        if plan.rule.name != "parts":
            worth = costs_up_to(sum(weights), cast("OneStep", plan.rule))
        self._fields = fill(
            "Things", address(table, "B"), weights, self._outcomes, keys, costs, worth,
            len(self._allowed), things, len(game.answers), lane, RULES[plan.rule.name], tests is None,
        )  # fmt: skip
        # `fill` keeps its arrays alive, but it gets only the address of `table`.
        self._table = table
        self._budget = NO_BUDGET if plan.budget is None else min(plan.budget, MAX_TOTAL)
        self._strategy = fill("Strategy", plan.depth, plan.width, plan.endgame, self._budget)
        searches = plan.endgame > 1 or plan.budget is not None
        entries = FEWEST_ENTRIES
        while searches and 32 * entries <= memory:
            entries *= 2
        self._memory = SetTable(entries)
        self.space = Space("thing_space_new", ctypes.addressof(self._fields))

    def grow(self, first: int | None = None) -> Grown:
        """Return the tree of the plan for all things.

        `first` is the first test, as an index into the allowed tests; if None, the plan chooses it.
        """
        members = self._members(None)
        return self._grow(members, 2 * len(members), self._budget, first)

    def choose(self, things: Sequence[int], spent: int = 0) -> tuple[int | None, int]:
        """Return the weight identified within the plan's budget, and the next test for some things.

        `spent` is the cost of earlier tests. The weight is None without a budget. If the things
        share one outcome, or no test tells them apart, there is no next test: the second number is
        then the number of tests of the game plus the lowest outcome of the things.
        """
        members = self._members(things)
        if self._budget == NO_BUDGET:
            return None, int(self._grow(members, 1, NO_BUDGET).tests[0])
        budget = max(self._budget - spent, 0)
        known = array("q", [0])
        self._check(
            engine().weight_within(
                byref(self._solver()),
                address(members, "I"),
                len(members),
                budget,
                address(known, "q"),
            )
        )
        weight = known[0] if spent <= self._budget else 0
        return weight, int(self._grow(members, 1, budget).tests[0])

    def cost(self, limit: int, things: Sequence[int] | None = None) -> int:
        """Return the least cost to identify things if it is at most `limit`, else a lower bound.

        The lower bound is above `limit`. If `things` is None, all things are to be identified.
        """
        members = self._members(things)
        within("limit", limit, 0, MAX_TOTAL)
        cost = array("q", [0])
        result = engine().search_identification(
            byref(self._solver()), address(members, "I"), len(members), limit, address(cost, "q")
        )
        self._check(result)
        return cost[0]

    def _members(self, things: Sequence[int] | None) -> array[int]:
        some = range(len(self._outcomes)) if things is None else things
        members = array("I", sorted(some, key=lambda thing: (self._outcomes[thing], thing)))
        indices(members, len(self._outcomes))
        if not members:
            raise ValueError("no things to tell apart; give at least one")
        return members

    def _grow(self, members: array[int], room: int, budget: int, first: int | None = None) -> Grown:
        columns = [array("I", bytes(4 * room)) for _ in range(4)]
        tests, answers, children, sizes = columns
        sizes[0] = len(members)
        within("first test", 0 if first is None else first, 0, max(len(self._allowed) - 1, 0))
        begin, budgets = array("q", bytes(8 * room)), array("q", bytes(8 * room))
        budgets[0] = budget
        growth = fill(
            "TestGrowth",
            room,
            0,
            NO_TEST if first is None else first,
            members,
            begin,
            budgets,
            tests,
            answers,
            children,
            sizes,
        )
        self._check(engine().grow_identification(byref(self._solver()), byref(growth)))
        allowed, count = self._allowed, len(self._allowed)
        for node in range(growth.nodes):
            test = tests[node]
            tests[node] = allowed[test] if test < count else test - count + self._given
        return Grown(*[column[: growth.nodes] for column in columns])

    def _solver(self) -> Any:
        return fill(
            "Identifier", ctypes.addressof(self._fields), self.space.place, self._memory.place,
            ctypes.addressof(self._strategy), stop_address(),
        )  # fmt: skip

    @staticmethod
    def _check(result: int) -> None:
        if result == TOO_DEEP:
            raise BuildError(
                "the tests form too long a chain for this policy; use a one-step policy such as entropy"
            )


def next_test(
    game: Any, policy: Policy, history: History, candidates: Sequence[str]
) -> tuple[int | None, int]:
    """Return the result of `policy.identification.choose_test`, computed by the engine."""
    asked = unanswered(history)
    tests = [test for test in range(game.given) if test not in asked] if asked else None
    search = Identifier(game, policy.plan(game), tests)
    return search.choose(things_of(game, candidates), game.identification.spent(history))
