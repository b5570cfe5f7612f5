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
from guessbook.builder.kernels.arrays import Integers
from guessbook.builder.kernels.pieces import Row, Whole, put_together
from guessbook.builder.scorers.subtrees import Subtrees, row


class Pieces:
    """The pieces of a tree. A piece is its number, and 0 is the root.

    Args:
        game: the game.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        # As in `kernels.pieces.Row`.
        self._depth, self._right = array("q", [0]), array("q", [-1])
        self._level, self._begin = array("q", [0]), array("q", [0])
        self._sizes, self._content = array("q"), bytearray()
        self._nodes = 0
        self._room: list[array[int]] = []

    def below(self, piece: int, count: int) -> range:
        """Make room for the pieces that hang on a node, from left to right; their numbers."""
        pieces = range(len(self._depth), len(self._depth) + count)
        self._depth.extend([self._depth[piece] + 1] * count)
        self._level.extend([0] * count)
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
        if piece and not self._room:
            # Now, while others are at work: to get memory takes as long as to fill it.
            self._room = [array("I", [0]) * len(self._game.secrets) for _ in range(3)]

    def tree(self) -> Tree:
        """The whole tree, once, when all pieces are finished.

        Raises:
            BuildError: it does not solve every secret.
        """
        game, nodes, secrets = self._game, self._nodes, len(self._game.secrets)
        # A guess solves one secret or none.
        if nodes >= secrets and len(self._content) == nodes * row(game.feedbacks).itemsize:
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
        guess, candidates, first = self._room or [array("I") for _ in range(3)]
        for column, length in (guess, nodes), (candidates, nodes), (first, nodes + 1):
            column.extend(array("I", [0]) * (length - len(column)))
        feedback, children = bytearray(nodes * small.itemsize), bytearray(nodes * small.itemsize)
        solves = bytearray(nodes)
        columns = guess, feedback, children, candidates
        pieces = self._depth, self._right, self._level, self._begin, self._sizes, self._content
        whole = Whole(*map(seen, (*columns, first, solves)))
        put_together(Row(*map(seen, pieces)), small.itemsize, nodes, whole)
        put_together.forget()
        return Columns(*(as_values(column, small) for column in columns)), first, solves


def seen(values: Any) -> Integers:
    """The same numbers for kernels, which write there."""
    return np.frombuffer(values, getattr(values, "typecode", "B"))


def as_values(column: array[int] | bytearray, small: np.dtype[Any]) -> Sequence[int]:
    """A column of a tree, in as many bytes as it takes."""
    if isinstance(column, array):
        return column
    numbers = np.frombuffer(column, small)
    return bytes(column) if small.itemsize == 1 else array(small.char, numbers.tolist())
