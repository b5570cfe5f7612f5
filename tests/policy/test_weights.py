"""Weights of secrets: every score counts them exactly, and every faster path follows the rule."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Any, cast

from hypothesis import assume, given
from hypothesis import strategies as st

from guessbook.book import Game, WordGame
from guessbook.book.errors import NoStrategyError
from guessbook.book.games.weights import weights_of
from guessbook.builder import build_strategy, choice
from guessbook.command.options import policy_map
from guessbook.policy.notation import policy_of
from guessbook.policy.one_step import best_guess, policy_named
from guessbook.policy.ranking import cells_of
from guessbook.policy.reference import consistent
from tests.builder.test_word_build import assert_chosen_alike, word_games
from tests.helpers.plain import Remembering, bases, descriptions, grow, histories, policies


@st.composite
def weighted_games(draw: st.DrawFn, most: int = 24, heaviest: int = 50) -> WordGame:
    """Small games of words whose secrets have weights, many of them the same."""
    game = draw(word_games(most))
    weight = st.integers(1, draw(st.sampled_from([2, 5, heaviest])))
    weights = draw(st.lists(weight, min_size=len(game.secrets), max_size=len(game.secrets)))
    return WordGame(game.secrets, game.guesses, game.scoring, weights)


@given(weighted_games(10), policies)
def test_a_weight_is_so_many_secrets(game: WordGame, policy: str) -> None:
    """The reference's guess is the best if every secret is there as often as its weight says."""
    rule = policy_named(policy)
    counts = weights_of(game, game.secrets)
    every = [s for s, n in zip(game.secrets, counts, strict=True) for _ in range(n)]
    costs = rule.costs(len(every))
    order = []
    for index, guess in enumerate(game.guesses):
        sizes = Counter(game.feedback_number(guess, secret) for secret in every)
        score = rule.score(sizes.values(), costs) + rule.credit * every.count(guess)
        order.append((-score, guess not in every, index))
    assert best_guess(game, game.secrets, rule) == (min(order)[2], -min(order)[0])


@given(weighted_games(12), descriptions())
def test_books_are_those_of_the_definition(game: WordGame, description: dict[str, Any]) -> None:
    """Every policy's book is the one of its plain definition, node for node."""
    policy = policy_of(description)
    known = cast("Game", Remembering(game))
    plain = grow(known, game, "x", lambda past, cell: policy.choose(known, past, cell))
    built = build_strategy(game, description, jobs=1)
    assert list(built.tree.guess) == list(plain.tree.guess)
    assert built.stats.weight_distribution == plain.stats.weight_distribution


@given(weighted_games(), st.data())
def test_live_guesses_are_the_same(game: WordGame, data: st.DataObject) -> None:
    """Plain Python and the engine find the reference's guess and cells for any history."""
    assert_chosen_alike(game, data)


@given(weighted_games(9, 300), st.data())
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
        built = build_strategy(game, description, jobs=1)
    except NoStrategyError:
        return
    plain = grow(known, game, "x", lambda past, cell: policy.choose(known, past, cell))
    assert list(built.tree.guess) == list(plain.tree.guess)


def drawn_by_the_text(game: Game, random_seed: int, candidates: list[str]) -> str:
    """The guess of `consistent`, word for word as docs/reference/policies.md defines it."""
    hashed = str(random_seed).encode("ascii") + b":"
    for code in candidates:
        hashed += list(game.secrets).index(code).to_bytes(4, "little")
    h = int.from_bytes(sha256(hashed).digest()[:8], "little")
    weights = dict(zip(game.secrets, weights_of(game, game.secrets), strict=True))
    r = h % sum(weights[code] for code in candidates)
    before = 0
    for code in candidates:
        if before + weights[code] > r:
            return code
        before += weights[code]
    raise AssertionError


@given(weighted_games(), st.data(), st.integers(0, (1 << 64) - 1))
def test_a_candidate_is_drawn_as_the_text_says(
    game: WordGame, data: st.DataObject, random_seed: int
) -> None:
    """`consistent` with weights: by its definition, and by the builder."""
    history = data.draw(histories(game))
    candidates = consistent(game, history)
    expected = game.guesses.index(drawn_by_the_text(game, random_seed, candidates))
    policy = policy_of({"name": "consistent", "random_seed": random_seed})
    assert policy.choose(game, history, candidates) == expected
    assert choice.choose(game, history, policy)[0] == expected


@given(weighted_games(12), policies, st.integers(2, 3))
def test_where_lookahead_and_rollout_stop(game: WordGame, base: str, depth: int) -> None:
    """Where the base tells all apart: lookahead, and rollout if the guess is the heaviest."""
    candidates = list(game.secrets)
    guess = policy_of(base).choose(game, [], candidates)
    cells, _ = cells_of(game, [], candidates, guess)
    assume(all(len(cell) == 1 for _, cell in cells))
    weights = dict(zip(candidates, weights_of(game, candidates), strict=True))
    ahead = policy_of({"name": "lookahead", "base": base, "depth": depth, "width": 5})
    assert ahead.choose(game, [], candidates) == guess
    if weights.get(game.guesses[guess]) == max(weights.values()) or len({*weights.values()}) == 1:
        rollout = policy_of({"name": "rollout", "base": base, "width": 5})
        assert rollout.choose(game, [], candidates) == guess


def test_a_rollout_may_prefer_a_heavier_candidate() -> None:
    """Where the base's guess tells all apart a heavier candidate that does so costs less."""
    game = WordGame(["bat", "bit", "cab"], weights=[1, 5, 1])
    guesses = []
    for name in ("entropy", "lookahead:base=entropy", "rollout:base=entropy"):
        description = policy_map(name)
        guess = policy_of(description).choose(game, [], list(game.secrets))
        assert build_strategy(game, description).tree.guess[0] == guess
        guesses.append(game.guesses[guess])
    assert guesses == ["bat", "bat", "bit"]
