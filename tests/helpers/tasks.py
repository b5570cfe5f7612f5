"""Small builds in many tasks for tests: counted, done in any order, or killed on the way."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from guessbook.book import Mastermind
from guessbook.builder import build as builds
from guessbook.builder.build import build, open_checkpoint
from guessbook.builder.executors.scheduler import Threads
from guessbook.builder.executors.tasks import run_chunk
from guessbook.builder.growth import frontier
from guessbook.builder.limits import Resources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from random import Random

    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.executors.context import Context
    from guessbook.builder.executors.scheduler import Workers
    from guessbook.builder.executors.tasks import Task


GAME = Mastermind(4, 7)


TASKS = 40


def cut_small(replace: Callable[[object, str, object], None]) -> None:
    """Make the builder cut the work into small parts; `replace` is like `setattr`."""
    grain = frontier.Grain(len(GAME.secrets) // TASKS, 1 << 16)
    replace(frontier, "grain_of", lambda *_: grain)


@cache
def undisturbed() -> bytes:
    """The bytes of the book of `GAME`, built in one go."""
    return build(GAME).book.to_bytes()


def opened(folder: Path, delay: float = 0.0) -> Checkpoint:
    """The checkpoint of a build of `GAME`."""
    return open_checkpoint(folder, GAME, "entropy", None, delay)


@contextmanager
def noted_tasks() -> Iterator[list[Task]]:
    """The tasks that are given to threads."""
    tasks: list[Task] = []
    submit = Threads.submit

    def noted(threads: Threads, shared: Context, chunk: Sequence[Task]) -> Future[Any]:
        tasks.extend(chunk)
        return submit(threads, shared, chunk)

    with patch.object(Threads, "submit", noted):
        yield tasks


class Consumed(Future[Any]):
    """A future that says when its result is taken."""

    def __init__(self, taken: Callable[[], None]) -> None:
        super().__init__()
        self._taken = taken

    def result(self, timeout: float | None = None) -> Any:
        """Return the result."""
        self._taken()
        return super().result(timeout)


class Shuffled:
    """Workers in this very thread: they come and go, and finish their chunks in random order.

    Args:
        random: decides.
        seconds: says how long a chunk has taken; by default it is measured.
    """

    chunk_seconds = 0.002
    processes = 1

    def __init__(
        self, random: Random, seconds: Callable[[Sequence[Task]], float] | None = None
    ) -> None:
        self._random, self._seconds = random, seconds
        self._waiting: list[tuple[Future[Any], Context, Sequence[Task]]] = []
        self._ready = 0
        self.chunks: list[list[Task]] = []

    def threads(self) -> int:
        """Return how many there are, each time another number."""
        if self._waiting and not self._ready:
            self._finish()
        return self._random.randint(1, 5)

    def share(self, context: Context) -> Context:
        """Return the context itself."""
        return context

    def submit(self, shared: Context, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Take a chunk, and finish any that waits if the scheduler would have to wait."""
        self.chunks.append(list(tasks))
        future: Future[Any] = Consumed(self._taken)
        self._waiting.append((future, shared, tasks))
        if not self._ready or self._random.random() < 0.2:
            self._finish()
        return future

    def _taken(self) -> None:
        self._ready -= 1

    def _finish(self) -> None:
        at = self._random.randrange(len(self._waiting))
        future, context, tasks = self._waiting.pop(at)
        found, seconds = run_chunk(context, tasks)
        self._ready += 1
        future.set_result((found, self._seconds(tasks) if self._seconds else seconds))


@contextmanager
def worked_by(workers: Workers) -> Iterator[None]:
    """Let these workers do the tasks of all builds."""

    @contextmanager
    def given(_: Resources) -> Iterator[Workers]:
        yield workers

    with patch.object(builds, "workers_of", given):
        yield


class KilledError(Exception):
    """Stands for the end of a process."""


@contextmanager
def dying(checkpoint: Checkpoint, results: int) -> Iterator[None]:
    """Let a build that uses a checkpoint die when it has kept so many results."""
    left, save = [results], checkpoint.save

    def counted(key: tuple[Any, ...], result: Sequence[Any]) -> None:
        if left[0]:
            save(key, result)
            left[0] -= 1
        if not left[0]:
            raise KilledError

    with patch.object(checkpoint, "save", counted):
        yield


def killed_after(folder: Path, results: int, jobs: int = 2) -> int:
    """Run a build that dies after so many results; how many of them it left."""
    checkpoint = opened(folder)
    with pytest.raises(KilledError), dying(checkpoint, results):
        build(GAME, resources=Resources(jobs), checkpoint=checkpoint)
    return len(list(folder.glob("*.tree")))
