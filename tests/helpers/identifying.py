"""Random tables with the goal `identify`, and their optima by a plain dynamic program."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

import guessbook as gb

if TYPE_CHECKING:
    from collections.abc import Iterator

POLICIES = [
    "entropy", "entropy-corrected", "expected", "parts", "minimax",
    "lookahead", "lookahead:depth=3,width=2", "rollout", "rollout:width=2,endgame=4",
    "optimal", "optimal:base=parts", "win:within=2", "win:within=5,base=minimax",
]  # fmt: skip


@st.composite
def identifying_tables(draw: Any, unknown: bool = True) -> gb.TableGame:
    """Draw a table, with or without outcomes, costs, weights and, if `unknown`, unknown cells."""
    tests, things, answers = (
        draw(st.integers(1, 5)),
        draw(st.integers(1, 9)),
        draw(st.integers(2, 4)),
    )
    known = st.sampled_from([str(answer) for answer in range(answers)])
    cells = st.one_of(known, known, known, st.sampled_from(["?", "0|1"])) if unknown else known
    rows = [draw(st.lists(cells, min_size=things, max_size=things)) for _ in range(tests)]
    # A row without any known answer is an error.
    rows = [[*row[:-1], "0"] for row in rows]
    some = draw(st.integers(1, 4))
    outcomes = [f"outcome {draw(st.integers(1, some))}" for _ in range(things)]
    costs = st.lists(st.sampled_from([1, 2, 3, "0.5"]), min_size=tests, max_size=tests)
    weights = st.lists(st.integers(1, 4), min_size=things, max_size=things)
    return gb.TableGame(
        [f"test {number}" for number in range(tests)],
        [f"thing {number}" for number in range(things)],
        rows,
        draw(st.none() | weights),
        outcomes=draw(st.none() | st.just(outcomes)),
        costs=draw(st.none() | costs),
        goal="identify",
        merge_equal=True,
    )


def nodes_of(book: gb.Book) -> Iterator[tuple[Any, list[tuple[int, int]], list[str]]]:
    """Yield each node of a book with its history, as numbers, and its candidates."""
    game = book.game
    waiting: list[Any] = [(book.root, [], list(game.secrets))]
    while waiting:
        node, history, candidates = waiting.pop()
        yield node, history, candidates
        for answer, child in node.children.items():
            number = game.parse_feedback(answer)
            index = game.parse_code(node.guess)
            cell = [s for s in candidates if game.feedback_number(node.guess, s) == number]
            waiting.append((child, [*history, (index, number)], cell))


def costs_of(game: gb.TableGame) -> list[Fraction]:
    """Return the cost of each test, in the unit of the table."""
    found = game.identification
    assert found is not None
    return [cost * found.unit for cost in found.costs]


def least_cost(game: gb.TableGame) -> Fraction:
    """Return the least total cost by weight, by a dynamic program over sets of things."""
    found, costs = game.identification, costs_of(game)
    assert found is not None
    weights = game.weights or [1] * len(game.secrets)
    answers = [game.row(test) for test in range(game.given)]

    @cache
    def least(things: frozenset[int]) -> Fraction:
        if len({found.outcome_of[thing] for thing in things}) == 1:
            return Fraction(0)
        own = sum(weights[thing] for thing in things)
        totals = []
        for row, cost in zip(answers, costs, strict=True):
            cells: dict[int, set[int]] = {}
            for thing in things:
                cells.setdefault(row[thing], set()).add(thing)
            if len(cells) > 1:
                totals.append(cost * own + sum(least(frozenset(cell)) for cell in cells.values()))
        return min(totals)

    return least(frozenset(range(len(game.secrets))))


def most_within(game: gb.TableGame, limit: Fraction) -> int:
    """Return the largest weight of things whose outcome is known at a cost within the limit."""
    found, costs = game.identification, costs_of(game)
    assert found is not None
    weights = game.weights or [1] * len(game.secrets)
    answers = [game.row(test) for test in range(game.given)]

    @cache
    def most(things: frozenset[int], left: Fraction) -> int:
        if len({found.outcome_of[thing] for thing in things}) == 1:
            return sum(weights[thing] for thing in things)
        best = 0
        for row, cost in zip(answers, costs, strict=True):
            cells: dict[int, set[int]] = {}
            for thing in things:
                cells.setdefault(row[thing], set()).add(thing)
            if len(cells) > 1 and cost <= left:
                best = max(best, sum(most(frozenset(cell), left - cost) for cell in cells.values()))
        return best

    return most(frozenset(range(len(game.secrets))), limit)
