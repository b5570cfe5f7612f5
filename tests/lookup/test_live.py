"""The live fallback against the reference, and which way it takes."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import EngineError, Mastermind, UsageError
from guessbook.builder import build_strategy, limits
from guessbook.lookup import live
from guessbook.policy.notation import policy_of
from guessbook.policy.one_step import best_guess, policy_named
from guessbook.policy.reference import consistent, partition
from guessbook.policy.search.search import Choice, search_of
from tests.helpers.plain import (
    Remembering,
    false_histories,
    games,
    histories,
    policies,
    without_engine,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from guessbook.book import Game

GAME = Mastermind(4, 5)
HISTORY = [(3, 5), (77, 6)]
SMALL = Mastermind(3, 4)


@given(st.data())
def test_choose(data: st.DataObject) -> None:
    """The live choice is the reference's; for a game that is no code game as well."""
    game = data.draw(games)
    history = data.draw(histories(game))
    policy = data.draw(policies)
    candidates = consistent(game, history)
    index, _ = best_guess(game, candidates, policy_named(policy))
    sizes = partition(game, game.guesses[index], candidates)
    for variant in (game, cast("Game", Remembering(game))):
        choice = live.choose(variant, history, policy)
        assert choice is not None
        assert (choice.guess, choice.candidates) == (index, len(candidates))
        assert sorted(choice.sizes) == sorted(sizes.values())
        assert choice.is_candidate == (game.solved in sizes)


@given(st.data())
def test_count_candidates(data: st.DataObject) -> None:
    """Candidates are counted as the reference counts them; without any there is no choice."""
    game = data.draw(games)
    history = data.draw(false_histories(game))
    expected = len(consistent(game, history))
    for variant in (game, cast("Game", Remembering(game))):
        assert search_of(variant, history).size == expected
        assert (live.choose(variant, history, "parts") is None) == (expected == 0)


def built_by(
    monkeypatch: pytest.MonkeyPatch, choose: Callable[..., tuple[int, int, list[int], bool]]
) -> None:
    """Let a function stand for the builder."""
    stand_in = ModuleType("guessbook.builder.choice")
    stand_in.choose = choose  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "guessbook.builder.choice", stand_in)


def test_large_jobs_of_composed_policies_go_to_the_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond some feedbacks the builder is asked, below them never; one-step policies never."""
    asked = []

    def choose(game: Game, history: object, policy: object) -> tuple[int, int, list[int], bool]:
        asked.append((game, history, policy))
        return 7, 3, [2, 1], True

    built_by(monkeypatch, choose)
    live.choose(Mastermind(5, 8), [], "entropy")
    plain = live.choose(SMALL, [], "rollout")
    assert not asked
    monkeypatch.setattr(live, "SOME_FEEDBACKS", 0)
    assert live.choose(SMALL, [], "rollout") == Choice(7, 3, [2, 1], True) != plain
    assert asked == [(SMALL, [], policy_of("rollout"))]


def test_games_beyond_the_limits_of_the_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the builder's integers or the memory do not suffice, plain Python does the job."""

    def never(*_: object) -> None:
        raise AssertionError("the builder was asked")

    monkeypatch.setattr("guessbook.builder.choice.cached_scorer", never)
    plain = live.choose(SMALL, [], "rollout")
    monkeypatch.setattr(live, "SOME_FEEDBACKS", 0)
    with pytest.raises(AssertionError, match="builder"):
        live.choose(SMALL, [], "rollout")
    with monkeypatch.context() as patch:
        patch.setattr(limits, "MAX_SCORED_CODES", len(SMALL.guesses) - 1)
        assert live.choose(SMALL, [], "rollout") == plain
    monkeypatch.setattr(limits, "physical_memory", lambda: 1000)
    assert live.choose(SMALL, [], "rollout") == plain


def test_without_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python answers small games; in large ones the error says what to install."""
    expected = live.choose(GAME, HISTORY, "entropy")
    with without_engine():
        found = live.choose(GAME, HISTORY, "entropy")
        assert found is not None
        assert expected is not None
        assert found.guess == expected.guess
        assert sorted(found.sizes) == sorted(expected.sizes)
        with pytest.raises(UsageError, match=r"too large for plain Python.*install"):
            live.choose(Mastermind(6, 8), [], "entropy")


@pytest.mark.usefixtures("no_engine")
def test_the_builder_needs_the_engine() -> None:
    """Where it is missing, a build says what to install."""
    with pytest.raises(EngineError, match=r"no engine .* install"):
        build_strategy(Mastermind(2, 3, symbols="xyz"))


def test_unknown_policy() -> None:
    """A policy that does not exist is named in the error."""
    with pytest.raises(UsageError, match="luck"):
        live.choose(GAME, HISTORY, "luck")
