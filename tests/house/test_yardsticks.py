"""The searches in C++ that Guessbook is measured against: they know what is known."""

from __future__ import annotations

import json
import subprocess

import pytest

from guessbook.book import Mastermind
from guessbook.builder import build_strategy
from guessbook.export.published import published_results
from tests.helpers.oracle import compiled, optima, stored
from tests.helpers.samples import every_nth

QUICK = [(3, 6), (3, 7), (3, 8), (4, 4), (4, 5), (4, 6), (5, 4), (6, 3)]
QUICK_WITHOUT_REPEATS = [(4, 6), (5, 6)]
GAMES = [(*size, True) for size in QUICK] + [(*size, False) for size in QUICK_WITHOUT_REPEATS]
LONG = [(3, 9, True), (3, 10, False), (4, 8, False)]


@pytest.mark.parametrize("size", every_nth(2, GAMES), ids=str)
def test_the_search_for_the_optimum_finds_it(size: tuple[int, int, bool]) -> None:
    """The branch and bound finds the least total that is known for a game."""
    pegs, colors, repeats = size
    command = [str(compiled("optimal")), str(pegs), str(colors), str(int(repeats))]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert (answer["pegs"], answer["colors"], answer["repeats"]) == (pegs, colors, repeats)
    assert answer["total"] == optima()[pegs, colors, repeats]


@pytest.mark.slow
@pytest.mark.parametrize(("pegs", "colors", "repeats"), LONG)
def test_the_search_for_a_larger_optimum(pegs: int, colors: int, repeats: bool) -> None:
    """The same for games that take it seconds."""
    test_the_search_for_the_optimum_finds_it((pegs, colors, repeats))


def test_nothing_that_is_stored_beats_an_optimum() -> None:
    """No policy needs fewer guesses than the least total that is known."""
    compared = 0
    for case, found in stored().items():
        least = optima().get((case.pegs, case.colors, case.repeats))
        if least is not None:
            assert least <= found.total
            compared += 1
    assert compared >= 10


def test_the_published_optima_are_known() -> None:
    """The optima that a report shows are those that the tests know."""
    compared = 0
    for (pegs, colors, repeats), least in optima().items():
        for result in published_results(Mastermind(pegs, colors, repeats)):
            if result.policy == "optimal":
                assert result.total_guesses == least
                compared += 1
    assert compared == 5


@pytest.mark.parametrize(("size", "within"), [((3, 4), 2), ((3, 6), 3), ((4, 6), 3)])
def test_the_search_for_the_most_finds_as_many(size: tuple[int, int], within: int) -> None:
    """A program that leaves nothing out finds as many secrets as the policy win."""
    command = [str(compiled("winner")), "code", *map(str, size), "1", str(within)]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    book = build_strategy(Mastermind(*size), {"name": "win", "within": within})
    assert answer["found"] == sum(book.tree.distribution[:within])


@pytest.mark.parametrize("name", ["naive", "optimal", "winner"])
def test_wrong_usage_is_refused(name: str) -> None:
    """Without arguments a search says its usage and ends with 2."""
    done = subprocess.run([compiled(name)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"usage: {name} ")
