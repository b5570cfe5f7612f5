"""The tree of a book: the facts of its nodes, and columns that form no tree."""

from __future__ import annotations

import math
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.file.samples import sample_book
from tests.helpers.content import (
    TreeNode,
    chain,
    codes_header,
    content_of,
    document,
    pack,
    table_header,
    words_header,
    write,
)
from tests.helpers.format_reader import COLUMNS, Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.helpers.content import Document

ANSWERS = [f"answer {number}" for number in range(9)]
FOUND = len(ANSWERS) - 1


def table_of(secrets: int, weights: Sequence[int] | None = None) -> Document:
    """Return a game whose first guesses name the secrets, with two more guesses."""
    guesses = [f"guess {number}" for number in range(secrets + 2)]
    rows = [
        [FOUND if row == column else 0 for column in range(secrets)] for row in range(len(guesses))
    ]
    return table_header(guesses, guesses[:secrets], ANSWERS, rows, weights)


class Drawn(NamedTuple):
    """A random tree, and the weight of each secret; None if secrets have no weights."""

    root: TreeNode
    weights: list[int] | None

    def weight(self, guess: int) -> int:
        """Return the weight of a guess; 0 if it is not a secret."""
        weights = self.weights or [1] * self.root.weight()
        return weights[guess] if guess < len(weights) else 0

    def book(self) -> gb.Book:
        game = table_of(self.root.weight(), self.weights)
        return gb.open(pack(write(game, self.root)))


def drawn_node(chance: Random, depth: int) -> TreeNode:
    """Return a random tree; a node with at most one child solves a secret."""
    feedbacks = chance.sample(range(FOUND), chance.randint(0, depth))
    children = {feedback: drawn_node(chance, depth - 1) for feedback in feedbacks}
    return TreeNode(0, len(children) < 2 or chance.random() < 0.5, children)


def drawn(seed: int, weighted: bool) -> Drawn:
    """Return a random tree of up to four levels, in which each secret is solved once."""
    chance = Random(seed)
    root = drawn_node(chance, 3)
    size = root.weight()
    weights = [chance.randint(1, 99) for _ in range(size)]
    weights[:2] = [1, 2]
    secrets = iter(chance.sample(range(size), size))
    for node in root.subtree():
        node.guess = next(secrets) if node.solves else chance.randrange(size + 2)
    return Drawn(root, weights if weighted and size > 1 else None)


trees = st.builds(drawn, st.integers(0, 1 << 32), st.booleans())


@given(trees)
def test_child_is_found_by_its_feedback(tree: Drawn) -> None:
    book, drawn_nodes = tree.book(), tree.root.subtree()
    nodes = list(book.nodes)
    assert len(nodes) == len(drawn_nodes) == book.stats.nodes
    for node, known in zip(nodes, drawn_nodes, strict=True):
        assert node.guess == f"guess {known.guess}"
        for feedback, answer in enumerate(ANSWERS):
            child, due = node.child(answer), known.children.get(feedback)
            assert (None if child is None else drawn_nodes[child.index]) is due
        assert list(node.children) == [ANSWERS[feedback] for feedback in sorted(known.children)]


@given(trees)
def test_node_counts_secrets_at_and_below_it(tree: Drawn) -> None:
    for node, known in zip(tree.book().nodes, tree.root.subtree(), strict=True):
        own, whole = tree.weight(known.guess) * known.solves, known.weight(tree.weight)
        assert (node.remaining, node.candidate) == (known.weight(), known.solves)
        assert node.chance == own / whole
        cells = [child.weight(tree.weight) for child in known.children.values()]
        shares = [cell / whole for cell in [*cells, own] if cell]
        expected = -math.fsum(share * math.log2(share) for share in shares)
        assert node.entropy == pytest.approx(expected, abs=1e-9)
        assert node.entropy >= 0


@given(trees)
def test_statistics_count_solving_nodes_of_each_level(tree: Drawn) -> None:
    stats, level = tree.book().stats, [tree.root]
    solved, heavy = [], []
    while level:
        secrets = [node.guess for node in level if node.solves]
        solved.append(len(secrets))
        heavy.append(sum(map(tree.weight, secrets)))
        level = [child for node in level for child in node.children.values()]
    assert (stats.distribution, stats.weight_distribution) == (tuple(solved), tuple(heavy))
    assert stats.total_guesses == sum(depth * n for depth, n in enumerate(solved, 1))
    assert stats.weighted_guesses == sum(depth * n for depth, n in enumerate(heavy, 1))
    assert stats.mean_guesses == stats.weighted_guesses / stats.weight
    assert (stats.max_guesses, stats.weight) == (len(solved), tree.root.weight(tree.weight))
    assert stats.secrets == tree.root.weight()
    assert stats.is_weighted == (tree.weights is not None)


