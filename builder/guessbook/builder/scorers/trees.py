"""Trees: the nodes of a batch grown to the end, by the engine or a level after the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from guessbook.builder.arrays import Integers
from guessbook.builder.scorers.batch import Batch, join, step
from guessbook.builder.scorers.forest import grow_trees
from guessbook.builder.scorers.scorer import Scorer, divisible
from guessbook.builder.scorers.subtrees import Level, Subtrees, are_counts, row, subtrees_of
from guessbook.kernels.codes import SOLVES


def grow(scorer: Scorer, batch: Batch) -> Subtrees:
    """Grow every node of a batch to the end."""
    return grow_each(scorer, [batch])[0]


def grow_each(scorer: Scorer, batches: list[Batch]) -> list[Subtrees]:
    """Grow every node of some batches to the end, side by side."""
    if codes := divisible(scorer):
        return grow_trees(codes, batches)
    counts = [len(batch.feedback) for batch in batches]
    levels: list[Level] = []
    tasks = len(counts)
    pairs = np.zeros((tasks, 0), np.int64)
    owner = np.repeat(np.arange(tasks), counts)
    for above, level, scored in growing(scorer, join(batches)):
        # The deepest nodes may be finished first.
        depths = max(pairs.shape[1], int(above.depth.max()) + 1)
        here = np.bincount(owner * depths + above.depth, scored, tasks * depths)
        pairs = np.pad(pairs, ((0, 0), (0, depths - pairs.shape[1])))
        pairs += here.astype(np.int64).reshape(tasks, depths)
        levels.append(level)
        owner = np.repeat(owner, level.children)
    trees = zip(separate(levels, counts), pairs, strict=True)
    return [subtrees_of(tree, scored, scorer.game.feedbacks) for tree, scored in trees]


def growing(scorer: Scorer, batch: Batch) -> Iterator[tuple[Batch, Level, Integers]]:
    """Grow nodes to the end: of each level its nodes, what becomes of them, the pairs scored."""
    while len(batch.feedback):
        level, children, scored = step(scorer, batch)
        yield batch, level, scored
        batch = children


def is_grown(scorer: Scorer, batch: Batch, found: object) -> bool:
    """Whether something that was read from a disk is what may have become of the nodes of a batch.

    The guesses are taken as they are: to choose them was the work. Which answers they get, how many
    candidates are left and that all are solved follows from them, and must be so.
    """
    if not isinstance(found, list) or len(found) != len(Subtrees._fields):
        return False
    sizes, pairs, content = found
    if not (are_counts(sizes) and are_counts(pairs)):
        return False
    if len(pairs) <= batch.depth[0] or not isinstance(content, bytes):
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


def separate(levels: list[Level], counts: list[int]) -> list[list[Level]]:
    """The levels of trees that grew side by side, of so many nodes of the first level each."""
    trees: list[list[Level]] = [[] for _ in counts]
    ends = np.cumsum([0, *counts])
    for level in levels:
        for tree, start, end in zip(trees, ends[:-1], ends[1:], strict=True):
            if end > start:
                tree.append(Level(*(column[start:end] for column in level)))
        ends = np.append(0, np.cumsum(level.children, dtype=np.int64))[ends]
    return trees
