"""Tasks, the independent units of work of a build, and the scheduler that distributes them.

Threads of this process or a cluster run the tasks, in any order and with the same result.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from heapq import heappop, heappush
from queue import SimpleQueue
from threading import Lock
from time import perf_counter
from typing import Any, NamedTuple, Protocol, Self, TypeGuard, cast

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.games.game import Game
from guessbook.builder.policies import make_scorer
from guessbook.builder.scorers import Batch, root_batch, step
from guessbook.builder.subtrees import Subtrees, grow_subtrees, is_grown
from guessbook.engine.codes import BestGuess, CodeSearch, PartialSearch
from guessbook.policy.policy import Policy

# The cache of splits holds at most CACHED_LEVELS times as many candidates as the game has secrets.
CACHED_LEVELS = 4
# The number of chunks submitted for each thread: one chunk runs and one waits, so that the thread
# is never idle.
CHUNKS_PER_THREAD = 2
# For a large node, each `SearchPart` scores about this many times as many (guess, candidate) pairs
# as `BeginSearch`.
PART_PER_BEGIN = 4


class Siblings(NamedTuple):
    """Neighbouring children of a node, or the root, which counts as an only child.

    Attributes:
        path: the guesses and feedbacks, alternating, from the root to the first of these children.
        begin: the index of the first of them among all children of their parent.
        end: the index after the last.
        size: their number of candidates in all.
    """

    path: tuple[int, ...]
    begin: int
    end: int
    size: int


def root_of(game: Game) -> Siblings:
    return Siblings((), 0, 1, len(game.secrets))


class WorkerState:
    """The data that tasks share in one process: the scorer, and a cache of the children of nodes.

    `memory` is the limit in bytes for the tables of a search. Pickling omits the scorer and the
    cache.
    """

    def __init__(self, game: Game, policy: Policy, memory: int) -> None:
        self.game, self.policy, self._memory = game, policy, memory
        self.scorer = make_scorer(game, policy, memory)
        self._splits: OrderedDict[tuple[int, ...], Batch] = OrderedDict()
        self._room = CACHED_LEVELS * len(game.secrets)
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[WorkerState], tuple[Game, Policy, int]]:
        return WorkerState, (self.game, self.policy, self._memory)

    def batch(self, nodes: Siblings) -> Batch:
        """Return the candidates and the past guesses of some nodes."""
        return self.children(nodes.path[:-1]).slice(nodes.begin, nodes.end)

    def children(self, path: tuple[int, ...]) -> Batch:
        """Return all children of a node.

        `path` leads to the node and ends with its guess; () has the root as child.
        """
        # The loops go up to the nearest cached ancestor, then down; a recursion could be too deep
        # for Python.
        missing: list[tuple[int, ...]] = []
        with self._lock:
            while path and path not in self._splits:
                missing.append(path)
                path = path[:-2]
            if path:
                self._splits.move_to_end(path)
            found = self._splits[path] if path else root_batch(len(self.game.secrets))
        for path in reversed(missing):
            # Before the guess, `path` has the feedback that leads to the node; for the root it has
            # only the guess.
            child = int(np.argmax(found.feedback == (0, *path)[-2]))
            found = step(self.scorer, found.node(child), path[-1])[1]
            self._keep(path, found)
        return found

    def _keep(self, path: tuple[int, ...], children: Batch) -> None:
        with self._lock:
            # Two threads may compute the same children at once. The results are equal, so only the
            # first is cached.
            if path not in self._splits:
                self._splits[path] = children
                self._room -= len(children.candidates)
            while self._room < 0 and len(self._splits) > 1:
                _, oldest = self._splits.popitem(last=False)
                self._room += len(oldest.candidates)


@dataclass(frozen=True)
class Task:
    """The base class of tasks.

    A task is plain data. Its result depends only on this data, the game and the policy.
    """

    nodes: Siblings

    @property
    def work(self) -> int:
        """The work of the task, relative to other tasks of its class, for estimates of time."""
        return self.nodes.size

    def run(self, state: WorkerState) -> Any:
        """Run the task and return its result."""
        raise NotImplementedError

    def accepts(self, state: WorkerState, found: object) -> bool:
        """Return whether a value from another process can be the result of the task."""
        raise NotImplementedError


@dataclass(frozen=True)
class BeginSearch(Task):
    """Begins the search for the guess of a node; at a large node, `SearchPart` tasks follow."""

    pairs: int  # the approximate number of (guess, candidate) pairs that each `SearchPart` scores

    def run(self, state: WorkerState) -> PartialSearch:
        """Return the best of some or all guesses, and how many `SearchPart` tasks must follow."""
        batch = state.batch(self.nodes)
        candidates, path = batch.candidates, batch.paths[0]
        if search := state.scorer.divisible(candidates, path):
            budget = max(self.pairs // (PART_PER_BEGIN * len(candidates)), 1)
            return search.begin(candidates, path, budget, self.pairs)
        guesses, scored = state.scorer.choose(candidates, batch.starts, batch.paths)
        return PartialSearch(BestGuess(0, 0, -int(guesses[0]), int(scored[0])), 0)

    def accepts(self, state: WorkerState, found: object) -> bool:
        """Return whether a value is the best guess so far, and a number of parts."""
        if not isinstance(found, PartialSearch) or type(found.parts) is not int:
            return False
        # No search has more parts than guesses.
        most = len(state.game.guesses) if state.scorer.code_search else 0
        return 0 <= found.parts <= most and is_best_guess(found.found, state, self.nodes)


@dataclass(frozen=True)
class SearchPart(Task):
    """Searches a part of a large node's guesses; `best` is the best that `BeginSearch` found."""

    best: BestGuess
    part: int
    parts: int

    @property
    def work(self) -> int:
        """1, because every part scores about the same number of pairs."""
        return 1

    def run(self, state: WorkerState) -> BestGuess:
        """Return the best guess of this part, or `best` if none is better."""
        batch, search = state.batch(self.nodes), cast(CodeSearch, state.scorer.code_search)
        path = batch.paths[0]
        return search.resume(batch.candidates, path, self.best, self.part, self.parts)

    def accepts(self, state: WorkerState, found: object) -> bool:
        """Return whether a value is a guess that is at least as good as `best`."""
        return is_best_guess(found, state, self.nodes) and found >= self.best._replace(scored=0)


