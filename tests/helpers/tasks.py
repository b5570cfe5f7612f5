"""Small builds in many tasks for tests: cut up, undisturbed, or killed on the way."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from guessbook.book import Mastermind
from guessbook.builder.growth import frontier
from guessbook.builder.growth.build import Means, build, open_checkpoint


if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from guessbook.builder.executors.checkpoint import Checkpoint


GAME = Mastermind(4, 7)


TASKS = 40


def cut_small(replace: Callable[[object, str, object], None]) -> None:
    """Make the builder cut the work into small parts; `replace` is like `setattr`."""
    grain = frontier.Grain(len(GAME.secrets) // TASKS, 1 << 16)
    replace(frontier, "grain_of", lambda _: grain)


@cache
def undisturbed() -> bytes:
    """The bytes of the book of `GAME`, built in one go."""
    return build(GAME).book.to_bytes()


def opened(folder: Path, delay: float = 0.0) -> Checkpoint:
    """The checkpoint of a build of `GAME`."""
    return open_checkpoint(folder, GAME, "entropy", None, delay)


@contextmanager
def all_divided() -> Iterator[None]:
    """No large node is one item, as if there was hardly anything left to do."""
    with patch.object(frontier, "most_candidates", lambda *_: 0.0):
        yield


@contextmanager
def counted_tasks() -> Iterator[Counter[str]]:
    """How many items of each task are dealt out, or of its name where a replay deals them."""
    counts: Counter[str] = Counter()
    take = Queue.take

    def counted(queue: Queue, threads: int, workers: int, worth: float) -> list[Unit]:
        units = take(queue, threads, workers, worth)
        # An item that is a large node deals with what is below it by itself.
        if workers < sys.maxsize:
            items = [item for unit in units for item in unit]
            counts.update(str(getattr(item.task, "__name__", item.task)) for item in items)
        return units

    with patch.object(Queue, "take", counted):
        yield counts


class KilledError(Exception):
    """Stands for the end of a process."""


def killed_after(folder: Path, results: int, jobs: int = 2) -> int:
    """Run a build that dies after so many results; how many of them it left."""
    left, checkpoint = [results], opened(folder)
    keep = checkpoint.keep

    def dying(result: Any) -> None:
        if left[0]:
            keep(result)
            left[0] -= 1
        if not left[0]:
            raise KilledError

    with patch.object(checkpoint, "keep", dying), pytest.raises(KilledError):
        build(GAME, means=Means(jobs), checkpoint=checkpoint)
    return len(list(folder.glob("*.tree")))
