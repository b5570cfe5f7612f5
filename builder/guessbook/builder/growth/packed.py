"""Finished subtrees in few bytes: as they are sent, and as they wait for the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from guessbook.book.file.compression import compress, decompress
from guessbook.builder.scorers.batch import Level, Subtrees

# zstd makes a third of them at once, and takes as long as to copy them.
QUICK = (1,)

# A part of each column: of so many bytes a node.
Piece = tuple[memoryview, memoryview, memoryview, memoryview]


class Packed(NamedTuple):
    """Finished subtrees, packed.

    Attributes:
        sizes: how many nodes each level has.
        pairs: the (guess, candidate) pairs scored at each depth.
        content: the columns, one after the other, of all levels; as it is sent, compressed.
    """

    sizes: list[int]
    pairs: list[int]
    content: bytes

    def inflated(self) -> Packed:
        """The same as it is kept, not compressed any more."""
        return self._replace(content=decompress(self.content))

    def pieces(self) -> Iterator[Piece]:
        """The columns of each level, as it is kept."""
        content, nodes = memoryview(self.content), sum(self.sizes)
        # Of guesses and candidates 4 bytes, of feedbacks and children as many as each other.
        small = len(content) // max(nodes, 1) // 2 - 4
        guess, feedback, children, candidates = 0, 4 * nodes, (4 + small) * nodes, -4 * nodes
        candidates += len(content)
        for size in self.sizes:
            wide, narrow = 4 * size, small * size
            yield (
                content[guess : guess + wide], content[feedback : feedback + narrow],
                content[children : children + narrow], content[candidates : candidates + wide],
            )  # fmt: skip
            guess, candidates = guess + wide, candidates + wide
            feedback, children = feedback + narrow, children + narrow

    def subtrees(self) -> Subtrees:
        """What was packed, as it is kept; its columns cannot be written to."""
        levels = [
            level_of([piece], size) for piece, size in zip(self.pieces(), self.sizes, strict=True)
        ]
        return Subtrees(levels, np.array(self.pairs))


def pack(found: Subtrees) -> Packed:
    """Pack finished subtrees, whose levels are compact, as they are sent."""
    sizes = [len(level.guess) for level in found.levels]
    columns = [np.concatenate(column).tobytes() for column in zip(*found.levels, strict=True)]
    return Packed(sizes, found.pairs.tolist(), compress(b"".join(columns), QUICK))


def piece_of(level: Level) -> Piece:
    """The columns of a compact level."""
    guess, feedback, children, candidates = (memoryview(column.tobytes()) for column in level)
    return guess, feedback, children, candidates


def level_of(pieces: list[Piece], size: int) -> Level:
    """A level of so many nodes, put together."""
    columns = [b"".join(column) for column in zip(*pieces, strict=True)]
    return Level(*(np.frombuffer(column, f"u{len(column) // size}") for column in columns))
