"""Wrong use from Python is an error there, never a crash; buffers keep to their room."""

from __future__ import annotations

import subprocess
import sys
from array import array
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, TableGame
from guessbook.book.errors import InvalidGameError
from guessbook.builder import build_strategy
from guessbook.engine.codes import CodeSearch, CodeTables
from guessbook.engine.hints import SumHints
from guessbook.engine.pairs import best_pairs
from guessbook.engine.partitions import Distinct, split_nodes
from guessbook.engine.stop import STOP
from guessbook.policy.one_step import POLICIES
from tests.engine.engines import search_of
from tests.engine.guards import guarded

if TYPE_CHECKING:
    from collections.abc import Callable

GAME = Mastermind(3, 5)
CODES = len(GAME.guesses)
SOME, NONE = array("I", range(9)), array("I")
BEYOND = array("I", [0, CODES])
ONE = array("q", [0, 2])


@pytest.mark.parametrize("size", [(0, 3), (16, 2), (3, 37), (15, 4), (-1, -1), (8, 9)], ids=str)
def test_tables_that_do_not_fit(size: tuple[int, int]) -> None:
    """Pegs, colors and codes have limits, also where the tables are made."""
    with pytest.raises(InvalidGameError, match="too many for the engine"):
        CodeTables(*size, True)
    assert CodeTables(1, 36, True).codes == 36


WRONG: dict[str, Callable[[CodeSearch], Any]] = {
    "a candidate": lambda s: s.guesses(BEYOND, ONE, NONE, 0),
    "a path": lambda s: s.guesses(SOME, ONE, BEYOND, 2),
    "a short path": lambda s: s.guesses(SOME, ONE, NONE, 2),
    "no candidates": lambda s: s.guesses(SOME, array("q", [0, 0]), NONE, 0),
    "too many": lambda s: s.guesses(SOME * 99, array("q", [0, 9 * 99]), NONE, 0),
    "fewer than said": lambda s: s.guesses(SOME, array("q", [0, 10]), NONE, 0),
    "before the first": lambda s: s.guesses(SOME, array("q", [-3, 4]), NONE, 0),
    "not in order": lambda s: s.guesses(SOME, array("q", [4, 2]), NONE, 0),
    "signed": lambda s: s.guesses(array("i", SOME), ONE, NONE, 0),
    "a guess": lambda s: s.fitting(array("I", SOME), CODES, 0),
    "answers": lambda s: s.feedbacks(BEYOND, SOME, array("q", [0, 4, 9])),
    "starts of answers": lambda s: s.feedbacks(SOME[:2], SOME, array("q", [0, 9, 4])),
    "lowest": lambda s: s.lowest(SOME, BEYOND),
    "short scores": lambda s: s.scores(SOME, None, bytes(35), array("q", [0]), bytearray(CODES)),
    "a tree without candidates": lambda s: s.grow(NONE, array("q", [0, 0]), bytes(1), NONE, 2),
    "a tree below no guess": lambda s: s.grow(SOME[:2], ONE, bytes(1), BEYOND, 4),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_question_is_refused(wrong: str) -> None:
    """Candidates, guesses and nodes that are none."""
    with pytest.raises((IndexError, ValueError, TypeError)):
        WRONG[wrong](search_of(GAME, "entropy"))


def test_answers_that_are_no_feedbacks_are_refused() -> None:
    """They would be indices of cells."""
    kept = Distinct(2, 2, 4, 3, array("q", [0, 0]))
    with pytest.raises(IndexError, match="index 4"):
        kept.add(array("I", [0]), array("I", [1, 4]))
    with pytest.raises(IndexError, match="index 9"):
        split_nodes(SOME[:2], ONE, array("I", [0, 9]), 9)
    with pytest.raises(ValueError, match="expected 0 to 2"):
        split_nodes(SOME[:2], array("q", [0, 1]), array("I", [0, 1]), 9)


def test_a_third_kind_of_game_with_a_wrong_number_of_feedbacks() -> None:
    """A feedback above its number is refused before it is an index."""

    class Odd(TableGame):
        kind = "odd"

        def feedback_number(self, guess: str, secret: str) -> int:
            return 4 + super().feedback_number(guess, secret)

    game = Odd(range(3), range(3), lambda g, s: "yes" if g == s else "no")
    with pytest.raises(InvalidGameError, match="found feedback number 5, expected 0 to 1"):
        build_strategy(game)


@pytest.mark.parametrize("room", [0, 1, 9, 40, 124])
def test_a_forest_without_room_is_noticed(room: int) -> None:
    """More nodes than fit, as of a policy that guesses again what was answered: an error."""
    every, starts = array("I", range(CODES)), array("q", [0, CODES])
    with guarded():
        search = search_of(GAME, "entropy")
        with pytest.raises(AssertionError, match="too small"):
            search.grow(every, starts, bytes(1), NONE, room)


@pytest.mark.posix
def test_pairs_of_guesses_with_many_feedbacks_take_little_memory() -> None:
    """40,000 feedbacks to each of two guesses: a table of both would have 12 GB."""
    limited = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "from guessbook.engine.pairs import best_pairs\n"
        "n = 40_000\n"
        "rows = [range(n), [k // 2 for k in range(n)]]\n"
        "assert best_pairs(rows, [0], range(n + 1), 1, [1] * n) == [(n, 0, 1)]\n"
    )
    subprocess.run([sys.executable, "-c", limited], check=True)


