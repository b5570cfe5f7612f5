"""The live fallback against the reference, and which way it takes."""

from __future__ import annotations

import builtins
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, UsageError
from guessbook.book.games.words import WordGame
from guessbook.builder.growth import limits
from guessbook.lookup import live
from guessbook.policy.one_step import policy_named
from guessbook.policy.reference import best_guess, consistent, partition
from guessbook.policy.search import letters, sliced
from guessbook.policy.search.search import count_candidates
from tests.helpers.plain import Remembering, false_histories, games, histories, policies

if TYPE_CHECKING:
    from guessbook.book import Game

GAME = Mastermind(4, 5)
HISTORY = [(3, 5), (77, 6)]


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
        assert count_candidates(variant, history) == expected
        assert (live.choose(variant, history, "parts") is None) == (expected == 0)


def test_large_jobs_go_to_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the bound the builder is asked, below it never."""
    asked = []

    def choose(game: Game, history: object, policy: object) -> tuple[int, int, list[int], bool]:
        asked.append((game, history, policy))
        return 7, 3, [2, 1], True

    stand_in = ModuleType("guessbook.builder.growth.choice")
    stand_in.choose = choose  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "guessbook.builder.growth.choice", stand_in)
    plain = live.choose(GAME, HISTORY, "entropy")
    assert not asked
    monkeypatch.setattr(live, "MAX_PLAIN_SECONDS", 0)
    assert live.choose(GAME, HISTORY, "entropy") == (7, 3, [2, 1], True) != plain
    assert asked == [(GAME, HISTORY, policy_named("entropy"))]


def test_where_the_kernels_take_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are worth loading for a second and a half of codes, one of words; loaded, for less."""
    asked: list[float] = []

    def choose(*_: object) -> tuple[int, int, list[int], bool]:
        asked.append(seconds)
        return 0, 1, [1], True

    stand_in = ModuleType("guessbook.builder.growth.choice")
    stand_in.choose = choose  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "guessbook.builder.growth.choice", stand_in)
    llvmlite = sys.modules.get("llvmlite", ModuleType("llvmlite"))
    for game, search in ((GAME, sliced.Search), (WordGame(["light", "eight"]), letters.Search)):
        for loaded in (False, True):
            if loaded:
                monkeypatch.setitem(sys.modules, "llvmlite", llvmlite)
            else:
                monkeypatch.delitem(sys.modules, "llvmlite", raising=False)
            for seconds in (0.01, 0.3, 1.2, 2.0):
                monkeypatch.setattr(sliced.Search, "seconds", seconds)
                monkeypatch.setattr(letters, "work", lambda *_, s=seconds: s)
                live.choose(game, [], "parts")
            assert asked == ([0.3, 1.2, 2.0] if loaded else [1.2, 2.0][search is sliced.Search :])
            asked.clear()


def test_games_beyond_the_limits_of_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernels' integers or the memory do not suffice, plain Python does the job."""

    def never(*_: object) -> None:
        raise AssertionError("the kernels were asked")

    monkeypatch.setattr("guessbook.builder.growth.choice.scorer_of", never)
    plain = live.choose(GAME, HISTORY, "entropy")
    monkeypatch.setattr(live, "MAX_PLAIN_SECONDS", 0)
    with pytest.raises(AssertionError, match="kernels"):
        live.choose(GAME, HISTORY, "entropy")
    with monkeypatch.context() as patch:
        patch.setattr(limits, "MAX_SCORED_CODES", len(GAME.guesses) - 1)
        assert live.choose(GAME, HISTORY, "entropy") == plain
    monkeypatch.setattr(limits, "physical_memory", lambda: 1000)
    assert live.choose(GAME, HISTORY, "entropy") == plain


def test_without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numpy and numba are missing, plain Python does large jobs too."""
    expected = live.choose(GAME, HISTORY, "entropy")
    load = builtins.__import__

    def refuse(name: str, *args: Any, **kwargs: Any) -> ModuleType:
        if (
            name.partition(".")[0] in ("numpy", "numba")
            or name == "guessbook.builder.growth.choice"
        ):
            raise ImportError(name)
        return load(name, *args, **kwargs)

    monkeypatch.setattr(live, "MAX_PLAIN_SECONDS", 0)
    monkeypatch.setattr(builtins, "__import__", refuse)
    assert live.choose(GAME, HISTORY, "entropy") == expected


def test_unknown_policy() -> None:
    """A policy that does not exist is named in the error."""
    with pytest.raises(UsageError, match="luck"):
        live.choose(GAME, HISTORY, "luck")
