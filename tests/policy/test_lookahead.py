"""Lookahead: of the best guesses, the one that is best some steps later."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.builder import build_strategy
from guessbook.policy.lookahead import Lookahead
from guessbook.policy.notation import policy_of
from guessbook.policy.one_step import policy_named
from guessbook.policy.ranking import rank_guesses
from tests.helpers.plain import GAMES, policies

SMALL = [game for game in GAMES if len(game.guesses) <= 27]


def total(game: Mastermind, policy: str | dict[str, object]) -> int:
    """The guesses that a policy needs for all secrets together."""
    return build_strategy(game, policy).stats.total_guesses


@pytest.mark.parametrize(
    "game", [Mastermind(4, 6), Mastermind(4, 10, repeats=False)], ids=lambda game: game.name
)
def test_two_steps_beat_one(game: Mastermind) -> None:
    """With two steps it needs fewer guesses than with one, and than any one-step entropy."""
    two = total(game, {"name": "lookahead", "depth": 2})
    assert two < total(game, {"name": "lookahead", "depth": 1})
    assert two < total(game, "entropy")


def test_totals() -> None:
    """The totals that docs/reference/policies.md reports."""
    assert total(Mastermind(4, 6), "lookahead") == 5630
    assert total(Mastermind(4, 6), {"name": "lookahead", "base": "entropy"}) == 5647


@given(st.sampled_from(SMALL), policies, st.integers(1, 5))
def test_one_step_is_the_base(game: Mastermind, base: str, width: int) -> None:
    """One step ahead, or one guess wide, it is its base."""
    expected = build_strategy(game, base).tree.guess
    for options in ({"depth": 1, "width": width}, {"depth": 2, "width": 1}):
        book = build_strategy(game, {"name": "lookahead", "base": base, **options})
        assert list(book.tree.guess) == list(expected)


@settings(deadline=None, max_examples=10)
@given(st.sampled_from(SMALL), policies, st.integers(2, 3), st.integers(2, 3))
def test_by_definition(game: Mastermind, base: str, depth: int, width: int) -> None:
    """Every guess of a tree is the one that the plain definition gives, three steps ahead too."""
    policy = Lookahead(policy_named(base), depth, width)
    book = build_strategy(game, {"name": "lookahead", "base": base, "depth": depth, "width": width})
    first = policy.choose(game, [], list(game.secrets))
    assert book.tree.guess[0] == first
    for feedback, child in book.root.children.items():
        guess = game.guesses[first]
        cell = [secret for secret in game.secrets if game.feedback(guess, secret) == feedback]
        expected = policy.choose(game, [(first, game.parse_feedback(feedback))], cell)
        assert child.guess == game.guesses[expected]


def test_value() -> None:
    """The value after two steps is what two guesses leave: here nothing, or one pair."""
    game = Mastermind(2, 3)
    policy = policy_of({"name": "lookahead", "base": "expected", "width": 9})
    assert isinstance(policy, Lookahead)
    secrets = list(game.secrets)
    values = {
        game.guesses[index]: policy.value(game, [], secrets, index, 2)
        for index in rank_guesses(game, policy.base, [], secrets, 9)
    }
    # The measure is -sum n^2, so -9 says that all nine codes are told apart.
    assert max(values.values()) <= -9
    best = policy.choose(game, [], secrets)
    assert values[game.guesses[best]] == max(values.values())
