"""Work divided among workers: the same tree, the same account, the best of all parts."""

from __future__ import annotations

import numpy as np
import pytest

from guessbook.book import Mastermind
from guessbook.builder.growth import division, frontier
from guessbook.builder.growth.build import Means, build
from guessbook.builder.growth.frontier import Grain
from guessbook.builder.scorers.batch import grow, grow_each, join, root_batch, step
from guessbook.builder.scorers.scorer import scorer_of
from guessbook.policy.notation import policy_of

GAME = Mastermind(4, 7)


def test_tasks_side_by_side_are_what_they_are_alone() -> None:
    """Levels and pairs of each, also where the deepest task is the first to be finished."""
    scorer = scorer_of(GAME, policy_of("entropy"), 0)
    below = step(scorer, root_batch(len(GAME.secrets)))[1]
    largest = int(np.argmax(below.sizes))
    deep = step(scorer, below.node(largest))[1]
    single = deep.node(int(np.argmin(deep.sizes)))
    tasks = [single, below.some(0, 3), single, below.node(largest)]
    found = grow_each(scorer, join(tasks), [len(task.feedback) for task in tasks])
    for task, side in zip(tasks, found, strict=True):
        alone = grow(scorer, task)
        depth = len(alone.pairs)
        assert side.pairs[:depth].tolist() == alone.pairs.tolist()
        assert not side.pairs[depth:].any()
        assert len(side.levels) == len(alone.levels)
        for one, other in zip(side.levels, alone.levels, strict=True):
            assert all((a == b).all() for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("grain", [Grain(5, 1), Grain(60, 5_000), Grain(10**6, 10**12)])
@pytest.mark.parametrize("jobs", [1, 3])
def test_any_grain_gives_the_same_book(
    grain: Grain, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tree does not depend on how finely the work is cut, nor the account on who did it."""
    usual = build(GAME)
    monkeypatch.setattr(frontier, "grain_of", lambda _: grain)
    built = build(GAME, means=Means(jobs))
    assert built.book.to_bytes() == usual.book.to_bytes()
    again = build(GAME, means=Means(2))
    assert (built.pairs, built.chain) == (again.pairs, again.chain)
    assert 0 < built.chain <= sum(built.pairs)


def test_finer_work_has_a_shorter_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """In ever smaller parts less has to be done one after the other: 5x7 under a twentieth."""
    shares = []
    for grain in (Grain(4096, 1 << 40), Grain(512, 1 << 19), Grain(64, 1 << 16)):
        monkeypatch.setattr(frontier, "grain_of", lambda _, grain=grain: grain)
        built = build(Mastermind(5, 7))
        shares.append(built.chain / sum(built.pairs))
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.05


def test_bundles_hold_every_item_once() -> None:
    """Few for few workers, one for each item where there are many; the heaviest come first."""
    weights = [float(7 * k % 31 + 1) for k in range(200)]
    for most in (1, 7, 64, 1 << 20):
        found = division.bundles(weights, most)
        assert sorted(index for bundle in found for index in bundle) == list(range(200))
        assert len(found) <= 2 * most
    assert len(division.bundles(weights, 1 << 20)) == 200
    assert division.bundles([], 5) == []
