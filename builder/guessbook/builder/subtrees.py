"""Finished subtrees as bytes, for messages between processes and for checkpoints."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from guessbook.builder.arrays import Integers
from guessbook.builder.scorers import Batch, Level, step
from guessbook.builder.scoring import Scorer
from guessbook.engine.codes import SOLVES


class Subtrees(NamedTuple):
    """The finished subtrees of sibling nodes, including these nodes."""

    sizes: list[int]  # the number of nodes of each level
    # The number of (guess, candidate) pairs scored at each depth of the whole tree; the root has
    # depth 0.
    pairs: list[int]
    content: bytes  # the nodes, level by level, in the format of `node_type`


def are_counts(values: object) -> TypeGuard[list[int]]:
    """Return whether a value from disk or another process is a list of integers of at least 0."""
    return isinstance(values, list) and all(type(value) is int and value >= 0 for value in values)


@cache
def node_type(feedbacks: int) -> np.dtype[Any]:
    """Return the numpy dtype of a node in `Subtrees.content`."""
    # In the field `guess`, the bit `SOLVES` is 1 if the guess is a candidate. The number of
    # children is less than the number of feedbacks, because the feedback "solved" leads to no
    # child.
    small = np.min_scalar_type(feedbacks - 1).newbyteorder("<")
    return np.dtype([("guess", "<u4"), ("feedback", small), ("children", small)])


def subtrees_of(levels: list[Level], pairs: list[int], feedbacks: int) -> Subtrees:
    """Convert finished levels to `Subtrees`; `pairs` has the scored pairs of each depth."""
    sizes = [len(level.guess) for level in levels]
    guess, feedback, children, candidates = map(np.concatenate, zip(*levels, strict=True))
    rows = np.empty(len(guess), node_type(feedbacks))
    rows["feedback"], rows["children"] = feedback, children
    # The children of node k have the indices `ends[k]` to `ends[k + 1]` - 1, and `below[k]`
    # candidates in all.
    ends = np.cumsum(np.append(sizes[0], children), dtype=np.int64)
    below = np.diff(np.cumsum(np.append(0, candidates), dtype=np.int64)[ends])
    rows["guess"] = guess | SOLVES * (candidates - below)
    return Subtrees(sizes, pairs, rows.tobytes())


def grow_subtrees(scorer: Scorer, batch: Batch) -> Subtrees:
    """Return the complete subtrees of a batch of sibling nodes."""
    # The number of scored pairs at each depth. It is 0 at depths above these nodes, whose pairs are
    # counted elsewhere.
    pairs = [0] * batch.paths.shape[1]
    if search := scorer.code_search:
        feedback, room = batch.feedback.astype(np.uint8), 2 * len(batch.candidates)
        path = np.ascontiguousarray(batch.paths[0])
        found = search.grow(batch.candidates, batch.starts, feedback, path, room)
        sizes = [end - begin for begin, end in pairwise([0, *found.ends])]
        return Subtrees(sizes, pairs + found.pairs, found.rows)
    levels: list[Level] = []
    for _, level, scored in grow_levels(scorer, batch):
        levels.append(level)
        pairs.append(int(scored.sum()))
    return subtrees_of(levels, pairs, scorer.game.feedbacks)


def grow_levels(scorer: Scorer, batch: Batch) -> Iterator[tuple[Batch, Level, Integers]]:
    """Grow the trees of a batch, and yield three values for each level.

    The values are the nodes as a `Batch`, the same nodes with the chosen guesses as a `Level`, and
    the number of (guess, candidate) pairs scored for each node.
    """
    while len(batch.feedback):
        level, children, scored = step(scorer, batch)
        yield batch, level, scored
        batch = children


def is_grown(scorer: Scorer, batch: Batch, found: object) -> bool:
    """Return whether a value from disk or another process can be the subtrees of a batch."""
    # The guesses are not checked: choosing the guesses again would repeat the work. All other
    # columns are checked.
    if not isinstance(found, list) or len(found) != len(Subtrees._fields):
        return False
    sizes, pairs, content = found
    if not (are_counts(sizes) and are_counts(pairs) and isinstance(content, bytes)):
        return False
    kind, begin = node_type(scorer.game.feedbacks), 0
    if len(pairs) <= batch.paths.shape[1] or len(content) != sum(sizes) * kind.itemsize:
        return False
    guesses = np.frombuffer(content, kind)["guess"] & (SOLVES - 1)
    if (guesses >= len(scorer.game.guesses)).any():
        return False
    levels: list[Level] = []
    for size in sizes:
        if not size or size != len(batch.feedback):
            return False
        level, batch, _ = step(scorer, batch, guesses[begin : begin + size])
        levels.append(level)
        begin += size
    if not levels or len(batch.feedback):
        return False
    return subtrees_of(levels, [], scorer.game.feedbacks).content == content
