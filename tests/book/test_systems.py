"""What each system promises of files: with its own calls, and without those it lacks."""

from __future__ import annotations

import errno
import importlib
import os
import stat
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import pytest

from guessbook.book import GuessbookError, Mastermind
from guessbook.book.file import system
from guessbook.book.file.disk import write_atomically
from tests.helpers.disk import unfinished
from tests.helpers.plain import plain_book

# What Windows has nothing of.
MISSING = ("O_NONBLOCK", "O_NOFOLLOW", "set_blocking", "fork", "link")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module as it is on Windows: no flags, and folders that cannot be opened."""
    opened, renamed = os.open, os.rename

    def open_file(path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, flags, mode, **options)

    def rename(source: str, target: str) -> None:
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, "Cannot create a file when it already exists")
        renamed(source, target)

    for name in MISSING:
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(os, "open", open_file)
    monkeypatch.setattr(os, "rename", rename)
    monkeypatch.setattr(system, "WINDOWS", True)
    monkeypatch.setattr(system, "AT_ONCE", 0)
    monkeypatch.setattr(system, "NO_LINK", 0)


def test_the_flags_are_those_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flags that a system lacks are none; `WINDOWS` is what Python says."""
    with monkeypatch.context() as patch:
        for name in MISSING:
            patch.delattr(os, name, raising=False)
        patch.setattr(sys, "platform", "win32")
        importlib.reload(system)
        assert (system.WINDOWS, system.AT_ONCE, system.NO_LINK) == (True, 0, 0)
    importlib.reload(system)
    assert (sys.platform == "win32") == system.WINDOWS
    assert getattr(os, "O_NONBLOCK", 0) == system.AT_ONCE


@pytest.mark.usefixtures("windows")
def test_writing_where_folders_cannot_be_opened(tmp_path: Path) -> None:
    """Written, overwritten, and left alone; nothing is left over."""
    path = tmp_path / "a.book"
    for data in (b"old", b"new"):
        write_atomically(path, data)
        assert path.read_bytes() == data
    with pytest.raises(GuessbookError, match="stays as it is"):
        write_atomically(path, b"newer", overwrite=False)
    write_atomically(tmp_path / "b.book", b"first", overwrite=False)
    assert path.read_bytes() == b"new"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.book", "b.book"]


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("times", [1, system.ATTEMPTS, system.ATTEMPTS + 1])
def test_a_file_in_use_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """Windows refuses to replace a file that a reader has open: for a moment that is waited for."""
    path = tmp_path / "a.book"
    path.write_bytes(b"old")
    tries: list[str] = []
    pauses: list[float] = []
    replace = os.replace

    def refused(source: str, target: str) -> None:
        tries.append(target)
        if len(tries) <= times:
            raise PermissionError(errno.EACCES, "Access is denied")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refused)
    monkeypatch.setattr(time, "sleep", pauses.append)
    if times > system.ATTEMPTS:
        with pytest.raises(GuessbookError, match="Access is denied"):
            write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
    else:
        write_atomically(path, b"new")
        assert path.read_bytes() == b"new"
    assert len(pauses) == min(times, system.ATTEMPTS)
    assert sum(pauses) <= 5
    assert not unfinished(tmp_path)


@pytest.mark.usefixtures("windows")
def test_reading_without_flags(tmp_path: Path) -> None:
    """What is opened at once, or as our own, is read as ever."""
    (tmp_path / "a").write_bytes(b"whole")
    for opener in (system.open_at_once, system.open_own):
        with open(tmp_path / "a", "rb", opener=opener) as file:
            assert file.read() == b"whole"


