"""Openings: the first guesses that are not equivalent, and the best of them."""

from __future__ import annotations

from collections import Counter

import pytest

from guessbook.book import Mastermind, UsageError
from guessbook.builder import build_book
from guessbook.builder.opening import best_build, goodness, opening_codes
from tests.plain import GAMES
from tests.samples import WORD_GAME

BULLS = Mastermind(4, 10, repeats=False)


@pytest.mark.parametrize("game", [g for g in GAMES if len(g.guesses) <= 81], ids=repr)
def test_openings(game: Mastermind) -> None:
    """There is one opening for each way to group the positions of a code by their symbols."""
    shapes: dict[tuple[int, ...], str] = {}
    for code in game.guesses:
        shapes.setdefault(tuple(sorted(Counter(code).values())), code)
    assert sorted(opening_codes(game)) == sorted(shapes.values())


def test_openings_of_known_games() -> None:
    """Five for 4x6, seven for 5x8, one where no symbol repeats; words have no equivalents."""
    assert opening_codes(Mastermind(4, 6)) == ["RRRR", "RRRY", "RRYY", "RRYG", "RYGB"]
    assert len(opening_codes(Mastermind(5, 8))) == 7
    assert opening_codes(BULLS) == ["0123"]
    with pytest.raises(UsageError, match="rollout"):
        opening_codes(WORD_GAME)


@pytest.mark.parametrize(
    ("pegs", "colors", "count"), [(7, 3, 8), (8, 2, 5), (9, 2, 5), (12, 2, 7), (8, 5, 18)]
)
def test_openings_of_long_codes(pegs: int, colors: int, count: int) -> None:
    """There is one for each way to write the pegs as a sum of at most `colors` numbers."""
    found = opening_codes(Mastermind(pegs, colors))
    shapes = {tuple(sorted(Counter(code).values())) for code in found}
    assert len(found) == len(shapes) == count
    assert found == sorted(found, key=Mastermind(pegs, colors).parse_code)


@pytest.mark.parametrize("policy", ["entropy", "minimax"])
def test_best_opening(policy: str) -> None:
    """No opening at all makes a better book than the best one."""
    game = Mastermind(3, 4)
    best = best_build(game, policy).book
    books = [build_book(game, policy, code) for code in game.guesses]
    assert goodness(best) == min(map(goodness, books))
    assert best.policy["first_guess"] == best.root.guess


@pytest.mark.slow
def test_best_opening_of_5x8() -> None:
    """The best opening of 5x8 by entropy saves guesses, and the eighth one."""
    best = best_build(Mastermind(5, 8)).book.metadata
    assert best.total_guesses <= 179_704
    assert best.max_guesses <= 7
