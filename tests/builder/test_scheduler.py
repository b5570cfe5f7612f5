"""The scheduler: the largest tasks first, in chunks that take some milliseconds."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from dataclasses import dataclass
from random import Random
from threading import Barrier, Event
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.builder.executors.context import Context
from guessbook.builder.executors.scheduler import UNDER_WAY, Scheduler, Threads
from guessbook.builder.executors.tasks import GrowTrees
from guessbook.builder.growth.frontier import Growth
from guessbook.builder.growth.plan import Plan, Run
from guessbook.builder.limits import MEMORY
from guessbook.policy.notation import policy_of
from tests.helpers.tasks import GAME, KilledError, Shuffled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from guessbook.builder.executors.tasks import Task

ENTROPY = policy_of("entropy")
CONTEXT = Context(Mastermind(2, 2), ENTROPY, MEMORY)


@dataclass(frozen=True)
class Named:
    """A task that finds its own name."""

    name: int
    weight: float = 1.0

    def run(self, _: Context) -> int:
        """Return the name."""
        return self.name


@dataclass(frozen=True)
class Other(Named):
    """A task of another class."""


@dataclass(frozen=True)
class Failing:
    """A task that fails."""

    def run(self, _: Context) -> int:
        """Fail."""
        raise KilledError


class Steady(Shuffled):
    """As many workers all the time, which note how many tasks were waiting for each chunk."""

    def __init__(self, number: int, rate: float, waiting: Callable[[], int]) -> None:
        super().__init__(Random(1), lambda tasks: rate * weight_of(tasks))
        self._number, self._left = number, waiting
        self.left: list[int] = []

    def threads(self) -> int:
        """Return how many there are."""
        super().threads()
        return self._number

    def submit(self, shared: Context, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Take a chunk."""
        self.left.append(self._left() + len(tasks))
        return super().submit(shared, tasks)


def weight_of(tasks: Sequence[Any]) -> float:
    """The weight of some tasks."""
    return float(sum(task.weight for task in tasks))