@pytest.mark.parametrize("game", [Mastermind(1, 36), Mastermind(4, 4), Mastermind(9, 2)], ids=repr)
def test_nothing_is_written_beside_an_array(game: Mastermind) -> None:
    """Every array that the engine is given lies between guards, which stay as they are."""
    with guarded() as guards:
        search = CodeSearch(
            CodeTables(game.pegs, game.colors, True), search_of(game, "entropy").rule
        )
        codes = search.tables.codes
        every = array("I", range(codes))
        guess = search.guesses(every, array("q", [0, codes]), NONE, 0)[0]
        search.feedbacks(guess, every, array("q", [0, codes]))
        search.fitting(array("I", every), guess[0], 1)
        search.lowest(every, guess)
        scores, solves = array("q", bytes(8 * codes)), bytearray(codes)
        search.scores(every, None, bytes([1]) * search.tables.multisets, scores, solves)
        assert all(solves)
        rows = [[k * j % 3 for k in range(5)] for j in range(4)]
        assert best_pairs(rows, [0, 1, 2], POLICIES["entropy"].costs(5), 3, [1] * 5)
        kept = Distinct(2, 2, 4, 3, array("q", [0, 0]))
        kept.add(array("I", [5, 6, 7]), array("I", [1, 2, 2, 1, 0, 0]))
        assert kept.chosen.tolist() == [5, 7]
    assert guards.calls > 8


def test_guards_notice() -> None:
    """A function that writes one number too many is found out."""
    with guarded():
        kept = Distinct(2, 1, 4, 3, array("q", [0, 0]))
        kept.add(array("I", [5]), array("I", [1, 2]))
        kept._fields.width = 2  # one more than there is room for
        with pytest.raises(AssertionError, match="beside"):
            kept.add(array("I", [6]), array("I", [1, 1]))


@given(st.data(), st.integers(1, 12))
def test_the_best_pairs_are_those_of_trying_all(data: st.DataObject, n: int) -> None:
    """By cost, then by the lower guesses, with light and heavy secrets."""
    row = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    rows = data.draw(st.lists(row, min_size=2, max_size=8))
    firsts = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
    weights = data.draw(st.lists(st.sampled_from([1, 2, 3_000]), min_size=n, max_size=n))
    costs, count = POLICIES["entropy"].costs(sum(weights)), data.draw(st.integers(0, 6))
    expected = []
    for a in range(len(rows)):
        for b in range(a + 1, len(rows)):
            cells: dict[tuple[int, int], int] = {}
            for one, other, weight in zip(rows[a], rows[b], weights, strict=True):
                cells[one, other] = cells.get((one, other), 0) + weight
            if {a, b} & firsts:
                expected.append((sum(costs[size] for size in cells.values()), a, b))
    assert best_pairs(rows, sorted(firsts), costs, count, weights) == sorted(expected)[:count]


@pytest.mark.slow
def test_pairs_of_one_heavy_secret() -> None:
    """Weights near their limit leave pairs to be found."""
    weights = [4_000_000, *[1] * 299]
    rows = [[(k * (g + 2)) % 7 for k in range(300)] for g in range(12)]
    costs = POLICIES["entropy"].costs(sum(weights))
    found = best_pairs(rows, range(12), costs, 5, weights)
    assert len(found) == 5
    assert all(0 < cost <= costs[sum(weights)] for cost, _, _ in found)


def test_a_search_that_is_stopped_ends() -> None:
    """Where the flag is set, every search that may take long ends without an answer."""
    search, some = search_of(GAME, "entropy"), array("I", range(CODES))
    scores, solves = array("q", bytes(8 * CODES)), bytearray(CODES)
    every = bytes([1]) * search.tables.multisets
    hints = SumHints(GAME, [])
    rows = [[k * j % 3 for k in range(5)] for j in range(4)]
    pairs = POLICIES["entropy"].costs(5)
    stop = STOP.set(array("i", [1]))
    try:
        for question in (
            lambda: search.guesses(some, array("q", [0, CODES]), NONE, 0),
            lambda: search.scores(some, None, every, scores, solves),
            lambda: hints.best_guess(POLICIES["entropy"]),
            lambda: hints.scores(POLICIES["entropy"], [0, 1]),
            lambda: best_pairs(rows, [0, 1, 2], pairs, 3, [1] * 5),
        ):
            with pytest.raises(KeyboardInterrupt):
                question()
    finally:
        STOP.reset(stop)
    assert search.guesses(some, array("q", [0, CODES]), NONE, 0)
