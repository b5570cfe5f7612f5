"""Books on a disk: written completely or not at all, and read from files, pipes and devices."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import guessbook as gb
from tests.file.samples import all_samples, sample_book
from tests.helpers.disk import unfinished


@pytest.fixture(scope="module")
def old() -> gb.Book:
    """The book that is on the disk at first."""
    return sample_book("2x2")


@pytest.fixture(scope="module")
def new() -> gb.Book:
    """The book that replaces the old one."""
    return sample_book("3x4")


def files(folder: Path) -> dict[str, bytes]:
    """Return the names and the contents of the files in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_saved_book_is_opened_again(tmp_path: Path, old: gb.Book, new: gb.Book) -> None:
    path = tmp_path / "a.book"
    for book, name in ((old, path), (new, str(path)), (new, path)):
        assert book.save(name) == len(book.to_bytes()) == path.stat().st_size
        assert files(tmp_path) == {"a.book": book.to_bytes()}
        for source in (path, str(path), path.read_bytes()):
            assert gb.open(source).to_bytes() == book.to_bytes()


def test_existing_file_stays_without_overwrite(tmp_path: Path, old: gb.Book, new: gb.Book) -> None:
    old.save(tmp_path / "a.book", overwrite=False)
    with pytest.raises(gb.GuessbookError, match="allow overwriting"):
        new.save(tmp_path / "a.book", overwrite=False)
    assert files(tmp_path) == {"a.book": old.to_bytes()}


@pytest.mark.posix
@pytest.mark.parametrize("has_links", [True, False])
def test_save_without_overwriting_keeps_a_file_created_during_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new: gb.Book, has_links: bool
) -> None:
    fsync = os.fsync

    def appear(descriptor: int) -> None:
        fsync(descriptor)
        (tmp_path / "b.book").write_bytes(b"theirs")

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    if not has_links:  # as on FAT
        monkeypatch.setattr(os, "link", refuse)
    new.save(tmp_path / "a.book", overwrite=False)
    monkeypatch.setattr(os, "fsync", appear)
    with pytest.raises(gb.GuessbookError, match="overwriting"):
        new.save(tmp_path / "b.book", overwrite=False)
    assert files(tmp_path) == {"a.book": new.to_bytes(), "b.book": b"theirs"}


@pytest.mark.posix
@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("raised", [OSError(errno.ENOSPC, "disk full"), KeyboardInterrupt()])
def test_failed_write_leaves_old_file_and_nothing_else(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    old: gb.Book,
    new: gb.Book,
    step: str,
    raised: BaseException,
) -> None:
    def fail(*_: object) -> None:
        raise raised

    old.save(tmp_path / "a.book")
    monkeypatch.setattr(os, step, fail)
    due = gb.GuessbookError if isinstance(raised, OSError) else KeyboardInterrupt
    with pytest.raises(due, match="disk full" if due is gb.GuessbookError else None):
        new.save(tmp_path / "a.book")
    assert files(tmp_path) == {"a.book": old.to_bytes()}


