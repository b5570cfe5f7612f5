"""The tree by its definition: every fact of a node is that of the tree drawn on paper."""

from __future__ import annotations

import math
import sys
from array import array
from collections import Counter
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book.errors import InvalidBookError
from guessbook.book.tree import Columns, Tree, all_below, entropy, from_planes, to_planes, total_of

if TYPE_CHECKING:
    from collections.abc import Sequence

GUESSES, FEEDBACKS = 9, 8
weights = st.lists(st.integers(1, 99), min_size=GUESSES, max_size=GUESSES)


class Drawn(NamedTuple):
    """A node on paper: its guess, whether that solves a secret, and its children by feedback."""

    guess: int
    solves: bool
    children: dict[int, Drawn]

    def below(self) -> list[tuple[int, Drawn]]:
        """The depth and the node of all that is below it, and of itself at depth 0."""
        found = [(0, self)]
        for child in self.children.values():
            found += [(depth + 1, node) for depth, node in child.below()]
        return found

    def weight(self, weights: Sequence[int]) -> int:
        """How much the secrets that are solved here and below count."""
        return sum(weights[node.guess] for _, node in self.below() if node.solves)


def drawn(chance: Random, depth: int = 3) -> Drawn:
    """Any tree of up to four levels."""
    feedbacks = sorted(chance.sample(range(FEEDBACKS - 1), chance.randint(0, depth)))
    children = {feedback: drawn(chance, depth - 1) for feedback in feedbacks}
    return Drawn(chance.randrange(GUESSES), not children or chance.random() < 0.5, children)


trees = st.integers(0, 1 << 32).map(lambda seed: drawn(Random(seed)))


def breadth_first(root: Drawn) -> list[Drawn]:
    """All nodes, level by level."""
    nodes = [root]
    for node in nodes:
        nodes += node.children.values()
    return nodes


def columns_of(root: Drawn, kind: type[list[int]] | type[bytes] = list) -> Columns:
    """The columns of a tree, as lists or as bytes."""
    nodes = breadth_first(root)
    leading = [0] + [feedback for node in nodes for feedback in node.children]
    return Columns(
        kind([node.guess for node in nodes]),
        kind(leading),
        kind([len(node.children) for node in nodes]),
        [node.weight([1] * GUESSES) for node in nodes],
    )


kinds = st.sampled_from([list, bytes])


@given(trees, kinds)
def test_a_child_is_where_its_feedback_leads(root: Drawn, kind: type[list[int]]) -> None:
    """`child` gives for every feedback the node that is drawn there, -1 where none is."""
    nodes, tree = breadth_first(root), Tree(columns_of(root, kind), GUESSES, FEEDBACKS)
    assert len(tree) == len(nodes)
    for index, node in enumerate(nodes):
        for feedback in range(FEEDBACKS):
            found = tree.child(index, feedback)
            assert (nodes[found] if found != -1 else None) is node.children.get(feedback)
        assert list(range(len(nodes)))[tree.first[index] : tree.first[index + 1]] == [
            tree.child(index, feedback) for feedback in node.children
        ]


@given(trees, weights | st.none())
def test_a_node_counts_what_is_solved_at_it_and_below(
    root: Drawn, weights: list[int] | None
) -> None:
    """Weights, cells and chances are sums over the secrets below, one each without weights."""
    tree = Tree(columns_of(root), GUESSES, FEEDBACKS, weights)
    counts = weights or [1] * GUESSES
    for index, node in enumerate(breadth_first(root)):
        own = counts[node.guess] * node.solves
        assert tree.weights[index] == node.weight(counts)
        cells = [child.weight(counts) for child in node.children.values()]
        assert tree.cells(index) == cells + [own] * node.solves
        assert tree.is_candidate(index) is node.solves
        assert Fraction(tree.chance(index)).limit_denominator(10**6) == Fraction(
            own, node.weight(counts)
        )


