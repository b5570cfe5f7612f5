"""How a tree grows: its work in parts that any order of them leaves the same, and a forecast."""

from __future__ import annotations

import itertools
from contextlib import nullcontext
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, WordGame
from guessbook.builder.executors.workers import Threads
from guessbook.builder.growth import frontier
from guessbook.builder.growth.build import Means, build
from guessbook.builder.growth.frontier import Grain, Growth, Job, Place, run_growth
from guessbook.builder.growth.progress import LATER, USUAL, Forecast, Progress, weight
from guessbook.builder.growth.progress import TASKS as TASK
from guessbook.builder.growth.queue import (
    MOST_PAIRS,
    TOGETHER,
    Item,
    Queue,
    most_candidates,
    most_under_way,
    run_units,
)
from guessbook.builder.growth.splits import ROOT, Nodes, Splits, neighbours
from guessbook.builder.scorers.batch import Split, grow, grow_each, root_batch, split_by, step
from guessbook.builder.scorers.scorer import scorer_of
from guessbook.policy.notation import policy_of
from tests.helpers.tasks import GAME, all_divided, counted_tasks, killed_after, opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from guessbook.book.games.game import Game

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


@pytest.mark.parametrize(("by", "results"), [(nullcontext, 5), (all_divided, 25)])
def test_progress_ends_at_its_total(
    by: Callable[[], AbstractContextManager[None]], results: int, tmp_path: Path
) -> None:
    """Pairs done only grow, resumed or not, and the last report says that they are all."""
    folder = tmp_path / "a.parts"
    with by():
        killed_after(folder, results)
    for checkpoint in (None, opened(folder)):
        seen: list[Progress] = []
        with by():
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


DIVIDED = Mastermind(4, 7)


def test_tasks_side_by_side_are_what_they_are_alone() -> None:
    """Levels and pairs of each, also where the deepest task is the first to be finished."""
    scorer = scorer_of(DIVIDED, policy_of("entropy"), 0)
    below = step(scorer, root_batch(len(DIVIDED.secrets)))[1]
    largest = int(np.argmax(below.sizes))
    deep = step(scorer, below.node(largest))[1]
    single = deep.node(int(np.argmin(deep.sizes)))
    tasks = [single, below.some(0, 3), single, below.node(largest)]
    found = grow_each(scorer, tasks)
    for task, side in zip(tasks, found, strict=True):
        alone = grow(scorer, task)
        depth = len(alone.pairs)
        assert side.pairs[:depth] == alone.pairs
        assert not any(side.pairs[depth:])
        assert (side.sizes, side.content) == (alone.sizes, alone.content)


