"""The division of a build into tasks, the threads that run them, and the reported progress."""

from __future__ import annotations

import gc
import itertools
import json
import os
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.building.cases import CASES, GAME, Counted, book_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run


@given(
    case=st.sampled_from(CASES),
    first=st.sampled_from([None, 0, 7]),
    task_size=st.integers(5, 400),
    jobs=st.integers(1, 5),
)
def test_task_size_and_threads_do_not_change_the_book(
    case: tuple[gb.Game, str], first: int | None, task_size: int, jobs: int
) -> None:
    game, policy = case
    opening = None if first is None else game.guesses[first]
    book = gb.build(game, policy, first_guess=opening, task_size=task_size, jobs=jobs)
    assert book.to_bytes() == book_bytes(case, opening)


@pytest.mark.parametrize("game", [gb.Mastermind(4, 8), gb.Mastermind(4, 9, repeats=False)], ids=str)
def test_default_task_size_gives_same_bytes_with_any_number_of_threads(game: gb.Game) -> None:
    assert len({gb.build(game, jobs=jobs).to_bytes() for jobs in (1, 2, 5)}) == 1


def test_tree_that_is_deeper_than_the_cache_of_splits_is_built() -> None:
    # Each guess excludes one secret, so all levels together have more candidates than the cache
    # holds: four times the number of secrets.
    labels = [str(number) for number in range(60)]
    game = gb.TableGame(labels, labels, lambda guess, secret: "yes" if guess == secret else "no")
    book = gb.build(game, "parts", task_size=1)
    assert book.stats.distribution == (1,) * 60
    assert book.to_bytes() == gb.build(game, "parts").to_bytes()


def test_number_of_scored_pairs_does_not_depend_on_threads(run: Run) -> None:
    found = [
        json.loads(
            run(
                *f"build-book --pegs 5 --colors 6 --stats --json --force -o a --jobs {jobs}".split()
            ).out
        )["feedbacks_scored"]
        for jobs in (1, 3)
    ]
    expected = (54_432, 10_451_122, 5_272_422, 2_007_315, 24_225)
    assert found[0] == found[1]
    assert tuple(found[0].values())[:5] == expected


def test_builds_in_two_threads_are_independent() -> None:
    meeting = Barrier(2)
    cases = CASES[0], CASES[6]

    def build(case: tuple[gb.Game, str]) -> bytes:
        first = itertools.chain([True], itertools.repeat(False))

        def meet(_: gb.Progress) -> None:
            if next(first):
                meeting.wait(60)

        return gb.build(*case, task_size=20, jobs=1, progress=meet).to_bytes()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(build, cases)) == [book_bytes(case) for case in cases]


def test_finished_build_frees_its_policy() -> None:
    policy = Counted()
    alive = weakref.ref(policy)
    gb.build(gb.Mastermind(2, 3), policy)
    del policy
    gc.collect()
    assert alive() is None


class Meeting(Counted):
    """A policy whose guesses below the root wait until `number` threads choose guesses at once."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.together = Event()
        self.barrier = Barrier(number, self.together.set)

    def choose(self, game: gb.Game, history: Any, candidates: Any) -> int:
        if history and not self.together.is_set():
            self.barrier.wait(30)
        return super().choose(game, history, candidates)


@pytest.mark.parametrize(("jobs", "cores"), [(5, 1), (None, 3)])
def test_build_uses_as_many_threads_as_asked_for(
    jobs: int | None, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    policy = Meeting(jobs or cores)
    gb.build(GAME, policy, first_guess="RYGB", jobs=jobs, task_size=30)
    assert policy.together.is_set()


class Failing(Counted):
    """A policy that raises an error for every guess but the first."""

    def choose(self, game: gb.Game, history: Any, candidates: Any) -> int:
        if history:
            self.calls += 1
            raise ZeroDivisionError
        return super().choose(game, history, candidates)


def test_failed_task_ends_the_build_and_cancels_waiting_tasks() -> None:
    policy = Failing()
    with pytest.raises(ZeroDivisionError):
        gb.build(GAME, policy, jobs=1, task_size=1)
    # The root, the failed task, and one that the thread may have begun before it was cancelled.
    assert policy.calls <= 3


class Blocking(Counted):
    """A policy whose third call blocks until it is released."""

    def __init__(self) -> None:
        super().__init__()
        self.release, self.released = Event(), []  # type: tuple[Event, list[bool]]

    def choose(self, game: gb.Game, history: Any, candidates: Any) -> int:
        found = super().choose(game, history, candidates)
        if self.calls == 3:
            self.released.append(self.release.wait(30))
        return found


def test_interrupted_build_does_not_wait_for_running_tasks() -> None:
    policy = Blocking()

    def interrupt(_: gb.Progress) -> None:
        if policy.calls > 4:
            raise KeyboardInterrupt

    try:
        with pytest.raises(KeyboardInterrupt):
            gb.build(GAME, policy, jobs=2, task_size=1, progress=interrupt)
        assert not policy.released
    finally:
        policy.release.set()


def test_reported_progress_never_decreases_and_reaches_its_total() -> None:
    seen: list[gb.Progress] = []
    gb.build(GAME, task_size=30, progress=seen.append)
    done = [progress.done for progress in seen]
    assert done == sorted(done)
    assert all(progress.done <= progress.total for progress in seen)
    assert {progress.stage for progress in seen} == {"scoring"}
    assert seen[-1].done == seen[-1].total
    assert seen[-1].seconds == 0


def test_most_of_the_total_of_the_progress_is_known_halfway() -> None:
    seen: list[gb.Progress] = []
    gb.build(gb.Mastermind(4, 9), jobs=1, progress=seen.append)
    assert all(progress.seconds is not None for progress in seen)
    early = next(progress for progress in seen if progress.done > seen[-1].total / 2)
    assert early.total > seen[-1].total * 2 / 3


class Slow(Counted):
    """A policy that takes 50 ms for its first guess."""

    def choose(self, game: gb.Game, history: Any, candidates: Any) -> int:
        if not self.calls:
            time.sleep(0.05)
        return super().choose(game, history, candidates)


def test_remaining_time_is_estimated_from_the_work_of_this_run(tmp_path: Path) -> None:
    size = 100

    def build() -> list[gb.Progress]:
        seen: list[gb.Progress] = []
        how: dict[str, Any] = {
            "task_size": size,
            "checkpoint": tmp_path / "parts",
            "checkpoint_delay": 0,
        }
        gb.build(GAME, Slow(), jobs=1, progress=seen.append, **how)
        return seen

    whole = build()
    for path in sorted(tmp_path.glob("*/*.tree"), key=lambda path: path.stat().st_size)[-2:]:
        path.unlink()
    first, last = build()
    assert (last.done, last.total) == (whole[-1].done, whole[-1].total)
    # This run has finished one task, which took at least 50 ms for at most `size` candidates.
    assert first.seconds is not None
    assert first.seconds >= 0.05 * (last.done - first.done) / size
