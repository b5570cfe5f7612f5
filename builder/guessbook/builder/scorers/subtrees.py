"""Finished subtrees, in the bytes that they are sent and kept in."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from guessbook.builder.arrays import Integers
from guessbook.kernels.codes import SOLVES


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


def are_counts(values: object) -> TypeGuard[list[int]]:
    """Whether something that was read from a disk is a list of whole numbers from 0 on."""
    return isinstance(values, list) and all(type(value) is int and value >= 0 for value in values)


@cache
def row(feedbacks: int) -> np.dtype[Any]:
    """A node of a game with so many feedbacks, as bytes: the columns of a `Level` but the last.

    Feedbacks and children are numbers below that of feedbacks, which may be 256. A guess that
    solves a candidate has the bit `SOLVES` besides: how many candidates there are follows from it
    and from the nodes below.
    """
    small = np.min_scalar_type(feedbacks - 1).newbyteorder("<")
    return np.dtype([("guess", "<u4"), ("feedback", small), ("children", small)])


def node_of(guess: int, feedback: int, children: int, solves: bool, feedbacks: int) -> Subtrees:
    """A node without those below it."""
    node = np.array((guess | SOLVES * solves, feedback, children), row(feedbacks))
    return Subtrees([1], [], node.tobytes())


def subtrees_of(levels: list[Level], pairs: Integers, feedbacks: int) -> Subtrees:
    """Subtrees that grew a level after the other."""
    sizes = [len(level.guess) for level in levels]
    guess, feedback, children, candidates = map(np.concatenate, zip(*levels, strict=True))
    rows = np.empty(len(guess), row(feedbacks))
    rows["feedback"], rows["children"] = feedback, children
    # Where the children of each node begin and end, and how many candidates they have.
    ends = np.cumsum(np.append(sizes[0], children), dtype=np.int64)
    below = np.diff(np.cumsum(np.append(0, candidates), dtype=np.int64)[ends])
    rows["guess"] = guess | SOLVES * (candidates - below)
    return Subtrees(sizes, pairs.tolist(), rows.tobytes())
