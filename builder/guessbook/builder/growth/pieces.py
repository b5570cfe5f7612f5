"""A tree while it grows: pieces that have their places before they are finished, in any order."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.games.game import Game
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.tree import Columns, Tree
from guessbook.builder.scorers.subtrees import Subtrees, row
from guessbook.kernels.assembly import assemble


def room(nodes: int) -> list[Any]:
    """Room for so many nodes, in columns: see `assembly.assemble`."""
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
        # See `assembly.assemble`.
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
        if assemble(pieces, small.itemsize, nodes, columns):
            columns[4][nodes] = 0  # it is wrong, and no tree
        guess, feedback, children, candidates, first, solves = columns
        del candidates[nodes:]
        feedback, children = as_values(feedback, small), as_values(children, small)
        return Columns(guess, feedback, children, candidates), first, solves


def as_values(column: bytearray, small: np.dtype[Any]) -> Sequence[int]:
    """A column of a tree, of numbers that take so many bytes."""
    numbers = np.frombuffer(column, small)
    return bytes(column) if small.itemsize == 1 else array(small.char, numbers.tolist())