@pytest.mark.posix
def test_file_is_flushed_before_the_rename_and_the_folder_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: gb.Book, new: gb.Book
) -> None:
    steps: list[str] = []
    names: set[str] = set()
    path = tmp_path / f"{'a' * 200}.book"
    fsync, replace = os.fsync, os.replace

    def flush(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        if not is_folder:
            assert os.fstat(descriptor).st_size == len(new.to_bytes())
            assert stat.S_IMODE(os.fstat(descriptor).st_mode) == 0o600
        steps.append("folder" if is_folder else "file")
        fsync(descriptor)

    def rename(source: str, target: str) -> None:
        names.add(Path(source).name)
        assert Path(source).parent == Path(target).parent
        assert (Path(target), Path(source).read_bytes()) == (path, new.to_bytes())
        steps.append("rename")
        replace(source, target)

    old.save(path)
    path.chmod(0o600)
    monkeypatch.setattr(os, "fsync", flush)
    monkeypatch.setattr(os, "replace", rename)
    for _ in range(2):
        new.save(path)
    assert steps == ["file", "rename", "folder"] * 2
    assert len(names) == 2
    for name in names:
        # SECURITY.md: .NAME.RANDOM.guessbook-part
        start, drawn, end = name.rsplit(".", 2)
        assert (start, end) == ("." + "a" * 40, "guessbook-part")
        assert int(drawn, 16) >= 0
        assert len(drawn) == 12


@pytest.mark.posix
@pytest.mark.parametrize("mode", [0o600, 0o400, 0o664, 0o755, 0o4755])
def test_replaced_file_keeps_its_permissions(tmp_path: Path, old: gb.Book, mode: int) -> None:
    path, link = tmp_path / "a.book", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(mode)
    link.symlink_to(path)
    before = os.umask(0o026)
    try:
        for target in (path, link):
            old.save(target)
            assert stat.S_IMODE(path.stat().st_mode) == mode & 0o777
        for overwrite in (True, False):
            fresh = tmp_path / f"fresh {overwrite}"
            old.save(fresh, overwrite)
            assert stat.S_IMODE(fresh.stat().st_mode) == 0o640
    finally:
        os.umask(before)


@pytest.mark.posix
def test_book_is_saved_on_a_file_system_without_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: gb.Book, new: gb.Book
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    path = tmp_path / "a.book"
    old.save(path)
    path.chmod(0o600)
    monkeypatch.setattr(os, "fchmod", refuse)
    new.save(path)
    assert files(tmp_path) == {"a.book": new.to_bytes()}
    # The file was readable by its owner alone from the start.
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.posix
def test_symbolic_link_stays_a_link(tmp_path: Path, old: gb.Book, new: gb.Book) -> None:
    folder, link, loop = tmp_path / "folder", tmp_path / "link", tmp_path / "loop"
    folder.mkdir()
    link.symlink_to(folder / "a.book")
    loop.symlink_to(loop)
    for book in (old, new):
        book.save(link)
        assert link.is_symlink()
        assert files(folder) == {"a.book": book.to_bytes()}
    os.mkfifo(tmp_path / "pipe")
    for wrong in (loop, folder, tmp_path / "pipe"):
        with pytest.raises(gb.GuessbookError):
            old.save(wrong)
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "link", "loop", "pipe"}
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("name", ["nowhere/a", "x" * 5000, "null\0"])
def test_path_that_cannot_be_written_is_an_error(tmp_path: Path, old: gb.Book, name: str) -> None:
    with pytest.raises(gb.GuessbookError, match="cannot write") as error:
        old.save(os.path.join(tmp_path, name))  # noqa: PTH118
    assert str(error.value).isprintable()
    assert files(tmp_path) == {}


@pytest.mark.parametrize("path", [None, 3, b"a.book", ["a.book"]])
def test_save_rejects_a_value_that_is_not_a_path(old: gb.Book, path: Any) -> None:
    with pytest.raises(gb.UsageError):
        old.save(path)


@pytest.mark.parametrize(
    "source",
    [
        *(None, 3, 1.5, bytearray(b"x"), memoryview(b"x"), ["a"], Path("no such file")),
        *("missing", "", ".", "x" * 5000, "a\0b", "\ud800", "missing/a", "/dev/fd/999"),
    ],
)
def test_source_that_is_not_a_book_is_a_usage_error(source: Any) -> None:
    with pytest.raises(gb.UsageError) as error:
        gb.open(source)
    assert str(error.value).isprintable()
    assert error.value.__cause__ is None


def test_name_of_a_shipped_book_precedes_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: gb.Book
) -> None:
    monkeypatch.chdir(tmp_path)
    old.save("mastermind-4x6")
    assert gb.open("mastermind-4x6").game.name == gb.open().game.name == "mastermind-4x6"
    for source in ("./mastermind-4x6", Path("mastermind-4x6")):
        assert gb.open(source).game == old.game
    names = gb.shipped_books()
    assert names == sorted(names)
    assert "mastermind-4x6" in names


def test_file_of_more_than_256_mib_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    for size, large in ((1 << 28, False), ((1 << 28) + 1, True), (1 << 40, True)):
        path.touch()
        os.truncate(path, size)
        with pytest.raises(gb.InvalidBookError) as error:
            gb.open(path)
        assert ("larger" in str(error.value)) == large


@pytest.mark.posix
def test_pipes_and_devices_are_read_up_to_the_limit(tmp_path: Path, new: gb.Book) -> None:
    reading, writing = os.pipe()

    def write() -> None:
        # The reader has to wait for the second part.
        with os.fdopen(writing, "wb", buffering=0) as pipe:
            pipe.write(new.to_bytes()[:9])
            time.sleep(0.1)
            pipe.write(new.to_bytes()[9:])

    writer = threading.Thread(target=write)
    writer.start()
    assert gb.open(f"/dev/fd/{reading}").to_bytes() == new.to_bytes()
    writer.join()
    os.close(reading)
    os.mkfifo(tmp_path / "pipe")
    for source, part in (
        ("/dev/zero", "larger"),
        ("/dev/null", "empty"),
        (tmp_path / "pipe", "empty"),
    ):
        with pytest.raises(gb.InvalidBookError, match=part):
            gb.open(source)


