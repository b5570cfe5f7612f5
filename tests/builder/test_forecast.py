"""The forecast: progress reaches its total, and the time left is near early on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind
from guessbook.builder.growth.build import Means, build
from guessbook.builder.growth.progress import LATER, USUAL, Forecast, Progress, weight
from guessbook.builder.growth.progress import TASKS as TASK

if TYPE_CHECKING:
    from pathlib import Path

from tests.helpers.tasks import GAME, killed_after, opened

pytestmark = pytest.mark.usefixtures("many_tasks")


def test_an_earlier_run_does_not_distort_the_time_left() -> None:
    """Results found on disk count as done; the time left follows from this run's pairs alone."""
    now = [0.0]
    forecast = Forecast(1000, top=50, clock=lambda: now[0])
    forecast.expect(TASK, 10.0)
    # Nothing is measured yet: the usual cost.
    assert forecast.progress() == Progress("scoring", 50, 50 + round(10 * 1000 * USUAL[TASK]))
    for _ in range(6):
        forecast.add(TASK, 1.0, 100, earlier=True)
    assert forecast.progress() == Progress("scoring", 650, 1050)
    now[0] = 5.0
    forecast.add(TASK, 1.0, 100)
    assert forecast.progress() == Progress("scoring", 750, 1050, 15.0)


def test_progress_ends_at_its_total(tmp_path: Path) -> None:
    """Pairs done only grow, resumed or not, and the last report says that they are all."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 25)
    for checkpoint in (None, opened(folder)):
        seen: list[Progress] = []
        built = build(GAME, progress=seen.append, checkpoint=checkpoint)
        done = [progress.done for progress in seen]
        assert done == sorted(done)
        assert seen[-1].done == seen[-1].total == sum(built.pairs)
        assert seen[-1].seconds == 0


def test_the_forecast_is_near_early_on() -> None:
    """With a third of the pairs scored the forecast of all is right within a third."""
    seen: list[Progress] = []
    game = Mastermind(4, 9)
    # One thread: which tasks are the first hardly depends on the machine.
    total = sum(build(game, means=Means(1), progress=seen.append).pairs)
    early = next(progress for progress in seen if progress.done > total / 3)
    assert early.done < total * 0.6
    assert total * 2 / 3 < early.total < total * 4 / 3


def test_large_nodes_are_in_the_forecast() -> None:
    """Once the root is done there is a total, of the right order; soon there is a time left."""
    seen: list[Progress] = []
    game = Mastermind(4, 9)
    total = sum(build(game, progress=seen.append).pairs)
    assert {progress.stage for progress in seen} == {"scoring"}
    assert all(total / 5 < progress.total < total * 5 for progress in seen)
    assert seen[0].seconds is None
    assert all(progress.seconds is not None for progress in seen[1:])


def test_kinds_of_work_are_forecast_each_by_itself() -> None:
    """What large nodes cost scales tasks that are not measured yet, and no others."""
    forecast = Forecast(1000, top=0)
    forecast.expect(LATER, 100.0)
    forecast.expect(TASK, 100.0)
    before = forecast.progress().total
    assert before == round(100_000 * (USUAL[LATER] + USUAL[TASK]))
    forecast.add(LATER, 100.0, round(10 * 100_000 * USUAL[LATER]))
    scaled = forecast.progress()
    assert 5 * before < scaled.total < 10 * before
    forecast.add(TASK, 50.0, 7000)
    assert forecast.progress().total == scaled.done + 2 * 7000


def test_weights_grow_faster_than_nodes() -> None:
    """One large node costs more than the same candidates in small nodes."""
    assert weight([100]) > weight([50, 50]) > weight([1] * 100) == 100
