"""Trees that a kernel grows side by side: what it is given, and what is made of what it leaves.

What lies around the kernel holds Python's lock, for which other threads wait. So it is little, in
memory that a thread keeps.
"""

from __future__ import annotations

from itertools import pairwise
from threading import local
from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.kernels.trees import ROW, Bench, Forest
from guessbook.builder.scorers.subtrees import Subtrees

if TYPE_CHECKING:
    from guessbook.builder.scorers.batch import Batch


class Kept(local):
    """The bench of a thread."""

    def __init__(self) -> None:
        self.bench = Bench.of(1, 0)


KEPT = Kept()


def planted(batches: list[Batch], feedbacks: int) -> Bench:
    """The bench of this thread with the nodes of some batches, each a task of siblings.

    Args:
        batches: one for each task.
        feedbacks: how many the game has.
    """
    bench = KEPT.bench
    room = sum(len(batch.candidates) + batch.paths.shape[1] for batch in batches)
    if len(bench.candidates) < room or len(bench.sorting.counts) != feedbacks:
        bench = KEPT.bench = Bench.of(1 << (room - 1).bit_length(), feedbacks)
    roots, begin, first, at = bench.roots, 0, 0, 0
    for task, batch in enumerate(batches):
        end, last = begin + len(batch.candidates), first + len(batch.feedback)
        bench.candidates[begin:end] = batch.candidates
        np.add(batch.starts, begin, out=roots.starts[first : last + 1])
        roots.feedback[first:last] = batch.feedback
        depth = batch.paths.shape[1]
        roots.paths[at : at + depth] = batch.paths[0]
        roots.counts[task], roots.depths[task] = last - first, depth
        begin, first, at = end, last, at + depth
    return bench


def harvested(forest: Forest, batches: list[Batch]) -> list[Subtrees]:
    """What became of each batch."""
    nodes, levels = forest.nodes, forest.levels[: len(batches)].tolist()
    ends, pairs = [0, *forest.ends[: levels[-1]].tolist()], forest.pairs[: levels[-1]].tolist()
    content = nodes.rows[: ROW * ends[-1]].tobytes()
    found, begin = [], 0
    for batch, end in zip(batches, levels, strict=True):
        some = content[ROW * ends[begin] : ROW * ends[end]]
        sizes = [after - before for before, after in pairwise(ends[begin : end + 1])]
        scored = [0] * batch.paths.shape[1] + pairs[begin:end]
        found.append(Subtrees(sizes, scored, some, sum(scored)))
        begin = end
    return found
