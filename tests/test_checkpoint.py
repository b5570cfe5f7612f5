"""Checkpoints: a build goes on from where it was killed, and refuses what is not its own."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import metadata
from threading import Event
from typing import TYPE_CHECKING

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.book.errors import BuildError
from guessbook.builder import commands, frontier, terminal
from guessbook.builder.build import build, open_checkpoint
from guessbook.builder.growth import Batch, Level, Subtrees, root_batch
from guessbook.builder.lock import lock_path, locked
from guessbook.builder.policy import policy_named
from guessbook.builder.progress import LATER, USUAL, Forecast, Progress, weight
from guessbook.builder.progress import TASKS as TASK
from guessbook.lookup.main import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from guessbook.builder.checkpoint import Checkpoint

GAME = Mastermind(4, 7)
TASKS = 40
ENTROPY = policy_named("entropy")


@pytest.fixture(scope="module", autouse=True)
def many_tasks() -> Iterator[None]:
    """Small games, too, are cut into many tasks: as many as a real build has."""
    with pytest.MonkeyPatch.context() as patch:
        cut_small(patch.setattr)
        yield


def cut_small(replace: Callable[[object, str, object], None]) -> None:
    """Make the builder cut trees at nodes of few candidates; `replace` is like `setattr`."""
    limit = len(GAME.secrets) // TASKS
    neighbours, expand = frontier.neighbours, frontier.expand
    replace(frontier, "neighbours", lambda nodes, _: neighbours(nodes, limit))
    replace(frontier, "expand", lambda pool, job, _, *rest: expand(pool, job, limit, *rest))


@cache
def undisturbed() -> bytes:
    """The bytes of the book of `GAME`, built in one go."""
    return build(GAME).book.to_bytes()


def opened(folder: Path, delay: float = 0.0) -> Checkpoint:
    """The checkpoint of a build of `GAME`."""
    return open_checkpoint(folder, GAME, "entropy", None, delay)


class KilledError(Exception):
    """Stands for the end of a process."""


def killed_after(folder: Path, calls: int, jobs: int = 2) -> int:
    """Run a build that dies after so many reports of progress; how many results it left."""
    left = [calls]

    def report(_: Progress) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KilledError

    with pytest.raises(KilledError):
        build(GAME, jobs=jobs, progress=report, checkpoint=opened(folder))
    return len(list(folder.glob("*.tree")))


@given(data=st.data())
def test_results_come_back_as_they_were(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What is saved for a task is what another run loads for it, and for no other task."""
    folder = tmp_path_factory.mktemp("checkpoint") / "a.parts"
    number = st.integers(0, 2**32 - 1)
    levels = []
    for size in data.draw(st.lists(st.integers(0, 5), max_size=4)):
        column = st.lists(number, min_size=size, max_size=size)
        levels.append(Level(*(np.array(data.draw(column), np.int64) for _ in range(4))))
    pairs = np.array(data.draw(st.lists(st.integers(0, 2**62), max_size=5)), np.int64)
    opened(folder).save("growth", root_batch(9), Subtrees(levels, pairs))
    other = opened(folder)
    assert other.found == 1
    assert other.load("step", root_batch(9)) is None
    assert other.load("growth", root_batch(8)) is None
    found = other.load("growth", root_batch(9))
    assert found is not None
    assert found.pairs.tolist() == pairs.tolist()
    assert len(found.levels) == len(levels)
    for level, expected in zip(found.levels, levels, strict=True):
        assert [c.tolist() for c in level] == [c.tolist() for c in expected]


