"""Trees are assembled right, whatever becomes of their pieces."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.book.errors import BuildError
from guessbook.book.tree import Columns, Tree
from guessbook.builder.growth.assembly import Assembly
from guessbook.builder.scorers.subtrees import Subtrees, node_of, row
from guessbook.engine.codes import ROW
from guessbook.lookup import open_book

if TYPE_CHECKING:
    from random import Random

    from guessbook.book import Strategy


def solves(tree: Tree, node: int) -> bool:
    """Whether the guess of a node is one of its candidates."""
    below = range(tree.first[node], tree.first[node + 1])
    return sum(tree.candidates[child] for child in below) < tree.candidates[node]


def in_pieces(book: Strategy, random: Random) -> tuple[Assembly, dict[int, Subtrees]]:
    """Room for a book cut into pieces, and what belongs into each."""
    tree, pieces, found = book.tree, Assembly(book.game), {}
    todo = [(0, range(1))]
    while todo:
        piece, nodes = todo.pop()
        levels = [nodes]
        if len(nodes) == 1 and random.random() < 0.7:
            below = range(tree.first[nodes.start], tree.first[nodes.stop])
            cuts = sorted(random.sample(below, random.randint(0, len(below))))
            ends = dict.fromkeys([below.start, *cuts, below.stop])
            runs = [range(*ends) for ends in itertools.pairwise(ends)]
            sizes = [sum(tree.candidates[node] for node in run) for run in runs]
            todo += zip(pieces.append(piece, sizes), runs, strict=True)
        else:
            while levels[-1]:
                levels.append(range(tree.first[levels[-1].start], tree.first[levels[-1].stop]))
        rows = [
            node_of(tree.guess[n], tree.feedback[n], tree.children[n], solves(tree, n),
                    book.game.feedbacks).content
            for level in levels for n in level
        ]  # fmt: skip
        found[piece] = Subtrees([len(level) for level in levels if level], [], b"".join(rows))
    return pieces, found


@given(st.randoms(use_true_random=False))
def test_pieces_are_put_together_in_whatever_order_they_come(random: Random) -> None:
    """A tree cut anywhere, whose pieces come in any order, is the same tree; joined first, too."""
    with open_book("mastermind-4x6") as book:
        pieces, found = in_pieces(book, random)
        for piece in random.sample(list(found), len(found)):
            pieces.fill(piece, found[piece])
        one = Assembly(book.game)
        sizes, content = pieces.concatenate()
        one.fill(0, Subtrees(sizes, [], content))
        for grown in (pieces.tree(), one.tree()):
            for column in (*Columns._fields, "first", "distribution"):
                assert list(getattr(grown, column)) == list(getattr(book.tree, column))


@given(st.randoms(use_true_random=False))
def test_a_wrong_piece_is_noticed(random: Random) -> None:
    """A node or a piece that is lacking, other children, or a guess that solves: an error."""
    with open_book("mastermind-4x6") as book:
        pieces, found = in_pieces(book, random)
        wrong = random.choice(list(found))
        sizes, pairs, content = found[wrong]
        lie, width = bytearray(content), len(content) // sum(sizes)
        at = width * random.randrange(sum(sizes))
        kind = random.randrange(4)
        if kind == 0:
            del lie[at : at + width]
        elif kind == 1:
            lie[at + 5] ^= 1 << random.randrange(8)
        else:
            lie[at + 3] ^= 1 << 7
        for piece, right in found.items():
            if piece != wrong:
                pieces.fill(piece, right)
            elif kind < 3:
                pieces.fill(piece, Subtrees(sizes, pairs, bytes(lie)))
        with pytest.raises(BuildError, match="a task has failed"):
            pieces.tree()


@given(st.randoms(use_true_random=False))
def test_pieces_that_changed_places_are_noticed(random: Random) -> None:
    """Two pieces of different numbers of candidates, each in the place of the other: an error."""
    with open_book("mastermind-4x6") as book:
        pieces, found = in_pieces(book, random)
        solved = {piece: sum(byte >> 7 for byte in found[piece].content[3::6]) for piece in found}
        one, other = random.choice(list(found)), random.choice(list(found))
        assume(solved[one] != solved[other])
        for piece in found:
            place = {one: other, other: one}.get(piece, piece)
            pieces.fill(place, found[piece])
        with pytest.raises(BuildError, match="a task has failed"):
            pieces.tree()


@pytest.mark.parametrize("wrong", [[10, -5], [-1, 6], [5, 0, 0], [1 << 40, 5 - (1 << 40)]])
def test_sizes_that_lie_lead_nowhere(wrong: list[int]) -> None:
    """Sizes of levels that are negative, or more than there is, add up and are noticed."""
    game = Mastermind(2, 3)
    for lies, right in ((wrong, [10]), ([10], wrong)):
        pieces = Assembly(game)
        pieces.fill(0, Subtrees([1], [], bytes(ROW)))
        for piece, sizes in zip(pieces.append(0, [4, 4]), (lies, right), strict=True):
            content = bytes(ROW) * sum(sizes)
            pieces.fill(piece, Subtrees(sizes, [], content))
        with pytest.raises(BuildError, match="a task has failed"):
            pieces.tree()


def test_a_row_is_what_the_engine_writes() -> None:
    """A finished node of a game of codes: its bytes, and where each column is."""
    assert row(256).itemsize == ROW
    fields = row(256).fields
    assert fields is not None
    assert [fields[name][1] for name in ("guess", "feedback", "children")] == [0, 4, 5]
