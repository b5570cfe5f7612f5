"""A tree while it grows: pieces that have their places before they are finished, in any order."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.games.game import Game
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.tree import Columns, Tree
from guessbook.builder.compiler.jit import Native, part
from guessbook.builder.kernels.arrays import Array, Integers
from guessbook.builder.kernels.trees import SOLVES
from guessbook.builder.scorers.subtrees import Subtrees, row


class Placed(NamedTuple):
    """The pieces of a tree, from left to right: neighbours with all that is below them, or a node.

    Attributes:
        depth: int64[pieces], how many guesses lead to the nodes of its first level.
        right: int64[pieces], which piece is on the right of it; -1 for the last one.
        level: int64[pieces], where its levels begin in `sizes`, and
        begin: int64[pieces], where its nodes begin in `content`.
        solves: int64[pieces], how many candidates its guesses solve.
        sizes: int64, how many nodes each level has; a 0 is behind those of a piece.
        content: uint8, the nodes: see `scorers.subtrees.row`.
    """

    depth: Array
    right: Array
    level: Array
    begin: Array
    solves: Array
    sizes: Array
    content: Array


class Whole(NamedTuple):
    """A tree: see `guessbook.book.tree`.

    Attributes:
        guess: uint32[nodes], a column, like
        feedback: uint8[nodes * small],
        children: uint8[nodes * small], and
        candidates: uint32[nodes + 1]; the last is 0.
        first: uint32[nodes + 1], where the children of each node start.
        solves: uint8[nodes], how many candidates its guess solves: those that no child has.
    """

    guess: Array
    feedback: Array
    children: Array
    candidates: Array
    first: Array
    solves: Array


def room(nodes: int) -> list[Any]:
    """Room for so many nodes, in columns as those of `Whole`."""
    guess, candidates, first = (array("I", [0]) * nodes for _ in range(3))
    return [guess, bytearray(nodes), bytearray(nodes), candidates, first, bytearray(nodes)]


class Pieces:
    """The pieces of a tree. A piece is its number, and 0 is the root.

    Args:
        game: the game.
        size: how many candidates the root has: all secrets, or those of a node.
    """

    def __init__(self, game: Game, size: int) -> None:
        self._game, self._size = game, size
        # As in `Placed`.
        self._depth, self._right = array("q", [0]), array("q", [-1])
        # -1 until it is finished.
        self._level, self._begin = array("q", [-1]), array("q", [0])
        self._sizes, self._content = array("q"), bytearray()
        self._solves = array("q", [size])
        self._nodes = 0
        self._room: list[Any] = []

    def below(self, piece: int, sizes: list[int]) -> range:
        """Make room for the pieces that hang on a node, from left to right; their numbers.

        Args:
            piece: the node.
            sizes: how many candidates each piece has.
        """
        count = len(sizes)
        pieces = range(len(self._depth), len(self._depth) + count)
        self._solves.extend(sizes)
        self._solves[piece] -= sum(sizes)
        self._depth.extend([self._depth[piece] + 1] * count)
        self._level.extend([-1] * count)
        self._begin.extend([0] * count)
        right = [*pieces, self._right[piece]]
        self._right[piece] = right[0]
        self._right.extend(right[1:])
        return pieces

    def fill(self, piece: int, finished: Subtrees) -> None:
        """A piece is finished."""
        self._level[piece], self._begin[piece] = len(self._sizes), self._nodes
        self._sizes.extend([*finished.sizes, 0])
        self._content += finished.content
        self._nodes += sum(finished.sizes)

    def make_room(self) -> None:
        """Have the memory of the tree ready: to get it takes as long as to fill it."""
        # Most trees have 1.02 to 1.08 nodes for each secret.
        self._room = self._room or room(self._size * 9 // 8)

    def joined(self) -> tuple[list[int], bytes]:
        """All pieces as one, when they are finished: `sizes` and `content` of `Subtrees`."""
        width = row(self._game.feedbacks).itemsize
        levels: list[bytearray] = []
        piece = 0
        while piece >= 0:
            depth, level, begin = self._depth[piece], self._level[piece], self._begin[piece]
            while size := self._sizes[level]:
                if depth == len(levels):
                    levels.append(bytearray())
                levels[depth] += self._content[begin * width : (begin + size) * width]
                depth, level, begin = depth + 1, level + 1, begin + size
            piece = self._right[piece]
        return [len(level) // width for level in levels], b"".join(levels)

    def tree(self) -> Tree:
        """The whole tree, once, when all pieces are finished.

        Raises:
            BuildError: it does not solve every secret.
        """
        game, nodes, secrets = self._game, self._nodes, len(self._game.secrets)
        whole = min(self._level) >= 0 and min(self._sizes) >= 0
        whole = whole and len(self._content) == nodes * row(game.feedbacks).itemsize
        # A guess solves one secret or none.
        if whole and nodes >= secrets:
            columns, first, solves = self._put_together()
            if first[nodes] == nodes:
                weights, grown = weights_by_guess(game), (first, solves)
                tree = Tree(columns, len(game.guesses), game.feedbacks, weights, grown)
                if sum(tree.distribution) == secrets:
                    return tree
        raise BuildError(
            f"found a tree of {nodes:,} nodes that does not solve all {secrets:,} secrets: "
            "a task has failed; check the memory of the machine, and build it again"
        )

    def _put_together(self) -> tuple[Columns, array[int], bytearray]:
        """The columns, where the children of each node start, and what its guess solves."""
        nodes, small = self._nodes, row(self._game.feedbacks)["feedback"]
        lengths = nodes, nodes * small.itemsize, nodes * small.itemsize, nodes + 1, nodes + 1, nodes
        self.make_room()
        columns = self._room
        for column, length in zip(columns, lengths, strict=True):
            column.extend([0] * (length - len(column)))
            del column[length:]
        pieces = (
            self._depth, self._right, self._level, self._begin, self._solves, self._sizes,
            self._content,
        )  # fmt: skip
        whole = Whole(*map(seen, columns))
        put_together(Placed(*map(seen, pieces)), small.itemsize, nodes, whole)
        del whole
        put_together.forget()
        guess, feedback, children, candidates, first, solves = columns
        del candidates[nodes:]
        feedback, children = as_values(feedback, small), as_values(children, small)
        return Columns(guess, feedback, children, candidates), first, solves


def seen(values: Any) -> Integers:
    """The same numbers for kernels, which write there."""
    return np.frombuffer(values, getattr(values, "typecode", "B"))


def as_values(column: bytearray, small: np.dtype[Any]) -> Sequence[int]:
    """A column of a tree, of numbers that take so many bytes."""
    numbers = np.frombuffer(column, small)
    return bytes(column) if small.itemsize == 1 else array(small.char, numbers.tolist())


@Native
def put_together(pieces: Placed, small: int, nodes: int, tree: Whole) -> None:
    """Put the nodes of all pieces in their places, breadth first.

    Args:
        pieces: from left to right; `level` and `begin` are at their ends afterwards, and `solves`
            is 0.
        small: how many bytes a feedback takes, and a number of children.
        nodes: how many there are.
        tree: receives them; where it is wrong, the children of the last node end at 0.
    """
    node = depth = wrong = 0
    before, tree.first[0] = -1, 1
    while node > before:
        before, piece = node, 0
        while piece >= 0:
            size = pieces.sizes[pieces.level[piece]] if pieces.depth[piece] <= depth else 0
            if size > 0:
                # One byte, as nearly always, is compiled for itself: that takes half the time.
                if small == 1:
                    solved = put(pieces, pieces.begin[piece], size, 1, node, tree)
                else:
                    solved = put(pieces, pieces.begin[piece], size, small, node, tree)
                pieces.solves[piece] -= solved
                node += size
                pieces.level[piece] += 1
                pieces.begin[piece] += size
            piece = pieces.right[piece]
        depth += 1
    # Those of a node and of all behind it, at first: no loop for the children of each.
    candidates = tree.candidates
    candidates[nodes] = 0
    for k in range(nodes - 1, -1, -1):
        # Of a tree that is wrong, it leads anywhere.
        begin, end = min(tree.first[k], nodes), min(tree.first[k + 1], nodes)
        candidates[k] = candidates[k + 1] + tree.solves[k] + candidates[begin] - candidates[end]
    for k in range(nodes):
        candidates[k] -= candidates[k + 1]
        wrong += candidates[k] == 0
    piece = 0
    while piece >= 0:
        wrong += pieces.solves[piece] != 0
        piece = pieces.right[piece]
    if wrong:
        tree.first[nodes] = 0


@part
def put(pieces: Placed, begin: int, size: int, small: int, node: int, tree: Whole) -> int:
    """Put some neighbouring nodes in their places, from `node` on; how many secrets they solve."""
    first, content, solved = tree.first[node], pieces.content, 0
    for k in range(begin, begin + size):
        at = k * (4 + 2 * small)
        guess = number(content, at, 4)
        solves = guess // SOLVES
        tree.guess[node], tree.solves[node] = guess & (SOLVES - 1), solves
        solved += solves
        for b in range(small):
            tree.feedback[node * small + b] = content[at + 4 + b]
            tree.children[node * small + b] = content[at + 4 + small + b]
        first += number(content, at + 4 + small, small)
        node += 1
        tree.first[node] = first
    return solved


@part
def number(content: Array, at: int, width: int) -> int:
    """The number in so many bytes, the lowest first."""
    value = 0
    for b in range(width):
        value |= content[at + b] << (8 * b)
    return value
