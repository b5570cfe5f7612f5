"""The search for the optimum as a build: bounded, ended early, interrupted, on threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from guessbook.book import BuildError, Mastermind, UsageError, open_book
from guessbook.book.file.compression import decompress
from guessbook.book.file.content import unpack
from guessbook.builder.growth import optimum
from guessbook.builder.growth.build import Means, build, open_checkpoint
from guessbook.play.proof import prove
from tests.helpers.tasks import KilledError

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.builder import Progress

GAME = Mastermind(4, 5)
OPTIMUM = 2463


@pytest.fixture
def many_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells of any size are searched guess by guess, as in a large game."""
    monkeypatch.setattr(optimum, "SMALL", 0)


@pytest.mark.usefixtures("many_tasks")
@pytest.mark.parametrize("jobs", [1, 3])
def test_tasks_change_nothing(jobs: int) -> None:
    """Guess by guess, for any number of threads, it is the book of the search in one go."""
    assert build(GAME, "optimal", means=Means(jobs)).book.metadata.total_guesses == OPTIMUM
    found = build(Mastermind(3, 6), "optimal", means=Means(jobs)).book
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimum, "SMALL", 1 << 19)
        assert found.to_bytes() == build(Mastermind(3, 6), "optimal").book.to_bytes()


@pytest.mark.parametrize("gap", [0.2, 0.05, 0.02])
def test_a_search_that_ends_at_its_gap(gap: float) -> None:
    """The bound is true, as near as was asked for, in the header, and the same for any threads."""
    book = build(GAME, "optimal", means=Means(gap=gap)).book
    total, bound = book.metadata.total_guesses, book.policy.get("proven", OPTIMUM)
    assert bound <= OPTIMUM <= total
    assert total - bound <= gap * total
    assert book.to_bytes() == build(GAME, "optimal", means=Means(3, gap=gap)).book.to_bytes()
    again = open_book(book.to_bytes())
    assert again.policy == book.policy
    assert all(check.passed for check in prove(again, policy=True))


def test_the_bound_is_of_a_minor_version() -> None:
    """Only what version 1.1 has brought says 1.1; other books are the bytes that they were."""
    ended = build(GAME, "optimal", means=Means(gap=0.2)).book
    assert "proven" in ended.policy
    versions = [
        unpack(decompress(book.to_bytes()))["guessbook"]
        for book in (ended, build(GAME, "optimal").book, build(GAME, "rollout").book)
    ]
    assert versions == [[1, 1], [1, 1], [1, 0]]


def test_little_memory_gives_the_same_book() -> None:
    """Sets that are forgotten are searched again."""
    table = len(GAME.guesses) ** 2
    small = build(GAME, "optimal", means=Means(memory=table // 3 * 4 + 20_000)).book
    assert small.to_bytes() == build(GAME, "optimal").book.to_bytes()
    with pytest.raises(BuildError, match=r"needs a table of .*--memory"):
        build(GAME, "optimal", means=Means(memory=table))


@pytest.mark.parametrize("policy", ["entropy", "rollout", {"name": "optimal", "width": 2}])
def test_means_that_make_no_sense(policy: object) -> None:
    """A gap, or a bound of memory, is for the search of `optimal`."""
    for means in (Means(gap=0.1), Means(memory=1 << 30)):
        with pytest.raises(UsageError, match="expected optimal"):
            build(GAME, policy, means=means)  # type: ignore[arg-type]


@pytest.mark.usefixtures("many_tasks")
def test_an_interrupted_search_goes_on(tmp_path: Path) -> None:
    """Cells that were searched before are not searched again, and the book is the same."""
    folder = tmp_path / "optimal.parts"
    left = [12]

    def report(_: Progress) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KilledError

    checkpoint = open_checkpoint(folder, GAME, "optimal", None, 0.0)
    with pytest.raises(KilledError):
        build(GAME, "optimal", progress=report, checkpoint=checkpoint)
    kept = open_checkpoint(folder, GAME, "optimal", None, 0.0)
    assert kept.found > 3
    resumed = build(GAME, "optimal", checkpoint=kept).book
    assert resumed.to_bytes() == build(GAME, "optimal").book.to_bytes()
