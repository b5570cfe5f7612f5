"""The scheduler: a heap of tasks, given to workers in chunks, the most urgent task first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from heapq import heappop, heappush
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

from guessbook.builder.executors.context import Context
from guessbook.builder.executors.tasks import Task, run_chunk

# Chunks for each thread: one runs, and the next one waits.
UNDER_WAY = 2


class Workers(Protocol):
    """Workers, which run tasks in chunks of about `chunk_seconds`."""

    chunk_seconds: float
    # The number of processes that share the memory of one machine.
    processes: int

    def threads(self) -> int:
        """Return the number of tasks that run at a time; it may change during a build."""

    def share(self, context: Context, /) -> Any:
        """Give the workers the data that tasks share; return its name for `submit`."""

    def submit(self, shared: Any, tasks: Sequence[Task], /) -> Future[tuple[list[Any], float]]:
        """Have one worker run tasks by `run_chunk`."""


class Threads:
    """A pool of threads in this process. Leaving the `with` block waits for their work.

    After an interruption it does not wait, although a search may still run for seconds.
    """

    # Submitting a chunk takes some tens of microseconds.
    chunk_seconds = 0.002
    processes = 1

    def __init__(self, number: int) -> None:
        self._number, self._pool = number, ThreadPoolExecutor(number)

    def threads(self) -> int:
        """Return the number of threads."""
        return self._number

    def share(self, context: Context) -> Context:
        """Return the context: threads share memory."""
        return context

    def submit(self, shared: Context, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Have one thread run a chunk of tasks."""
        return self._pool.submit(run_chunk, shared, tasks)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._pool.shutdown(wait=kind is None, cancel_futures=True)


class Entry(NamedTuple):
    """A task in the heap: the least entry is the most urgent."""

    # Minus the number of its candidates: large tasks come first.
    rank: int
    # The number of the task in the build: ties go to the oldest.
    number: int
    task: Task
    # Its work relative to other tasks of its class.
    weight: float
    on_done: Callable[[Any], None]


class Scheduler:
    """Runs tasks, and the tasks that follow from their results; calls `report` after each chunk."""

    def __init__(self, workers: Workers, context: Context, report: Callable[[], None] = lambda: None) -> None:
        self.context, self.workers, self._report = context, workers, report
        self._shared = workers.share(context)
        self._heap: list[Entry] = []
        self._count = 0
        # For each class of tasks: the seconds that finished ones took, and their weight.
        self._taken: defaultdict[type[Task], tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))

    def push(self, size: int, task: Task, on_done: Callable[[Any], None], weight: float = 1.0) -> None:
        """Add a task; `size` is the number of its candidates."""
        self._count += 1
        heappush(self._heap, Entry(-size, self._count, task, weight, on_done))

    def weight_of_chunk(self, kind: type[Task]) -> float:
        """Return the weight of a chunk of tasks of a class; 0 until it can be estimated."""
        seconds, weight = self._taken[kind]
        return self.workers.chunk_seconds * weight / seconds if seconds else 0.0

    def run(self) -> None:
        """Have all tasks run, and call `on_done` of each in this thread, until none is left."""
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
        """Take tasks of one class for some milliseconds, but no more than a share of all tasks."""
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
        """Return the estimated seconds of a task; without an estimate, the seconds of a chunk."""
        seconds, weight = self._taken[type(entry.task)]
        return entry.weight * seconds / weight if weight else self.workers.chunk_seconds
