"""Work that is ready, dealt out to workers in messages: large ones at first, small ones at the end.

An item is a task for some nodes; what becomes of it is told to the building process, which may then
have more. Nothing waits for a level of the tree to be complete.
"""

from __future__ import annotations

import itertools
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from heapq import heappop, heappush
from operator import itemgetter
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.builder.executors.workers import Workers
from guessbook.builder.growth.splits import Nodes, splits_of
from guessbook.builder.scorers.scorer import divisible

if TYPE_CHECKING:
    from guessbook.builder.growth.frontier import Job

# Of what is ready a worker gets its share, divided by so much: later there may be more, or a worker
# that is quicker; and so much for each of its threads at least.
SHARES, LEAST = 2, 2

# No message gets more when each thread has so many pairs to score, which takes a fourth of a second
# or so: nobody waits longer for news, or loses more with a worker that dies.
MOST_PAIRS = 400 << 22

# A large node that is one item takes no longer than that, and has no more candidates than each
# thread has left to do, divided by so much: the last ones should end together.
PORTIONS = 2.5

# Items of so much weight are done side by side, if there are as many for each thread: twice as many
# save little. Each batch of nodes costs a tenth of a millisecond, in which no other thread gets on.
TOGETHER = 8


class Item(NamedTuple):
    """A piece of work.

    Attributes:
        task: what is done, to a list of batches or splits, or of tuples of one and `more`.
        nodes: of which nodes.
        more: what the task is told besides.
        size: the greatest are the most urgent: how many candidates a large node has; of a task
            the largest of those that need the same split, divided by the guesses that lead there.
        weight: how long it takes, nearly; 1 is about a millisecond, in games of hours longer.
        then: is told the result.
        final: whether no other item becomes ready by it.
    """

    task: Callable[[Job, list[Any]], list[Any]]
    nodes: Nodes
    more: tuple[Any, ...]
    size: int
    weight: float
    then: Callable[[Any], None]
    final: bool = False


# Items for one task, done by one thread.
Unit = list[Item]


class Ready:
    """Items that are ready, the most urgent first.

    Attributes:
        weight: of them all.
    """

    def __init__(self) -> None:
        self.weight = 0.0
        # Many are of one size: parts of a search, runs of a split. The greatest size is first.
        self._items: dict[int, deque[Item]] = {}
        self._sizes: list[int] = []

    def __bool__(self) -> bool:
        return bool(self._sizes)

    def __iter__(self) -> Iterator[Item]:
        return itertools.chain.from_iterable(self._items.values())

    def push(self, item: Item) -> None:
        """An item is ready."""
        if item.size not in self._items:
            self._items[item.size] = deque()
            heappush(self._sizes, -item.size)
        self._items[item.size].append(item)
        self.weight += item.weight

    def pop(self) -> Item:
        """The first of the most urgent, which is taken."""
        size = -self._sizes[0]
        item = self._items[size].popleft()
        if not self._items[size]:
            del self._items[size]
            heappop(self._sizes)
        self.weight = self.weight - item.weight if self._sizes else 0.0
        return item


class Queue:
    """The items that are ready: those that make others ready, and the final ones.

    Args:
        largest: no message gets more when it weighs so much for each thread.
    """

    def __init__(self, largest: float) -> None:
        self.largest = largest
        self._ahead, self._final = Ready(), Ready()

    def __bool__(self) -> bool:
        return bool(self._ahead or self._final)

    def __iter__(self) -> Iterator[Item]:
        return itertools.chain(self._ahead, self._final)

    @property
    def weight(self) -> float:
        """Of all items."""
        return self._ahead.weight + self._final.weight

    def push(self, item: Item) -> None:
        """An item is ready."""
        (self._final if item.final else self._ahead).push(item)

    def take(self, threads: int, workers: int, worth: float = 0.0) -> list[Unit]:
        """A message for one of so many workers, which have so many threads each.

        It has final items if there are no others, which are waited for: a share of what is ready of
        both kinds, `worth` at least, and something for each thread, as far as there is as much.
        """
        share = max(self.weight / (workers * SHARES), threads * LEAST, worth)
        share = min(share, threads * self.largest)
        # Of several threads one that is ready sooner takes what is left.
        most = min(share / (threads if threads == 1 else 2 * threads), TOGETHER)
        ready = self._ahead or self._final
        units: list[Unit] = []
        taken = filled = 0.0
        while ready and (taken < share or len(units) < threads):
            item = ready.pop()
            fits = filled + item.weight <= most
            if not (units and fits and item.task is units[-1][-1].task):
                units.append([])
                filled = 0.0
            units[-1].append(item)
            filled += item.weight
            taken += item.weight
        return units


