"""Trees that the engine grows side by side: the arrays it is given, and what is made of them.

What lies around the engine holds Python's lock, for which other threads wait. So it is little, in
memory that a thread keeps.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.scorers.subtrees import Subtrees
from guessbook.kernels.binding import address
from guessbook.kernels.codes import ROW, ForestFields, Roots

if TYPE_CHECKING:
    from guessbook.builder.arrays import Integers
    from guessbook.builder.scorers.batch import Batch
    from guessbook.builder.scorers.scorer import Divisible


class Forest:
    """The arrays of one thread for trees.c (`Roots`, `Forest`), with room for some candidates."""

    def __init__(self, room: int) -> None:
        # A guess that is no candidate has two children at least.
        nodes = 2 * room
        self.room = room
        self.candidates = np.empty(room, np.uint32)
        self.starts, self.counts, self.depths = (np.empty(room + 1, np.int64) for _ in range(3))
        self.feedback, self.paths = np.empty(room, np.uint8), np.empty(room, np.uint32)
        self.rows = np.empty(nodes * ROW, np.uint8)
        self.ends, self.pairs, self.levels = (np.empty(nodes, np.int64) for _ in range(3))
        # Only the engine reads these.
        self._own = np.empty((3, nodes), np.int64), np.empty(nodes, np.uint32)
        whole, guess = self._own
        self.roots = Roots(
            0, address(self.starts, "q"), address(self.feedback, "B"), address(self.counts, "q"),
            address(self.paths, "I"), address(self.depths, "q"),
        )  # fmt: skip
        self.fields = ForestFields(
            nodes, 0, address(whole[0], "q"), address(whole[1], "q"),
            address(whole[2].view(np.uint64), "Q"), address(guess, "I"), address(self.rows, "B"),
            address(self.ends, "q"), address(self.pairs, "q"), address(self.levels, "q"),
        )  # fmt: skip

    def load(self, batches: list[Batch]) -> Integers:
        """Take the nodes of some batches, each a task of siblings; return their candidates."""
        begin = first = at = 0
        for task, batch in enumerate(batches):
            end, last = begin + len(batch.candidates), first + len(batch.feedback)
            self.candidates[begin:end] = batch.candidates
            np.add(batch.starts, begin, out=self.starts[first : last + 1])
            self.feedback[first:last] = batch.feedback
            depth = batch.paths.shape[1]
            self.paths[at : at + depth] = batch.paths[0]
            self.counts[task], self.depths[task] = last - first, depth
            begin, first, at = end, last, at + depth
        self.roots.tasks = len(batches)
        return self.candidates[:begin]

    def collect(self, batches: list[Batch]) -> list[Subtrees]:
        """Return what became of each batch."""
        levels = self.levels[: len(batches)].tolist()
        ends = [0, *self.ends[: levels[-1]].tolist()]
        pairs = self.pairs[: levels[-1]].tolist()
        content = self.rows[: ROW * ends[-1]].tobytes()
        found, begin = [], 0
        for batch, end in zip(batches, levels, strict=True):
            some = content[ROW * ends[begin] : ROW * ends[end]]
            sizes = [after - before for before, after in pairwise(ends[begin : end + 1])]
            scored = [0] * batch.paths.shape[1] + pairs[begin:end]
            found.append(Subtrees(sizes, scored, some))
            begin = end
        return found


def grow_trees(scorer: Divisible, batches: list[Batch]) -> list[Subtrees]:
    """Grow the nodes of some batches to the end, in one call of the engine.

    Symmetry spares nothing there, so it is not for large nodes.
    """
    room = sum(len(batch.candidates) + batch.paths.shape[1] for batch in batches)
    forest: Forest | None = getattr(scorer.own, "forest", None)
    if forest is None or forest.room < room:
        forest = scorer.own.forest = Forest(1 << max(room - 1, 1).bit_length())
    candidates = forest.load(batches)
    scorer.search.grow(candidates, forest.roots, forest.fields)
    return forest.collect(batches)
