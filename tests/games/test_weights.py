"""Weights of secrets: exact, in lowest terms, part of the game, and used in all chances."""

from __future__ import annotations

import math
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from guessbook.engine.partitions import CostFunction
from guessbook.policy.policy import OneStep
from tests.games.headers import refuses_header
from tests.helpers.content import changed, document, pack
from tests.hints.definitions import calls

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = ["crane", "slate", "trace", "crate", "stare"]
GAME = gb.WordGame(WORDS, ["adieu", "trace", "slate"], weights=[5120, 10, 30, 300, 20])
LIMIT = 1 << 22
POLICIES = ["entropy", "entropy-corrected", "expected", "minimax", "parts"]

counts = st.lists(st.integers(1, 100_000), min_size=5, max_size=5)


HEAVY = gb.WordGame(WORDS, weights=[1, 2_000_003, 700_001, 999_979, 300_007])


@pytest.mark.parametrize(
    "policy", [*POLICIES, "lookahead", "rollout", "positional", "win:within=3"]
)
def test_large_weights_do_not_slow_down_hints_and_ratings(policy: str) -> None:
    session = gb.Session(HEAVY, policy=policy)
    questions: list[Callable[[], object]] = [
        session.hint,
        session.explain,
        lambda: session.rate("crane"),
        session.best_pairs,
        lambda: gb.Boards(session, 2).hint(),
    ]
    for ask in questions:
        # The costs of all sizes up to the sum of the weights would take millions of calls.
        assert calls(ask) < 50_000
    assert session.hint().guess == gb.build(HEAVY, policy).root.guess


@pytest.mark.parametrize("policy", POLICIES)
def test_cost_of_a_cell_is_the_same_in_tables_of_all_sizes(policy: str) -> None:
    rule = gb.make_policy(policy)
    assert isinstance(rule, OneStep)
    most = 70_000
    expected = [rule.cost(size) for size in range(most + 1)]
    assert rule.costs(most).tolist() == expected
    # For so many sizes, numpy makes the table of the engine.
    assert CostFunction.of(rule, GAME, most).costs.tolist() == expected
    assert CostFunction.of(rule, GAME, 1000).costs.tolist() == expected[:1001]


@pytest.mark.parametrize(
    ("game", "policy", "guess"),
    [
        # The first of three candidates does not tell the others apart, but the second does.
        (gb.WordGame(["ab", "cd", "ce"]), "entropy", "cd"),
        (gb.WordGame(["ab", "cd"], weights=[1, 2]), "entropy-corrected", "cd"),
        (gb.WordGame(["ab", "cd"], weights=[1, 2]), "rollout", "cd"),
    ],
)
def test_first_candidate_is_not_guessed_if_another_of_two_or_three_is_better(
    game: gb.WordGame, policy: str, guess: str
) -> None:
    assert gb.build(game, policy).root.guess == guess
    assert gb.Session(game, policy=policy).hint().guess == guess


@given(counts, st.integers(1, 50))
def test_weights_are_in_lowest_terms(weights: list[int], factor: int) -> None:
    game = gb.TableGame(["which?"], WORDS, [range(5)], weights, goal="name")
    again = gb.WordGame(WORDS, weights=[factor * weight for weight in weights])
    assert again.weights == game.weights
    if game.weights is None:
        assert len(set(weights)) == 1
        return
    assert math.gcd(*game.weights) == 1
    pairs = combinations(zip(weights, game.weights, strict=True), 2)
    assert all(a * n == b * m for (a, m), (b, n) in pairs)