@given(
    st.lists(st.tuples(st.integers(1, 9), st.booleans(), st.floats(0.1, 9)), max_size=200),
    st.integers(1, 5),
    st.sampled_from([1e-5, 1e-4, 1e-3]),
)
def test_the_largest_tasks_come_first_in_chunks_of_their_class(
    sizes: list[tuple[int, bool, float]], number: int, rate: float
) -> None:
    """By size, then by age; a chunk is of one class, is not too long, and is a share."""
    steady = Steady(number, rate, lambda: len(scheduler._heap))
    scheduler = Scheduler(steady, CONTEXT)
    found: list[int] = []
    for name, (size, other, weight) in enumerate(sizes):
        scheduler.push(size, (Named, Other)[other](name, weight), found.append, weight)
    scheduler.run()
    dealt: list[Any] = [task for chunk in steady.chunks for task in chunk]
    order = sorted(range(len(sizes)), key=lambda name: (-sizes[name][0], name))
    assert [task.name for task in dealt] == order
    assert sorted(found) == sorted(order)
    known: set[type] = set()
    for chunk, left in zip(steady.chunks, steady.left, strict=True):
        assert len({type(task) for task in chunk}) == 1
        assert len(chunk) <= max(left // (UNDER_WAY * number), 1)
        if len(chunk) > 1:
            # Nobody can tell how long a task takes before the first of its class is done.
            assert type(chunk[0]) in known
            assert rate * weight_of(chunk) <= steady.chunk_seconds * 1.000001
        known.add(type(chunk[0]))


def test_chunks_are_as_long_as_they_may_be() -> None:
    """Where there is enough to do, a chunk takes more than half of the time that it may take."""
    steady = Steady(2, 1e-4, lambda: len(scheduler._heap))
    scheduler = Scheduler(steady, CONTEXT)
    for name in range(1000):
        scheduler.push(1, Named(name), lambda _: None)
    assert scheduler.weight_of_chunk(Named) == 0
    scheduler.run()
    assert [len(chunk) for chunk in steady.chunks[:4]] == [1] * 4
    assert {len(chunk) for chunk in steady.chunks[8:40]} <= {19, 20}
    assert scheduler.weight_of_chunk(Named) == pytest.approx(20)
    assert len(steady.chunks) < 100


def test_what_follows_from_a_task_is_done_as_well() -> None:
    """Each task may push others, of any size, and every result goes to its own listener once."""
    shuffled = Shuffled(Random(5))
    scheduler, found = Scheduler(shuffled, CONTEXT), Counter[tuple[int, int]]()
    names = itertools.count()

    def push(size: int) -> None:
        name = next(names)

        def done(result: int) -> None:
            found[name, result] += 1
            for _ in range(2 if size > 1 else 0):
                push(size - 1)

        scheduler.push(size, Named(name), done)

    push(7)
    scheduler.run()
    assert found == Counter((name, name) for name in range(2**7 - 1))


def test_progress_is_reported_after_each_chunk() -> None:
    """The report follows what the chunk's listeners have heard."""
    shuffled = Shuffled(Random(5))
    found: list[int] = []
    seen: list[int] = []
    scheduler = Scheduler(shuffled, CONTEXT, lambda: seen.append(len(found)))
    for name in range(50):
        scheduler.push(name, Named(name), found.append)
    scheduler.run()
    assert len(seen) == len(shuffled.chunks)
    assert seen == sorted(seen)
    assert seen[-1] == 50


def chunks_under_way(number: int, workers_after: Callable[[int], int]) -> list[int]:
    """The number of unfinished chunks whenever one of 99 tasks is done.

    Args:
        number: workers at the beginning.
        workers_after: how many workers there are after a number of finished tasks.
    """
    steady = Steady(number, 1e-2, lambda: len(scheduler._heap))
    scheduler = Scheduler(steady, CONTEXT)
    under_way: list[int] = []

    def done(_: int) -> None:
        under_way.append(len(steady.chunks) - len(under_way) - 1)
        steady._number = workers_after(len(under_way))

    for name in range(99):
        scheduler.push(1, Named(name), done)
    scheduler.run()
    return under_way


def test_no_more_is_under_way_than_there_is_use_for() -> None:
    """A chunk at work and one that waits for each thread, so that what is urgent is soon done."""
    under_way = chunks_under_way(3, lambda taken: 3)
    assert max(under_way) == UNDER_WAY * 3 - 1


def test_the_workers_of_the_moment_count() -> None:
    """Workers that join get chunks at once, and fewer get fewer."""
    under_way = chunks_under_way(1, lambda taken: 4 if 20 <= taken < 50 else 1)
    assert max(under_way[:20]) == 1
    assert under_way[21:50] == [7] * 29
    assert under_way[60:90] == [1] * 30


def test_an_error_takes_back_what_waits() -> None:
    """A task that fails ends the run, and futures that wait are cancelled."""
    steady = Steady(4, 1e-3, lambda: 0)
    scheduler = Scheduler(steady, CONTEXT)
    futures: list[Future[Any]] = []
    submit = steady.submit

    def noted(shared: Context, tasks: Sequence[Task]) -> Future[Any]:
        futures.append(submit(shared, tasks))
        return futures[-1]

    steady.submit = noted  # type: ignore[method-assign]
    for name in range(9):
        scheduler.push(1, Named(name), lambda _: None)

    def fail(_: int) -> None:
        raise KilledError

    scheduler.push(5, Named(77), fail)
    with pytest.raises(KilledError):
        scheduler.run()
    assert all(future.done() for future in futures)
    assert any(future.cancelled() for future in futures)
    with Threads(1) as threads:
        scheduler = Scheduler(threads, CONTEXT)
        scheduler.push(1, Failing(), lambda _: None)
        with pytest.raises(KilledError):
            scheduler.run()


def grow_tree(workers: Threads) -> None:
    """Grow the tree of a game."""
    plan = Plan(Context(GAME, ENTROPY, MEMORY), {})
    Growth(Run(workers, lambda _: None), plan).grow()


@pytest.mark.usefixtures("many_tasks")
def test_what_still_waits_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that fails takes back the tasks that it has given to the threads."""
    gate = Event()
    started: list[Task] = []

    def blocked(task: GrowTrees, _: Context) -> None:
        started.append(task)
        if len(started) > 1:
            gate.wait(10)
        raise KilledError

    monkeypatch.setattr(GrowTrees, "run", blocked)
    with Threads(1) as workers:
        try:
            with pytest.raises(KilledError):
                grow_tree(workers)
        finally:
            gate.set()
    # The one that failed, and one that the thread may have begun in the meantime.
    assert len(started) <= 2


@pytest.mark.usefixtures("many_tasks")
def test_all_threads_that_are_asked_for_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more jobs than cores as many tasks are done at the same time."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    together = Event()
    meeting = Barrier(5, together.set)

    def met(*_: object) -> None:
        # A thread may take another task before the others are cancelled.
        if not together.is_set():
            meeting.wait(10)
        raise KilledError

    monkeypatch.setattr(GrowTrees, "run", met)
    with Threads(5) as workers, pytest.raises(KilledError):
        grow_tree(workers)
