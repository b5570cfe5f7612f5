"""Who does the tasks of a build: threads of this process, or the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol


class Workers(Protocol):
    """An executor that says who works, so that the work can be dealt out to them."""

    @property
    def workers(self) -> list[int]:
        """How many threads each worker has: one worker at least."""

    def worth(self, workers: int, threads: int, /) -> float:
        """What a message should weigh for one of so many workers of so many threads each.

        As `growth.queue.Item` does, if it has its price; else 0.
        """

    def submit(self, task: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Have `task(*arguments)` done by one thread."""

    def deal(self, task: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Have it done by all threads of a worker.

        A worker of a cluster tells it `each` besides, which is like `map`.
        """

    def found(self, dealt: Future[Any]) -> Any:
        """What a dealt task has found; raises what it has raised."""


class Threads(ThreadPoolExecutor):
    """So many threads of this process: workers of a thread each.

    As a context it waits for them at its end, when their work is done. After an interruption a
    search may still run for seconds: then it does not.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.workers = [1] * number

    def worth(self, _: int, __: int, /) -> float:
        """What a message should weigh: it costs nothing."""
        return 0.0

    deal = ThreadPoolExecutor.submit

    def found(self, dealt: Future[Any]) -> Any:
        """What a dealt task has found; raises what it has raised."""
        return dealt.result()

    def __exit__(self, kind: object, *_: object) -> None:
        self.shutdown(wait=kind is None, cancel_futures=True)
