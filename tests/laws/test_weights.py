"""Weights by their definition: how much some secrets of a game count, each once without weights."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidGameError, WordGame
from guessbook.book.games.weights import (
    MAX_WEIGHT,
    exact,
    few_candidates,
    likeliest_first,
    lowest_terms,
    secret_weights,
    total_weight,
    weight_of,
    weights_by_guess,
    weights_from,
    weights_in,
    weights_of,
)
from guessbook.policy.one_step import POLICIES, best_guess

WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese"]
OTHERS = ["eerie", "night", "tiger"]
counts = st.lists(st.integers(1, 9), min_size=7, max_size=7) | st.none()


@given(counts, st.integers(0, 1 << 32))
def test_what_secrets_count(weights: list[int] | None, seed: int) -> None:
    """Alone, together, as guesses and in all they count their weights: each is one without any."""
    game: Any = WordGame(WORDS, OTHERS, weights=weights)
    lowest = lowest_terms(weights or [1] * 7, 7) or [1] * 7
    known = dict(zip(WORDS, lowest, strict=True))
    some = Random(seed).sample(WORDS, Random(seed).randint(0, 7))
    assert list(weights_of(game, some)) == [known[word] for word in some]
    assert weight_of(game, some) == sum(known[word] for word in some)
    assert total_weight(game) == sum(lowest)
    if len(set(lowest)) == 1:
        assert (secret_weights(game), weights_by_guess(game), weights_in(game)) == (None, None, {})
    else:
        assert secret_weights(game) == tuple(known[word] for word in game.secrets)
        assert weights_by_guess(game) == [known.get(word, 0) for word in game.guesses]
        stored = b"".join(known[word].to_bytes(4, "little") for word in game.secrets)
        assert weights_in(game) == {"weights": stored}
    assert weights_from(weights_in(game), 7) == secret_weights(game)


@given(counts, st.permutations(WORDS))
def test_the_likeliest_come_first(weights: list[int] | None, order: list[str]) -> None:
    """Secrets are sorted by what they count; those that count the same keep their order."""
    game: Any = WordGame(WORDS, OTHERS, weights=weights)
    found = likeliest_first(game, order)
    keys = [(-weight_of(game, [word]), order.index(word)) for word in found]
    assert keys == sorted(keys)
    assert sorted(found) == sorted(WORDS)


@given(counts, st.permutations(WORDS), st.sampled_from(sorted(POLICIES)))
def test_the_lowest_of_few_candidates_is_best(
    weights: list[int] | None, order: list[str], policy: str
) -> None:
    """No score prefers another guess where as few are left as that; of one more, some does."""
    game: Any = WordGame(WORDS, OTHERS, weights=weights)
    few = sorted(map(game.parse_code, order[: few_candidates(game)]))
    best, _ = best_guess(game, [game.guesses[index] for index in few], POLICIES[policy])
    assert best == few[0]


def test_of_more_than_few_candidates_another_may_be_best() -> None:
    """Three secrets that the lowest does not tell apart; two of which the second counts more."""
    plain, heavy = WordGame(["ab", "cd", "ce", "ad"]), WordGame(["ab", "cd"], weights=[1, 9])
    assert plain.guesses[best_guess(plain, ["ab", "cd", "ce"], POLICIES["minimax"])[0]] != "ab"
    assert (few_candidates(plain), few_candidates(heavy)) == (2, 1)
    corrected = POLICIES["entropy-corrected"]
    assert heavy.guesses[best_guess(heavy, ["ab", "cd"], corrected)[0]] == "cd"


def test_a_game_that_knows_nothing_of_weights_has_none() -> None:
    """Then every secret counts once."""
    game: Any = SimpleNamespace(secrets=["a", "b", "c"])
    assert secret_weights(game) is None
    assert total_weight(game) == 3


def test_limits_of_weights() -> None:
    """A weight is a positive number, and all together are at most the limit in lowest terms."""
    assert [exact(1), exact(True), exact(1 << 70)] == [1, 1, 1 << 70]
    assert [exact(0.1), exact("12.5 %"), exact(Decimal("2E+3"))] == [
        Fraction(1, 10),
        Fraction(1, 8),
        2000,
    ]
    for wrong in (0, -1, 0.0, "", "%", "1e100", "1_0", "٣", "1/3", math.inf, None, [1]):
        with pytest.raises(InvalidGameError, match="expected a positive number"):
            exact(wrong)
    assert lowest_terms([MAX_WEIGHT - 1, 1], 2) == (MAX_WEIGHT - 1, 1)
    assert lowest_terms([3 * MAX_WEIGHT - 3, 3], 2) == (MAX_WEIGHT - 1, 1)
    assert lowest_terms([], 0) is None
    with pytest.raises(InvalidGameError, match="divide each weight by 2 and round"):
        lowest_terms([MAX_WEIGHT, 1], 2)
    lists: list[Any] = ["12", b"12", 12, [1, 2, 3]]
    for weights in lists:
        with pytest.raises(InvalidGameError):
            lowest_terms(weights, 2)
    for data in ("12345678", bytes(8), b"\2\0\0\0\4\0\0\0", b"\1\0\0\0\1\0\0\0", b"\1\0\0\0"):
        with pytest.raises(InvalidGameError):
            weights_from({"weights": data}, 2)
