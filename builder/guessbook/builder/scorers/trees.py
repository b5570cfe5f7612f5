"""The growth of whole subtrees, by the engine or level by level."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from guessbook.builder.arrays import Integers
from guessbook.builder.scorers.batch import Batch, step
from guessbook.builder.scorers.scorer import Scorer, divisible
from guessbook.builder.scorers.subtrees import Level, Subtrees, are_counts, row, subtrees_of
from guessbook.kernels.codes import SOLVES


def grow(scorer: Scorer, batch: Batch) -> Subtrees:
    """Grow the subtrees of a batch of siblings to the end."""
    # The pairs scored above the batch are counted elsewhere.
    pairs = [0] * batch.paths.shape[1]
    if codes := divisible(scorer):
        feedback, room = batch.feedback.astype(np.uint8), 2 * len(batch.candidates)
        path = np.ascontiguousarray(batch.paths[0])
        found = codes.search.grow(batch.candidates, batch.starts, feedback, path, room)
        sizes = [end - begin for begin, end in pairwise([0, *found.ends])]
        return Subtrees(sizes, pairs + found.pairs, found.rows)
    levels: list[Level] = []
    for _, level, scored in grow_levels(scorer, batch):
        levels.append(level)
        pairs.append(int(scored.sum()))
    return subtrees_of(levels, np.array(pairs), scorer.game.feedbacks)


def grow_levels(scorer: Scorer, batch: Batch) -> Iterator[tuple[Batch, Level, Integers]]:
    """Yield the nodes of each level, the finished level, and the pairs scored for each node."""
    while len(batch.feedback):
        level, children, scored = step(scorer, batch)
        yield batch, level, scored
        batch = children


def is_grown(scorer: Scorer, batch: Batch, found: object) -> bool:
    """Return whether a value read from disk can be the subtrees of the nodes of a batch.

    The guesses are not checked, as choosing them is the work that was saved. Feedbacks, numbers of
    candidates and the solution of every candidate follow from the guesses, and must agree.
    """
    if not isinstance(found, list) or len(found) != len(Subtrees._fields):
        return False
    sizes, pairs, content = found
    if not (are_counts(sizes) and are_counts(pairs)):
        return False
    if len(pairs) <= batch.paths.shape[1] or not isinstance(content, bytes):
        return False
    kind, begin = row(scorer.game.feedbacks), 0
    if len(content) != sum(sizes) * kind.itemsize:
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
    return subtrees_of(levels, np.zeros(0, np.int64), scorer.game.feedbacks).content == content