@pytest.mark.parametrize("grain", [Grain(5, 1), Grain(60, 5_000), Grain(10**6, 10**12)])
@pytest.mark.parametrize("jobs", [1, 3])
def test_any_grain_gives_the_same_book(
    grain: Grain, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tree does not depend on how finely the work is cut, nor the account on who did it."""
    usual = build(DIVIDED)
    monkeypatch.setattr(frontier, "grain_of", lambda _: grain)
    built = build(DIVIDED, means=Means(jobs))
    assert built.book.to_bytes() == usual.book.to_bytes()
    again = build(DIVIDED, means=Means(2))
    assert (built.pairs, built.chain) == (again.pairs, again.chain)
    assert 0 < built.chain <= sum(built.pairs)


@pytest.mark.parametrize("grain", [Grain(5, 1 << 12), Grain(60, 1 << 16), Grain(10**6, 10**12)])
@pytest.mark.parametrize("jobs", [1, 3])
def test_large_nodes_as_one_item_give_the_same_book(
    grain: Grain, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same tree, pairs and chain as if each is divided into tasks."""
    monkeypatch.setattr(frontier, "grain_of", lambda _: grain)
    with all_divided():
        expected = build(DIVIDED, means=Means(jobs))
    with counted_tasks() as counts:
        built = build(DIVIDED, means=Means(jobs))
    assert built.book.to_bytes() == expected.book.to_bytes()
    assert (built.pairs, built.chain) == (expected.pairs, expected.chain)
    assert (counts["run_whole"] > 0) == (grain.limit < len(DIVIDED.secrets))


@pytest.mark.parametrize(
    ("game", "policy", "first"),
    [
        (Mastermind(4, 7, repeats=False), "minimax", None),
        (Mastermind(9, 2), "expected", None),
        (Mastermind(5, 5), "parts", "RRYGB"),
        (Mastermind(4, 6), "entropy-corrected", "RRRR"),
        (WordGame([a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"]), "entropy", None),
    ],
)
def test_whatever_large_nodes_are_one_item(
    game: Game, policy: str, first: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it changes in mid-build, as workers come and go: the same tree and account."""
    monkeypatch.setattr(frontier, "grain_of", lambda _: Grain(len(game.secrets) // 40, 1 << 10))
    with all_divided():
        expected = build(game, policy, first)
    numbers = Random(7)
    monkeypatch.setattr(frontier, "most_candidates", lambda *_: numbers.choice((0, 9, 99, 999)))
    with counted_tasks() as counts:
        built = build(game, policy, first)
    assert (counts["run_whole"] > 0) == isinstance(game, Mastermind)
    assert built.book.to_bytes() == expected.book.to_bytes()
    assert (built.pairs, built.chain) == (expected.pairs, expected.chain)


@pytest.mark.parametrize(("policy", "wholes"), [("lookahead", False), ("entropy", True)])
def test_searches_that_may_take_minutes_are_items_of_their_own(
    policy: str, wholes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node of lookahead is no one's alone: weights say nothing of it."""
    monkeypatch.setattr(frontier, "grain_of", lambda _: Grain(4, 1 << 10))
    with counted_tasks() as counts:
        build(Mastermind(3, 5), policy)
    assert counts["run_probes"] > 1
    assert (counts["run_whole"] > 0) == wholes


def test_a_large_node_that_is_one_item_is_not_too_large() -> None:
    """Two fifths of what each thread has left, and no more than is lost with a worker."""
    assert most_candidates(3000, 9999) == 1200
    assert most_candidates(3e9, 9999) == 9999
    # The same number of pairs in each game, and so about the same time.
    for game in (DIVIDED, Mastermind(7, 8)):
        growth = Growth(Job(game, policy_of("entropy"), None), Place(ROOT, 1, (1, 2), 0, 0))
        assert growth.queue.largest * frontier.grain_of(game).pairs == MOST_PAIRS


def test_finer_work_has_a_shorter_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """In ever smaller parts less has to be done one after the other: 5x7 under a twentieth."""
    shares = []
    for grain in (Grain(4096, 1 << 40), Grain(512, 1 << 19), Grain(64, 1 << 16)):
        monkeypatch.setattr(frontier, "grain_of", lambda _, grain=grain: grain)
        built = build(Mastermind(5, 7))
        shares.append(built.chain / sum(built.pairs))
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.05


def test_messages_hold_every_item_once() -> None:
    """Few for few workers, large ones first; a unit is of one task, and not too large.

    What others wait for is in messages of its own.
    """

    def other(job: Job, items: list[object]) -> list[object]:
        return items

    for workers, threads in ((1, 1), (2, 4), (50, 1)):
        queue = Queue(400.0)
        items = [
            Item(
                (run_growth, other)[k % 3 == 0], ROOT, (), 31 * k % 97, 0.1 * (7 * k % 31), print,
                31 * k % 97 < 50,
            )
            for k in range(1, 600)
        ]  # fmt: skip
        for item in items:
            queue.push(item)
        messages = []
        while queue:
            messages.append(queue.take(threads, workers))
        taken = [item for message in messages for unit in message for item in unit]
        assert sorted(map(id, taken)) == sorted(map(id, items))
        assert [item.size for item in taken] == sorted((i.size for i in items), reverse=True)
        for message in messages:
            assert len({item.final for unit in message for item in unit}) == 1
            for unit in message:
                assert len({item.task for item in unit}) == 1
                assert len(unit) == 1 or sum(item.weight for item in unit) <= TOGETHER
        for final in (False, True):
            some = [message for message in messages if message[0][0].final == final]
            weights = [sum(i.weight for unit in message for i in unit) for message in some]
            assert weights[0] > workers * threads or workers == 50
            assert all(weight < earlier + 4 for earlier, weight in itertools.pairwise(weights))
        assert queue.weight == 0
        assert len(messages) < 12 * workers


def test_messages_have_something_for_each_thread() -> None:
    """Also where each item is large; but no more of it than is lost with a worker."""
    assert (most_under_way(1), most_under_way(2), most_under_way(8)) == (2, 3, 3)
    for each, items in ((40.0, 6), (200.0, 6), (1.0, 20)):
        queue = Queue(400.0)
        for k in range(100):
            queue.push(Item(run_growth, ROOT, (k,), 7, each, print, True))
        message = queue.take(6, 50, 20.0)
        assert len(message) >= 6
        assert sum(map(len, message)) == items
    for _ in range(10_000):
        queue.push(Item(run_growth, ROOT, (), 7, 1.0, print, True))
    assert sum(map(len, queue.take(3, 1))) == 3 * 400


@pytest.mark.parametrize(("policy", "fewer"), [("entropy", True), ("lookahead", False)])
def test_messages_are_worth_their_price(policy: str, fewer: bool) -> None:
    """Where a message has its price there are fewer; not where a weight may be minutes."""
    messages = []
    for price in (0.0, 1e9):
        with (
            Threads(1) as executor,
            patch.object(executor, "deal", wraps=executor.deal) as deal,
            patch.object(executor, "worth", return_value=price),
        ):
            job = Job(GAME, policy_of(policy), None)
            frontier.grow_tree(executor, job, lambda _: None).grown()
        messages.append(deal.call_count)
    assert (messages[0] > messages[1]) == fewer
    assert fewer or len(set(messages)) == 1


def test_parts_of_one_search_get_the_same_batch() -> None:
    """Each item of a unit gets its nodes and what it is told besides; neighbours the very same."""
    job = Job(DIVIDED, policy_of("entropy"), None)
    here, there = Nodes((9,), 0, 3), Nodes((9,), 3, 4)
    items = [(here, 1), (Nodes(*here), 2), (there, 3), (here, 4)]
    plain = [items[0][:1], items[2][:1]]
    told, alone = run_units(job, [(lambda _, given: given, items), (lambda _, given: given, plain)])
    assert [more for _, more in told] == [1, 2, 3, 4]
    assert told[0][0] is told[1][0] is not told[2][0]
    assert [len(batch.feedback) for batch, _ in told] == [3, 3, 1, 3]
    assert [len(batch.feedback) for batch in alone] == [3, 1]


@pytest.mark.parametrize(
    "game",
    [
        DIVIDED,
        Mastermind(4, 5, repeats=False),
        Mastermind(9, 2),
        Mastermind(15, 2),
        WordGame([a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"]),
    ],
    ids=lambda game: game.name,
)
def test_a_split_of_one_node_is_that_of_a_step(game: Game) -> None:
    """Children, candidates and paths, to the last byte, for nodes of any size and any guess."""
    scorer = scorer_of(game, policy_of("entropy"), 0)
    numbers = np.random.default_rng(3)
    for size in (1, 2, 3, 8, 65, len(game.secrets) // 2, len(game.secrets)):
        some = np.sort(numbers.permutation(len(game.secrets))[:size]).astype(np.uint32)
        guess = int(numbers.integers(len(game.guesses)))
        node = Split(some, [0, len(some)], [2]).batch(0, 1, (1, 0))
        assert (node.paths.tolist(), node.feedback.tolist()) == ([[1, 0]], [2])
        expected = step(scorer, node, guess)[1]
        found = split_by(scorer, guess, some).batch(0, len(expected.feedback), (1, 0, guess))
        for a, b in zip(found, expected, strict=True):
            assert (a.dtype, a.shape, a.tolist()) == (b.dtype, b.shape, b.tolist())


@given(st.lists(st.integers(1, 30), min_size=1, max_size=40), st.integers(1, 40))
def test_runs_of_children_are_as_long_as_they_may_be(sizes: list[int], limit: int) -> None:
    """Every child is in one; a run has up to the limit, or one child, and the next does not fit."""
    starts = [0, *itertools.accumulate(sizes)]
    split = Split(np.zeros(0, np.uint32), starts, list(range(7, 7 + len(sizes))))
    runs = neighbours(split, limit)
    assert [k for begin, end, *_ in runs for k in range(begin, end)] == list(range(len(sizes)))
    for begin, end, *told in runs:
        some = sizes[begin:end]
        assert told == [7 + begin, sum(some), weight(some)]
        assert sum(some) <= limit or len(some) == 1
    assert all(size + sizes[end] > limit for _, end, _, size, _ in runs[:-1])


def test_splits_that_are_forgotten_are_made_again() -> None:
    """A node is found by its history, whatever is kept, and no more is kept than there is room."""
    scorer = scorer_of(DIVIDED, policy_of("entropy"), 0)
    splits, strict = Splits(scorer), Splits(scorer)
    strict._room = 0
    below = step(scorer, root_batch(len(DIVIDED.secrets)), 9)[1]
    for number, feedback in enumerate(below.feedback.tolist()):
        node = below.node(number)
        for guess in (0, 77):
            expected = step(scorer, node, guess)[1]
            for some in (splits, strict, splits):
                found = some.batch(Nodes((9, feedback, guess), 0, len(expected.feedback)))
                assert all((a == b).all() for a, b in zip(found, expected, strict=True))
            assert len(strict._kept) == 1
    assert len(splits._kept) == 2 + 2 * len(below.feedback)
