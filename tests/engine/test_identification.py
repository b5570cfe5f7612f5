"""The engine's search for trees of tests, and its checks of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from guessbook.engine.identification import Identifier
from guessbook.policy.policy import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable

GAME = gb.TableGame(
    ["hot?", "wet?", "loud?"],
    ["rust", "dirt", "ice", "leak"],
    [["no", "no", "yes", "no"], ["no", "yes", "no", "yes"], ["yes", "no", "no", "yes"]],
    weights=[3, 1, 1, 2],
    costs=[1, 2, 1],
)
PLAN = POLICIES["entropy"].plan(GAME)


def search(*tests: int, **change: Any) -> Identifier:
    """Return a search with some of the tests, by default all, and changes of the plan."""
    return Identifier(GAME, PLAN._replace(**change), tests or None)


WRONG: dict[str, Callable[[], Any]] = {
    "depth": lambda: search(depth=0),
    "width": lambda: search(width=0),
    "endgame": lambda: search(endgame=-1),
    "test": lambda: search(3),
    "low test": lambda: search(-4),
    "first test": lambda: search().grow(3),
    "low first test": lambda: search().grow(-1),
    "thing": lambda: search().choose([4]),
    "no things": lambda: search().choose([]),
    "further thing": lambda: search().choose([0, 9]),
    "limit": lambda: search(endgame=4).cost(-1),
    "high limit": lambda: search(endgame=4).cost(1 << 61),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_search_with_numbers_out_of_range_is_rejected(wrong: str) -> None:
    with pytest.raises((IndexError, ValueError)):
        WRONG[wrong]()


@pytest.mark.parametrize("name", POLICIES)
def test_trees_of_all_plans_separate_all_outcomes(name: str) -> None:
    plain = POLICIES[name].plan(GAME)
    changes: list[dict[str, Any]] = [
        {},
        {"depth": 2, "width": 3},
        {"depth": 3, "width": 2},
        {"endgame": 4},
        {"budget": 3},
    ]
    for change in changes:
        grown = Identifier(GAME, plain._replace(**change)).grow()
        leaves = [test for test in grown.tests if test >= GAME.given]
        assert sorted(leaves) == [3, 4, 5, 6]


def test_search_finds_the_least_cost_or_a_bound_above_the_limit() -> None:
    least = search(endgame=4).cost(100)
    assert search(endgame=4).cost(least) == least
    assert least - 1 < search(endgame=4).cost(least - 1) <= least


def test_excluded_tests_are_not_chosen() -> None:
    assert search(1).choose([0, 1, 2, 3]) == (None, 1)
    assert search(1).choose([1, 3])[1] >= GAME.given
    assert search(0, 2, budget=1).choose([0, 1, 2, 3]) == (1, 0)