@dataclass(frozen=True)
class GrowTrees(Task):
    """Computes the complete subtrees of small nodes."""

    def run(self, state: WorkerState) -> Subtrees:
        """Return the subtrees, including the nodes."""
        return grow_subtrees(state.scorer, state.batch(self.nodes))

    def accepts(self, state: WorkerState, found: object) -> bool:
        """Return whether a value can be the finished subtrees."""
        if not isinstance(found, Subtrees):
            return False
        return is_grown(state.scorer, state.batch(self.nodes), list(found))


def is_best_guess(found: object, state: WorkerState, nodes: Siblings) -> TypeGuard[BestGuess]:
    """Return whether a value is a `BestGuess` of integers, whose guess is informative at a node."""
    if not isinstance(found, BestGuess) or not all(type(value) is int for value in found):
        return False
    return found.scored >= 0 and tells(state, nodes, -found.higher)


def tells(state: WorkerState, node: Siblings, guess: int) -> bool:
    """Return whether a number is the index of a guess that splits a node or solves it."""
    if not 0 <= guess < len(state.game.guesses):
        return False
    candidates = state.batch(node).candidates
    whole = np.array([0, len(candidates)])
    answers = state.scorer.feedbacks(np.array([guess], np.uint32), candidates, whole)
    return bool((answers != answers[0]).any() or answers[0] == state.game.solved)


def run_chunk(state: WorkerState, tasks: Sequence[Task]) -> tuple[list[Any], float]:
    """Run tasks one after the other; return the list of their results, and the total seconds."""
    start = perf_counter()
    found = [task.run(state) for task in tasks]
    return found, perf_counter() - start


class Workers(Protocol):
    """Threads of this process, or a cluster; they run tasks in chunks of about `chunk_seconds`."""

    chunk_seconds: float
    # Whether the tasks run in other processes, so that their results have to be checked.
    foreign: bool
    # The largest number of worker processes on one machine; they share its memory.
    processes: int

    def threads(self) -> int:
        """Return the number of threads that run tasks; it may change during a build."""

    def submit(
        self, state: WorkerState, tasks: Sequence[Task], /
    ) -> Future[tuple[list[Any], float]]:
        """Start `run_chunk` with some tasks in one thread, and return the future of its result."""


