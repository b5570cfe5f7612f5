"""Finished subtrees in few bytes: as they are sent, and as they wait for the others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.book.file.compression import compress, decompress
from guessbook.builder.scorers.batch import Level, Subtrees

# zstd makes a third of them at once, and takes as long as to copy them.
QUICK = (1,)


class Packed(NamedTuple):
    """Finished subtrees, packed.

    Attributes:
        sizes: how many nodes each level has.
        pairs: the (guess, candidate) pairs scored at each depth.
        content: the columns, one after the other, of all levels; compressed.
    """

    sizes: list[int]
    pairs: list[int]
    content: bytes


def pack(found: Subtrees) -> Packed:
    """Pack finished subtrees, whose levels are compact."""
    sizes = [len(level.guess) for level in found.levels]
    columns = [np.concatenate(column).tobytes() for column in zip(*found.levels, strict=True)]
    return Packed(sizes, found.pairs.tolist(), compress(b"".join(columns), QUICK))


def unpack(packed: Packed) -> Subtrees:
    """What was packed; its columns cannot be written to."""
    content, nodes = decompress(packed.content), sum(packed.sizes)
    # Of guesses and candidates 4 bytes, of feedbacks and children as many as each other.
    small = f"u{(len(content) // max(nodes, 1) - 8) // 2}"
    columns, at = [], 0
    for kind in ("u4", small, small, "u4"):
        columns.append(np.frombuffer(content, kind, nodes, at))
        at += columns[-1].nbytes
    levels, start = [], 0
    for size in packed.sizes:
        levels.append(Level(*(column[start : start + size] for column in columns)))
        start += size
    return Subtrees(levels, np.array(packed.pairs))