@given(trees)
def test_file_of_a_read_tree_has_the_same_content(tree: Drawn) -> None:
    content = write(table_of(tree.root.weight(), tree.weights), tree.root, minor=2)
    assert document(gb.open(pack(content))) == content


@given(trees, st.data())
def test_leaf_that_is_not_a_secret_is_rejected_in_weighted_games(
    tree: Drawn, data: st.DataObject
) -> None:
    node = data.draw(st.sampled_from([node for node in tree.root.subtree() if node.solves]))
    node.guess = tree.root.weight() + 1
    if tree.weights:
        with pytest.raises(gb.InvalidBookError):
            tree.book()
    else:
        assert tree.book().stats.secrets == tree.root.weight()


# Columns that form no tree.


@st.composite
def columns(draw: st.DrawFn) -> dict[str, list[int]]:
    """Draw the columns of a tree, with up to two numbers changed."""
    children = [draw(st.integers(0, 3))]
    while len(children) < 1 + sum(children):
        children.append(draw(st.integers(0, 2 if len(children) < 6 else 0)))
    first = [1]
    for count in children:
        first.append(first[-1] + count)
    sizes, feedback = [0] * len(children), [0] * len(children)
    for node in reversed(range(len(children))):
        below = range(first[node], first[node + 1])
        solves = draw(st.integers(0, 1)) if len(below) > 1 else 1
        sizes[node] = solves + sum(sizes[child] for child in below)
        for place, child in enumerate(below):
            feedback[child] = 2 * place + draw(st.integers(0, 1))
    guess = [draw(st.integers(0, 1)) for _ in children]
    for _ in range(draw(st.integers(0, 2))):
        changed = draw(st.sampled_from([guess, feedback, children, sizes]))
        node = draw(st.integers(0, len(children) - 1))
        changed[node] = draw(st.integers(0, 9) | st.just(changed[node] + 1))
    feedback[0] = 0
    surplus = [size - count for size, count in zip(sizes, children, strict=True)]
    return {"guess": guess, "feedback": feedback, "children": children, "surplus": surplus}


def is_tree(columns: dict[str, list[int]]) -> bool:
    """Return whether columns are those of a tree, by the checks of FORMAT.md, node by node."""
    guess, feedback, children, surplus = (columns[name] for name in COLUMNS)
    sizes = [a + b for a, b in zip(surplus, children, strict=True)]
    if not sizes[0] <= len(sizes) <= 2 * sizes[0] or min(surplus) < 0:
        return False
    if max(guess) >= sizes[0] + 2 or max(feedback[1:], default=0) >= FOUND:
        return False
    end = 1
    for node, count in enumerate(children):
        below = range(end, end + count)
        end += count
        if node >= below.start or end > len(children):
            return False
        numbers = [feedback[child] for child in below]
        solves = sizes[node] - sum(sizes[child] for child in below)
        if numbers != sorted(set(numbers)) or sizes[node] == 0 or solves not in (0, 1):
            return False
    return end == len(children)


@given(columns())
def test_columns_are_read_if_and_only_if_they_form_a_tree(columns: dict[str, list[int]]) -> None:
    blob = pack(write(table_of(columns["surplus"][0] + columns["children"][0]), columns))
    try:
        book = gb.open(blob)
    except gb.InvalidBookError:
        assert not is_tree(columns)
    else:
        assert is_tree(columns)
        assert [node.remaining for node in book.nodes] == Reader(blob).candidates


# A root with two children, of which the first has a child. Each case of `WRONG` replaces columns.
RIGHT = {
    "guess": [0, 1, 2, 4],
    "feedback": [0, 0, FOUND - 1, FOUND - 1],
    "children": [2, 1, 0, 0],
    "candidates": [3, 1, 1, 1],
}
WRONG: dict[str, dict[str, list[int]]] = {
    "siblings in wrong order": {"feedback": [0, 2, 1, 0]},
    "siblings with one feedback": {"feedback": [0, 1, 1, 0]},
    "solved leads on": {"feedback": [0, 1, FOUND, 0]},
    "unknown feedback": {"feedback": [0, 1, FOUND + 1, 0]},
    "unknown guess": {"guess": [0, 1, 5, 2]},
    "guess solves two": {"candidates": [4, 1, 1, 1]},
    "guess solves -1": {"guess": [0, 1, 2, 3], "candidates": [2, 2, 1, 1]},
    "leaf of two": {"candidates": [3, 1, 2, 1]},
    "leaf of none": {"candidates": [3, 2, 0, 1]},
    "no path from the root": {"guess": [0, 1, 2, 3], "children": [0, 2, 1, 0]},
    "own child": {"children": [2, 0, 0, 1]},
    "too many children": {"children": [2, 1, 1, 0]},
    "too few children": {"children": [2, 0, 0, 0]},
}


