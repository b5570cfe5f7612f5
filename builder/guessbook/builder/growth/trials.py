"""The search for the best guess of one node: tasks compute the costs of the guesses, in any order."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, cast

from guessbook.builder.arrays import Integers
from guessbook.builder.checkpoint import Checkpoint
from guessbook.builder.executors.context import Context, Nodes
from guessbook.builder.executors.scheduler import UNDER_WAY, Scheduler
from guessbook.builder.scorers.optimal import OptimalScorer
from guessbook.builder.scorers.subtrees import are_counts
from guessbook.engine.sets import IMPOSSIBLE


class Best(NamedTuple):
    """The best guess of a node so far: its cost, its place in the ranking, and its index (-1 if none is found)."""

    cost: int
    place: int
    guess: int

    def limit(self, place: int) -> int:
        """Return the largest cost at which the guess at `place` in the ranking would replace the best guess so far."""
        return self.cost - (place > self.place)


@dataclass(frozen=True)
class TryGuesses:
    """A task that computes the cost of each of some guesses, or a lower bound if the cost is above `limit`."""

    nodes: Nodes
    guesses: Sequence[int]
    limit: int
    left: int  # the number of guesses that the player has left, including the guess to try

    def run(self, context: Context) -> list[int]:
        """Return the cost of each guess; if the cost exceeds the limit, a lower bound above the limit."""
        scorer, batch = cast(OptimalScorer, context.scorer), context.batch(self.nodes)
        candidates, path, limit, costs = batch.candidates, batch.paths[0], self.limit, list[int]()
        scorer.prepare(candidates, path, self.guesses, limit, self.left)
        for guess in self.guesses:
            costs.append(scorer.try_guess(candidates, path, guess, limit, self.left))
            # A guess that costs more than an earlier guess is not the best, so its exact cost is not needed.
            limit = min(limit, costs[-1])
        return costs


class Trials:
    """The search for the best guess of one node.

    Args:
        ranked: the guesses to try, in the order of the base policy's ranking: uint32.
        best: the best guess known before the search. If none is known: the guess -1 with the largest allowed cost.
        left: the number of guesses that the player has left at the node.
        checkpoint: the checkpoint that stores the cost of each guess; None for a short search, which stores no costs.
        report: the function that receives the best guess so far, a proven lower bound, and the finished fraction.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        nodes: Nodes,
        ranked: Integers,
        best: Best,
        left: int,
        checkpoint: Checkpoint | None,
        report: Callable[[Best, int, float], None],
    ) -> None:
        self._scheduler, self._nodes, self._best, self._left = scheduler, nodes, best, left
        self._checkpoint, self._report = checkpoint, report
        batch = scheduler.context.batch(nodes)
        scorer = cast(OptimalScorer, scheduler.context.scorer)
        self._least = scorer.together
        self._size, self._ranked = len(batch.candidates), ranked.tolist()
        self._even = scorer.size_bounds(batch.candidates, batch.paths[0], ranked, left).tolist()
        # The guesses not yet tried, as places in the ranking. The last has the least lower bound, and is tried next.
        self._places = sorted(range(len(ranked)), key=lambda p: (self._even[p], p), reverse=True)
        self._waiting: set[tuple[int, ...]] = set()
        self._count = 0

    def run(self) -> Best:
        """Try all guesses. Return the best guess, or the given `best` if no guess is better."""
        self._fill()
        self._scheduler.run()
        return self._best

    def _fill(self) -> None:
        """Add tasks to the scheduler until there are UNDER_WAY tasks for each thread."""
        many = max(self._scheduler.weight_of_chunk(TryGuesses) // self._size, self._least)
        while self._places and len(self._waiting) < UNDER_WAY * self._scheduler.workers.threads():
            some: list[int] = []
            while self._places and len(some) < many:
                place = self._places.pop()
                if self._is_open(place):
                    some.append(place)
            if some:
                places, limit = tuple(some), max(map(self._best.limit, some))
                guesses = tuple(self._ranked[place] for place in some)
                task = TryGuesses(self._nodes, guesses, limit, self._left)
                self._waiting.add(places)
                on_done = partial(self._record, places, limit)
                self._scheduler.push(self._size, task, on_done, self._size * len(some))

    def _is_open(self, place: int) -> bool:
        """Return whether a guess must be tried: no lower bound excludes it, and the checkpoint lacks its cost."""
        least, limit = self._even[place], self._best.limit(place)
        if least > limit or not self._checkpoint:
            return bool(least <= limit)
        cost, is_exact = self._checkpoint.load(self._key(place), partial(is_cost, least)) or (0, 0)
        if is_exact:
            self._found(place, cost)
        return not is_exact and cost <= limit

    def _record(self, places: tuple[int, ...], limit: int, costs: Sequence[int]) -> None:
        """Save the costs that a task computed, update the best guess, and report the progress."""
        self._waiting.remove(places)
        self._count += len(places)
        for place, cost in zip(places, costs, strict=True):
            if self._checkpoint:
                self._checkpoint.save(self._key(place), [cost, int(cost <= limit)])
            limit = min(limit, cost)
            self._found(place, cost)
        self._fill()
        waiting = [place for some in self._waiting for place in some]
        # An excluded guess costs at least as much as the best guess. If there is no best guess yet, an excluded guess
        # costs more than the largest allowed cost.
        least = self._best.cost + (self._best.guess < 0)
        bound = min([self._even[place] for place in waiting + self._places[-1:]] + [least])
        # The finished fraction does not count guesses that will not be tried: their bounds exceed the best cost.
        hopeless = bisect_left(self._places, -self._best.cost, key=lambda p: -self._even[p])
        left = len(self._places) - hopeless + len(waiting)
        self._report(self._best, bound, self._count / (self._count + left))

    def _found(self, place: int, cost: int) -> None:
        if cost <= self._best.limit(place):
            self._best = Best(cost, place, self._ranked[place])

    def _key(self, place: int) -> tuple[object, ...]:
        return "try", self._nodes, self._ranked[place]


def is_cost(least: int, found: object) -> bool:
    """Return whether a stored result is [cost, 1] or [lower bound, 0], and its first number is at least `least`."""
    if not are_counts(found) or len(found) != 2:
        return False
    return least <= found[0] <= IMPOSSIBLE and found[1] <= 1