@given(trees, weights | st.none())
def test_a_distribution_counts_the_solving_nodes_of_each_level(
    root: Drawn, weights: list[int] | None
) -> None:
    """How many secrets, and what weight, each guess solves; whoever grew the tree may say it."""
    columns = columns_of(root)
    tree = Tree(columns, GUESSES, FEEDBACKS, weights)
    solves = bytearray(node.solves for node in breadth_first(root))
    grown = Tree(columns, GUESSES, FEEDBACKS, weights, (tree.first, solves))
    depths: Counter[int] = Counter()
    heavy: Counter[int] = Counter()
    levels: Counter[int] = Counter()
    for depth, node in root.below():
        levels[depth] += 1
        depths[depth] += node.solves
        heavy[depth] += node.solves * (weights[node.guess] if weights else 1)
    for found in (tree, grown):
        assert found.distribution == tuple(depths[depth] for depth in sorted(levels))
        assert found.weight_distribution == tuple(heavy[depth] for depth in sorted(levels))
        assert list(found.weights) == list(tree.weights)
        assert [len(level) for level in found.levels()] == [levels[d] for d in sorted(levels)]
        assert [index for level in found.levels() for index in level] == list(range(len(tree)))
    assert total_of(tree.distribution) == sum(tree.candidates)
    assert total_of(tree.weight_distribution) == sum(tree.weights)


@given(trees, kinds, st.integers(1, GUESSES), st.integers(1, FEEDBACKS))
def test_a_tree_is_of_its_game_only(
    root: Drawn, kind: type[list[int]], guesses: int, feedbacks: int
) -> None:
    """A guess or feedback that the game lacks is refused, "solved" as one that leads to a child."""
    columns = columns_of(root, kind)
    fits = max(columns.guess) < guesses and max(columns.feedback) < feedbacks - 1
    if fits:
        assert Tree(columns, guesses, feedbacks).guess is columns.guess
    else:
        with pytest.raises(InvalidBookError):
            Tree(columns, guesses, feedbacks)


# A root with two leaves, of which one number is another.
BROKEN = {
    "siblings in the wrong order": Columns([0, 1, 2], [0, 2, 1], [2, 0, 0], [3, 1, 1]),
    "siblings with one feedback": Columns([0, 1, 2], [0, 1, 1], [2, 0, 0], [3, 1, 1]),
    "solved leads on": Columns([0, 1, 2], [0, 1, FEEDBACKS - 1], [2, 0, 0], [3, 1, 1]),
    "no such feedback": Columns([0, 1, 2], [0, 1, FEEDBACKS], [2, 0, 0], [3, 1, 1]),
    "no such guess": Columns([0, 1, GUESSES], [0, 1, 2], [2, 0, 0], [3, 1, 1]),
    "a guess solves two": Columns([0, 1, 2], [0, 1, 2], [2, 0, 0], [4, 1, 1]),
    "a guess solves fewer than none": Columns([0, 1, 2], [0, 1, 2], [2, 0, 0], [1, 1, 1]),
    "a leaf of two": Columns([0, 1, 2], [0, 1, 2], [2, 0, 0], [4, 2, 1]),
    "a leaf of none": Columns([0, 1, 2], [0, 1, 2], [2, 0, 0], [3, 0, 2]),
    "children of nobody": Columns([0, 1, 2], [0, 1, 2], [0, 2, 0], [1, 3, 1]),
    "too many children": Columns([0, 1, 2], [0, 1, 2], [2, 1, 0], [3, 1, 1]),
    "too few children": Columns([0, 1, 2], [0, 1, 2], [1, 0, 0], [2, 1, 1]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_one_wrong_number_is_no_tree(name: str) -> None:
    """The smallest tree with a fault of each kind is refused, and that without one is read."""
    whole = Columns([0, 1, GUESSES - 1], [0, 1, FEEDBACKS - 2], [2, 0, 0], [3, 1, 1])
    assert Tree(whole, GUESSES, FEEDBACKS).distribution == (1, 2)
    with pytest.raises(InvalidBookError):
        Tree(BROKEN[name], GUESSES, FEEDBACKS)


@given(trees, st.integers(0, 3), st.booleans())
def test_columns_of_other_lengths_are_refused(root: Drawn, column: int, longer: bool) -> None:
    """All columns have one value a node, and there is a node."""
    columns = list(columns_of(root))
    columns[column] = [*columns[column], 0] if longer else columns[column][:-1]
    with pytest.raises(InvalidBookError):
        Tree(Columns(*columns), GUESSES, FEEDBACKS)
    with pytest.raises(InvalidBookError):
        Tree(Columns(b"", b"", b"", b""), GUESSES, FEEDBACKS)


@given(trees, weights, st.data())
def test_a_tree_solves_nothing_of_no_weight(
    root: Drawn, weights: list[int], data: st.DataObject
) -> None:
    """Where secrets have weights a leaf is one of them; any other guess may have none."""
    nodes = breadth_first(root)
    zero = data.draw(st.sampled_from(nodes)).guess
    weights[zero] = 0
    if all(node.weight(weights) for node in nodes):
        tree = Tree(columns_of(root), GUESSES, FEEDBACKS, weights)
        assert tree.weights[0] == root.weight(weights)
    else:
        with pytest.raises(InvalidBookError, match="no secret"):
            Tree(columns_of(root), GUESSES, FEEDBACKS, weights)


@given(st.lists(st.integers(0, 600), min_size=1), st.integers(1, 600))
def test_below_is_below(values: list[int], limit: int) -> None:
    """Bytes and any other integers are below a limit if each of them is."""
    small = [value % 256 for value in values]
    assert all_below(limit, values) == all(value < limit for value in values)
    assert all_below(limit, bytes(small)) == all(value < limit for value in small)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=20))
