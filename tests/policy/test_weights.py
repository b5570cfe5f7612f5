"""Weights of secrets: every score counts them exactly, and every faster path follows the rule."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import Game, WordGame
from guessbook.book.errors import NoStrategyError
from guessbook.book.games.weights import weights_of
from guessbook.builder import build_book
from guessbook.policy.notation import policy_of
from guessbook.policy.one_step import policy_named
from guessbook.policy.reference import best_guess
from tests.builder.test_word_build import assert_chosen_alike, word_games
from tests.helpers.plain import Remembering, bases, descriptions, grow, policies


@st.composite
def weighted_games(draw: st.DrawFn, most: int = 24, heaviest: int = 50) -> WordGame:
    """Small games of words whose secrets have weights, many of them the same."""
    game = draw(word_games(most))
    weight = st.integers(1, draw(st.sampled_from([2, 5, heaviest])))
    weights = draw(st.lists(weight, min_size=len(game.secrets), max_size=len(game.secrets)))
    return WordGame(game.secrets, game.guesses, game.scoring, weights)


@given(weighted_games(10), policies)
@settings(max_examples=40, deadline=None)
def test_a_weight_is_so_many_secrets(game: WordGame, policy: str) -> None:
    """The reference's guess is the best if every secret is there as often as its weight says."""
    rule = policy_named(policy)
    counts = weights_of(game, game.secrets)
    every = [s for s, n in zip(game.secrets, counts, strict=True) for _ in range(n)]
    costs = rule.costs(len(every))
    order = []
    for index, guess in enumerate(game.guesses):
        sizes = Counter(game.feedback(guess, secret) for secret in every)
        score = rule.score(sizes.values(), costs) + rule.credit * every.count(guess)
        order.append((-score, guess not in every, index))
    assert best_guess(game, game.secrets, rule) == (min(order)[2], -min(order)[0])


@given(weighted_games(12), descriptions())
@settings(max_examples=60, deadline=None)
def test_books_are_those_of_the_definition(game: WordGame, description: dict[str, Any]) -> None:
    """Every policy's book is the one of its plain definition, node for node."""
    policy = policy_of(description)
    known = cast("Game", Remembering(game))
    plain = grow(known, game, "x", lambda past, cell: policy.choose(known, past, cell))
    built = build_book(game, description, jobs=1)
    assert list(built.tree.guess) == list(plain.tree.guess)
    assert built.metadata.weight_distribution == plain.metadata.weight_distribution


@given(weighted_games(), st.data())
@settings(max_examples=60, deadline=None)
def test_live_guesses_are_the_same(game: WordGame, data: st.DataObject) -> None:
    """Plain Python and the kernel find the reference's guess and cells for any history."""
    assert_chosen_alike(game, data)


@given(weighted_games(9, 300), st.data())
@settings(max_examples=40, deadline=None)
def test_the_optimum_is_that_of_the_definition(game: WordGame, data: st.DataObject) -> None:
    """Branch and bound finds the guesses of the plain definition, with limits and without."""
    description: dict[str, Any] = {"name": "optimal", "base": data.draw(bases)}
    options = st.fixed_dictionaries(
        {},
        optional={
            "max_guesses": st.integers(7, 9),
            "width": st.integers(1, 6),
            "consistent_only": st.just(True),
        },
    )
    description |= data.draw(options)
    if game.has_hard_mode and data.draw(st.booleans()):
        description["hard_mode"] = True
    policy = policy_of(description)
    known = cast("Game", Remembering(game))
    try:
        built = build_book(game, description, jobs=1)
    except NoStrategyError:
        return
    plain = grow(known, game, "x", lambda past, cell: policy.choose(known, past, cell))
    assert list(built.tree.guess) == list(plain.tree.guess)
