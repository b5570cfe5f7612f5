"""Checkpoints: a build goes on from where it was killed."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, TableGame, WordGame
from guessbook.book.errors import BuildError
from guessbook.builder.build import build, open_checkpoint
from guessbook.builder.checkpoint import name_of
from guessbook.builder.executors.context import ROOT, Context, Nodes
from guessbook.builder.executors.tasks import BeginSearch, GrowTrees, SearchPart
from guessbook.builder.growth import frontier
from guessbook.builder.limits import MEMORY, Resources
from guessbook.builder.lock import hold_lock, lock_path
from guessbook.builder.scorers.subtrees import Subtrees
from guessbook.command import build as commands
from guessbook.policy.notation import header, policy_of
from tests.helpers.tasks import (
    GAME,
    KilledError,
    Shuffled,
    dying,
    killed_after,
    noted_tasks,
    opened,
    undisturbed,
    worked_by,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from guessbook.book.games.game import Game
    from guessbook.builder.build import Build
    from guessbook.builder.executors.tasks import Task

pytestmark = pytest.mark.usefixtures("many_tasks")


WORDS = WordGame([a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"])


ONE, TWO = ("growth", (1,)), ("growth", (2,))
# The policy of the builds, as the key of a part has it.
POLICY = tuple(header(policy_of("entropy")).items())


@given(data=st.data())
def test_results_come_back_as_they_were(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What is saved for a task is what another run loads for it, and for no other task."""
    folder = tmp_path_factory.mktemp("checkpoint") / "a.parts"
    numbers = st.lists(st.integers(0, 2**62), max_size=5)
    sizes, pairs = data.draw(numbers), data.draw(numbers)
    finished = Subtrees(sizes, pairs, data.draw(st.binary()))
    opened(folder).save(("growth", ROOT), finished)
    other = opened(folder)
    assert other.found == 1
    assert other.load(("search", ROOT), bool) is None
    assert other.load(("growth", Nodes((9,), 0, 1)), bool) is None
    found = other.load(("growth", ROOT), bool)
    assert found is not None
    assert Subtrees(*found) == finished


def names(tasks: Iterable[Task]) -> set[str]:
    """The names of the parts that tasks of a build become."""
    return {
        name_of(("growth" if isinstance(task, GrowTrees) else "search", task.nodes, POLICY))
        for task in tasks
        if isinstance(task, BeginSearch | SearchPart | GrowTrees)
    }