def test_entropy_is_the_information_expected(sizes: list[int]) -> None:
    """-sum p*log2(p), never below 0, and the order of the cells does not matter."""
    shares = [size / sum(sizes) for size in sizes]
    plain = math.fsum(-share * math.log2(share) for share in shares)
    assert entropy(iter(sizes)) == pytest.approx(plain, abs=1e-9)
    assert entropy(sizes) == entropy(sizes[::-1]) >= 0


@given(st.sampled_from([8, 16, 24, 32]), st.data())
def test_planes_hold_the_lowest_bytes_first(bits: int, data: st.DataObject) -> None:
    """Plane k holds bits 8k to 8k+7 of every value; bytes are a plane as they are."""
    values = data.draw(st.lists(st.integers(0, 2**bits - 1), min_size=1))
    written, n = to_planes(values), len(values)
    planes = [written[k : k + n] for k in range(0, len(written), n)]
    assert len(planes) == max(1, *(-(-value.bit_length() // 8) for value in values))
    for k, plane in enumerate(planes):
        assert plane == bytes(value >> 8 * k & 255 for value in values)
    assert list(from_planes(written, n)) == values
    assert to_planes(planes[0]) is planes[0]


@pytest.mark.parametrize("width", [0, 5])
def test_columns_have_one_to_four_planes(width: int) -> None:
    """No plane, or a fifth one, is no column, and neither is a part of one."""
    for size in (3 * width, 3 * width + 1):
        with pytest.raises(InvalidBookError):
            from_planes(bytes(size), 3)


@given(st.lists(st.integers(0, 255).map(lambda n: 0x01000001 + (n << 8)), min_size=1))
def test_planes_of_a_machine_with_the_high_byte_first(values: list[int]) -> None:
    """There a column in memory is turned round: the file has the same planes."""
    turned = array("I", values)
    turned.byteswap()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "byteorder", "big" if sys.byteorder == "little" else "little")
        data = to_planes(turned)
        again = array("I", from_planes(data, len(values)))
    assert data == to_planes(values)
    assert again == turned
