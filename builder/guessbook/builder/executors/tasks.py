"""Tasks: independent units of work of a build. Threads here or on a cluster run them in any order."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol, cast

from guessbook.builder.executors.context import Context, Nodes
from guessbook.builder.scorers.scorer import Divisible, divisible
from guessbook.builder.scorers.subtrees import Subtrees, grow
from guessbook.engine.codes import BestGuess, PartialSearch

# For a large node, each `SearchPart` scores about EARLY times as many (guess, candidate) pairs as `BeginSearch`.
EARLY = 4


class Task(Protocol):
    """The interface of a task: plain data whose result depends only on the task, the game and the policy."""

    def run(self, context: Context, /) -> Any:
        """Run the task in a context, and return its result."""


@dataclass(frozen=True)
class BeginSearch:
    """A task that begins the search for a node's guess; for a large node, `SearchPart` tasks follow."""

    nodes: Nodes
    pairs: int  # the approximate number of (guess, candidate) pairs that each `SearchPart` scores

    def run(self, context: Context) -> PartialSearch:
        """Score some or all guesses; return the best of them, and the number of `SearchPart` tasks for the unscored."""
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
    """A task that searches one part of a large node's guesses; `best` is the best guess that `BeginSearch` found."""

    nodes: Nodes
    best: BestGuess
    part: int
    parts: int

    def run(self, context: Context) -> BestGuess:
        """Return the best guess of this part of the guesses, or `best` if none of them is better."""
        batch, scorer = context.batch(self.nodes), cast(Divisible, context.scorer)
        path = batch.paths[0]
        return scorer.search.resume(batch.candidates, path, self.best, self.part, self.parts)


@dataclass(frozen=True)
class GrowTrees:
    """A task that computes the complete subtrees of neighbouring small nodes."""

    nodes: Nodes

    def run(self, context: Context) -> Subtrees:
        """Return the complete subtrees of the nodes."""
        return grow(context.scorer, context.batch(self.nodes))


def run_chunk(context: Context, tasks: Sequence[Task]) -> tuple[list[Any], float]:
    """Run tasks one after the other. Return two values: the list of their results, and the total seconds."""
    start = perf_counter()
    found = [task.run(context) for task in tasks]
    return found, perf_counter() - start