class Threads:
    """The `Workers` of a local build: a pool of threads."""

    # Submitting a chunk takes some tens of microseconds, a small part of `chunk_seconds`.
    chunk_seconds = 0.002
    foreign = False
    processes = 1

    def __init__(self, number: int) -> None:
        self._number, self._pool = number, ThreadPoolExecutor(number)

    def threads(self) -> int:
        return self._number

    def submit(self, state: WorkerState, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Start a chunk of tasks; the threads share the state."""
        return self._pool.submit(run_chunk, state, tasks)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # After an exception such as Ctrl-C, a running search may take seconds more, so `shutdown`
        # does not wait.
        self._pool.shutdown(wait=kind is None, cancel_futures=True)


class QueuedTask(NamedTuple):
    """A task in the heap; the scheduler runs the task with the smallest `rank` first."""

    # Minus the number of candidates of the task, so that large tasks run first.
    rank: int
    # The serial number of the task: of equally large tasks, the oldest runs first.
    number: int
    task: Task
    on_done: Callable[[Any], None]


def are_results(state: WorkerState, chunk: Sequence[QueuedTask], found: object) -> bool:
    """Return whether a value from another process is a list of possible results, and a time."""
    if not isinstance(found, tuple) or [*map(type, found)] != [list, float]:
        return False
    results, seconds = found
    if len(results) != len(chunk) or not 0 <= seconds < float("inf"):
        return False
    return all(
        queued.task.accepts(state, result) for queued, result in zip(chunk, results, strict=True)
    )


class Scheduler:
    """A priority queue of tasks for workers.

    Callbacks may add tasks. `report` is called after each chunk.
    """

    def __init__(
        self, workers: Workers, state: WorkerState, report: Callable[[], None] | None = None
    ) -> None:
        self.state, self.workers, self._report = state, workers, report
        self._heap: list[QueuedTask] = []
        self._count = 0
        # The total seconds and the total work of the finished tasks, for each class of tasks.
        self._taken: defaultdict[type[Task], tuple[float, int]] = defaultdict(lambda: (0.0, 0))

    def push(self, task: Task, on_done: Callable[[Any], None]) -> None:
        """Add a task; `run` calls `on_done` with its result."""
        self._count += 1
        heappush(self._heap, QueuedTask(-task.nodes.size, self._count, task, on_done))

    def work_of_chunk(self, kind: type[Task]) -> float:
        """Return the work of a chunk of tasks of a class; 0 until one of them has finished."""
        seconds, work = self._taken[kind]
        return self.workers.chunk_seconds * work / seconds if seconds else 0.0

    def run(self) -> None:
        """Run all tasks on the workers, including tasks that callbacks add."""
        under_way: dict[Future[Any], list[QueuedTask]] = {}
        done: SimpleQueue[Future[Any]] = SimpleQueue()
        try:
            while self._heap or under_way:
                threads = self.workers.threads()
                while self._heap and len(under_way) < CHUNKS_PER_THREAD * threads:
                    chunk = self._chunk(threads)
                    future = self.workers.submit(self.state, [queued.task for queued in chunk])
                    under_way[future] = chunk
                    future.add_done_callback(done.put)
                first = done.get()
                chunk = under_way.pop(first)
                found = first.result()
                if self.workers.foreign and not are_results(self.state, chunk, found):
                    raise BuildError(
                        f"a worker returned a damaged result of {type(chunk[0].task).__name__}; "
                        "check the versions and the memory of the workers, and build again"
                    )
                results, seconds = found
                kind = type(chunk[0].task)
                before, work = self._taken[kind]
                work += sum(queued.task.work for queued in chunk)
                self._taken[kind] = before + seconds, work
                for queued, result in zip(chunk, results, strict=True):
                    queued.on_done(result)
                if self._report:
                    self._report()
        finally:
            for future in under_way:
                future.cancel()

    def _chunk(self, threads: int) -> list[QueuedTask]:
        """Take the next chunk from the heap: tasks of one class that take about `chunk_seconds`."""
        # A chunk takes at most an equal share of the waiting tasks, so that all threads have work.
        share = len(self._heap) // (CHUNKS_PER_THREAD * threads)
        chunk = [heappop(self._heap)]
        kind = type(chunk[0].task)
        room = self.work_of_chunk(kind) - chunk[0].task.work
        while self._heap and len(chunk) < share and type(self._heap[0].task) is kind:
            room -= self._heap[0].task.work
            if room < 0:
                break
            chunk.append(heappop(self._heap))
        return chunk