# Killed writers, and concurrent writers.

# Starts writers of one file and kills them at random moments, in a process without threads.
KILLER = """
import os, random, signal, sys, time
import guessbook as gb
path, kills, writers, *sources = sys.argv[1:]
books = [gb.open(source) for source in sources]
blobs = [book.to_bytes() for book in books]
chance = random.Random(6)
books[0].save(path)
seen = set()
for _ in range(int(kills)):
    children = []
    for _ in range(int(writers)):
        child = os.fork()
        if not child:
            while True:
                books[chance.randrange(len(books))].save(path)
        children.append(child)
    time.sleep(chance.random() * 0.01)
    for child in children:
        os.kill(child, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    with open(path, "rb") as file:
        seen.add(blobs.index(file.read()))
print(len(seen))
"""


@pytest.mark.posix
@pytest.mark.parametrize(
    ("kills", "writers"), [(40, 1), (40, 2), pytest.param(500, 2, marks=pytest.mark.slow)]
)
def test_killed_writer_leaves_a_whole_book(tmp_path: Path, kills: int, writers: int) -> None:
    sources = []
    for name in ("2x2", "3x4", "words"):
        sources.append(tmp_path / f"{name}.book")
        sample_book(name).save(sources[-1])
    folder = tmp_path / "out"
    folder.mkdir()
    numbers = (str(kills), str(writers))
    command = [sys.executable, "-c", KILLER, str(folder / "a.book"), *numbers, *map(str, sources)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert found.returncode == 0, found.stderr
    assert int(found.stdout) > 1
    left = unfinished(folder)
    # Otherwise no kill hit a write, and nothing was tested.
    assert left
    assert all(path.name.startswith(".a.book.") for path in left)
    assert len(left) + 1 == len(files(folder))


def test_threads_may_save_to_one_file(tmp_path: Path) -> None:
    books = all_samples()[:8]
    errors: list[BaseException] = []
    start = threading.Barrier(len(books))

    def save(book: gb.Book) -> None:
        try:
            start.wait(30)
            for _ in range(10):
                book.save(tmp_path / "a.book")
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=save, args=(book,)) for book in books]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert list(files(tmp_path)) == ["a.book"]
    assert (tmp_path / "a.book").read_bytes() in [book.to_bytes() for book in books]


# Other systems, simulated in a process that lacks what they lack.

