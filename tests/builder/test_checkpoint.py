"""Checkpoints: a build goes on from where it was killed."""

from __future__ import annotations

import errno
import os
import sys
from threading import Barrier, Event
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book.errors import BuildError
from guessbook.builder.executors.checkpoint import key
from guessbook.builder.executors.lock import lock_path, locked
from guessbook.builder.executors.workers import Threads
from guessbook.builder.growth import frontier
from guessbook.builder.growth.build import Means, build
from guessbook.builder.scorers.batch import Batch, root_batch
from guessbook.builder.scorers.subtrees import Subtrees
from guessbook.command import build as commands
from guessbook.policy.one_step import policy_named

if TYPE_CHECKING:
    from pathlib import Path

from tests.helpers.tasks import (
    GAME,
    KilledError,
    all_divided,
    counted_tasks,
    killed_after,
    opened,
    undisturbed,
)

pytestmark = pytest.mark.usefixtures("many_tasks")


ENTROPY = policy_named("entropy")


@given(data=st.data())
def test_results_come_back_as_they_were(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What is saved for a task is what another run loads for it, and for no other task."""
    folder = tmp_path_factory.mktemp("checkpoint") / "a.parts"
    numbers = st.lists(st.integers(0, 2**62), max_size=5)
    sizes, pairs, chain = data.draw(numbers), data.draw(numbers), data.draw(st.integers(0, 2**62))
    finished = Subtrees(sizes, pairs, data.draw(st.binary()), chain)
    opened(folder).save("growth", root_batch(9), finished)
    other = opened(folder)
    assert other.found == 1
    assert other.load("step", root_batch(9), bool) is None
    assert other.load("growth", root_batch(8), bool) is None
    found = other.load("growth", root_batch(9), bool)
    assert found is not None
    assert Subtrees(*found) == finished


@pytest.mark.parametrize("results", [0, 1, 2, 6, 13, 31])
@all_divided()  # into tasks, which are counted here
def test_a_build_goes_on_where_it_stopped(
    tmp_path: Path, results: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run, with other jobs, does only the rest; book and pairs are the same."""
    folder = tmp_path / "a.parts"
    kept = killed_after(folder, results)
    assert kept == results
    expected = undisturbed()
    grown = []
    run_growth = frontier.run_growth

    def counted(job: frontier.Job, batches: list[Batch]) -> list[Subtrees]:
        grown.extend(batches)
        return run_growth(job, batches)

    monkeypatch.setattr(frontier, "run_growth", counted)
    whole = build(GAME)
    tasks = {key("growth", batch) for batch in grown}
    finished = tasks & {path.stem for path in folder.glob("*.tree")}
    grown.clear()
    checkpoint = opened(folder)
    assert checkpoint.found == kept
    resumed = build(GAME, means=Means(3), checkpoint=checkpoint)
    assert resumed.book.to_bytes() == whole.book.to_bytes() == expected
    assert (resumed.pairs, resumed.chain) == (whole.pairs, whole.chain)
    assert sorted(key("growth", batch) for batch in grown) == sorted(tasks - finished)
    checkpoint.remove()
    assert list(tmp_path.iterdir()) == []


def test_large_nodes_that_were_one_item_are_found_again(tmp_path: Path) -> None:
    """What was finished as a whole another run takes as it is, also one that divides the rest."""
    folder = tmp_path / "a.parts"
    with counted_tasks() as done:
        killed_after(folder, 3)
    assert done["run_whole"]
    checkpoint = opened(folder)
    with all_divided(), counted_tasks() as rest:
        resumed = build(GAME, checkpoint=checkpoint)
    assert (checkpoint.found, checkpoint._known) == (3, {})
    with all_divided(), counted_tasks() as every:
        whole = build(GAME)
    assert not rest["run_whole"]
    assert 0 < rest["run_growth"] < every["run_growth"]
    assert resumed.book.to_bytes() == whole.book.to_bytes() == undisturbed()
    assert (resumed.pairs, resumed.chain) == (whole.pairs, whole.chain)


def test_what_is_known_of_a_large_node_is_not_thrown_away(tmp_path: Path) -> None:
    """After a run that divided all, no node whose guess was found is done anew, as one item."""
    folder = tmp_path / "a.parts"
    with all_divided():
        killed_after(folder, 12)
    checkpoint = opened(folder)
    with counted_tasks() as rest:
        resumed = build(GAME, checkpoint=checkpoint)
    assert rest["run_whole"]
    assert (checkpoint.found, checkpoint._known) == (12, {})
    assert resumed.book.to_bytes() == undisturbed()


def test_several_stops_are_no_harm(tmp_path: Path) -> None:
    """A build that is killed again and again gets on each time."""
    folder = tmp_path / "a.parts"
    counts = [killed_after(folder, results) for results in (8, 3, 3)]
    assert counts == sorted(set(counts))
    assert build(GAME, checkpoint=opened(folder)).book.to_bytes() == undisturbed()


def test_short_builds_leave_the_disk_alone(tmp_path: Path) -> None:
    """Before the delay is over nothing is written; then all that has been finished is."""
    folder = tmp_path / "a.parts"
    build(GAME, checkpoint=opened(folder, delay=1000))
    assert not folder.exists()
    checkpoint = opened(folder, delay=1000)
    finished = [1, 2]
    checkpoint.save("growth", root_batch(1), finished)
    assert not checkpoint.on_disk
    checkpoint._due = 0
    checkpoint.save("growth", root_batch(2), finished)
    assert checkpoint.on_disk
    assert opened(folder).found == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, BuildError])