@pytest.mark.parametrize("results", [0, 1, 2, 6, 13, 31])
def test_a_build_goes_on_where_it_stopped(tmp_path: Path, results: int) -> None:
    """A second run, with other jobs, does only the rest; book and pairs are the same."""
    folder = tmp_path / "a.parts"
    kept = killed_after(folder, results)
    assert kept == results
    with noted_tasks() as all_tasks:
        whole = build(GAME)
    finished = {path.stem for path in folder.glob("*.tree")}
    assert finished <= names(all_tasks)
    checkpoint = opened(folder)
    assert checkpoint.found == kept
    with noted_tasks() as rest:
        resumed = build(GAME, resources=Resources(3), checkpoint=checkpoint)
    assert resumed.book.to_bytes() == whole.book.to_bytes() == undisturbed()
    assert resumed.pairs == whole.pairs
    assert names(rest) == names(all_tasks) - finished
    assert len(rest) == len(set(rest))
    assert (checkpoint.found, checkpoint._known) == (kept, {})
    checkpoint.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("game", "policy"),
    [
        (GAME, "entropy"),
        (Mastermind(3, 5), "lookahead"),
        (Mastermind(3, 6), {"name": "rollout", "width": 4}),
        (WORDS, "parts"),
    ],
    ids=str,
)
def test_a_build_that_is_killed_at_random_loses_nothing(
    game: Game, policy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed again and again, with other workers each time: the same bytes, pairs and no waste."""
    grain = frontier.Grain(max(len(game.secrets) // 40, 3), 1 << 12)
    monkeypatch.setattr(frontier, "grain_of", lambda _: grain)
    whole = build(game, policy, resources=Resources(1))
    for seed in range(4):
        dice, folder = Random(seed), tmp_path / f"{seed}.parts"
        resumed: Build | None = None
        while resumed is None:
            checkpoint = open_checkpoint(folder, game, policy, None, 0.0)
            finished = {path.stem for path in folder.glob("*.tree")}
            shuffled = Shuffled(dice)
            with (
                worked_by(shuffled),
                suppress(KilledError),
                dying(checkpoint, dice.randrange(1, 20)),
            ):
                resumed = build(game, policy, checkpoint=checkpoint)
            assert not finished & names(task for chunk in shuffled.chunks for task in chunk)
        assert resumed.book.to_bytes() == whole.book.to_bytes()
        assert resumed.pairs == whole.pairs


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
    checkpoint.save(ONE, finished)
    assert not checkpoint.on_disk
    checkpoint._due = 0
    checkpoint.save(TWO, finished)
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
        checkpoint.save(ONE, finished)
    late._due = 0
    checkpoints: commands.Checkpoints = {tmp_path / "a": {"RRRR": soon, "RRRY": late}}
    with pytest.raises(error), commands.resumable(list(checkpoints), checkpoints, []):
        raise error
    assert opened(late.folder).found == 1
    assert not soon.folder.exists()
    if error is KeyboardInterrupt:
        expected = f"Interrupted: 1 finished task is kept in {late.folder}, and the same command goes on from there.\n"
        assert capsys.readouterr().err == expected


def test_the_folder_itself_is_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new checkpoint is in its parent folder, and that on the disk, before any part is."""
    order: list[int] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        order.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    opened(tmp_path / "a.parts").save(ONE, [1, 2])
    assert order[0] == tmp_path.stat().st_ino
    assert (tmp_path / "a.parts").is_dir()


def test_one_build_at_a_time_to_one_file(tmp_path: Path) -> None:
    """A locked file is refused with the process that has it; another is not; then it is free."""
    path = tmp_path / "a.book"
    with hold_lock(path):
        with (
            pytest.raises(BuildError, match=rf"another build.*process {os.getpid()}"),
            hold_lock(path),
        ):
            raise AssertionError("two at once")
        with hold_lock(tmp_path / "b.book"):
            pass
        assert [found.name for found in tmp_path.iterdir()] == [".a.book.guessbook-lock"]
    with hold_lock(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_killed_build_is_ignored(tmp_path: Path) -> None:
    """A lock file whose holder is dead is not in the way, though its process id is in use."""
    path = tmp_path / "a.book"
    lock_path(path).write_text(f"guessbook build, process {os.getpid()}\n")
    with hold_lock(path):
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


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        (errno.ENOENT, "make the folder first"),
        (errno.ENOSPC, "free some space, or use -o to name a file on another disk"),
        (errno.ENAMETOOLONG, "choose a shorter name with -o"),
        (errno.EACCES, "use -o to name a file in a folder that you may write to"),
        (errno.EROFS, "use -o to name a file in a folder that you may write to"),
    ],
)
def test_a_lock_that_cannot_be_made_says_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int, advice: str
) -> None:
    """The advice is for the reason: another name in the same folder would not help."""

    def touch(*_: object, **__: object) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(type(tmp_path), "touch", touch)
    with pytest.raises(BuildError) as error, hold_lock(tmp_path / "a.book"):
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
        hold_lock(path),
    ):
        raise AssertionError("locked what is no lock")
    assert str(error.value).count("\n") == 0
    assert os.path.samestat(before, lock_path(path).lstat())
    assert theirs.read_text() == "mine"


def test_locks_and_parts_have_names_of_their_own(tmp_path: Path) -> None:
    """`poetry.lock` and `poetry.part` are other people's: a build of `poetry` keeps off."""
    for name in ("poetry.lock", "poetry.part"):
        (tmp_path / name).write_text("mine")
    with hold_lock(tmp_path / "poetry"):
        assert len(list(tmp_path.iterdir())) == 3
    assert {file.name for file in tmp_path.iterdir()} == {"poetry.lock", "poetry.part"}
    assert {file.read_text() for file in tmp_path.iterdir()} == {"mine"}


def test_the_fallback_of_a_gap_leaves_nothing_for_the_optimum(tmp_path: Path) -> None:
    """Parts that a rollout has left after a gap are no parts of the optimal tree, and both end."""
    game, policy = Mastermind(3, 6), {"name": "optimal"}
    fresh = build(game, policy)
    for gap in (0.9, 0.0):
        checkpoint = open_checkpoint(tmp_path / "a.parts", game, policy, None, 0.0)
        built = build(game, policy, resources=Resources(1, gap=gap), checkpoint=checkpoint)
    assert (built.pairs, built.book.to_bytes()) == (fresh.pairs, fresh.book.to_bytes())


@pytest.mark.slow
def test_a_tree_deeper_than_calls_of_python_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tree of 500 guesses one below the other, all kept, is put together from the checkpoint."""
    labels = [str(k) for k in range(500)]
    game = TableGame(labels, labels, lambda guess, secret: "yes" if guess == secret else "no")
    monkeypatch.setattr(frontier, "grain_of", lambda _: frontier.Grain(1, 1 << 25))
    books = set()
    for _ in range(2):
        checkpoint = open_checkpoint(tmp_path / "a.parts", game, "parts", None, 0.0)
        books.add(
            build(game, "parts", resources=Resources(1), checkpoint=checkpoint).book.to_bytes()
        )
    assert len(books) == 1
    assert checkpoint.found > 400
    name = (0, *(number for k in range(1, 500) for number in (game.parse_feedback("no"), k)))
    assert not len(Context(game, policy_of("parts"), MEMORY).split(name).feedback)
