"""The plain search of code games against the plain reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidGameError, Mastermind
from guessbook.policy.one_step import best_guess, policy_named
from guessbook.policy.reference import consistent, partition
from guessbook.policy.search import sliced
from tests.helpers.plain import GAMES, false_histories, games, grow, histories, policies

if TYPE_CHECKING:
    from guessbook.book.games.game import History


def codes(game: Mastermind, columns: list[bytes]) -> list[str]:
    """The codes in columns of symbol ranks."""
    return ["".join(game.symbols[d] for d in digits) for digits in zip(*columns, strict=True)]


@given(st.data())
def test_candidates(data: st.DataObject) -> None:
    """The candidates are those of the reference, in the same order, for any answers."""
    game = data.draw(games)
    history = data.draw(histories(game) | false_histories(game))
    assert codes(game, sliced.Search(game, history).columns) == consistent(game, history)


@given(st.data())
def test_best_guess(data: st.DataObject) -> None:
    """Guess, cells and candidacy are those of the reference, ties included, for every policy."""
    game = data.draw(games)
    history = data.draw(histories(game))
    policy = policy_named(data.draw(policies))
    candidates = consistent(game, history)
    index, _ = best_guess(game, candidates, policy)
    guess = game.guesses[index]
    choice = sliced.Search(game, history).best_guess(policy)
    assert choice is not None
    assert (choice.guess, choice.candidates) == (index, len(candidates))
    assert choice.is_candidate == (guess in candidates)
    assert sorted(choice.sizes) == sorted(partition(game, guess, candidates).values())


def test_no_candidates() -> None:
    """Without candidates there is no guess."""
    game = Mastermind(3, 3)
    history = [(0, game.parse_feedback("0,0")), (0, game.parse_feedback("1,0"))]
    assert sliced.Search(game, history).best_guess(policy_named("entropy")) is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_all_codes(game: Mastermind) -> None:
    """Without a history every code is a candidate."""
    assert codes(game, sliced.Search(game, []).columns) == list(game.secrets)


def test_too_many_codes() -> None:
    """A game whose codes would fill the memory is refused before any work, with its size."""
    with pytest.raises(InvalidGameError, match="100,000,000 codes"):
        sliced.Search(Mastermind(8, 10), [])


@pytest.mark.slow
def test_whole_book() -> None:
    """Guess by guess it makes the known entropy strategy of 4 pegs, 6 colours: 5722 guesses."""
    game, policy = Mastermind(4, 6), policy_named("entropy")

    def choose(history: History, _: list[str]) -> int:
        choice = sliced.Search(game, history).best_guess(policy)
        assert choice is not None
        return choice.guess

    metadata = grow(game, game, "entropy", choose).stats
    assert metadata.distribution == (1, 4, 71, 612, 596, 12)
    assert metadata.total_guesses == 5722
