"""Finished subtrees as bytes, to be sent to other processes and stored in checkpoints."""

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
    """The finished subtrees of some neighbouring nodes.

    Attributes:
        sizes: the number of nodes of each level.
        pairs: the number of (guess, candidate) pairs scored at each depth of the whole tree.
        content: the nodes, level by level, each a `row`.
    """

    sizes: list[int]
    pairs: list[int]
    content: bytes


def are_counts(values: object) -> TypeGuard[list[int]]:
    """Return whether a value read from disk is a list of integers from 0 on."""
    return isinstance(values, list) and all(type(value) is int and value >= 0 for value in values)


@cache
def row(feedbacks: int) -> np.dtype[Any]:
    """Return the type of a node in bytes: the columns of a `Level` without the candidates.

    The number of candidates follows from the nodes below, and from the bit `SOLVES`, which marks a
    guess that is a candidate. Feedbacks and children are below the number of feedbacks.
    """
    small = np.min_scalar_type(feedbacks - 1).newbyteorder("<")
    return np.dtype([("guess", "<u4"), ("feedback", small), ("children", small)])


def node_of(guess: int, feedback: int, children: int, solves: bool, feedbacks: int) -> Subtrees:
    """Return a single node, without its children."""
    node = np.array((guess | SOLVES * solves, feedback, children), row(feedbacks))
    return Subtrees([1], [], node.tobytes())


def subtrees_of(levels: list[Level], pairs: Integers, feedbacks: int) -> Subtrees:
    """Return the subtrees that some levels make."""
    sizes = [len(level.guess) for level in levels]
    guess, feedback, children, candidates = map(np.concatenate, zip(*levels, strict=True))
    rows = np.empty(len(guess), row(feedbacks))
    rows["feedback"], rows["children"] = feedback, children
    # The beginning and the end of the children of each node, and their candidates.
    ends = np.cumsum(np.append(sizes[0], children), dtype=np.int64)
    below = np.diff(np.cumsum(np.append(0, candidates), dtype=np.int64)[ends])
    rows["guess"] = guess | SOLVES * (candidates - below)
    return Subtrees(sizes, pairs.tolist(), rows.tobytes())
