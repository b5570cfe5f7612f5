"""The atlas and the replay of builds: pages are what the scripts write, of games as they are."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from benchmarks import atlas, scale
from benchmarks.games import stored
from benchmarks.scale_picture import drawn
from benchmarks.scale_record import KINDS, TASK, Group, Recorder
from guessbook.book import Mastermind
from guessbook.builder import build_strategy
from guessbook.builder.executors.cluster import worth
from guessbook.builder.executors.workers import Threads
from guessbook.builder.growth import frontier
from tests.helpers.tasks import counted_tasks

KEPT = stored(atlas.STORE)
GAMES = {atlas.name_of(code): code for code in atlas.plan()}


def test_the_page_is_what_the_script_writes() -> None:
    """Nobody edits docs/atlas.md by hand."""
    due = "docs/atlas.md is out of date: run `python -m benchmarks.atlas --minutes 0`"
    assert atlas.PAGE.read_text("utf-8") == atlas.page(KEPT), due


def test_what_is_kept_is_what_is_built() -> None:
    """The small games, built again, have the same totals and openings."""
    for name in [name for name in KEPT if name in GAMES and KEPT[name]["secrets"] < 1000]:
        found = build_strategy(GAMES[name].game)
        assert KEPT[name]["total_guesses"] == found.stats.total_guesses
        assert KEPT[name]["max_guesses"] == found.stats.max_guesses
        assert KEPT[name]["first"] == atlas.pattern(found.root.guess)


def test_every_difference_has_a_reason() -> None:
    """Where a mean is not the published one, it is said why; what is the same says so."""
    for known in (KEPT[name] for name in KEPT if name in GAMES):
        said, mean = atlas.difference(known), known["total_guesses"] / known["secrets"]
        if "published" in known:
            same = f"{mean:.4f}" == known["published"]["mean"]
            assert (said == "the same") == same or abs(
                mean - float(known["published"]["mean"])
            ) < 2e-4
            assert said == "the same" or "opening" in said


def test_every_split_of_a_replay_takes_time() -> None:
    """Each worker of a replay makes the splits that it needs, also those of searches that end."""
    for record in stored(scale.STORE).values():
        groups = [Group(*group) for group in record["groups"]]
        above = {
            group.above for group in groups if KINDS[group.kind] in ("run_probes", "run_growth")
        }
        assert all(groups[number].split > 0 for number in above - {-1})


def replayed_loads(
    record: dict[str, Any], cores: int, threads: int
) -> tuple[float, list[scale.Load]]:
    """How long a replay takes whose messages cost nothing, and all that was done in it."""
    replay = scale.Replay(record, cores, threads, scale.Costs(0, 0, 0))
    with patch.object(replay, "_finished", wraps=replay._finished) as finished:
        seconds = replay.seconds()
    return seconds, [call.args[0] for call in finished.call_args_list]


def test_a_replay_decides_as_a_build_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread is dealt the same items, of each kind as many, as one that is simulated."""
    monkeypatch.setattr(frontier, "grain_of", lambda _: frontier.Grain(60, 1 << 14))
    game = Mastermind(4, 7)
    recorder = Recorder(game)
    record = recorder.record()
    with counted_tasks() as replayed:
        replayed_loads(record, 1, 1)
    with Threads(1) as executor, patch.object(executor, "worth", worth), counted_tasks() as dealt:
        frontier.grow_tree(executor, recorder.job, lambda _: None)
    assert replayed == dealt
    assert min(dealt[task] for task in KINDS) > 0
    # With more cores less is in large nodes that are one item; each task counts, there or not.
    within = []
    for cores in (1, 8, 64):
        _, loads = replayed_loads(record, cores, 8)
        within.append(sum(load.results for load in loads if KINDS[load.kind] == "run_whole"))
        alone = sum(load.results for load in loads if KINDS[load.kind] == "run_growth")
        assert within[-1] + alone == sum(Group(*group).kind == TASK for group in record["groups"])
    assert within[0] > within[1] > within[2]


@pytest.mark.slow
def test_the_picture_of_scaling_is_what_the_script_draws() -> None:
    """Nobody edits docs/scaling.svg by hand; one core gains nothing, ten not too much."""
    records = stored(scale.STORE)
    speeds = {name: scale.speeds(record) for name, record in records.items()}
    assert scale.PICTURE.read_text("utf-8") == drawn(speeds)
    for record in records.values():
        tasks = sum(sum(Group(*group).micros) for group in record["groups"]) / 1e6
        seconds, loads = replayed_loads(record, 1, 1)
        done = sum(load.seconds for load in loads)
        assert seconds >= done
        # Large nodes are measured a second time, as one item each.
        assert done >= 0.98 * tasks
        assert scale.work(record) / 10 <= replayed_loads(record, 10, 1)[0] < tasks / 3