@pytest.mark.parametrize(
    ("weights", "lowest"),
    [
        ([1, True, 3], (1, 1, 3)),
        ([1 << 70, 1 << 69, 1 << 70], (2, 1, 2)),
        ([0.1, "0.2", "12.5 %"], (4, 8, 5)),
        ([Decimal("2E+3"), " 1e3 ", ".5e+3"], (4, 2, 1)),
        ([Fraction(1, 3), Fraction(2, 3), 1.0], (1, 2, 3)),
        ([f"{'9' * 30}.{'0' * 30}", "9" * 30, f"{'9' * 30}e0"], None),
        ([LIMIT - 2, 1, 1], (LIMIT - 2, 1, 1)),
        ([3 * LIMIT - 6, 3, 3], (LIMIT - 2, 1, 1)),
    ],
)
def test_weights_in_any_notation_are_exact(
    weights: list[Any], lowest: tuple[int, ...] | None
) -> None:
    assert gb.WordGame(["ab", "cd", "ef"], weights=weights).weights == lowest


@pytest.mark.parametrize(
    "weights",
    [
        *[[1, 1, wrong] for wrong in (0, -1, 0.0, "", "%", "1e100", "1_0", "٣", "1/3", "0", None)],
        *[[1, 1, wrong] for wrong in (math.inf, math.nan, [1], "1" * 31, "-5", Fraction(-1, 2))],
        *["123", b"123", 7, [1, 2], [1, 2, 3, 4], [LIMIT, 1, 1], [1, 0.1 + 0.2, 1]],
    ],
    ids=repr,
)
def test_invalid_weights_are_rejected(weights: Any) -> None:
    for make in (
        lambda: gb.WordGame(["ab", "cd", "ef"], weights=weights),
        lambda: gb.TableGame(["which?"], "xyz", ["123"], weights, goal="name"),
    ):
        with pytest.raises(gb.InvalidGameError):
            make()


def test_weights_are_reordered_with_their_secrets() -> None:
    assert GAME.secrets == ("trace", "slate", "crane", "crate", "stare")
    assert GAME.weights == (3, 1, 512, 30, 2)
    assert GAME.name == "words-5x5-weighted"
    rows = [["1", "2", "1"], ["no", "no", "yes"]]
    table = gb.TableGame(["q", "Eva"], ["Anna", "Bob", "Eva"], rows, weights=[10, 20, 30])
    assert (table.secrets, table.weights) == (("Eva", "Anna", "Bob"), (3, 1, 2))


def test_weights_of_a_repeated_word_are_added_up() -> None:
    assert gb.WordGame(["Ab", "", "cd", "ab "], weights=[3, 9, 2, 1]).weights == (2, 1)
    assert gb.WordGame(["ab", "cd", "ab"], weights=[1, 2, 1]).weights is None
    assert gb.WordGame(["ab", "cd", "ab"]).weights is None
    assert gb.WordGame(["ab", "cd", "ab"], weights=[7, 7, 7]).weights == (2, 1)


def test_most_likely_candidates_come_first() -> None:
    session = gb.Session(gb.WordGame(WORDS, weights=[1, 2, 9, 2, 1]))
    weights = {"trace": 9, "slate": 2, "crate": 2, "crane": 1, "stare": 1}
    chances = [(word, weight / 15) for word, weight in weights.items()]
    assert list(session.chances().items()) == chances


@given(counts, st.sampled_from(POLICIES))
def test_nodes_count_their_candidates_by_weight(weights: list[int], policy: str) -> None:
    game = gb.WordGame(WORDS, ["adieu", "trace", "slate"], weights=weights)
    shares = game.weights or [1] * 5
    known = dict(zip(game.secrets, shares, strict=True))
    book = gb.open(gb.build(game, policy).to_bytes())
    left = {0: list(game.secrets)}
    counted = 0
    for node in book.nodes:
        own = left[node.index]
        whole = sum(map(known.__getitem__, own))
        counted += whole
        cells: dict[str, list[str]] = defaultdict(list)
        for secret in own:
            cells[game.feedback(node.guess, secret)].append(secret)
        chances = {f: sum(map(known.__getitem__, cell)) / whole for f, cell in cells.items()}
        bits = -sum(p * math.log2(p) for p in chances.values())
        assert node.entropy == pytest.approx(bits)
        right = game.format_feedback(game.solved)
        assert node.chance == chances.get(right, 0)
        assert node.candidate is (right in cells)
        for feedback, child in node.children.items():
            left[child.index] = cells[feedback]
    stats = book.stats
    assert (stats.weight, stats.weighted_guesses) == (sum(shares), counted)
    assert stats.mean_guesses == counted / sum(shares)
    assert stats.total_guesses == sum(map(len, left.values()))


