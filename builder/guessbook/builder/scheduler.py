"""The context of a build: data that all tasks in one process share, and identifiers of nodes. Tasks: independent units of work of a build. Threads here or on a cluster run them in any order. The scheduler of a build: it sends tasks to workers in chunks, and tasks of large nodes first."""

from __future__ import annotations

from bisect import bisect
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from heapq import heappop, heappush
from queue import SimpleQueue
from threading import Lock
from time import perf_counter
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.policies import make_scorer
from guessbook.builder.scorers import Batch, root_batch, step
from guessbook.builder.subtrees import Subtrees, grow
from guessbook.engine.codes import BestGuess, CodeSearch, PartialSearch
from guessbook.policy.policy import Policy

# The cache of splits holds at most KEPT_LEVELS times as many candidates as the game has secrets.
KEPT_LEVELS = 4


class Nodes(NamedTuple):
    """Neighbouring children of a parent node, with indices from `begin` to `end` - 1.

    `split` has the guesses and feedbacks, alternating, from the root to the guess of the parent node.
    """

    split: tuple[int, ...]
    begin: int
    end: int


# The root is treated as the only child of the empty split.
ROOT = Nodes((), 0, 1)


class Siblings(NamedTuple):
    """Neighbouring children of a node, with indices from `begin` to `end` - 1."""

    begin: int
    end: int
    feedback: int  # the number of the feedback that leads to the first of these children
    size: int  # the total number of candidates of these children


def runs_of(children: Batch, limit: int) -> list[Siblings]:
    """Divide the children of a node into runs: one child, or neighbours with at most `limit` candidates in total."""
    runs: list[Siblings] = []
    starts, feedback, begin = children.starts.tolist(), children.feedback.tolist(), 0
    while begin < len(feedback):
        end = max(bisect(starts, starts[begin] + limit) - 1, begin + 1)
        runs.append(Siblings(begin, end, feedback[begin], starts[end] - starts[begin]))
        begin = end
    return runs


