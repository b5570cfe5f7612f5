"""Finished subtrees, in the bytes that they are sent and kept in until the tree is put together."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.games.game import Game
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.tree import Columns, Tree
from guessbook.builder.kernels.arrays import Integers


class Level(NamedTuple):
    """A level of a finished tree, as columns of the file: see `guessbook.book.tree.Columns`."""

    guess: Integers
    feedback: Integers
    children: Integers
    candidates: Integers


class Subtrees(NamedTuple):
    """What became of some neighbouring nodes.

    Attributes:
        sizes: how many nodes each level has.
        pairs: the (guess, candidate) pairs scored at each depth of the whole tree.
        content: the nodes, a level after the other, each a `row`.
    """

    sizes: list[int]
    pairs: list[int]
    content: bytes

    def pieces(self) -> Iterator[memoryview]:
        """The nodes of each level."""
        content, begin = memoryview(self.content), 0
        width = len(content) // max(sum(self.sizes), 1)
        for size in self.sizes:
            end = begin + size * width
            yield content[begin:end]
            begin = end


@cache
def row(feedbacks: int) -> np.dtype[Any]:
    """A node of a game with so many feedbacks, as bytes: what each column of a `Level` says.

    Feedbacks and children are numbers below that of feedbacks, which may be 256.
    """
    small = np.min_scalar_type(feedbacks - 1)
    return np.dtype(list(zip(Level._fields, ("<u4", small, small, "<u4"), strict=True)))


def node_of(values: tuple[int, int, int, int], feedbacks: int) -> bytes:
    """A node alone."""
    return np.array(values, row(feedbacks)).tobytes()


def rows_of(columns: Iterable[Integers], feedbacks: int) -> bytes:
    """Nodes as bytes, from their columns."""
    columns = list(columns)
    rows = np.empty(len(columns[0]), row(feedbacks))
    for name, column in zip(Level._fields, columns, strict=True):
        rows[name] = column
    return rows.tobytes()


def subtrees_of(levels: list[Level], pairs: Integers, feedbacks: int) -> Subtrees:
    """Subtrees that grew a level after the other."""
    columns = map(np.concatenate, zip(*levels, strict=True))
    sizes = [len(level.guess) for level in levels]
    return Subtrees(sizes, pairs.tolist(), rows_of(columns, feedbacks))


def tree_of(game: Game, pieces: Iterable[bytes | memoryview]) -> Tree:
    """The whole tree of a game from its nodes, breadth first.

    Raises:
        BuildError: it does not solve every secret.
    """
    rows = np.frombuffer(b"".join(pieces), row(game.feedbacks))
    first = np.ones(len(rows) + 1, np.uint32)
    first[1:] += np.cumsum(rows["children"], dtype=np.uint32)
    grown = array("I", first.tobytes()), solved(first, rows["candidates"])
    values = [as_values(rows[name]) for name in Level._fields]
    weights = weights_by_guess(game)
    tree = Tree(Columns(*values), len(game.guesses), game.feedbacks, weights, grown)
    if sum(tree.distribution) != len(game.secrets):
        raise BuildError(
            f"found a tree that solves {sum(tree.distribution):,} of {len(game.secrets):,} secrets:"
            " a task has failed; check the memory of the machine, and build it again"
        )
    return tree


def as_values(column: Integers) -> Sequence[int]:
    """A column of a tree in plain Python, in as many bytes as it takes."""
    content = column.tobytes()
    return content if column.itemsize == 1 else array(column.dtype.char, content)


def solved(first: Integers, candidates: Integers) -> bytes:
    """How many candidates the guess of each node solves: those that no child has.

    Sums are modulo 2**32, which are differences, too.
    """
    before = np.zeros(len(first), np.uint32)
    np.cumsum(candidates, out=before[1:])
    left = before[first]
    solves: bytes = (candidates - left[1:] + left[:-1]).astype(np.uint8).tobytes()
    return solves
