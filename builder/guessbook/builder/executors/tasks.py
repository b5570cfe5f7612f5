"""Tasks: pieces of work that a thread or a worker of a cluster does alone, in any order.

A task is plain data. Its result depends on the game, the policy and the task alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol, cast

from guessbook.builder.executors.context import Context, Nodes
from guessbook.builder.scorers.scorer import Divisible, divisible
from guessbook.builder.scorers.subtrees import Subtrees, grow
from guessbook.kernels.codes import BestGuess, PartialSearch

# Before it is divided, a search scores 1 / EARLY of a part's pairs: the parts need a guess to beat.
EARLY = 4


class Task(Protocol):
    """A piece of work."""

    def run(self, context: Context, /) -> Any:
        """Do the work, and return the result."""


@dataclass(frozen=True)
class BeginSearch:
    """Search for the guess of a large node; divide a long search into parts of `pairs` pairs."""

    nodes: Nodes
    pairs: int

    def run(self, context: Context) -> PartialSearch:
        """Return the best guess so far, and the number of parts left."""
        batch = context.batch(self.nodes)
        candidates, path = batch.candidates, batch.paths[0]
        parted = divisible(context.scorer)
        if parted and parted.divisible(candidates, path):
            budget = max(self.pairs // (EARLY * len(candidates)), 1)
            return parted.search.begin(candidates, path, budget, self.pairs)
        guesses, scored = context.scorer.choose(candidates, batch.starts, batch.paths)
        return PartialSearch(BestGuess(0, 0, -int(guesses[0]), int(scored[0])), 0)


@dataclass(frozen=True)
class SearchPart:
    """Search one of the parts of the guesses of a large node.

    All begin with the best guess before the division. So the number of guesses that they score does
    not depend on their order.
    """

    nodes: Nodes
    best: BestGuess
    part: int
    parts: int

    def run(self, context: Context) -> BestGuess:
        """Return the best guess of the part, or the guess that the part began with."""
        batch, scorer = context.batch(self.nodes), cast(Divisible, context.scorer)
        path = batch.paths[0]
        return scorer.search.resume(batch.candidates, path, self.best, self.part, self.parts)


@dataclass(frozen=True)
class GrowTrees:
    """Grow the trees of neighbouring small nodes to the end."""

    nodes: Nodes

    def run(self, context: Context) -> Subtrees:
        """Return the finished trees."""
        return grow(context.scorer, context.batch(self.nodes))


def run_chunk(context: Context, tasks: Sequence[Task]) -> tuple[list[Any], float]:
    """Run tasks one after the other; return their results, and the seconds that they took."""
    start = perf_counter()
    found = [task.run(context) for task in tasks]
    return found, perf_counter() - start
