"""Finished subtrees, in the bytes that they are sent and kept in until the tree is put together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from struct import Struct
from typing import Any, NamedTuple

import numpy as np

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


@cache
def row(feedbacks: int) -> np.dtype[Any]:
    """A node of a game with so many feedbacks, as bytes: what each column of a `Level` says.

    Feedbacks and children are numbers below that of feedbacks, which may be 256.
    """
    small = np.min_scalar_type(feedbacks - 1).newbyteorder("<")
    return np.dtype(list(zip(Level._fields, ("<u4", small, small, "<u4"), strict=True)))


@cache
def packing(feedbacks: int) -> Struct:
    """The same for plain numbers, of which numpy would be slow to make a row."""
    fields = row(feedbacks)
    return Struct("<" + "".join(fields[name].char for name in Level._fields))


def node_of(values: tuple[int, int, int, int], feedbacks: int) -> Subtrees:
    """A node without those below it."""
    return Subtrees([1], [], packing(feedbacks).pack(*values))


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