def test_a_mac_flushes_its_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS: F_FULLFSYNC for the file and the folder, and `fsync` only where that is not known."""
    calls: list[tuple[str, int]] = []
    known = [True]

    def full_sync(descriptor: int, command: int) -> None:
        assert command == 51
        calls.append(("full", stat.S_IFMT(os.fstat(descriptor).st_mode)))
        if not known[0]:
            raise OSError(errno.ENOTSUP, "Operation not supported")

    mac: Any = types.ModuleType("fcntl")
    mac.F_FULLFSYNC, mac.fcntl = 51, full_sync
    monkeypatch.setitem(sys.modules, "fcntl", mac)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(
        os, "fsync", lambda fd: calls.append(("fsync", stat.S_IFMT(os.fstat(fd).st_mode)))
    )
    write_atomically(tmp_path / "a.book", b"data")
    assert calls == [("full", stat.S_IFREG), ("full", stat.S_IFDIR)]
    calls.clear()
    known[0] = False
    write_atomically(tmp_path / "a.book", b"data")
    assert [name for name, _ in calls] == ["full", "fsync", "full", "fsync"]


@pytest.mark.posix
def test_a_file_system_that_flushes_no_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some of a network say EINVAL: the file is written all the same. A broken disk is told."""
    fsync, number = os.fsync, [errno.EINVAL]

    def refuse(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number[0], os.strerror(number[0]))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse)
    write_atomically(tmp_path / "a.book", b"data")
    assert (tmp_path / "a.book").read_bytes() == b"data"
    number[0] = errno.EIO
    with pytest.raises(GuessbookError, match=os.strerror(errno.EIO)):
        write_atomically(tmp_path / "a.book", b"data")


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_has_appeared_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """Without `overwrite` a name that is taken at the last moment stays, with hard links or not."""
    if not links:

        def unknown(*_: object) -> None:
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", unknown, raising=False)
    path = tmp_path / "a.book"
    write_atomically(path, b"first", overwrite=False)
    flush = system.flush

    def appear(descriptor: int) -> None:
        flush(descriptor)
        (tmp_path / "b.book").write_bytes(b"theirs")

    monkeypatch.setattr("guessbook.book.file.disk.flush", appear)
    with pytest.raises(GuessbookError, match=r"b\.book.*stays as it is"):
        write_atomically(tmp_path / "b.book", b"ours", overwrite=False)
    assert (path.read_bytes(), (tmp_path / "b.book").read_bytes()) == (b"first", b"theirs")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.book", "b.book"]


# Takes from Python what Windows lacks, before anything of ours is loaded, and runs commands. The
# lock is another library's, which has a module of its own for Windows: it keeps what it knows.
AS_ON_WINDOWS = """
import importlib.metadata, os, signal, subprocess, sys, types
import asyncio, concurrent.futures, filelock, multiprocessing, readline
theirs = types.ModuleType("os")
vars(theirs).update(vars(os))
for name, module in list(sys.modules.items()):
    if name.startswith("filelock") and hasattr(module, "os"):
        module.os = theirs
for name in "fcntl termios tty pty pwd grp resource readline syslog".split():
    sys.modules[name] = None
for name in (
    "O_NONBLOCK O_NOFOLLOW O_DIRECTORY O_CLOEXEC set_blocking fork forkpty mkfifo sysconf getuid "
    "geteuid getgid chown fchmod pread pwrite link killpg getpgid setsid wait3 wait4 "
    "sched_getaffinity"
).split():
    vars(os).pop(name, None)
for name in "SIGKILL SIGHUP SIGALRM SIGUSR1 SIGPIPE SIGCHLD alarm pthread_kill".split():
    vars(signal).pop(name, None)
opened, renamed = os.open, os.rename
def open_file(path, flags, mode=0o777, **options):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return opened(path, flags, mode, **options)
def rename(source, target, **options):
    if os.path.lexists(target):
        raise FileExistsError(17, "File exists", target)
    renamed(source, target)
os.open, os.rename = open_file, rename
from guessbook.book.file import system
system.WINDOWS = True
from guessbook.command.main import run
for command in sys.argv[1:]:
    sys.argv = ["guessbook", *command.split()]
    print("exit", run(), command, file=sys.stderr)
"""
COMMANDS = {
    "hint RYGB=1,1": 0,
    "build-book --pegs 3 --colors 4 -o a.book": 0,
    "build-book --pegs 3 --colors 4 -o ./a.book": 1,  # it is there
    "build-book --pegs 3 --colors 4 -o a.book --force": 0,
    "build-book --pegs 3 --colors 4 --openings all": 0,
    "export a.book --to python -o hint.py": 0,
    "report a.book -o a.html": 0,
    "words --length 5 --dictionary list -o words": 0,
    "import list": 3,  # it is no tree
    "simulate a.book -o a.csv": 0,
    "play a.book --secret RYG": 0,
    "verify a.book --policy": 0,
}


@pytest.mark.posix
def test_commands_work_without_what_windows_lacks(tmp_path: Path) -> None:
    """No fcntl, flags, fork, link or sysconf, no folders to open: it works, or says no."""
    (tmp_path / "list").write_text("crane\nslate\n")
    found = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS, *COMMANDS],
        input="RYG\n",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Traceback" not in found.stderr
    ends = [line.split(" ", 2) for line in found.stderr.splitlines() if line.startswith("exit ")]
    assert {command: int(code) for _, code, command in ends} == COMMANDS, found.stderr
    files = {path.name for path in tmp_path.iterdir() if "guessbook" not in path.name}
    assert {"list", "words", "a.book", "a.html", "a.csv", "hint.py"} < files
    assert (tmp_path / "a.book").read_bytes() == plain_book(Mastermind(3, 4)).to_bytes()