# The same in a message: the task, and the nodes of each item with what the task is told besides.
Message = tuple[Callable[[Any, list[Any]], list[Any]], list[tuple[Any, ...]]]


def message_of(unit: Unit) -> Message:
    """A unit as it is sent."""
    # A plain tuple takes a quarter of the time to be pickled.
    return unit[0].task, [(tuple(item.nodes), *item.more) for item in unit]


def run_units(
    job: Job, units: list[Message], each: Callable[..., Iterable[Any]] = map
) -> list[list[Any]]:
    """Task: do the units of a message, by `each`, which is like `map` and may have threads."""
    splits = splits_of(job)

    def run(unit: Message) -> list[Any]:
        task, items = unit
        given: list[Any] = []
        # The parts of a search get the very same batch, which is made once.
        for nodes, some in itertools.groupby(items, itemgetter(0)):
            known = splits.of(Nodes(*nodes))
            given += [(known, *more) if more else known for _, *more in some]
        return task(job, given)

    return list(each(run, units))


def most_candidates(left: float, largest: float) -> float:
    """How many candidates a large node may have that is one item.

    Args:
        left: how many each thread has left to do.
        largest: how many take as long as a message may.
    """
    return min(left / PORTIONS, largest)


def most_under_way(threads: int, weighed: bool = True) -> int:
    """How many messages are under way for a worker of so many threads.

    One waits; another is done by the threads that have nothing left of the first, unless what
    waits may take minutes, which another worker has time for.
    """
    return 3 if threads > 1 and weighed else 2


def weighable(job: Job) -> bool:
    """Whether the weights of items say how long they take."""
    # Searches that are not divided may take minutes.
    return divisible(splits_of(job).scorer) is not None


def work_off(
    executor: Workers, job: Job, queue: Queue, report: Callable[[], None]
) -> None:  # fmt: skip
    """Deal out all items, and tell what becomes of them, until there are no more.

    Args:
        executor: does them.
        job: what is to be built.
        queue: has the items.
        report: is called after each message.
    """
    weighed = weighable(job)
    under_way: dict[Future[Any], list[Unit]] = {}
    done: SimpleQueue[Future[Any]] = SimpleQueue()
    try:
        while queue or under_way:
            # A cluster's may come and go.
            workers = executor.workers
            threads = sum(workers) // len(workers)
            worth = executor.worth(len(workers), threads) if weighed else 0.0
            while queue and len(under_way) < most_under_way(threads, weighed) * len(workers):
                units = queue.take(threads, len(workers), worth)
                dealt = executor.deal(run_units, job, list(map(message_of, units)))
                under_way[dealt] = units
                dealt.add_done_callback(done.put)
            first = done.get()
            tell(under_way.pop(first), executor.found(first))
            report()
    finally:
        for future in under_way:
            future.cancel()


def work_alone(job: Job, queue: Queue) -> None:
    """Do all items of a queue here, in this thread: of what is ready the most urgent."""
    while queue:
        units = queue.take(1, sys.maxsize, TOGETHER)
        tell(units, run_units(job, list(map(message_of, units))))


def tell(units: list[Unit], results: list[list[Any]]) -> None:
    """Tell what became of the items of a message."""
    for unit, found in zip(units, results, strict=True):
        for item, result in zip(unit, found, strict=True):
            item.then(result)
