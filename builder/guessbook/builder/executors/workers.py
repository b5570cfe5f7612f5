"""The workers that run the tasks of a build: threads of this process, or those of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from guessbook.builder.executors.context import Context
from guessbook.builder.executors.tasks import Task, run_chunk


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
        """Have tasks run by `run_chunk`."""


class Threads:
    """Threads of this process; the context ends when their work is done.

    After an interruption it ends at once, although a search may still run for seconds.
    """

    # Submitting a chunk takes some tens of microseconds.
    chunk_seconds = 0.002
    processes = 1

    def __init__(self, number: int) -> None:
        self._number = number
        self._pool = ThreadPoolExecutor(number)

    def threads(self) -> int:
        """Return the number of threads."""
        return self._number

    def share(self, context: Context) -> Context:
        """Return the context: threads share memory."""
        return context

    def submit(self, shared: Context, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Have one thread run tasks."""
        return self._pool.submit(run_chunk, shared, tasks)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._pool.shutdown(wait=kind is None, cancel_futures=True)
