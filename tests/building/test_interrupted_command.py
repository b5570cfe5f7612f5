"""The checkpoints and locks of `build-book`: Ctrl-C, kills, full disks, and two builds at once."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

import guessbook as gb
from tests.building.cases import GAME
from tests.helpers.command import complaint, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.building.conftest import Clock
    from tests.helpers.command import Run

# Most tasks take about a millisecond each.
BUILD = [
    "build-book",
    "--pegs",
    "4",
    "--colors",
    "6",
    "--policy",
    "consistent",
    "--jobs",
    "1",
    "--quiet",
    "-o",
    "a.book",
]
PARTS = ".a.book.guessbook-parts"
LOCK = ".a.book.guessbook-lock"


def book() -> bytes:
    """The bytes of the book that `BUILD` writes."""
    return gb.build(GAME, "consistent").to_bytes()


def kept(folder: Path, name: str = PARTS) -> int:
    """The number of finished tasks in a checkpoint."""
    return len(list(folder.glob(f"{name}/*.tree")))


@pytest.fixture
def parts(run: Run, tmp_path: Path, clock: Clock) -> Path:
    """The checkpoint of an interrupted build."""
    clock.hurry(interrupt_at=10)
    assert run(*BUILD).code == 130
    assert kept(tmp_path)
    clock.hurry()
    return tmp_path / PARTS


# --- Ctrl-C ---------------------------------------------------------------------------------


def test_repeated_command_resumes_and_deletes_its_checkpoint(
    run: Run, tmp_path: Path, parts: Path
) -> None:
    count = kept(tmp_path)
    result = run(*BUILD, "--json")
    assert result.err == f"Resuming with the {count} finished tasks in {PARTS}.\n"
    assert json.loads(result.out)["resumed"] == count
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]
    assert (tmp_path / "a.book").read_bytes() == book()


def test_foreign_files_in_the_checkpoint_folder_stay(run: Run, tmp_path: Path, parts: Path) -> None:
    (parts / "notes.txt").write_text("mine")
    assert run(*BUILD).code == 0
    assert [path.name for path in parts.iterdir()] == ["notes.txt"]
    parts.rename(tmp_path / "other")


def test_damaged_checkpoint_is_rejected_before_the_build(
    run: Run, tmp_path: Path, parts: Path
) -> None:
    path = next(parts.glob("*.tree"))
    path.write_bytes(b"")
    assert path.name in complaint(run(*BUILD))
    assert path.name in json.loads(run(*BUILD, "--json").out)["error"]
    assert not (tmp_path / "a.book").exists()


def interrupt(*_: object, **__: object) -> None:
    """Raise KeyboardInterrupt, as Ctrl-C does."""
    raise KeyboardInterrupt


NOTHING = "Interrupted: nothing is kept, and the same command starts over.\n"


def test_interruption_reports_the_number_of_kept_tasks(
    run: Run, tmp_path: Path, clock: Clock
) -> None:
    clock.hurry(interrupt_at=10)
    result = run(*BUILD)
    assert (result.code, result.out) == (130, "")
    assert result.err == (
        f"Interrupted: {kept(tmp_path)} finished tasks are kept in {PARTS}, "
        "and the same command resumes the build.\n"
    )


def test_tasks_in_a_checkpoint_folder_that_was_moved_are_not_counted(
    run: Run, tmp_path: Path, parts: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, moved = kept(tmp_path), tmp_path / "moved"

    def look() -> float:
        if not moved.exists():
            parts.rename(moved)
        return clock()

    clock.hurry(interrupt_at=8)
    monkeypatch.setattr(time, "monotonic", look)
    result = run(*BUILD)
    count = kept(tmp_path)
    assert (result.code, kept(tmp_path, "moved")) == (130, before)
    assert count
    assert f" {count} finished task" in result.err.splitlines()[-1]


def test_interruption_within_ten_seconds_keeps_nothing(
    run: Run, tmp_path: Path, clock: Clock
) -> None:
    clock.interrupt_at = 10
    assert run(*BUILD)[::2] == (130, NOTHING)
    assert not list(tmp_path.iterdir())


def test_interruption_before_the_build_is_reported(run: Run, clock: Clock) -> None:
    clock.interrupt_at = 1
    assert run(*BUILD)[::2] == (130, "Interrupted before the build began.\n")


@pytest.mark.parametrize(
    ("function", "target", "said"),
    [
        ("fsync", "a.book", NOTHING),
        ("rmdir", "a.book", "Interrupted: the book is written.\n"),
    ],
)
def test_interruption_at_the_end_reports_whether_the_book_is_written(
    run: Run, function: str, target: str, said: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    if function == "rmdir":
        clock.hurry()
    monkeypatch.setattr(os, function, interrupt)
    assert run(*BUILD)[::2] == (130, said)


def test_interrupted_build_to_stdout_keeps_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("threading.Thread.start", interrupt)
    assert run(*BUILD[:-1], "-") == (130, "", NOTHING)


def test_interruption_between_books_says_how_many_are_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, calls = os.link, []

    def interrupt_second(*names: str) -> None:
        calls.append(names)
        if len(calls) == 2:
            raise KeyboardInterrupt
        link(*names)

    monkeypatch.setattr(os, "link", interrupt_second)
    result = run("build-book", "--pegs", 3, "--colors", 4, "--openings", "all")
    assert (result.code, result.out) == (130, "")
    assert result.err == (
        "Interrupted: 1 of 3 books are written; nothing else is kept, "
        "and the same command with --force starts over.\n"
    )
    assert len(list(tmp_path.iterdir())) == 1


def test_interruption_with_several_checkpoints_names_one(
    run: Run, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.hurry()
    monkeypatch.setattr(os, "link", interrupt)
    options = "--pegs 3 --colors 4 --first-guess best --quiet -o a.book"
    result = run("build-book", *options.split())
    count = kept(tmp_path, ".a.book.*.guessbook-parts")
    assert result.err == (
        f"Interrupted: {count} finished tasks are kept in .a.book.0.guessbook-parts and 2 more, "
        "and the same command resumes the build.\n"
    )


# --- full disks -----------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", [0, 1, 3, 9])
def test_checkpoint_on_a_full_disk_resumes_when_there_is_room(
    run: Run, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    written: list[str] = []
    replace = os.replace

    def full(source: str, target: str) -> None:
        if len(written) >= allowed:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(target)
        replace(source, target)

    clock.hurry()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        message = complaint(run(*BUILD))
    assert "No space left on device" in message
    assert ("the same command resumes the build" in message) == (allowed > 1)
    # The first file says what is built; `kept` does not count it.
    assert kept(tmp_path) == max(allowed - 1, 0)
    result = run(*BUILD, "--json")
    assert json.loads(result.out).get("resumed", 0) == max(allowed - 1, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]
    assert (tmp_path / "a.book").read_bytes() == book()


def test_book_that_cannot_be_saved_keeps_its_checkpoint(
    run: Run, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def full(source: str, target: str) -> None:
        if target.endswith("a.book"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    clock.hurry()
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", full)
        patch.setattr(os, "replace", full)
        message = complaint(run(*BUILD))
    count = kept(tmp_path)
    assert message.endswith(
        f"cannot write a.book: No space left on device; {count} finished tasks are kept in "
        f"{PARTS}, and the same command resumes the build"
    )
    assert json.loads(run(*BUILD, "--json").out)["resumed"] == count


# --- locks ----------------------------------------------------------------------------------


def test_concurrent_build_of_the_same_file_is_rejected(run: Run, tmp_path: Path) -> None:
    lock = FileLock(tmp_path / LOCK)
    with lock:
        (tmp_path / LOCK).write_text("guessbook build, process 4711\n")
        assert "process 4711" in complaint(run(*BUILD))
        assert "process 4711" in json.loads(run(*BUILD, "--json").out)["error"]
        assert run(*BUILD[:-1], "b.book").code == 0
    assert run(*BUILD).code == 0
    assert {path.name for path in tmp_path.iterdir()} - {LOCK} == {"a.book", "b.book"}


@pytest.mark.parametrize(
    "content", ["", f"guessbook build, process {os.getpid()}\n"], ids=["empty", "own"]
)
def test_lock_of_a_killed_build_is_ignored(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / LOCK).write_text(content)
    for name in ("a.book.lock", "a.book.part", "a.lock"):
        (tmp_path / name).write_text("mine")
    assert run(*BUILD).code == 0
    names = {"a.book", "a.book.lock", "a.book.part", "a.lock"}
    assert {path.name for path in tmp_path.iterdir()} == names


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["file", "link", "folder", "pipe"])
def test_foreign_file_in_place_of_the_lock_is_left_unchanged(
    run: Run, tmp_path: Path, kind: str
) -> None:
    lock, theirs = tmp_path / LOCK, tmp_path / "theirs"
    theirs.write_text("mine")
    if kind == "file":
        lock.hardlink_to(theirs)
    elif kind == "link":
        lock.symlink_to(theirs)
    elif kind == "folder":
        lock.mkdir()
    else:
        os.mkfifo(lock)
    before = lock.lstat()
    assert LOCK in complaint(run(*BUILD))
    assert os.path.samestat(before, lock.lstat())
    assert theirs.read_text() == "mine"
    assert not (tmp_path / "a.book").exists()


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.ENAMETOOLONG, "a shorter name"),
        (errno.EROFS, "a folder that you may write to"),
    ],
)
def test_error_for_a_lock_gives_advice_that_fits_its_cause(
    run: Run, monkeypatch: pytest.MonkeyPatch, reason: int, advice: str
) -> None:
    system_open = os.open

    def refuse(path: str, *arguments: int, **options: int) -> int:
        if str(path).endswith("-lock"):
            raise OSError(reason, os.strerror(reason))
        return system_open(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
    message = complaint(run(*BUILD))
    assert os.strerror(reason) in message
    assert advice in message


# --- real processes -------------------------------------------------------------------------

# The command, in a process whose clock runs a thousand times as fast.
HURRIED = """
import runpy, time
clock = time.monotonic
time.monotonic = lambda: 1000 * clock()
runpy.run_module("guessbook", run_name="__main__")
"""
SLOW = gb.Mastermind(4, 7), "rollout:width=20"
SLOW_BUILD = [
    "build-book",
    "--pegs",
    "4",
    "--colors",
    "7",
    "--policy",
    "rollout",
    "--width",
    "20",
    "-o",
    "a.book",
    "--force",
]


def start(folder: Path, *options: object) -> subprocess.Popen[str]:
    """Start a build of about a second, which writes its checkpoint at once."""
    return subprocess.Popen(
        [sys.executable, "-c", HURRIED, *SLOW_BUILD, *map(str, options)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
    )


def end_when(process: subprocess.Popen[str], folder: Path, results: int, how: int) -> str:
    """Send a signal once `results` parts are stored or the process has ended; return its stderr."""
    while kept(folder) < results and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    assert out == "" or process.returncode == 0
    return err


@pytest.mark.posix
def test_killed_and_interrupted_commands_resume_with_same_bytes(tmp_path: Path) -> None:
    end_when(start(tmp_path, "--jobs", 2), tmp_path, 2, signal.SIGKILL)
    assert not (tmp_path / "a.book").exists()
    err = end_when(start(tmp_path, "--jobs", 2), tmp_path, kept(tmp_path) + 2, signal.SIGINT)
    first, *progress, last = err.splitlines()
    assert first.startswith("Resuming with the ")
    assert last == (
        f"Interrupted: {kept(tmp_path)} finished tasks are kept in {PARTS}, "
        "and the same command resumes the build."
    )
    # Outside a terminal, a line every ten seconds shows the progress.
    assert progress
    assert all(line.startswith("scoring, ") and line.endswith(" left") for line in progress)
    process = start(tmp_path, "--jobs", 1, "--quiet")
    err = process.communicate(timeout=60)[1]
    assert (process.returncode, err.count("\n")) == (0, 1)
    assert (tmp_path / "a.book").read_bytes() == gb.build(*SLOW).to_bytes()
    assert not (tmp_path / PARTS).exists()


@pytest.mark.posix
@pytest.mark.slow
def test_builds_killed_at_random_moments_end_with_same_bytes(tmp_path: Path) -> None:
    dice = random.Random(3)
    expected = gb.build(*SLOW).to_bytes()
    kills = 0
    while kills < 12:
        process = start(tmp_path, "--jobs", dice.choice([1, 2, 3]))
        # Kill the build after a random number of new parts.
        err = end_when(process, tmp_path, kept(tmp_path) + dice.randrange(1, 12), signal.SIGKILL)
        assert "Error" not in err
        kills += process.returncode == -signal.SIGKILL
        if (tmp_path / "a.book").exists():
            assert (tmp_path / "a.book").read_bytes() == expected
            (tmp_path / "a.book").unlink()


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """A pseudo-terminal: the file descriptors of both ends."""
    leader, follower = os.openpty()
    yield leader, follower
    os.close(leader)


def read_all(leader: int) -> bytes:
    """Read what a terminal shows until its programs have ended."""
    shown = b""
    # On Linux, `read` raises OSError (EIO) at the end.
    with suppress(OSError):
        while part := os.read(leader, 4096):
            shown += part
    return shown


def on_terminal(folder: Path, follower: int, options: str) -> subprocess.Popen[bytes]:
    """Start `build-book` with a terminal as stderr."""
    process = subprocess.Popen(
        [sys.executable, "-m", "guessbook", "build-book", *options.split()],
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=folder,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(follower)
    return process


@pytest.mark.posix
def test_progress_bar_is_on_the_terminal_and_json_on_stdout(
    tmp_path: Path, terminal: tuple[int, int]
) -> None:
    process = on_terminal(tmp_path, terminal[1], "--pegs 2 --colors 3 --json")
    assert b"100%" in read_all(terminal[0])
    assert json.loads(process.communicate()[0])["secrets"] == 9


@pytest.mark.posix
def test_ctrl_c_on_a_terminal_ends_at_once_and_leaves_nothing(
    tmp_path: Path, terminal: tuple[int, int]
) -> None:
    process = on_terminal(tmp_path, terminal[1], "--pegs 6 --colors 8")
    shown = b""
    # The engine is at work as soon as the bar shows a stage.
    while b"scoring" not in shown:
        shown += os.read(terminal[0], 4096)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
    shown += read_all(terminal[0])
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in shown
    assert not list(tmp_path.iterdir())


def test_failure_to_start_a_thread_is_reported_in_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", fail)
    assert "--jobs" in one_line(run(*BUILD))