@pytest.mark.parametrize("calls", [0, 1, 5, 12, 30])
def test_a_build_goes_on_where_it_stopped(
    tmp_path: Path, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run, with other jobs, does only the rest; book and pairs are the same."""
    folder = tmp_path / "a.parts"
    kept = killed_after(folder, calls)
    assert kept == calls + 1
    expected = undisturbed()
    grown = []
    run_growth = frontier.run_growth

    def counted(job: frontier.Job, batch: Batch) -> Subtrees:
        grown.append(batch)
        return run_growth(job, batch)

    monkeypatch.setattr(frontier, "run_growth", counted)
    whole = build(GAME)
    tasks = len(grown)
    grown.clear()
    checkpoint = opened(folder)
    assert checkpoint.found == kept
    resumed = build(GAME, jobs=3, checkpoint=checkpoint)
    assert resumed.book.to_bytes() == whole.book.to_bytes() == expected
    assert resumed.pairs == whole.pairs
    steps = len(list(folder.glob("*.tree"))) - tasks
    assert len(grown) == tasks - max(kept - steps, 0)
    checkpoint.remove()
    assert list(tmp_path.iterdir()) == []


def test_several_stops_are_no_harm(tmp_path: Path) -> None:
    """A build that is killed again and again gets on each time."""
    folder = tmp_path / "a.parts"
    counts = [killed_after(folder, calls) for calls in (8, 11, 14)]
    assert counts == sorted(set(counts))
    assert build(GAME, checkpoint=opened(folder)).book.to_bytes() == undisturbed()


def test_short_builds_leave_the_disk_alone(tmp_path: Path) -> None:
    """Before the delay is over nothing is written; then all that has been finished is."""
    folder = tmp_path / "a.parts"
    build(GAME, checkpoint=opened(folder, delay=1000))
    assert not folder.exists()
    checkpoint = opened(folder, delay=1000)
    finished = Subtrees([], np.zeros(1, np.int64))
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
    finished = Subtrees([], np.zeros(1, np.int64))
    late, soon = opened(tmp_path / "late.parts", 1000), opened(tmp_path / "soon.parts", 1000)
    for checkpoint in (late, soon):
        checkpoint.save("growth", root_batch(1), finished)
    late._due = 0
    with pytest.raises(error), commands.resumable([late, soon]):
        raise error
    assert opened(late.folder).found == 1
    assert not soon.folder.exists()
    if error is KeyboardInterrupt:
        expected = f"Interrupted. The same command goes on from {late.folder}.\n"
        assert capsys.readouterr().err == expected


def test_the_folder_itself_is_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new checkpoint is in its parent folder, and that on the disk, before any part is."""
    order: list[int] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        order.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    opened(tmp_path / "a.parts").save("growth", root_batch(1), Subtrees([], np.zeros(1, np.int64)))
    assert order[0] == tmp_path.stat().st_ino
    assert (tmp_path / "a.parts").is_dir()


# --- the lock -------------------------------------------------------------------------------


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
        assert [found.name for found in tmp_path.iterdir()] == ["a.book.lock"]
    with locked(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_killed_build_is_ignored(tmp_path: Path) -> None:
    """A lock file whose holder is dead is not in the way, though its process id is in use."""
    path = tmp_path / "a.book"
    lock_path(path).write_text(f"{os.getpid()}\n")
    with locked(path):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("policy", "first_guess", "game"),
    [("minimax", None, GAME), ("entropy", "RRYY", GAME), ("entropy", None, Mastermind(4, 6))],
)
def test_a_foreign_checkpoint_is_refused(
    tmp_path: Path, policy: str, first_guess: str | None, game: Mastermind
) -> None:
    """A checkpoint of another game, policy or first guess is an error that says what to do."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 3)
    with pytest.raises(BuildError, match=r"another build.*delete the folder"):
        open_checkpoint(folder, game, policy, first_guess)
    with pytest.raises(BuildError, match="found a checkpoint of"):
        build(game, policy, first_guess, checkpoint=opened(folder))


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of another version of guessbook are not used."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 3)
    monkeypatch.setattr(metadata, "version", lambda _: "99.0")
    with pytest.raises(BuildError, match=r"expected mastermind-4x7 entropy 99\.0"):
        opened(folder)


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "rename", "foreign"])
def test_a_damaged_part_is_refused(tmp_path: Path, damage: str) -> None:
    """A part that is not what was written is an error that names it; without it all is well."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 20)
    path = sorted(folder.glob("*.tree"))[7]
    data = bytearray(path.read_bytes())
    if damage == "flip":
        data[random.Random(1).randrange(len(data))] ^= 4
    elif damage == "foreign":
        other = open_checkpoint(tmp_path / "b.parts", GAME, "parts", None, 0.0)
        with pytest.raises(KilledError):
            build(GAME, "parts", progress=fail, checkpoint=other)
        (foreign,) = (tmp_path / "b.parts").glob("*.tree")
        data = bytearray(foreign.read_bytes())
    data = {"cut": data[:-1], "empty": bytearray()}.get(damage, data)
    if damage == "rename":
        path = path.rename(folder / f"{'0' * 64}.tree")
    path.write_bytes(data)
    with pytest.raises(BuildError, match=rf"damaged.*{path.name}.*delete this file"):
        opened(folder)
    path.unlink()
    assert build(GAME, checkpoint=opened(folder)).book.to_bytes() == undisturbed()


def fail(_: Progress) -> None:
    """Stands for the end of a process."""
    raise KilledError


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff"])
def test_a_damaged_identity_is_refused(tmp_path: Path, content: bytes) -> None:
    """If nobody can tell whose checkpoint it is, the message says to delete it."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 3)
    (folder / "identity.json").write_bytes(content)
    with pytest.raises(BuildError, match=r"damaged.*delete the folder"):
        opened(folder)


def test_what_is_no_checkpoint_is_left_alone(tmp_path: Path) -> None:
    """A folder, or file, that happens to have the name is refused, and stays as it is."""
    folder = tmp_path / "a.parts"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(BuildError, match="none"):
        opened(folder)
    assert (folder / "thesis.txt").read_text() == "mine"
    file = tmp_path / "b.parts"
    file.write_text("mine")
    with pytest.raises(BuildError, match="cannot use"):
        opened(file)


def test_what_a_killed_writer_left_is_cleared(tmp_path: Path) -> None:
    """Unfinished files are ignored and deleted; a stranger's file outlives the checkpoint."""
    folder = tmp_path / "a.parts"
    folder.mkdir()
    # Killed while it wrote the identity, and before that.
    (folder / "identity.json.77.part").write_bytes(b"{")
    assert opened(folder).found == 0
    assert list(folder.iterdir()) == []
    kept = killed_after(folder, 5)
    (folder / f"{'0' * 64}.tree.77.part").write_bytes(b"half")
    (folder / "notes.txt").write_text("mine")
    checkpoint = opened(folder)
    assert checkpoint.found == kept
    assert not list(folder.glob("*.part"))
    checkpoint.remove()
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


# --- progress -------------------------------------------------------------------------------


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
    """After a fifth of the tasks the forecast of all pairs is right within a third."""
    seen: list[Progress] = []
    game = Mastermind(4, 9)
    total = sum(build(game, progress=seen.append).pairs)
    growing = [progress for progress in seen if progress.total]
    assert len(growing) >= 20
    early = growing[len(growing) // 5]
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


def test_what_still_waits_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that fails takes back the tasks that it has given to the executor."""
    gate = Event()
    started: list[int] = []

    def blocked(_: frontier.Job, batch: Batch) -> Subtrees:
        started.append(len(batch.feedback))
        if len(started) > 1:
            gate.wait(10)
        raise KilledError

    monkeypatch.setattr(frontier, "run_growth", blocked)
    with ThreadPoolExecutor(1) as executor:
        try:
            with pytest.raises(KilledError):
                frontier.grow_tree(executor, frontier.Job(GAME, ENTROPY, None), lambda _: None)
        finally:
            gate.set()
    # The one that failed, and one that the thread may have begun in the meantime.
    assert len(started) <= 2


# --- the command ----------------------------------------------------------------------------

# In a fresh installation the first of these tests compiles.
COMPILING = "Compiling the kernels, once for this installation ...\n"
OPTIONS = "build-book --pegs 4 --colors 7 --jobs 2 -o a.book"


def test_the_command_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`build-book` finds FILE.parts by itself, says so on stderr, and deletes it at the end."""
    monkeypatch.chdir(tmp_path)
    kept = killed_after(tmp_path / "a.book.parts", 12)
    monkeypatch.setattr(sys, "argv", ["guessbook", *OPTIONS.split(), "--json", "--force"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    captured = capsys.readouterr()
    expected = f"Going on with the {kept} finished tasks in a.book.parts.\n"
    assert captured.err.removesuffix(COMPILING) == expected
    known = json.loads(captured.out)
    assert (known["secrets"], known["resumed"]) == (2401, kept)
    assert (tmp_path / "a.book").read_bytes() == undisturbed()
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


def test_the_command_refuses_a_second_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While one build to a file runs, another is one line and exit code 1; later it is none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["guessbook", *OPTIONS.split(), "--json"])
    with locked(tmp_path / "a.book"), pytest.raises(SystemExit) as end:
        main()
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (1, "")
    assert captured.err.startswith("Error: another build is writing a.book")
    assert captured.err.count("\n") == 1
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert "resumed" not in json.loads(capsys.readouterr().out)
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


@pytest.mark.parametrize("compiles", [True, False])
def test_compiling_is_told_without_a_terminal(
    compiles: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line on stderr when compiling takes long, and none when something else does."""
    with terminal.told_if_compiling(0.05):
        if compiles:
            numba.njit(lambda number: number + 1)(1)
        time.sleep(0.2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("Compiling the kernels") == captured.err.count("\n") == compiles


def test_the_command_refuses_a_damaged_checkpoint_before_it_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1 and one line, and not even the kernels are loaded."""
    monkeypatch.chdir(tmp_path)
    killed_after(tmp_path / "a.book.parts", 12)
    part = next((tmp_path / "a.book.parts").glob("*.tree"))
    part.write_bytes(b"")

    def never(_: object) -> None:
        raise AssertionError("the build began")

    monkeypatch.setattr(commands, "warm_up", never)
    monkeypatch.setattr(sys, "argv", ["guessbook", *OPTIONS.split()])
    with pytest.raises(SystemExit) as end:
        main()
    captured = capsys.readouterr()
    assert end.value.code == 1
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert part.name in captured.err


# A build in a process of its own, in many tasks and slow enough to be killed on the way.
SLOW = """
import sys, time
from guessbook.builder import checkpoint, frontier
from tests.test_checkpoint import cut_small
cut_small(setattr)
checkpoint.DELAY = 0.0
run_growth = frontier.run_growth
def slow(job, batch):
    time.sleep(0.02)
    return run_growth(job, batch)
frontier.run_growth = slow
from guessbook.lookup.main import main
main()
"""


def start(folder: Path, root: Path, jobs: int = 2) -> subprocess.Popen[str]:
    """A slow build in a process of its own."""
    arguments = ["build-book", "--pegs", "4", "--colors", "7", "-o", str(folder / "a.book")]
    return subprocess.Popen(
        [sys.executable, "-c", SLOW, *arguments, "--jobs", str(jobs)],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
    )


def parts(folder: Path) -> int:
    """How many results are on disk."""
    return len(list(folder.glob("a.book.parts/*.tree")))


def test_ctrl_c_says_how_to_go_on(tmp_path: Path, root: Path) -> None:
    """After Ctrl-C one line says that the same command goes on, and it does."""
    process = start(tmp_path, root)
    while parts(tmp_path) < 5 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    err = err.removeprefix(COMPILING)
    assert err == f"Interrupted. The same command goes on from {tmp_path / 'a.book.parts'}.\n"
    assert not (tmp_path / "a.book").exists()
    process = start(tmp_path, root, jobs=1)
    _, err = process.communicate(timeout=60)
    assert err.startswith("Going on with the ")
    assert (tmp_path / "a.book").read_bytes() == undisturbed()


@pytest.mark.slow
def test_a_build_survives_sigkill(tmp_path: Path, root: Path) -> None:
    """Killed at random moments, twenty times, with other jobs, builds end with the same bytes."""
    dice = random.Random(3)
    kills = builds = 0
    while kills < 20:
        folder = tmp_path / str(builds)
        folder.mkdir()
        while not (folder / "a.book").exists():
            process = start(folder, root, jobs=dice.choice([1, 2, 3]))
            # From the first part that this run adds on, anything may be interrupted.
            goal = parts(folder) + dice.randrange(1, 20)
            while parts(folder) < goal and process.poll() is None:
                time.sleep(dice.random() / 100)
            process.kill()
            out, err = process.communicate(timeout=60)
            assert "Traceback" not in err
            assert "Error" not in out + err
            kills += process.returncode == -signal.SIGKILL
        builds += 1
        assert (folder / "a.book").read_bytes() == undisturbed()
        lock_path(folder / "a.book").unlink(missing_ok=True)
        if (folder / "a.book.parts").exists():
            # Killed between the book and the end of tidying up: the next build does that.
            opened(folder / "a.book.parts").remove()
        assert [path.name for path in folder.iterdir()] == ["a.book"]
    assert builds >= 3