AS_ON_WINDOWS = """
import asyncio, concurrent.futures, ctypes, importlib.metadata, multiprocessing, os, readline
import shutil, signal, subprocess, sys, tempfile, threading, time, types
import filelock, msgpack, numpy, rich.console, typer, zstandard
from pathlib import Path
theirs = types.ModuleType("os")
vars(theirs).update(vars(os))
# filelock uses another module on Windows, so it keeps the real `os`.
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
opened, renamed, replaced = os.open, os.rename, os.replace

def open_file(path, flags, mode=0o777, **options):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return opened(path, flags, mode, **options)

def rename(source, target, **options):
    if os.path.lexists(target):
        raise FileExistsError(17, "File exists", target)
    renamed(source, target)

os.open, os.rename = open_file, rename
"""
ON_WINDOWS = """
sys.platform = "win32"
import guessbook as gb
book, path = gb.open("a.book"), "b.book"
for overwrite in (False, True, True):
    book.save(path, overwrite)
try:
    gb.open("mastermind-4x6").save(path, overwrite=False)
except gb.GuessbookError as error:
    assert "overwriting" in str(error)
assert gb.open(path).to_bytes() == book.to_bytes() == Path(path).read_bytes()
assert sorted(os.listdir()) == ["a.book", "b.book"]

# A reader has the file open: Windows refuses to replace it, so the writer waits.
for times in (1, 40, 41):
    tries, pauses = [], []
    def replace(source, target):
        tries.append(target)
        if len(tries) <= times:
            raise PermissionError(13, "Access is denied")
        replaced(source, target)
    os.replace, time.sleep = replace, pauses.append
    Path(path).write_bytes(b"old")
    try:
        book.save(path)
        assert times < 41
    except gb.GuessbookError as error:
        assert times == 41 and "Access is denied" in str(error)
    assert (Path(path).read_bytes() == b"old") == (times == 41)
    assert len(pauses) == min(times, 40) and 1 < sum(pauses) / len(pauses) * 40 <= 5
    assert sorted(os.listdir()) == ["a.book", "b.book"]
"""
ON_A_MAC = """
import errno, os, stat, sys, types
from pathlib import Path
calls, known = [], [True]

def kind(descriptor):
    return "file" if stat.S_ISREG(os.fstat(descriptor).st_mode) else "folder"

def full_sync(descriptor, command):
    assert command == 51
    calls.append(f"full {kind(descriptor)}")
    if not known[0]:
        raise OSError(errno.ENOTSUP, "Operation not supported")

import zstandard, msgpack
mac = types.ModuleType("fcntl")
mac.F_FULLFSYNC, mac.fcntl = 51, full_sync
sys.modules["fcntl"] = mac
os.fsync = lambda descriptor: calls.append(f"fsync {kind(descriptor)}")
sys.platform = "darwin"
import guessbook as gb
book = gb.open("a.book")
book.save("b.book")
assert calls == ["full file", "full folder"]
calls.clear()
known[0] = False
book.save("b.book")
assert calls == ["full file", "fsync file", "full folder", "fsync folder"]
assert Path("b.book").read_bytes() == book.to_bytes()
"""
COMMANDS = {
    "hint RYGB=1,1": 0,
    "build-book --pegs 3 --colors 4 -o b.book": 0,
    "build-book --pegs 3 --colors 4 -o ./b.book": 1,  # it exists
    "build-book --pegs 3 --colors 4 -o b.book --force": 0,
    "build-book --pegs 3 --colors 4 --openings all": 0,
    "export a.book --to python -o hint.py": 0,
    "report a.book -o a.html": 0,
    "words --length 5 --dictionary list -o words": 0,
    "import list": 3,  # it is not a tree
    "simulate a.book -o a.csv": 0,
    "play a.book --secret RYG": 0,
    "verify a.book --policy": 0,
}
# Only the module that writes files sees Windows: the engine needs the real system.
RUN_COMMANDS = """
system, sys.platform = sys.platform, "win32"
import guessbook as gb
gb.open("a.book").save("a.book")
sys.platform = system
from guessbook.command.main import run
for command in sys.argv[1:]:
    sys.argv = ["guessbook", *command.split()]
    print("exit", run(), command, file=sys.stderr)
"""


@pytest.mark.posix
@pytest.mark.parametrize("script", [AS_ON_WINDOWS + ON_WINDOWS, ON_A_MAC], ids=["Windows", "macOS"])
def test_book_is_saved_on_simulated_windows_and_macos(
    tmp_path: Path, new: gb.Book, script: str
) -> None:
    new.save(tmp_path / "a.book")
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr


@pytest.mark.posix
def test_commands_work_without_functions_that_windows_lacks(tmp_path: Path, new: gb.Book) -> None:
    """There is no fcntl, fork, link or sysconf; `os.open` lacks flags and cannot open folders."""
    gb.build("mastermind-3x4").save(tmp_path / "a.book")
    (tmp_path / "list").write_text("crane\nslate\n")
    found = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS + RUN_COMMANDS, *COMMANDS],
        input="RYG\n",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Traceback" not in found.stderr
    ends = [line.split(" ", 2) for line in found.stderr.splitlines() if line.startswith("exit ")]
    assert {command: int(code) for _, code, command in ends} == COMMANDS, found.stderr
    names = {path.name for path in tmp_path.iterdir() if "guessbook" not in path.name}
    assert {"list", "words", "b.book", "a.html", "a.csv", "hint.py"} < names
    assert (tmp_path / "a.book").read_bytes() == (tmp_path / "b.book").read_bytes()


@pytest.mark.posix
@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_book_is_saved_if_folders_cannot_be_flushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new: gb.Book, number: int
) -> None:
    fsync = os.fsync

    def refuse(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse)
    if number == errno.EIO:
        with pytest.raises(gb.GuessbookError, match=os.strerror(number)):
            new.save(tmp_path / "a.book")
    else:
        new.save(tmp_path / "a.book")
    assert files(tmp_path) == {"a.book": new.to_bytes()}
