"""Weights of secrets in a game, a tree and a file: exact, in lowest terms, and else refused."""

from __future__ import annotations

import math
import pickle
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidBookError, InvalidGameError, WordGame, game_from_header
from guessbook.book.file.compression import compress, decompress
from guessbook.book.games.weights import MAX_WEIGHT, lowest_terms, total_weight, weights_of
from guessbook.book.tree import Columns, Tree, entropy, to_planes
from guessbook.lookup import open_book
from tests.helpers.plain import plain_book

WORDS = ["crane", "slate", "trace", "crate", "stare"]
GAME = WordGame(WORDS, ["adieu", "trace", "slate"], weights=[5120, 10, 30, 300, 20])

weights = st.lists(st.integers(1, 100_000), min_size=1, max_size=30)


@given(weights, st.integers(1, 50))
def test_lowest_terms(given_weights: list[int], factor: int) -> None:
    """What divides all weights is taken out; what is left keeps the chances, and is no multiple."""
    n = len(given_weights)
    lowest = lowest_terms(given_weights, n)
    assert lowest_terms([factor * weight for weight in given_weights], n) == lowest
    if lowest is None:
        assert len(set(given_weights)) == 1
        return
    assert math.gcd(*lowest) == 1
    total = sum(given_weights)
    shares = zip(given_weights, lowest, strict=True)
    assert all(given * sum(lowest) == low * total for given, low in shares)