def four_nodes(changes: dict[str, list[int]]) -> bytes:
    """Return a book with four nodes, after changes of its columns."""
    columns = {**RIGHT, **changes}
    sizes = columns.pop("candidates")
    columns["surplus"] = [a - b for a, b in zip(sizes, columns["children"], strict=True)]
    return pack(write(table_of(sizes[0]), columns))


@pytest.mark.parametrize("name", WRONG)
def test_wrong_tree_of_four_nodes_is_rejected(name: str) -> None:
    assert gb.open(four_nodes({})).stats.distribution == (1, 1, 1)
    with pytest.raises(gb.InvalidBookError):
        gb.open(four_nodes(WRONG[name]))


@pytest.mark.parametrize(
    ("sizes", "distribution"),
    [([3, 1, 2, 1], [0, 1, 1]), ([3, 1, 2, 0], [0, 2, 1])],
    ids=["leaf of two", "leaf of none"],
)
def test_leaf_without_one_candidate_is_rejected_even_if_the_header_agrees(
    sizes: list[int], distribution: list[int]
) -> None:
    """The header counts each node without children as one secret."""
    content = msgpack.unpackb(content_of(four_nodes({"candidates": sizes})))
    content["distribution"] = distribution
    content["total_guesses"] = sum(depth * n for depth, n in enumerate(distribution, 1))
    with pytest.raises(gb.InvalidBookError):
        gb.open(pack(content))


@pytest.mark.parametrize("name", COLUMNS)
def test_column_of_wrong_type_or_length_is_rejected(name: str) -> None:
    content = document(sample_book("3x4"))
    data: Any = content["tree"][name]
    lies = [
        None,
        "text",
        [*data],
        b"",
        data[:-1],
        data + b"\0",
        data[:-1] * 2,
        data + bytes(4 * len(data)),
    ]
    for lie in lies:
        with pytest.raises(gb.InvalidBookError):
            gb.open(pack({**content, "tree": {**content["tree"], name: lie}}))
    del content["tree"][name]
    with pytest.raises(gb.InvalidBookError):
        gb.open(pack(content))


def test_number_of_nodes_is_one_to_two_times_that_of_secrets() -> None:
    game = codes_header(1, "RY")
    for useless in range(4):
        # Useless guesses, then one code and the other.
        blob = pack(write(game, chain([0] * (useless + 1), solving=2)))
        if useless <= 2:
            assert gb.open(blob).stats.distribution == (0,) * useless + (1, 1)
        else:
            with pytest.raises(gb.InvalidBookError):
                gb.open(blob)
    with pytest.raises(gb.InvalidBookError):
        gb.open(pack(write(game, chain([], solving=1))))


WORDS = ["".join(letters) for letters in product("abcd", repeat=3)]
FEEDBACK_GAMES = {
    "1x2": codes_header(1, "RY"),
    "2x2": codes_header(2, "RY"),
    "3x2": codes_header(3, "RY"),
    "3x3": codes_header(3, "RYG"),
    "2x3 without repeats": codes_header(2, "RYG", False),
    "3x3 without repeats": codes_header(3, "RYG", False),
    "2x5 without repeats": codes_header(2, "RYGBO", False),
    "words": words_header(WORDS, WORDS),
    "loose words": words_header(WORDS, WORDS, "loose"),
    "words of 1 letter": words_header(["a", "b"], ["a", "b"]),
}


@pytest.mark.parametrize("name", FEEDBACK_GAMES)
def test_impossible_feedback_in_a_tree_is_rejected(name: str) -> None:
    game = FEEDBACK_GAMES[name]
    secrets = count_secrets(game)
    tree = chain([0] * (secrets - 1), secrets)
    reader = Reader(pack(write(game, tree)))
    possible = {reader.answer(a, b) for a in reader.secrets for b in reader.secrets}
    solved = reader.answer(reader.secrets[0], reader.secrets[0])
    for feedback in range(solved + 3):
        tree = chain([feedback] + [min(possible)] * (secrets - 2), secrets)
        blob = pack(write(game, tree))
        if feedback in possible - {solved}:
            assert gb.open(blob).stats.nodes == secrets
        else:
            with pytest.raises(gb.InvalidBookError):
                gb.open(blob)


def count_secrets(game: Document) -> int:
    if game["type"] == "words":
        return int(game["guesses"].count("\n")) + 1
    choose = math.perm if not game["repeats"] else lambda colors, pegs: colors**pegs
    return int(choose(game["colors"], game["pegs"]))