@given(counts | st.none(), st.permutations(WORDS), st.sampled_from(POLICIES))
def test_first_of_two_candidates_is_guessed_unless_it_is_less_likely(
    weights: list[int] | None, order: list[str], policy: str
) -> None:
    game: Any = gb.WordGame(WORDS, weights=weights)
    pair = sorted(order[:2], key=game.parse_code)
    chosen = gb.make_policy(policy).choose(game, [], pair)
    if game.weights is None:
        assert game.guesses[chosen] == pair[0]
    if policy == "entropy-corrected" and game.weights:
        known = dict(zip(game.secrets, game.weights, strict=True))
        assert game.guesses[chosen] == max(pair, key=known.__getitem__)


def test_book_without_weights_has_format_1_0() -> None:
    plain, weighted = document(gb.build(gb.WordGame(WORDS))), document(gb.build(GAME))
    assert (plain["guessbook"], weighted["guessbook"]) == ([1, 0], [1, 2])
    assert "weight_distribution" not in plain
    assert "weights" not in plain["game"]
    assert weighted["game"]["weights"] == in_bytes(3, 1, 512, 30, 2)


def in_bytes(*values: int) -> bytes:
    """Return little-endian integers of 4 bytes each."""
    return b"".join([value.to_bytes(4, "little") for value in values])


@pytest.mark.parametrize(
    "weights",
    [
        *["ab", [1, 2, 3, 4, 5], b"", in_bytes(1, 2, 3, 4), in_bytes(1, 2, 3, 4, 5, 6)],
        *[in_bytes(1, 2, 3, 4, 0), in_bytes(2, 4, 6, 8, 2), in_bytes(1, 1, 1, 1, 1)],
        *[in_bytes(LIMIT, 1, 1, 1, 1), bytes(20)],
    ],
)
def test_header_with_invalid_weights_is_rejected(weights: object) -> None:
    table = gb.TableGame(["which?"], WORDS, [range(5)], GAME.weights, goal="name")
    for game in (GAME, table):
        refuses_header({**game.header(), "weights": weights})
        refuses_header({**game.header(), "secrets": b"", "weights": weights})


def test_wrong_weighted_statistics_are_rejected() -> None:
    content = document(gb.build(GAME))
    assert gb.open(pack(content)).game == GAME
    wrong: Any
    for wrong in (None, [], content["distribution"], content["weight_distribution"][::-1]):
        with pytest.raises(gb.InvalidBookError):
            gb.open(pack({**content, "weight_distribution": wrong}))


def test_tree_that_solves_a_guess_outside_the_secrets_is_rejected() -> None:
    game = gb.WordGame(["ab", "ba"], weights=[1, 2])
    content = document(gb.build(game))
    # Both guesses are "ab", so that "ba" is never guessed.
    content["tree"]["guess"] = bytes(2)
    content["weight_distribution"] = [1, 1]
    with pytest.raises(gb.InvalidBookError):
        gb.open(pack(content))
    # A guess that is not a secret has no weight, not even that of the secret that it replaces.
    game = gb.WordGame(["ab", "ba"], ["ab", "ba", "aa"], weights=[2, 1])
    book = gb.build(game)
    (leaf,) = book.root.children.values()
    assert leaf.guess == "ba"
    with pytest.raises(gb.InvalidBookError):
        changed(book, guess={leaf.index: game.parse_code("aa")})
