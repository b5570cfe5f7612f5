"""The scheduler of a build: it sends tasks to workers in chunks, and tasks of large nodes first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from heapq import heappop, heappush
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

from guessbook.builder.executors.context import Context
from guessbook.builder.executors.tasks import Task, run_chunk

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
