"""How a tree grows: its work in parts that any order of them leaves the same, and a forecast."""

from __future__ import annotations

import gc
import itertools
import pickle
import subprocess
import sys
import weakref
from functools import cache
from random import Random
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any, ClassVar
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, WordGame
from guessbook.builder.build import Build, build
from guessbook.builder.executors import context as contexts
from guessbook.builder.executors import scheduler
from guessbook.builder.executors.context import Context, Nodes, runs_of
from guessbook.builder.executors.tasks import BeginSearch, GrowTrees, SearchPart, run_chunk
from guessbook.builder.growth import frontier
from guessbook.builder.growth.frontier import Grain
from guessbook.builder.growth.progress import Forecast, Progress
from guessbook.builder.limits import MEMORY, Resources
from guessbook.builder.scorers.batch import Batch, root_batch, step
from guessbook.policy.notation import policy_of
from tests.helpers.samples import WORD_GAME
from tests.helpers.tasks import GAME, Shuffled, killed_after, noted_tasks, opened, worked_by

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book.games.game import Game
    from guessbook.builder.executors.tasks import Task

pytestmark = pytest.mark.usefixtures("many_tasks")

ENTROPY = policy_of("entropy")
WORDS = WordGame([a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"])


def test_an_earlier_run_does_not_distort_the_time_left() -> None:
    """Results found on disk count as done; the time left follows from this run's work alone."""
    now = [0.0]
    forecast = Forecast(clock=lambda: now[0])
    forecast.expect(1000)
    assert forecast.progress() == Progress("scoring", 0, 1000)
    forecast.finish(600, earlier=True)
    now[0] = 5.0
    # Nothing is measured yet.
    assert forecast.progress() == Progress("scoring", 600, 1000)
    forecast.finish(100)
    assert forecast.progress() == Progress("scoring", 700, 1000, 15.0)
    forecast.expect(100)
    assert forecast.progress() == Progress("scoring", 700, 1100, 20.0)


@pytest.mark.parametrize("results", [0, 5, 25, 60])
def test_progress_ends_at_its_total(results: int, tmp_path: Path) -> None:
    """What is done only grows, resumed or not, and the last report says that it is all."""
    folder = tmp_path / "a.parts"
    killed_after(folder, results)
    totals = []
    for checkpoint in (None, opened(folder)):
        seen: list[Progress] = []
        build(GAME, progress=seen.append, checkpoint=checkpoint)
        done = [progress.done for progress in seen]
        assert done == sorted(done)
        assert all(progress.done <= progress.total for progress in seen)
        assert seen[-1].done == seen[-1].total
        assert seen[-1].seconds == 0
        totals.append(seen[-1].total)
    assert totals[0] == totals[1]


def test_the_total_is_known_early() -> None:
    """With half of the work done, no more than a third of it is still unknown."""
    seen: list[Progress] = []
    build(Mastermind(4, 9), resources=Resources(1), progress=seen.append)
    assert {progress.stage for progress in seen} == {"scoring"}
    assert all(progress.seconds is not None for progress in seen)
    early = next(progress for progress in seen if progress.done > seen[-1].total / 2)
    assert early.total > seen[-1].total * 2 / 3


@pytest.mark.parametrize("grain", [Grain(5, 1), Grain(60, 5_000), Grain(10**6, 10**12)])
@pytest.mark.parametrize("jobs", [1, 3])
def test_any_grain_gives_the_same_book(
    grain: Grain, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tree does not depend on how finely the work is cut, nor the pairs on who did it."""
    usual = build(GAME)
    monkeypatch.setattr(frontier, "grain_of", lambda _: grain)
    built = build(GAME, resources=Resources(jobs))
    assert built.book.to_bytes() == usual.book.to_bytes()
    assert built.pairs == build(GAME, resources=Resources(2)).pairs


CASES: list[tuple[Game, Any, str | None]] = [
    (GAME, "entropy", None),
    (Mastermind(4, 7, repeats=False), "minimax", None),
    (Mastermind(9, 2), "expected", None),
    (Mastermind(5, 5), "parts", "RRYGB"),
    (Mastermind(4, 6), "entropy-corrected", "RRRR"),
    (Mastermind(3, 5), {"name": "rollout", "width": 5}, None),
    (Mastermind(3, 5), "lookahead", None),
    (Mastermind(3, 5), "optimal", None),
    (WORDS, "entropy", None),
    (WORDS, "optimal", None),
]


@pytest.mark.parametrize(("game", "policy", "first"), CASES)
def test_any_order_of_completion_gives_the_same_book(
    game: Game, policy: Any, first: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is finished first, with workers that come and go: the same tree and pairs."""
    grain = Grain(max(len(game.secrets) // 40, 3), 1 << 10)
    monkeypatch.setattr(frontier, "grain_of", lambda _: grain)
    expected = build(game, policy, first, Resources(1))
    for seed in range(4):
        shuffled = Shuffled(Random(seed))
        with worked_by(shuffled):
            built = build(game, policy, first)
        assert built.book.to_bytes() == expected.book.to_bytes()
        # What is remembered of sets depends on who searched them.
        assert built.pairs == expected.pairs or policy == "optimal"
        assert len(shuffled.chunks) > 5


@given(st.integers(2, 300), st.integers(10, 20), st.integers(0, 1 << 32))
def test_no_cut_and_no_order_changes_a_book(limit: int, pairs: int, seed: int) -> None:
    """For any grain the pairs do not depend on the order, and the book on neither."""
    with patch.object(frontier, "grain_of", lambda _: Grain(limit, 1 << pairs)):
        expected = build(Mastermind(4, 5), resources=Resources(1))
        with worked_by(Shuffled(Random(seed))):
            built = build(Mastermind(4, 5))
    assert built.book.to_bytes() == expected.book.to_bytes() == whole_book()
    assert built.pairs == expected.pairs


@cache
def whole_book() -> bytes:
    """The book of the game above, cut as usual."""
    return build(Mastermind(4, 5)).book.to_bytes()


def test_searches_are_divided_and_neighbours_grown_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Large nodes of a code game are searched in parts, small ones grown in runs; each once."""
    monkeypatch.setattr(frontier, "grain_of", lambda _: Grain(60, 1 << 14))
    with noted_tasks() as tasks:
        build(GAME)
    assert len(set(tasks)) == len(tasks)
    searched = {task.nodes for task in tasks if isinstance(task, BeginSearch)}
    parted = [task for task in tasks if isinstance(task, SearchPart)]
    assert {task.nodes for task in parted} <= searched
    for nodes in {task.nodes for task in parted}:
        parts = [task for task in parted if task.nodes == nodes]
        assert sorted(task.part for task in parts) == list(range(parts[0].parts))
        assert len({task.best for task in parts}) == 1
    grown = [task.nodes for task in tasks if isinstance(task, GrowTrees)]
    assert any(nodes.end - nodes.begin > 1 for nodes in grown)
    assert not searched.intersection(grown)


class Weak(Context):
    """A context that can be seen to be freed."""

    made: ClassVar[list[weakref.ref[Context]]] = []

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        Weak.made.append(weakref.ref(self))


def test_two_builds_at_once_do_not_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads that build different games get their own books; nothing of them remains."""
    jobs: list[tuple[Game, str]] = [(GAME, "entropy"), (Mastermind(3, 6), "optimal")]
    expected = [build(*job).book.to_bytes() for job in jobs]
    monkeypatch.setattr("guessbook.builder.growth.frontier.Context", Weak)
    monkeypatch.setattr("guessbook.builder.growth.optimum.Context", Weak)
    Weak.made.clear()
    meeting, met = Barrier(2), [False]

    def together(context: Context, tasks: list[Task]) -> tuple[list[Any], float]:
        if not met[0]:
            meeting.wait(60)
            met[0] = True
        return run_chunk(context, tasks)

    monkeypatch.setattr(scheduler, "run_chunk", together)
    found: list[Build | None] = [None, None]

    def built(index: int) -> None:
        found[index] = build(*jobs[index], resources=Resources(1))

    threads = [Thread(target=built, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert [one.book.to_bytes() for one in found if one] == expected
    gc.collect()
    assert len(Weak.made) >= 2
    assert [made() for made in Weak.made] == [None] * len(Weak.made)


# Does the tasks that it is sent as pickles, and sends what they find.
ELSEWHERE = """
import pickle, sys
context, tasks = pickle.load(sys.stdin.buffer)
found = [task.run(context) for task in tasks]
pickle.dump(found, sys.stdout.buffer)
"""


@pytest.mark.parametrize(
    ("game", "policy"), [(GAME, "entropy"), (Mastermind(3, 5), "optimal"), (WORDS, "rollout")]
)
def test_a_context_goes_to_another_process(game: Game, policy: str) -> None:
    """Pickled it is small, and tasks find there what they find here."""
    context = Context(game, policy_of(policy), MEMORY)
    children = len(context.split((7,)).feedback)
    first = int(context.split((7,)).feedback[2])
    below = len(context.split((7, first, 3)).feedback)
    tasks: list[Task] = [
        BeginSearch(Nodes((7,), 0, 1), 1 << 16),
        GrowTrees(Nodes((7,), 1, children)),
        GrowTrees(Nodes((7, first, 3), 0, below)),
    ]
    sent = pickle.dumps((context, tasks))
    assert len(sent) < 20_000
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], input=sent, capture_output=True, check=True, timeout=120
    )
    assert pickle.loads(done.stdout) == run_chunk(context, tasks)[0]


@given(st.lists(st.integers(1, 30), min_size=1, max_size=40), st.integers(1, 40))
def test_runs_of_children_are_as_long_as_they_may_be(sizes: list[int], limit: int) -> None:
    """Every child is in one; a run has up to the limit, or one child, and the next does not fit."""
    starts = [0, *itertools.accumulate(sizes)]
    feedback, none = np.arange(7, 7 + len(sizes)), np.zeros((0, 0), np.uint32)
    runs = runs_of(Batch(none.ravel(), np.array(starts), none, feedback), limit)
    assert [k for begin, end, *_ in runs for k in range(begin, end)] == list(range(len(sizes)))
    for begin, end, *told in runs:
        some = sizes[begin:end]
        assert told == [7 + begin, sum(some)]
        assert sum(some) <= limit or len(some) == 1
    assert all(run.size + sizes[run.end] > limit for run in runs[:-1])


def test_splits_that_are_forgotten_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node is found by its history, whatever is kept, and no more is kept than there is room."""
    roomy = Context(GAME, ENTROPY, MEMORY)
    monkeypatch.setattr(contexts, "KEPT_LEVELS", 0)
    strict, scorer = Context(GAME, ENTROPY, MEMORY), roomy.scorer
    below = step(scorer, root_batch(len(GAME.secrets)), 9)[1]
    for number, feedback in enumerate(below.feedback.tolist()):
        node = below.node(number)
        for guess in (0, 77):
            expected = step(scorer, node, guess)[1]
            for some in (roomy, strict, roomy):
                found = some.batch(Nodes((9, feedback, guess), 0, len(expected.feedback)))
                assert all((a == b).all() for a, b in zip(found, expected, strict=True))
            assert len(strict._splits) == 1
    assert len(roomy._splits) == 1 + 2 * len(below.feedback)


def test_a_small_game_is_one_task() -> None:
    """Where all candidates are few the root is searched, and the rest grown, in few tasks."""
    with noted_tasks() as tasks, patch.object(frontier, "grain_of", lambda _: Grain(999, 1 << 25)):
        build(WORD_GAME)
    assert [type(task) for task in tasks] == [BeginSearch, GrowTrees]
