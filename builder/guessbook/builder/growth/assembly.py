"""The assembly of a strategy tree from pieces. Tasks may finish the pieces in any order."""

from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.games.game import Game
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.tree import Columns, Tree
from guessbook.builder.arrays import Integers
from guessbook.builder.scorers.subtrees import Subtrees, row
from guessbook.engine.codes import SOLVES


class Assembly:
    """A strategy tree, assembled from numbered pieces: each is a node, or some whole subtrees. Piece 0 is the root."""

    def __init__(self, game: Game) -> None:
        self._game, self._row = game, row(game.feedbacks)
        # Two lists with a number for each piece: the depth of the piece, and how many candidates its guesses solve.
        self._depth, self._solves = [0], [len(game.secrets)]
        self._below: dict[int, range] = {}
        self._finished: dict[int, Subtrees] = {}

    def append(self, piece: int, sizes: list[int]) -> range:
        """Add a piece below `piece` for each number of candidates in `sizes`. Return the numbers of the new pieces."""
        pieces = range(len(self._depth), len(self._depth) + len(sizes))
        self._solves.extend(sizes)
        self._solves[piece] -= sum(sizes)
        self._depth.extend([self._depth[piece] + 1] * len(sizes))
        self._below[piece] = pieces
        return pieces

    def fill(self, piece: int, finished: Subtrees) -> None:
        """Store the finished node, or the finished subtrees, of the piece with this number."""
        self._finished[piece] = finished

    def concatenate(self) -> tuple[list[int], bytes]:
        """Join all pieces level by level. Return the number of nodes of each level, and all nodes as bytes."""
        width, levels, waiting = self._row.itemsize, list[list[bytes]](), [0]
        while waiting:
            piece = waiting.pop()
            waiting.extend(reversed(self._below.get(piece, ())))
            finished, depth = self._finished[piece], self._depth[piece]
            levels.extend([] for _ in range(depth + len(finished.sizes) - len(levels)))
            ends = accumulate(finished.sizes, initial=0)
            for level, (begin, end) in enumerate(pairwise(ends), depth):
                levels[level].append(finished.content[begin * width : end * width])
        joined = [b"".join(level) for level in levels]
        return [len(level) // width for level in joined], b"".join(joined)

    def tree(self) -> Tree:
        """Return the whole tree. Raises BuildError if a piece is missing or does not solve its candidates."""
        if all(map(self._is_right, range(len(self._depth)))):
            sizes, content = self.concatenate()
            columns, solves = make_columns(sizes, np.frombuffer(content, self._row))
            first = array("I", accumulate(columns.children, initial=1))
            if first[-1] == len(solves):
                weights, grown = weights_by_guess(self._game), (first, solves)
                return Tree(columns, len(self._game.guesses), self._game.feedbacks, weights, grown)
        raise BuildError(
            f"found a tree that does not solve all {len(self._game.secrets):,} secrets: "
            "a task has failed; test the memory of the machine for defects, and build the book again"
        )

    def _is_right(self, piece: int) -> bool:
        """Return whether a piece has all of its nodes and solves as many candidates as expected."""
        finished = self._finished.get(piece)
        if finished is None or len(finished.content) != sum(finished.sizes) * self._row.itemsize:
            return False
        guesses = np.frombuffer(finished.content, self._row)["guess"]
        return int(np.count_nonzero(guesses >= SOLVES)) == self._solves[piece]


def make_columns(sizes: list[int], rows: Any) -> tuple[Columns, bytearray]:
    """Return the columns of a tree, and for each node 1 if its guess is a candidate, else 0.

    `sizes` has the number of nodes of each level; `rows` has the nodes with the dtype `subtrees.row`.
    """
    solves = rows["guess"] >= SOLVES
    candidates = np.zeros(len(rows), np.uint32)
    below: Integers = np.zeros(1, np.int64)
    for begin, end in reversed(list(pairwise(accumulate(sizes, initial=0)))):
        # `below[k]` is the number of candidates of the first k nodes of the next level. The difference of two of these
        # numbers is the number of candidates of the children of a node.
        children = np.append(0, np.cumsum(rows["children"][begin:end], dtype=np.int64))
        known = below[np.minimum(children, len(below) - 1)]
        candidates[begin:end] = solves[begin:end] + np.diff(known)
        below = np.append(0, np.cumsum(candidates[begin:end], dtype=np.int64))
    columns = Columns(
        array("I", (rows["guess"] & (SOLVES - 1)).astype(np.uint32).tobytes()),
        as_values(rows["feedback"]), as_values(rows["children"]),
        array("I", candidates.tobytes()),
    )  # fmt: skip
    return columns, bytearray(solves.astype(np.uint8).tobytes())


def as_values(column: Any) -> Sequence[int]:
    """Return a column of a tree as bytes if its values take one byte, else as an array in native byte order."""
    if column.itemsize == 1:
        return bytes(column.tobytes())
    return array(column.dtype.char, column.astype(column.dtype.newbyteorder("=")).tobytes())