WRONG: dict[str, tuple[Any, str]] = {
    "too few": ([1, 2], "found 2 weights for 5 secrets"),
    "zero": ([1, 0, 1, 1, 1], "found weight 0, expected a positive number"),
    "negative": ([1, -5, 1, 1, 1], "found weight -5"),
    "no number": ([1, "1/2", 1, 1, 1], "found weight '1/2'"),
    "not a number": ([1, math.nan, 1, 1, 1], "found weight nan"),
    "too exact": ([1, 0.1 + 0.2, 1, 1, 1], "4,194,304: round the weights to fewer digits"),
    "a text": ("12345", "found weights '12345'"),
    "no list": (7, "found weights 7"),
    "too much": (
        [MAX_WEIGHT, 1, 1, 1, 1],
        "is 4,194,308 in lowest terms, expected at most 4,194,304: divide",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_weights(name: str) -> None:
    """Weights that are none are refused, with what was found."""
    given_weights, message = WRONG[name]
    with pytest.raises(InvalidGameError, match=message):
        WordGame(WORDS, weights=given_weights)
    lowest_terms([MAX_WEIGHT - 1, 1], 2)  # as much as there may be


def test_weights_follow_their_words() -> None:
    """Secrets come in the order of the guesses with their weights; those of one word add up."""
    assert GAME.secrets == ("trace", "slate", "crane", "crate", "stare")
    assert GAME.weights == (3, 1, 512, 30, 2)
    assert weights_of(GAME, ["stare", "crane"]) == [2, 512]
    assert total_weight(GAME) == 548
    assert WordGame(["Ab", "", "cd", "ab "], weights=[3, 9, 2, 1]).weights == (2, 1)
    assert WordGame(["ab", "cd", "ab"], weights=[1, 2, 1]).weights is None
    assert WordGame(["ab", "cd", "ab"]).weights is None
    assert WordGame(["ab", "cd", "ab"], weights=[7, 7, 7]).weights == (2, 1)


def test_games_with_weights_are_others() -> None:
    """Weights are part of a game: of its name, of what makes it equal, of what is pickled."""
    plain = WordGame(GAME.secrets, GAME.guesses)
    assert plain != GAME
    assert (plain.name, GAME.name) == ("words-5x5", "words-5x5-weighted")
    for again in (pickle.loads(pickle.dumps(GAME)), game_from_header(GAME.header())):
        assert (again, hash(again)) == (GAME, hash(GAME))
        assert weights_of(again, GAME.secrets) == list(GAME.weights or ())
    assert WordGame(GAME.secrets, GAME.guesses, weights=[3] * 5) == plain


def test_without_weights_a_header_says_nothing_of_them() -> None:
    """A book without weights has version 1.0 and the keys of always."""
    document = msgpack.unpackb(decompress(plain_book(WordGame(WORDS)).to_bytes()))
    assert document["guessbook"] == [1, 0]
    assert "weight_distribution" not in document
    assert "weights" not in document["game"]


@pytest.mark.parametrize("policy", ["entropy", "entropy-corrected", "minimax"])
def test_a_tree_weighs_its_nodes(policy: str) -> None:
    """A node counts as much as its candidates; chances, bits and the mean follow from that."""
    book = open_book(plain_book(GAME, policy).to_bytes())
    assert msgpack.unpackb(decompress(book.to_bytes()))["guessbook"] == [1, 2]
    left = {0: list(GAME.secrets)}
    counted = 0
    for node in book.nodes:
        own = left[node.index]
        assert book.tree.weights[node.index] == sum(weights_of(GAME, own))
        counted += book.tree.weights[node.index]
        cells: dict[str, list[str]] = {}
        for secret in own:
            cells.setdefault(GAME.feedback(node.guess, secret), []).append(secret)
        total = sum(weights_of(GAME, own))
        shares = [sum(weights_of(GAME, cell)) / total for cell in cells.values()]
        assert node.entropy == pytest.approx(-sum(p * math.log2(p) for p in shares))
        right = cells.pop(GAME.format_feedback(GAME.solved), [])
        assert node.chance == sum(weights_of(GAME, right)) / total
        assert node.candidate == bool(right)
        for feedback, child in node.children.items():
            left[child.index] = cells[feedback]
    known = book.stats
    assert (known.weight, known.weighted_guesses) == (548, counted)
    assert known.mean_guesses == counted / 548
    assert known.total_guesses == sum(book.tree.candidates)


def in_bytes(values: list[int]) -> bytes:
    """Integers of 4 bytes each, the lowest first."""
    return b"".join(value.to_bytes(4, "little") for value in values)


BROKEN: dict[str, Any] = {
    "no bytes": "ab",
    "numbers": [1, 2, 3, 4, 5],
    "too short": in_bytes([1, 2, 3, 4]),
    "empty": b"",
    "too long": in_bytes([1, 2, 3, 4, 5, 6]),
    "zero": in_bytes([1, 2, 3, 4, 0]),
    "not in lowest terms": in_bytes([2, 4, 6, 8, 2]),
    "all the same": in_bytes([1, 1, 1, 1, 1]),
    "too much": in_bytes([MAX_WEIGHT, 1, 1, 1, 1]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_weights(name: str) -> None:
    """Whatever is wrong with the weights of a header gives InvalidBookError and nothing else."""
    with pytest.raises(InvalidBookError):
        game_from_header({**GAME.header(), "weights": BROKEN[name]})
    with pytest.raises(InvalidBookError):
        game_from_header({**GAME.header(), "secrets": b"", "weights": BROKEN[name]})


def test_statistics_by_weight_are_checked() -> None:
    """A file whose weighted statistics are not those of its tree is refused."""
    document = msgpack.unpackb(decompress(plain_book(GAME).to_bytes()))
    assert open_book(compress(msgpack.packb(document))).game == GAME
    wrong: Any
    for wrong in (None, [], document["distribution"], document["weight_distribution"][::-1]):
        with pytest.raises(InvalidBookError, match=r"found weight_distribution .*, as in the tree"):
            open_book(compress(msgpack.packb({**document, "weight_distribution": wrong})))


def test_trees_that_solve_what_is_no_secret() -> None:
    """Where secrets have weights a tree may not end at a guess that has none, nor twice at one."""
    columns = Columns([0, 1], [0, 0], [1, 0], [2, 1])
    assert list(Tree(columns, 3, 9, [4, 3, 0]).weights) == [7, 3]
    with pytest.raises(InvalidBookError, match="no secret"):
        Tree(Columns([0, 2], *columns[1:]), 3, 9, [4, 3, 0])
    game = WordGame(["ab", "ba"], weights=[1, 2])
    document = msgpack.unpackb(decompress(plain_book(game).to_bytes()))
    document["tree"]["guess"] = to_planes([0, 0])
    document["weight_distribution"] = [1, 1]
    with pytest.raises(InvalidBookError):
        open_book(compress(msgpack.packb(document)))


def test_the_entropy_of_a_sure_guess() -> None:
    """However much one cell counts, alone it tells nothing."""
    assert entropy([4_194_304]) == 0.0