def test_an_interruption_keeps_what_is_finished(
    tmp_path: Path, error: type[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    """What waits in memory goes to disk when a build is interrupted or fails after the delay."""
    finished = [1, 2]
    late, soon = opened(tmp_path / "late.parts", 1000), opened(tmp_path / "soon.parts", 1000)
    for checkpoint in (late, soon):
        checkpoint.save("growth", root_batch(1), finished)
    late._due = 0
    checkpoints: commands.Opened = {tmp_path / "a": {"RRRR": soon, "RRRY": late}}
    with pytest.raises(error), commands.resumable(list(checkpoints), checkpoints, []):
        raise error
    assert opened(late.folder).found == 1
    assert not soon.folder.exists()
    if error is KeyboardInterrupt:
        expected = (
            f"Interrupted: 1 finished task is kept in {late.folder}, "
            "and the same command goes on from there.\n"
        )
        assert capsys.readouterr().err == expected


def test_the_folder_itself_is_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new checkpoint is in its parent folder, and that on the disk, before any part is."""
    order: list[int] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        order.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    opened(tmp_path / "a.parts").save("growth", root_batch(1), [1, 2])
    assert order[0] == tmp_path.stat().st_ino
    assert (tmp_path / "a.parts").is_dir()


def test_one_build_at_a_time_to_one_file(tmp_path: Path) -> None:
    """A locked file is refused with the process that has it; another is not; then it is free."""
    path = tmp_path / "a.book"
    with locked(path):
        with (
            pytest.raises(BuildError, match=rf"another build.*process {os.getpid()}"),
            locked(path),
        ):
            raise AssertionError("two at once")
        with locked(tmp_path / "b.book"):
            pass
        assert [found.name for found in tmp_path.iterdir()] == [".a.book.guessbook-lock"]
    with locked(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_killed_build_is_ignored(tmp_path: Path) -> None:
    """A lock file whose holder is dead is not in the way, though its process id is in use."""
    path = tmp_path / "a.book"
    lock_path(path).write_text(f"guessbook build, process {os.getpid()}\n")
    with locked(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_writer_left_is_cleared(tmp_path: Path) -> None:
    """Unfinished files are ignored and deleted; a stranger's file outlives the checkpoint."""
    folder = tmp_path / "a.parts"
    folder.mkdir()
    # Killed while it wrote the identity, and before that.
    (folder / ".identity.json.77.guessbook-part").write_bytes(b"{")
    assert opened(folder).found == 0
    assert list(folder.iterdir()) == []
    kept = killed_after(folder, 5)
    (folder / f".{'0' * 40}.77.guessbook-part").write_bytes(b"half")
    strangers = {"notes.txt", "oak.tree", "thesis.part", f"{'0' * 64}.tree.bak"}
    for name in strangers:
        (folder / name).write_text("mine")
    checkpoint = opened(folder)
    assert checkpoint.found == kept
    assert not list(folder.glob("*.guessbook-part"))
    # Not ours either: nobody has read or written it.
    (folder / f"{'1' * 64}.tree").write_text("mine")
    checkpoint.remove()
    assert {path.name for path in folder.iterdir()} == strangers | {f"{'1' * 64}.tree"}
    assert {path.read_text() for path in folder.iterdir()} == {"mine"}


def test_what_still_waits_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that fails takes back the tasks that it has given to the executor."""
    gate = Event()
    started: list[int] = []

    def blocked(_: frontier.Job, batches: list[Batch]) -> list[Subtrees]:
        started.append(len(batches))
        if len(started) > 1:
            gate.wait(10)
        raise KilledError

    monkeypatch.setattr(frontier, "run_growth", blocked)
    with Threads(1) as executor:
        try:
            with pytest.raises(KilledError):
                frontier.grow_tree(executor, frontier.Job(GAME, ENTROPY, None), lambda _: None)
        finally:
            gate.set()
    # The one that failed, and one that the thread may have begun in the meantime.
    assert len(started) <= 2


def test_all_threads_that_are_asked_for_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more jobs than cores as many tasks are done at the same time."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    together = Event()
    meeting = Barrier(5, together.set)

    def met(_: frontier.Job, __: list[Batch]) -> list[Subtrees]:
        # A thread may take another task before the others are cancelled.
        if not together.is_set():
            meeting.wait(10)
        raise KilledError

    monkeypatch.setattr(frontier, "run_growth", met)
    with Threads(5) as executor, pytest.raises(KilledError):
        frontier.grow_tree(executor, frontier.Job(GAME, ENTROPY, None), lambda _: None)


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        (errno.ENOENT, "make the folder first"),
        (errno.ENOSPC, "free some space, or name a file on another disk with -o"),
        (errno.ENAMETOOLONG, "choose a shorter name with -o"),
        (errno.EACCES, "name a file in a folder that you may write to with -o"),
        (errno.EROFS, "name a file in a folder that you may write to with -o"),
    ],
)
def test_a_lock_that_cannot_be_made_says_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int, advice: str
) -> None:
    """The advice is for the reason: another name in the same folder would not help."""

    def touch(*_: object, **__: object) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(type(tmp_path), "touch", touch)
    with pytest.raises(BuildError) as error, locked(tmp_path / "a.book"):
        raise AssertionError("locked without a lock")
    assert f"no lock file can be made in {tmp_path} ({os.strerror(reason)}); " in str(error.value)
    assert str(error.value).endswith(advice)


def foreign_lock(path: Path, kind: str) -> Path:
    """Something of another's in the place of a lock; the file that must stay as it is."""
    lock, theirs = lock_path(path), path.with_name("theirs")
    theirs.write_text("mine")
    if kind == "file":
        theirs.rename(lock)
        return lock
    if kind == "link":
        lock.symlink_to(theirs)
    elif kind == "folder":
        lock.mkdir()
    elif sys.platform != "win32":
        os.mkfifo(lock)
    return theirs


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["file", "link", "folder", "pipe"])
def test_what_is_no_lock_is_left_alone(tmp_path: Path, kind: str) -> None:
    """What others put in the place of a lock is neither emptied, followed nor deleted: one line."""
    path = tmp_path / "a.book"
    theirs = foreign_lock(path, kind)
    before = lock_path(path).lstat()
    with (
        pytest.raises(BuildError, match=r"cannot lock .*guessbook-lock: .*move") as error,
        locked(path),
    ):
        raise AssertionError("locked what is no lock")
    assert str(error.value).count("\n") == 0
    assert os.path.samestat(before, lock_path(path).lstat())
    assert theirs.read_text() == "mine"


def test_locks_and_parts_have_names_of_their_own(tmp_path: Path) -> None:
    """`poetry.lock` and `poetry.part` are other people's: a build of `poetry` keeps off."""
    for name in ("poetry.lock", "poetry.part"):
        (tmp_path / name).write_text("mine")
    with locked(tmp_path / "poetry"):
        assert len(list(tmp_path.iterdir())) == 3
    assert {file.name for file in tmp_path.iterdir()} == {"poetry.lock", "poetry.part"}
    assert {file.read_text() for file in tmp_path.iterdir()} == {"mine"}