class Context:
    """The game and the policy of a build. Threads share its scorer and its cache of splits.

    `memory` is the limit in bytes for the tables of a search. Pickling omits the scorer and the cache.
    """

    def __init__(self, game: Game, policy: Policy, memory: int) -> None:
        self.game, self.policy, self._memory = game, policy, memory
        self.scorer = make_scorer(game, policy, memory)
        self._splits: OrderedDict[tuple[int, ...], Batch] = OrderedDict()
        self._room = KEPT_LEVELS * len(game.secrets)
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[Context], tuple[Game, Policy, int]]:
        return Context, (self.game, self.policy, self._memory)

    def batch(self, nodes: Nodes) -> Batch:
        """Return the given nodes as a `Batch`: one object with the candidates and the past guesses of all nodes."""
        return self.split(nodes.split).slice(nodes.begin, nodes.end)

    def split(self, name: tuple[int, ...]) -> Batch:
        """Return a node's children as a `Batch`. `name`: the guesses and feedbacks before the node, then its guess."""
        # The loop goes up to the nearest cached ancestor, then down; a recursion could be too deep for Python.
        wanted = [name]
        while (found := self._recall(wanted[-1])) is None:
            wanted.append(wanted[-1][:-2])
        for below in reversed(wanted[:-1]):
            # `below` ends with the feedback that leads to a node, then the guess of the node. For the root it has only
            # the guess.
            child = int(np.argmax(found.feedback == (0, *below)[-2]))
            found = step(self.scorer, found.node(child), below[-1])[1]
            self._keep(below, found)
        return found

    def _recall(self, name: tuple[int, ...]) -> Batch | None:
        if not name:
            return root_batch(len(self.game.secrets))
        with self._lock:
            known = self._splits.get(name)
            if known:
                self._splits.move_to_end(name)
        return known

    def _keep(self, name: tuple[int, ...], made: Batch) -> None:
        # Two threads may compute the same split at once. The results are equal, so only the first is cached.
        with self._lock:
            if name not in self._splits:
                self._splits[name] = made
                self._room -= len(made.candidates)
            while self._room < 0 and len(self._splits) > 1:
                _, oldest = self._splits.popitem(last=False)
                self._room += len(oldest.candidates)


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
        if search := context.scorer.divisible(candidates, path):
            budget = max(self.pairs // (EARLY * len(candidates)), 1)
            return search.begin(candidates, path, budget, self.pairs)
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
        batch, search = context.batch(self.nodes), cast(CodeSearch, context.scorer.code_search)
        path = batch.paths[0]
        return search.resume(batch.candidates, path, self.best, self.part, self.parts)


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


# The number of chunks submitted for each thread: one chunk runs and one waits, so that the thread is never idle.
UNDER_WAY = 2


class Workers(Protocol):
    """The interface of threads and of a cluster: they run tasks in chunks of about `chunk_seconds`."""

    chunk_seconds: float
    # The maximal number of worker processes on one machine; they share its memory.
    processes: int

    def threads(self) -> int:
        """Return the number of threads that run tasks, one chunk of tasks per thread; it may change during a build."""

    def share(self, context: Context, /) -> Any:
        """Make a context available to the workers, and return the value that identifies it in `submit`."""

    def submit(self, shared: Any, tasks: Sequence[Task], /) -> Future[tuple[list[Any], float]]:
        """Start `run_chunk` with some tasks on one worker, and return the future of its result."""


class Threads:
    """A pool of threads in this process, as an implementation of `Workers`."""

    # Submitting a chunk takes some tens of microseconds, a small part of `chunk_seconds`.
    chunk_seconds = 0.002
    processes = 1

    def __init__(self, number: int) -> None:
        self._number, self._pool = number, ThreadPoolExecutor(number)

    def threads(self) -> int:
        """Return the number of threads of the pool."""
        return self._number

    def share(self, context: Context) -> Context:
        """Return the context itself, as threads share memory."""
        return context

    def submit(self, shared: Context, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Start a chunk of tasks in one thread, and return the future of its result."""
        return self._pool.submit(run_chunk, shared, tasks)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # After an exception such as Ctrl-C, a running search may take seconds more, so `shutdown` does not wait.
        self._pool.shutdown(wait=kind is None, cancel_futures=True)


class Entry(NamedTuple):
    """A task in the heap; the scheduler runs the least entry first."""

    # Minus the number of candidates of the task, so that large tasks run first.
    rank: int
    # The serial number of the task: of equally large tasks, the oldest runs first.
    number: int
    task: Task
    # The work of the task relative to other tasks of the same Python class, for estimates of time.
    weight: float
    on_done: Callable[[Any], None]


class Scheduler:
    """A priority queue of tasks for workers. Callbacks may add tasks; `report` is called after each chunk."""

    def __init__(
        self, workers: Workers, context: Context, report: Callable[[], None] = lambda: None
    ) -> None:
        self.context, self.workers, self._report = context, workers, report
        self._shared = workers.share(context)
        self._heap: list[Entry] = []
        self._count = 0
        # The total seconds and the total `weight` of the finished tasks, for each Python class of tasks.
        self._taken: defaultdict[type[Task], tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))

    def push(
        self, size: int, task: Task, on_done: Callable[[Any], None], weight: float = 1.0
    ) -> None:
        """Add a task of `size` candidates; `run` calls `on_done` with its result. `Entry` explains `weight`."""
        self._count += 1
        heappush(self._heap, Entry(-size, self._count, task, weight, on_done))

    def weight_of_chunk(self, kind: type[Task]) -> float:
        """Return the estimated work of a chunk of tasks of class `kind`; 0 until a task of this class has finished."""
        seconds, weight = self._taken[kind]
        return self.workers.chunk_seconds * weight / seconds if seconds else 0.0

    def run(self) -> None:
        """Run all tasks on the workers, including tasks that callbacks add."""
        under_way: dict[Future[Any], list[Entry]] = {}
        done: SimpleQueue[Future[Any]] = SimpleQueue()
        try:
            while self._heap or under_way:
                threads = self.workers.threads()
                while self._heap and len(under_way) < UNDER_WAY * threads:
                    chunk = self._chunk(threads)
                    future = self.workers.submit(self._shared, [entry.task for entry in chunk])
                    under_way[future] = chunk
                    future.add_done_callback(done.put)
                first = done.get()
                chunk = under_way.pop(first)
                found, seconds = first.result()
                before, weight = self._taken[type(chunk[0].task)]
                weight += sum(entry.weight for entry in chunk)
                self._taken[type(chunk[0].task)] = before + seconds, weight
                for entry, result in zip(chunk, found, strict=True):
                    entry.on_done(result)
                self._report()
        finally:
            for future in under_way:
                future.cancel()

    def _chunk(self, threads: int) -> list[Entry]:
        """Take the next chunk from the heap: tasks of one Python class that take about `chunk_seconds` together."""
        # A chunk takes at most an equal share of the waiting tasks, so that all threads have work.
        share = len(self._heap) // (UNDER_WAY * threads)
        chunk = [heappop(self._heap)]
        kind, seconds = type(chunk[0].task), self._seconds(chunk[0])
        while self._heap and len(chunk) < share and type(self._heap[0].task) is kind:
            seconds += self._seconds(self._heap[0])
            if seconds > self.workers.chunk_seconds:
                break
            chunk.append(heappop(self._heap))
        return chunk

    def _seconds(self, entry: Entry) -> float:
        """Return the estimated seconds of a task; `chunk_seconds` before any task of its Python class has finished."""
        seconds, weight = self._taken[type(entry.task)]
        return entry.weight * seconds / weight if weight else self.workers.chunk_seconds
