"""Optima of tables, with and without symmetries, by exhaustive search and as published."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from examples.black_peg import black_peg
from examples.coins import COINS, coins
from tests.helpers.plain import plain_book
from tests.helpers.tables import LAMP, MIXED, NUMBERS, table_games, weighted

POLICIES: list[dict[str, Any]] = [
    {"name": "optimal", "base": "entropy"},
    {"name": "optimal", "base": "minimax", "consistent_only": True},
    {"name": "optimal", "base": "parts", "max_guesses": 6},
]
# A triangle and a square: each corner has two neighbours, but there are two kinds of corners.
RINGS = [(0, 1, 2), (3, 4, 5, 6)]
NEAR = {(r[k], r[(k + step) % len(r)]) for r in RINGS for k in range(len(r)) for step in (1, -1)}
RINGS_GAME = gb.TableGame(range(7), range(7), lambda g, s: "it" if g == s else (g, s) in NEAR)


@st.composite
def symmetric_tables(draw: st.DrawFn) -> gb.TableGame:
    """Draw rows, and their images under a permutation of the secrets with renamed answers."""
    size = draw(st.integers(2, 6))
    image = draw(st.permutations(range(size)))
    rows: dict[tuple[str, ...], None] = {}
    answers = st.lists(st.integers(0, 2), min_size=size, max_size=size)
    for row in draw(st.lists(answers, max_size=3)):
        for _ in range(6):
            names = draw(st.permutations("abc"))
            rows[tuple(names[answer] for answer in row)] = None
            row = [row[other] for other in image]
    named = [["found" if k == other else "no" for other in range(size)] for k in range(size)]
    asked = [*(f"ask {k}" for k in range(len(rows))), *range(size)]
    weights = draw(st.none() | st.lists(st.integers(1, 2), min_size=size, max_size=size))
    return gb.TableGame(asked, range(size), [*rows, *named], weights)


def guesses(book: gb.Book) -> list[str]:
    """Return the guesses of all nodes, breadth first."""
    return [node.guess for node in book.nodes]


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@given(game=symmetric_tables() | table_games())
def test_optimal_book_of_a_table_matches_the_definition(
    policy: dict[str, Any], game: gb.TableGame
) -> None:
    assert guesses(gb.build(game, policy)) == guesses(plain_book(game, policy))


@cache
def answers_of(game: gb.TableGame) -> list[list[int]]:
    """Return the numbers of all answers, row by row."""
    return [[game.feedback_number(g, s) for s in game.secrets] for g in game.guesses]


def least_total(game: gb.TableGame) -> int:
    """Return the least weighted total of all strategies, found by exhaustive search."""
    weights = game.weights or [1] * len(game.secrets)
    rows = answers_of(game)

    @cache
    def least(left: frozenset[int]) -> int:
        whole = sum(weights[secret] for secret in left)
        if len(left) == 1:
            return whole
        totals = []
        for row in rows:
            cells: dict[int, set[int]] = {}
            for secret in left:
                cells.setdefault(row[secret], set()).add(secret)
            if len(cells) > 1:
                cells.pop(game.solved, None)
                totals.append(sum(least(frozenset(cell)) for cell in cells.values()))
        return whole + min(totals)

    return least(frozenset(range(len(game.secrets))))


WEIGHTS = [9, 1, 4, 1, 2, 3, 30, 1, 1]


@pytest.mark.parametrize(
    "game",
    [
        *[coins(COINS[:4]), black_peg(2, 4), black_peg(3, 2), RINGS_GAME],
        *[weighted(game, WEIGHTS) for game in (LAMP, MIXED, NUMBERS)],
    ],
    ids=repr,
)
def test_optimum_of_a_table_is_the_least_of_all_strategies(game: gb.TableGame) -> None:
    assert gb.build(game, "optimal").stats.weighted_guesses == least_total(game)


@cache
def weighed(open_: int, heavy: int = 0, light: int = 0, good: int = 0) -> int:
    """Return the least total of all strategies for coins, where coins of a kind are equivalent.

    Args:
        open_: how many coins may be too heavy or too light.
        heavy: how many may only be too heavy.
        light: how many may only be too light.
        good: how many are neither.
    """
    left = 2 * open_ + heavy + light
    if left < 2:
        return left
    found = []
    if open_:
        found.append(weighed(open_ - 1, heavy, light + 1, good))
        found.append(weighed(open_ - 1, heavy + 1, light, good))
    if heavy:
        found.append(weighed(open_, heavy - 1, light, good + 1))
    if light:
        found.append(weighed(open_, heavy, light - 1, good + 1))
    coins = (open_, heavy, light, good)
    pans = [[(a, b) for a in range(n + 1) for b in range(n + 1 - a)] for n in coins]
    for weighing in product(*pans):
        (a, b), (c, d), (e, f), _ = weighing
        cells = [  # the left pan goes down, the right one, neither
            (0, a + c, b + f),
            (0, b + d, a + e),
            (open_ - a - b, heavy - c - d, light - e - f),
        ]
        tells = all(2 * x + y + z < left for x, y, z in cells)
        if tells and sum(one - other for one, other in weighing) == 0:
            found.append(sum(weighed(*cell, sum(coins) - sum(cell)) for cell in cells))
    return left + min(found)


@pytest.mark.parametrize(
    "number", [3, 5, *[pytest.param(number, marks=pytest.mark.slow) for number in (8, 12)]]
)
def test_optimum_of_coins_matches_a_search_by_kinds_of_coins(number: int) -> None:
    stats = gb.build(coins(COINS[:number]), "optimal").stats
    assert stats.total_guesses == weighed(number)
    if number == 12:
        assert (stats.total_guesses, stats.max_guesses) == (93, 4)


@pytest.mark.parametrize(
    ("pegs", "colors", "total"),
    [
        *[(2, 3, 25), (3, 3, 95), (3, 4, 280), (4, 3, 331)],
        pytest.param(4, 4, 1301, marks=pytest.mark.slow),
        pytest.param(3, 6, 1280, marks=pytest.mark.slow),
        pytest.param(4, 5, 3742, marks=pytest.mark.slow),
    ],
)
def test_optimum_of_black_pegs_equals_the_known_total(pegs: int, colors: int, total: int) -> None:
    game = black_peg(pegs, colors)
    book = gb.build(game, "optimal")
    assert book.stats.total_guesses == total
    if total < 300:
        assert gb.build(game, "optimal", jobs=3).to_bytes() == book.to_bytes()
