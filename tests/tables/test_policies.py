"""All policies with tables: builds and live hints have the guesses of the plain definitions."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import InvalidGameError, TableGame
from guessbook.builder import build_strategy, limits
from guessbook.builder.tables import entropies, feedback_table, fitting
from guessbook.lookup import live, open_book
from guessbook.play.proof import prove
from guessbook.policy.notation import policy_of
from guessbook.policy.reference import consistent
from guessbook.policy.search.search import search_of
from tests.helpers.plain import entries, grow, histories, without_engine
from tests.helpers.tables import LAMP, MIXED, NUMBERS, table_games, weighted

POLICIES: list[dict[str, Any]] = [
    *[{"name": name} for name in ("entropy", "expected", "parts", "minimax", "entropy-corrected")],
    {"name": "entropy", "consistent_only": True},
    {"name": "consistent", "random_seed": 7},
    {"name": "positional"},
    {"name": "rollout", "base": "entropy", "width": 3},
    {"name": "rollout", "base": "parts", "width": 3, "endgame": 4},
    {"name": "lookahead", "base": "entropy", "depth": 2, "width": 3},
    {"name": "optimal", "base": "entropy"},
    {"name": "optimal", "base": "parts", "width": 4},
]


def assert_built(game: TableGame, described: dict[str, Any]) -> None:
    """A build has the guesses of the definition at every node, and plays every secret."""
    policy = policy_of(described)
    plain = grow(game, game, "x", lambda past, cell: policy.choose(game, past, cell))
    book = open_book(build_strategy(game, described))
    assert list(book.tree.guess) == list(plain.tree.guess), game.header()
    # A claim is not checked here.
    assert all(check.passed is not False for check in prove(book))


@pytest.mark.parametrize("described", POLICIES, ids=str)
@settings(max_examples=12)
@given(game=table_games())
def test_every_policy_plays_any_small_table(described: dict[str, Any], game: TableGame) -> None:
    """Builds of random tables have the guesses of the definition at every node."""
    assert_built(game, described)


@pytest.mark.parametrize("described", [p for p in POLICIES if "endgame" not in p], ids=str)
@pytest.mark.parametrize("game", [LAMP, MIXED, NUMBERS], ids=repr)
def test_every_policy_plays_tables_with_weights(described: dict[str, Any], game: TableGame) -> None:
    """So have those of tables in which some secrets are likelier than others."""
    assert_built(weighted(game, [9, 1, 4, 1, 2, 3, 30, 1, 1]), described)


def test_answers_of_two_bytes_are_built() -> None:
    """A table of more than 256 answers is as good as one that has few."""
    numbers = range(0, 600, 2)
    wide = TableGame(numbers, numbers, lambda guess, secret: abs(guess - secret) * 7 % 1009)
    assert wide.feedbacks > 256
    assert sum(build_strategy(wide).stats.distribution) == 300


@given(st.data())
@pytest.mark.parametrize("engine", [True, False])
@pytest.mark.parametrize("name", ["entropy", "minimax"])
def test_live_hints(engine: bool, name: str, data: st.DataObject) -> None:
    """Off the book, by the engine and in plain Python, the guess is that of the reference."""
    game = data.draw(st.sampled_from([LAMP, MIXED, NUMBERS]))
    history = data.draw(histories(game))
    candidates = consistent(game, history)
    assert search_of(game, history).candidates() == candidates
    assert [game.secrets[k] for k in fitting(game, entries(game, history))] == candidates
    with nullcontext() if engine else without_engine():
        found = live.choose(game, history, name)
    assert found is not None
    assert found.guess == policy_of(name).choose(game, history, candidates)


@given(table_games())
def test_arrays(game: TableGame) -> None:
    """The table as an array has the feedbacks of the game, and an entropy for each guess."""
    table = feedback_table(game)
    assert table.tolist() == [
        [game.feedback_number(guess, secret) for secret in game.secrets] for guess in game.guesses
    ]
    assert len(entropies(game)) == len(game.guesses)


def test_tables_that_no_file_or_memory_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any work: a table too large for memory, or for a file that a reader takes."""
    monkeypatch.setattr(limits, "MAX_FILE", 50)
    with pytest.raises(InvalidGameError, match=r"table-9x9 needs a book of 0 MiB"):
        build_strategy(NUMBERS)
    monkeypatch.setattr(limits, "physical_memory", lambda: 100)
    monkeypatch.setattr(limits, "BYTES_PER_CODE", 1)
    with pytest.raises(
        InvalidGameError, match=r"9 guesses and needs about .* of memory for their feedbacks"
    ):
        build_strategy(NUMBERS)
