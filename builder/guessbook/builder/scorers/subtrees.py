"""Finished subtrees, in the bytes that they are sent and kept in until the tree is put together."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.tree import Columns, Tree
from guessbook.builder.kernels.arrays import Integers
from guessbook.builder.kernels.trees import Forest

# A part of each column of a tree.
Piece = tuple[bytes | memoryview, ...]


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
        content: the columns of a `Level`, one after the other, each of all levels. Guesses and
            candidates take 4 bytes, feedbacks and children as many as `narrow` says.
    """

    sizes: list[int]
    pairs: list[int]
    content: bytes

    def pieces(self) -> Iterator[Piece]:
        """The columns of each level."""
        content, nodes = memoryview(self.content), sum(self.sizes)
        small = len(content) // max(nodes, 1) // 2 - 4
        guess, feedback, children, candidates = 0, 4 * nodes, (4 + small) * nodes, -4 * nodes
        candidates += len(content)
        for size in self.sizes:
            wide, short = 4 * size, small * size
            yield (
                content[guess : guess + wide], content[feedback : feedback + short],
                content[children : children + short], content[candidates : candidates + wide],
            )  # fmt: skip
            guess, candidates = guess + wide, candidates + wide
            feedback, children = feedback + short, children + short


def narrow(feedbacks: int) -> np.dtype[Any]:
    """The type of feedbacks and children: numbers below that of feedbacks, which may be 256."""
    return np.min_scalar_type(feedbacks - 1)


def subtrees_of(levels: list[Level], pairs: Integers, feedbacks: int) -> Subtrees:
    """Subtrees that grew a level after the other."""
    small = narrow(feedbacks)
    guess, feedback, children, candidates = map(np.concatenate, zip(*levels, strict=True))
    columns = (
        guess.astype(np.uint32), feedback.astype(small), children.astype(small),
        candidates.astype(np.uint32),
    )  # fmt: skip
    content = b"".join([column.tobytes() for column in columns])
    return Subtrees([len(level.guess) for level in levels], pairs.tolist(), content)


def harvested(forest: Forest, depths: Integers) -> list[Subtrees]:
    """The subtrees of each task of a forest, whose first levels are at these depths."""
    nodes, ends = forest.nodes, [0, *forest.ends.tolist()]
    size = nodes.size[: ends[-1]]
    pairs = np.add.reduceat(nodes.scored[: ends[-1]] * size, ends[:-1]).tolist()
    guess, candidates = (
        memoryview(nodes.guess).cast("B"),
        memoryview(size.astype(np.uint32)).cast("B"),
    )
    feedback, children = memoryview(nodes.feedback), memoryview(nodes.children)
    found, begin = [], 0
    for depth, end in zip(depths.tolist(), forest.levels.tolist(), strict=True):
        first, last = ends[begin], ends[end]
        wide, short = slice(4 * first, 4 * last), slice(first, last)
        content = guess[wide], feedback[short], children[short], candidates[wide]
        sizes = [after - before for before, after in pairwise(ends[begin : end + 1])]
        found.append(Subtrees(sizes, [0] * depth + pairs[begin:end], b"".join(content)))
        begin = end
    return found


def piece_of(guess: int, feedback: int, children: int, candidates: int, small: int) -> Piece:
    """A node alone, whose feedback and number of children take so many bytes."""
    return (
        guess.to_bytes(4, sys.byteorder), feedback.to_bytes(small, sys.byteorder),
        children.to_bytes(small, sys.byteorder), candidates.to_bytes(4, sys.byteorder),
    )  # fmt: skip


def tree_of(game: Game, pieces: Iterable[Piece]) -> Tree:
    """The whole tree of a game from its nodes, breadth first."""
    columns = [b"".join(column) for column in zip(*pieces, strict=True)]
    kind = narrow(game.feedbacks)
    solves = solved(np.frombuffer(columns[2], kind), np.frombuffer(columns[3], np.uint32))
    kinds = "I", *(kind.char if kind.itemsize > 1 else None,) * 2, "I"
    values = [array(k, c) if k else c for k, c in zip(kinds, columns, strict=True)]
    return Tree(Columns(*values), len(game.guesses), game.feedbacks, weights_by_guess(game), solves)


def solved(children: Integers, candidates: Integers) -> bytes:
    """How many candidates the guess of each node solves: those that no child has.

    Sums are modulo 2**32, which are differences, too.
    """
    before, first = np.zeros((2, len(children) + 1), np.uint32)
    np.cumsum(candidates, out=before[1:])
    np.cumsum(children, out=first[1:])
    left = before[first + 1]
    return (candidates - left[1:] + left[:-1]).astype(np.uint8).tobytes()
