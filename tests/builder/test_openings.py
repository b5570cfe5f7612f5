"""Openings: the first guesses that are not equivalent, and the best of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind, UsageError, WordGame
from guessbook.builder import build_strategy
from guessbook.builder import openings as opening
from guessbook.builder.openings import best_build, best_codes, opening_codes, quality_key
from guessbook.policy.notation import policy_of
from guessbook.policy.registry import KINDS
from tests.helpers.plain import GAMES
from tests.helpers.samples import WORD_GAME

if TYPE_CHECKING:
    from guessbook.book import Game

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
    assert opening_codes(WORD_GAME) == list(WORD_GAME.guesses)


def test_openings_of_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """More words than there can be openings are refused, with what to do instead."""
    monkeypatch.setattr(opening, "MAX_OPENINGS", len(WORD_GAME.guesses) - 1)
    with pytest.raises(
        UsageError, match=r"10 openings of .* to try, expected at most 9; .*rollout"
    ):
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


@pytest.mark.parametrize("game", [Mastermind(3, 4), WORD_GAME], ids=repr)
@pytest.mark.parametrize("policy", ["entropy", "minimax"])
def test_best_opening(game: Game, policy: str) -> None:
    """No opening at all makes a better book than the best one, in codes and words."""
    best = best_build(game, policy).book
    books = [build_strategy(game, policy, code) for code in game.guesses]
    assert quality_key(best) == min(map(quality_key, books))
    assert best.policy["first_guess"] == best.root.guess


def test_best_opening_by_weight() -> None:
    """The best opening has the lowest mean by weight; by plain totals another one would be better."""
    words = ["bleat", "thing", "crane", "trace", "eagle", "geese"]
    game = WordGame(words, weights=[2, 2, 2, 2, 9, 1])
    books = [build_strategy(game, "entropy", word) for word in words]
    best = best_build(game).book.stats
    assert best.mean_guesses == min(book.stats.mean_guesses for book in books)
    assert best.total_guesses > min(book.stats.total_guesses for book in books)


@pytest.mark.parametrize("name", [*sorted({*KINDS} - {"win"}), "win:within=2", "win:within=3"])
@pytest.mark.parametrize("game", [Mastermind(3, 3), WORD_GAME], ids=repr)
def test_best_opening_of_any_policy(game: Game, name: str) -> None:
    """The best book is the best of those with the openings that count."""
    best = best_build(game, name).book
    books = [build_strategy(game, name, code) for code in opening_codes(game)]
    assert best.to_bytes() == min(books, key=quality_key).to_bytes()


@pytest.mark.slow
def test_best_opening_that_may_be_the_secret() -> None:
    """A policy that guesses only candidates opens with one, also where another word is better."""
    game = WordGame(["aab", "aba", "baa", "abb"], ["xyz", "bab", "aab", "aba", "baa", "abb"])
    for policy in ({"name": "entropy", "consistent_only": True}, {"name": "consistent"}):
        assert best_build(game, policy).book.root.guess in game.secrets
    assert best_codes(game, policy_of("entropy")) == list(game.guesses)


def test_best_opening_of_5x8() -> None:
    """The best opening of 5x8 by entropy saves guesses, and the eighth one."""
    best = best_build(Mastermind(5, 8)).book.stats
    assert best.total_guesses <= 179_704
    assert best.max_guesses <= 7
