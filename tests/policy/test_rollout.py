"""Rollout: of the best guesses, the one that costs the fewest if its base plays on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.book.games.words import WordGame
from guessbook.builder import build_strategy
from guessbook.builder.games.scoring import best_first, ranker_of
from guessbook.policy.one_step import best_guess, policy_named
from guessbook.policy.ranking import rank_guesses
from guessbook.policy.reference import consistent
from guessbook.policy.rollout import Rollout
from tests.helpers.plain import GAMES, games, histories, policies

words = st.lists(st.text("abc", min_size=3, max_size=3), min_size=2, max_size=12, unique=True)


def rollout(base: str, width: int, **options: bool) -> dict[str, Any]:
    """The description of a rollout policy."""
    return {"name": "rollout", "base": base, "width": width, **options}


@given(games, policies, st.integers(1, 30), st.booleans())
def test_never_worse(game: Mastermind, base: str, width: int, limited: bool) -> None:
    """It never needs more guesses in all than its base, on any game, with any width."""
    plain = build_strategy(game, {"name": base, "consistent_only": limited}).stats
    better = build_strategy(game, rollout(base, width, consistent_only=limited)).stats
    assert better.total_guesses <= plain.total_guesses


@given(words, words, policies, st.integers(1, 10), st.booleans())
def test_never_worse_with_words(
    secrets: list[str], guesses: list[str], base: str, width: int, hard: bool
) -> None:
    """The same with any words, in hard mode as well."""
    game = WordGame(secrets, guesses)
    plain = build_strategy(game, {"name": base, "hard_mode": hard}).stats
    better = build_strategy(game, rollout(base, width, hard_mode=hard)).stats
    assert better.total_guesses <= plain.total_guesses


@pytest.mark.parametrize(
    ("game", "description", "expected"),
    [
        (Mastermind(4, 6), rollout("entropy", 20), (5628, 5)),
        (Mastermind(4, 6), rollout("entropy", 100), (5627, 6)),
        # The proven optimum (Koyama and Lai 1993).
        (Mastermind(4, 6), rollout("parts", 50), (5625, 6)),
        (Mastermind(4, 7), rollout("entropy", 20), (11237, 6)),
        (Mastermind(4, 10, repeats=False), rollout("entropy", 20), (26316, 7)),
    ],
    ids=str,
)
def test_totals(game: Mastermind, description: dict[str, Any], expected: tuple[int, int]) -> None:
    """The totals and worst cases that docs/reference/policies.md reports."""
    known = build_strategy(game, description).stats
    assert (known.total_guesses, known.max_guesses) == expected


def test_width_one_is_the_base() -> None:
    """The first of the ranking is the base's own guess, so with width 1 nothing changes."""
    game = Mastermind(3, 5)
    for base in ("entropy", "minimax", "entropy-corrected"):
        book = build_strategy(game, rollout(base, 1))
        assert list(book.tree.guess) == list(build_strategy(game, base).tree.guess)


@pytest.mark.parametrize("jobs", [1, 2])
def test_jobs_do_not_matter(jobs: int) -> None:
    """One job or two: the same bytes."""
    game = Mastermind(4, 5)
    expected = build_strategy(game, rollout("parts", 6), jobs=3).to_bytes()
    assert build_strategy(game, rollout("parts", 6), jobs=jobs).to_bytes() == expected


def test_cheapest() -> None:
    """No listed guess costs less if the base plays on; of equals the first is taken."""
    game = Mastermind(3, 4)
    base = policy_named("minimax")
    policy = Rollout(base, 6)
    history: list[tuple[int, int]] = []
    candidates = list(game.secrets)
    listed = rank_guesses(game, base, history, candidates, 6)
    costs = [policy.cost(game, history, candidates, guess) for guess in listed]
    expected = listed[costs.index(min(costs))]
    assert policy.choose(game, history, candidates) == expected
    assert build_strategy(game, rollout("minimax", 6)).root.guess == game.guesses[expected]


# --- the ranking ----------------------------------------------------------------------------


@given(st.data(), games, policies, st.integers(1, 60))
def test_ranking_by_definition(
    data: st.DataObject, game: Mastermind, name: str, width: int
) -> None:
    """The engine ranks as plain Python does; the first is the policy's own guess."""
    history = data.draw(histories(game))
    codes = consistent(game, history)
    candidates = np.array([game.secrets.index(code) for code in codes], np.uint32)
    path = np.array([guess for guess, _ in history], np.uint32)
    policy = policy_named(name)
    ranker = ranker_of(game, policy)
    found = best_first(ranker, candidates, path, width).tolist()
    assert found == rank_guesses(game, policy, history, codes, width)
    assert found[0] == best_guess(game, codes, policy)[0]


@pytest.mark.parametrize("game", [g for g in GAMES if len(g.guesses) <= 27], ids=repr)
def test_nothing_better_is_left_out(game: Mastermind) -> None:
    """Whatever guess is not in the full ranking, some guess in it costs no more."""
    policy = policy_named("entropy")
    codes = list(game.secrets)
    listed = rank_guesses(game, policy, [], codes, len(game.guesses))
    least = min(Rollout(policy).cost(game, [], codes, guess) for guess in listed)
    every = range(len(game.guesses))
    assert least == min(Rollout(policy).cost(game, [], codes, guess) for guess in every)


@pytest.mark.slow
def test_large_game() -> None:
    """5x8, five guesses wide: well below what entropy needs (179,863)."""
    known = build_strategy(Mastermind(5, 8), rollout("entropy", 5)).stats
    assert (known.total_guesses, known.max_guesses) == (178_924, 7)
