"""Wrong use of the binding: arrays and numbers that the engine must never see are rejected."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import guessbook as gb
from guessbook.engine.binding import STOP
from guessbook.engine.codes import BestGuess, CodeSearch, CodeTables, PartialSearch
from guessbook.engine.partitions import CostFunction, Distinct, best_pairs, split_nodes
from guessbook.engine.sets import Columns, Problem, Set, SetSearch, SetTable
from guessbook.engine.sums import SumGame, SumSearch
from tests.engine.calls import IMPOSSIBLE, MAX_LEFT

if TYPE_CHECKING:
    from collections.abc import Callable

GAME = gb.Mastermind(3, 5)
CODES = len(GAME.guesses)
SOME, NONE, BEYOND = array("I", range(9)), array("I"), array("I", [0, CODES])
PAIR = array("q", [0, 2])
COSTS = CostFunction(array("q", range(CODES + 1)), True, 0, False)
SUMS = SumGame(
    array("B", [0, 4, 1, 2, 0, 1]),
    array("i", range(3)),
    3,
    array("I", [0, 1]),
    array("q", [1, 1]),
    5,
    1,
)
SETS = Problem(
    np.array([[2, 0, 1], [0, 2, 1]], np.uint8),
    array("q", [0, 1]),
    array("Q", [7, 9]),
    array("q", [1, 1]),
    array("q", [0, 1, 3] * (MAX_LEFT + 1)),
    array("q", [1, 2] * (MAX_LEFT + 1)),
    array("I"),
    b"",
    2,
    3,
    3,
    2,
    False,
    0,
)


def codes(**change: Any) -> CodeSearch:
    """Return a search in a code game."""
    return CodeSearch(CodeTables(3, 5, True), COSTS._replace(**change))


def priced(costs: list[int]) -> CodeSearch:
    """Return a search in a code game, with other costs of cells."""
    return codes(costs=array("q", costs))


def begun(candidates: Any, budget: int = 1, pairs: int = 50) -> PartialSearch:
    """Begin a divided search."""
    return codes().begin(candidates, NONE, budget, pairs)


def resumed(part: int = 0, parts: int = 2, **change: Any) -> BestGuess:
    """Run one part of a divided search."""
    known = BestGuess(-9, 0, 0, 1)._replace(**change)
    return codes().resume(SOME, NONE, known, part, parts)


def sets(**change: Any) -> SetSearch:
    """Return a search for optimal strategies."""
    return SetSearch(SETS._replace(**change), SetTable(16))


# Hard mode, in which words of one letter are guessed.
HARD = {"letters": array("I", [7, 8, 9]), "marks": bytes([0, 0, 2]), "length": 1}


def cost(
    candidates: Any,
    left: int = 9,
    limit: int = 50,
    guess: int = -1,
    change: Any = (),
    here: Columns | None = None,
    **more: Any,
) -> int:
    """Ask for the cost of a set."""
    search = sets(**dict(change))
    whole = search.whole
    return search.cost(Set(candidates, left, **more), limit, here or whole, whole, guess)


def store(known: int) -> None:
    """Store what is known of a set."""
    sets().store(Set(SOME[:2], 9), known)


def fields(rule: CostFunction = COSTS, **change: Any) -> SumSearch:
    """Return a search in a game of sums."""
    return SumSearch(SUMS._replace(**change), rule)


def pairs(costs: list[int], weights: list[int]) -> None:
    """Look for the best pair of two guesses that tell two candidates apart."""
    best_pairs([[0, 1], [1, 0]], [0], array("q", costs), 1, weights)


def kept(answers: list[int], weights: int = 2) -> None:
    """Keep distinct guesses."""
    found = Distinct(2, 2, 4, 3, array("q", bytes(8 * weights)))
    found.add(array("I", [0]), array("I", answers))


WRONG: dict[str, Callable[[], Any]] = {
    "pegs": lambda: CodeTables(16, 2, True),
    "many pegs": lambda: CodeTables((1 << 32) + 3, 5, True),
    "no colors": lambda: CodeTables(3, 0, True),
    "few colors": lambda: CodeTables(4, 3, False),
    "codes": lambda: CodeTables(6, 17, True),
    "codes: costs": lambda: priced([]),
    "codes: cost of nothing": lambda: priced([1] * 9),
    "codes: falling cost": lambda: priced([0, 2, 3]),
    "codes: high costs": lambda: priced([n << 60 for n in range(8)]),
    "codes: low costs": lambda: priced([0, -(1 << 60), *[-1] * 9]),
    "codes: bonus": lambda: codes(credit=1 << 56),
    "codes: low bonus": lambda: codes(credit=-1),
    "codes: depth": lambda: codes().guesses(SOME, PAIR, NONE, -1),
    "codes: no budget": lambda: begun(SOME, budget=0),
    "codes: no pairs": lambda: begun(SOME, pairs=0),
    "codes: many pairs": lambda: begun(SOME, pairs=1 << 62),
    "codes: nothing to divide": lambda: begun(SOME[:2]),
    "codes: no parts": lambda: resumed(0, 0),
    "codes: part": lambda: resumed(2, 2),
    "codes: low part": lambda: resumed(-1, 2),
    "codes: many parts": lambda: resumed(1 << 62, (1 << 62) + 1),
    "codes: best guess": lambda: resumed(higher=-CODES),
    "codes: low best guess": lambda: resumed(higher=1),
    "codes: best score": lambda: resumed(score=(1 << 63) - 1),
    "codes: no score": lambda: resumed(score=-(1 << 63)),
    "codes: solves": lambda: resumed(is_candidate=2),
    "codes: fits": lambda: codes().tables.fitting(SOME, 0, 256),
    "codes: low fits": lambda: codes().tables.fitting(SOME, 0, -1),
    "codes: candidate": lambda: codes().guesses(BEYOND, PAIR, NONE, 0),
    "codes: path": lambda: codes().guesses(SOME, PAIR, BEYOND, 2),
    "codes: short path": lambda: codes().guesses(SOME, PAIR, NONE, 2),
    "codes: empty node": lambda: codes().guesses(SOME, array("q", [0, 0]), NONE, 0),
    "codes: many": lambda: codes().guesses(SOME * 99, array("q", [0, 9 * 99]), NONE, 0),
    "codes: few": lambda: codes().guesses(SOME, array("q", [0, 10]), NONE, 0),
    "codes: below 0": lambda: codes().guesses(SOME, array("q", [-3, 4]), NONE, 0),
    "codes: order": lambda: codes().guesses(SOME, array("q", [4, 2]), NONE, 0),
    "codes: signed": lambda: codes().guesses(array("i", SOME), PAIR, NONE, 0),
    "codes: guess": lambda: codes().tables.fitting(array("I", SOME), CODES, 0),
    "codes: answers": lambda: codes().tables.feedbacks(BEYOND, SOME, array("q", [0, 4, 9])),
    "codes: starts": lambda: codes().tables.feedbacks(SOME[:2], SOME, array("q", [0, 9, 4])),
    "codes: lowest": lambda: codes().tables.lowest(SOME, BEYOND),
    "codes: scores": lambda: codes().scores(SOME, None, bytes(35), PAIR, bytearray(CODES)),
    "codes: scored": lambda: codes().scores(
        array("I", [0]) * (CODES + 1),
        None,
        bytes(35),
        array("q", bytes(8 * CODES)),
        bytearray(CODES),
    ),
    "codes: roots": lambda: codes().grow(NONE, array("q", [0, 0]), bytes(1), NONE, 2),
    "codes: feedback": lambda: codes().grow(SOME[:2], PAIR, b"", NONE, 4),
    "codes: used": lambda: codes().grow(SOME[:2], PAIR, bytes(1), BEYOND, 4),
    "codes: room": lambda: codes().grow(SOME, array("q", [0, 9]), bytes(1), NONE, 8),
    "distinct: answer": lambda: kept([1, 4]),
    "distinct: answers": lambda: kept([1]),
    "distinct: weights": lambda: kept([1, 2], 1),
    "distinct: width": lambda: Distinct(2, -1, 4, 3, PAIR),
    "pairs: light": lambda: pairs([0, 1, 2, 3], [3, -1]),
    "pairs: heavy": lambda: pairs([0, 1, 2], [1, 2]),
    "pairs: costs": lambda: pairs([n * (7 << 58) for n in range(5)], [2, 2]),
    "pairs: falling costs": lambda: pairs([0, 1 << 62, 1 << 62], [1, 1]),
    "split: answer": lambda: split_nodes(SOME[:2], PAIR, array("I", [0, 9]), 9),
    "split: no feedbacks": lambda: split_nodes(NONE, array("q", [0, 0]), NONE, 0),
    "split: starts": lambda: split_nodes(SOME[:2], array("q", [0, 1]), array("I", [0, 1]), 9),
    "sums: feedbacks": lambda: fields(feedbacks=4),
    "sums: parts": lambda: fields(parts=array("i", [0, 1, 3])),
    "sums: homes": lambda: fields(homes=array("I", [1, 0])),
    "sums: heavy": lambda: fields(weights=array("q", [1, CODES])),
    "sums: light": lambda: fields(weights=array("q", [2, -1])),
    "sums: table": lambda: fields(sums=array("B", [0, 4, 1])),
    "sums: no parts": lambda: fields(sums=array("B")),
    "sums: guesses": lambda: fields(guesses=4),
    "sums: no guesses": lambda: fields(guesses=0),
    "sums: no secrets": lambda: fields(homes=NONE, weights=array("q")),
    "sums: few": lambda: fields(few=-1),
    "sums: high costs": lambda: fields(COSTS._replace(costs=array("q", [0, 0, 1 << 62, 7 << 60]))),
    "sums: low costs": lambda: fields(COSTS._replace(costs=array("q", [0, -(1 << 62), 1]))),
    "sums: bonus": lambda: fields(COSTS._replace(credit=1 << 62)),
    "sums: candidate": lambda: fields().guesses(array("I", [0, 2]), PAIR),
    "sums: empty node": lambda: fields().guesses(NONE, array("q", [0, 0])),
    "sums: no candidates": lambda: fields().scores(NONE, SOME[:2]),
    "sums: guess": lambda: fields().scores(SOME[:2], array("I", [3])),
    "sets: answers": lambda: sets(answers=2),
    "sets: table": lambda: sets(guesses=4),
    "sets: homes": lambda: sets(homes=array("q", [0, 3])),
    "sets: low homes": lambda: sets(homes=array("q", [0, -2])),
    "sets: few homes": lambda: sets(homes=array("q", [0])),
    "sets: no secrets": lambda: sets(secrets=0),
    "sets: no guesses": lambda: sets(guesses=0),
    "sets: no answers": lambda: sets(answers=0),
    "sets: plain": lambda: sets(plain=-1),
    "sets: high bounds": lambda: sets(bounds=array("q", [0, 1, 1 << 62] * (MAX_LEFT + 1))),
    "sets: low bounds": lambda: sets(bounds=array("q", [0, 1, -1] * (MAX_LEFT + 1))),
    "sets: few bounds": lambda: sets(bounds=array("q", [0, 1, 3] * MAX_LEFT)),
    "sets: steps": lambda: sets(steps=array("q", [1, 1 << 62] * (MAX_LEFT + 1))),
    "sets: peaks": lambda: sets(rows=bytes(128), peaks=array("q", [0])),
    "sets: no letters": lambda: sets(length=1),
    "sets: low length": lambda: sets(length=-1),
    "sets: light": lambda: sets(weights=array("q", [1, 0])),
    "sets: heavy": lambda: sets(weights=array("q", [1, 1 << 22])),
    "sets: guesses": lambda: sets(guesses=(1 << 20) + 1),
    "sets: entries": lambda: SetTable(12),
    "sets: few entries": lambda: SetTable(2),
    "sets: more entries": lambda: SetTable(1 << 64),
    "sets: candidate": lambda: cost(array("I", [0, 2])),
    "sets: no candidates": lambda: cost(NONE),
    "sets: many": lambda: cost(array("I", [0, 1, 0])),
    "sets: type": lambda: cost(PAIR),
    "sets: left": lambda: cost(SOME[:2], -1),
    "sets: much left": lambda: cost(SOME[:2], MAX_LEFT + 1),
    "sets: limit": lambda: cost(SOME[:2], limit=IMPOSSIBLE),
    "sets: column": lambda: cost(SOME[:2], guess=3),
    "sets: low column": lambda: cost(SOME[:2], guess=-3),
    "sets: no guess left": lambda: cost(SOME[:2], 0, guess=1),
    "sets: low limit": lambda: cost(SOME[:2], limit=-(1 << 63)),
    "sets: no columns": lambda: cost(SOME[:2], here=Columns(b"", 0)),
    "sets: short columns": lambda: cost(SOME[:2], here=Columns(bytes(3), 2)),
    "sets: key": lambda: cost(SOME[:2], also=1 << 64),
    "sets: allowed": lambda: cost(SOME[:2], change=HARD, allowed=array("i", [3])),
    "sets: nothing allowed": lambda: cost(SOME[:2], change=HARD),
    "sets: allowed in easy mode": lambda: cost(SOME[:2], allowed=array("i", [0])),
    "sets: known": lambda: store(0),
    "sets: much known": lambda: store(4 * IMPOSSIBLE + 4),
    "sets: bounds": lambda: sets().bounds(Set(SOME[:2], 0), SOME[:2]),
    "sets: bound": lambda: sets().bounds(Set(SOME[:2], 3), array("I", [3])),
    "sets: cells": lambda: sets().bound_cells(Set(SOME[:2], 3), SOME[:2], 9),
}
# EngineError is not one of them: it would say that the engine is missing.
REFUSED = IndexError, ValueError, TypeError, AssertionError, gb.BuildError


@pytest.mark.parametrize("wrong", WRONG)
def test_invalid_arguments_are_rejected(wrong: str) -> None:
    with pytest.raises(REFUSED):
        WRONG[wrong]()


def test_valid_arguments_are_accepted() -> None:
    assert codes().guesses(SOME, array("q", [0, 9]), NONE, 0)[0][0] == 0
    assert begun(SOME).found.scored > 0
    assert resumed(1).score == -9
    assert cost(SOME[:2]) == 3
    assert cost(SOME[:2], change=HARD, allowed=array("i", [0, 1])) == 3
    assert cost(SOME[:2], 0) == 3
    pairs([0, 1, 3, 6], [1, 2])
    assert fields().scores(SOME[:2], SOME[:3]).tolist() == [-2] * 3
    kept([1, 2])


def test_too_little_memory_for_a_table_raises_an_error() -> None:
    with pytest.raises(MemoryError):
        SetTable(1 << 45)
    # The number of bytes does not fit into 64 bits.
    with pytest.raises(MemoryError):
        SetTable(1 << 60)
    with pytest.raises(MemoryError):
        fields(feedbacks=1 << 45)
    with pytest.raises(MemoryError):
        fields(feedbacks=1 << 60)


def test_stop_flag_of_the_context_ends_a_search() -> None:
    search, flag = codes(), STOP.set(array("i", [1]))
    try:
        with pytest.raises(KeyboardInterrupt):
            search.guesses(SOME, array("q", [0, 9]), NONE, 0)
    finally:
        STOP.reset(flag)
    assert search.guesses(SOME, array("q", [0, 9]), NONE, 0)
