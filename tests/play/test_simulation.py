"""The simulation: counting games gives the statistics of the book."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from guessbook.book import UsageError, WordGame
from guessbook.builder import build_strategy
from guessbook.play.run import sample, simulate

if TYPE_CHECKING:
    from guessbook.lookup import Book


def test_simulation_is_the_statistics_of_the_book(book: Book) -> None:
    """All secrets played give the header's numbers; a sample is drawn again by its seed."""
    found = simulate(book, book.game.secrets)
    assert found.distribution == book.stats.distribution
    assert found.total_guesses == book.stats.total_guesses
    some = sample(book.game.secrets, 0.1, 7)
    assert len(some) == 130
    assert some == sorted(some, key=book.game.guesses.index) == sample(book.game.secrets, 0.1, 7)
    assert some != sample(book.game.secrets, 0.1, 8)
    with pytest.raises(UsageError, match="fraction"):
        sample(book.game.secrets, 0, 7)


def test_what_is_never_the_secret_is_refused() -> None:
    """A guess that is no secret has no weight, even if the book happens to find it."""
    game = WordGame(["ab", "cd", "ac"], ["ab", "cb", "cd"], weights=[3, 2, 1])
    other = build_strategy(game, {"name": "entropy", "first_guess": "cb"})
    for secrets in (["ab", "cb"], ["zz"], []):
        with pytest.raises(UsageError, match=r"found (secret cb, but|no secrets|'zz')"):
            simulate(other, secrets)
    assert simulate(other, ["ab", "cd"]).played == 2


def test_a_secret_that_is_given_twice_counts_twice(book: Book) -> None:
    """All figures are of the same games: their number, total, mean and distribution."""
    first, last = book.game.secrets[0], book.game.secrets[-1]
    found = simulate(book, [first, last, first])
    games = [found.guesses[secret] for secret in (first, last, first)]
    assert found.played == sum(found.distribution) == len(games)
    assert found.total_guesses == sum(games)
    assert found.mean_guesses == sum(games) / len(games)
    assert [found.distribution[n - 1] for n in set(games)] == [games.count(n) for n in set(games)]
