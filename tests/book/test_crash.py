"""Crash safety: whatever happens while a file is written, its name holds a whole file."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from guessbook.book.file.disk import write_atomically
from guessbook.book.strategy import book_path
from tests.helpers.disk import unfinished

VERSIONS = ["mastermind-4x6", "bulls-and-cows-4x10", "mastermind-5x8"]


def blob(name: str) -> bytes:
    """The file of a shipped book."""
    return Path(book_path(name)).read_bytes()


# Forks writers and kills them at random moments. A process of its own, as this one has threads.
NURSERY = """
import os, random, signal, sys, time
from guessbook.lookup import open_book
from guessbook.book.file.disk import write_atomically
path, kills, writers, *versions = sys.argv[1:]
blobs = [open(version, "rb").read() for version in versions]
dice = random.Random(6)
write_atomically(path, blobs[0])
seen = set()
for number in range(int(kills)):
    children = []
    for _ in range(int(writers)):
        child = os.fork()
        if not child:
            while True:
                write_atomically(path, blobs[dice.randrange(len(blobs))])
        children.append(child)
    time.sleep(dice.random() * 0.01)
    for child in children:
        os.kill(child, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    with open(path, "rb") as file:
        found = file.read()
    assert found in blobs, f"after kill {number}: {len(found)} bytes"
    seen.add(blobs.index(found))
assert open_book(path).hint().remaining > 0
left = [name for name in os.listdir(os.path.dirname(path)) if name != os.path.basename(path)]
own = "." + os.path.basename(path) + "."
assert all(name.startswith(own) and name.endswith(".guessbook-part") for name in left)
print(len(left), len(seen))
"""


def killed(path: Path, kills: int, writers: int) -> tuple[int, int]:
    """Kill writers of a file; how many unfinished files they left, how many versions won."""
    command = [sys.executable, "-c", NURSERY, str(path), str(kills), str(writers)]
    found = subprocess.run(
        [*command, *map(book_path, VERSIONS)], capture_output=True, text=True, timeout=500
    )
    assert found.returncode == 0, found.stderr
    left, won = map(int, found.stdout.split())
    return left, won


@pytest.mark.posix
@pytest.mark.parametrize("writers", [1, 2])
def test_a_killed_writer_leaves_a_whole_book(tmp_path: Path, writers: int) -> None:
    """After SIGKILL at a random moment the name holds one of the versions; one or two writers."""
    left, won = killed(tmp_path / "a.book", 60, writers)
    # Or no kill hit a write, and nothing was tested.
    assert left > 0
    assert won == len(VERSIONS)


@pytest.mark.posix
@pytest.mark.slow
def test_two_thousand_killed_writers_leave_a_whole_book(tmp_path: Path) -> None:
    """The same, two thousand times."""
    left, _ = killed(tmp_path / "a.book", 1000, 2)
    assert left > 100


@pytest.mark.posix
def test_what_is_left_over_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unfinished files are named after the file, and no later write stumbles over them."""
    path = tmp_path / "a.book"

    def die(*_: object) -> None:
        raise SystemExit

    for number in range(5):
        with monkeypatch.context() as patch:
            # As if killed: nothing is tidied up.
            patch.setattr(os, "fsync", die)
            patch.setattr(os, "unlink", lambda _: None)
            with pytest.raises(SystemExit):
                write_atomically(path, b"unfinished")
        assert len(unfinished(tmp_path)) == number + 1
        write_atomically(path, b"%d" % number)
        assert path.read_bytes() == b"%d" % number
    assert all(left.name.startswith(".a.book.") for left in unfinished(tmp_path))
    assert all(left.read_bytes() == b"unfinished" for left in unfinished(tmp_path))


@pytest.mark.posix
def test_writing_is_durable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content is on the disk before the file gets its name, and then the name is."""
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def flushed(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def renamed(source: str, target: str) -> None:
        assert Path(source).read_bytes() == b"new"
        assert Path(source).parent == Path(target).parent
        done.append("name")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(os, "replace", renamed)
    write_atomically(tmp_path / "a.book", b"new")
    assert done == ["file", "name", "folder"]


def test_threads_may_write_one_file(tmp_path: Path) -> None:
    """Eight threads save to one name at once: no error, nothing left over, the last one whole."""
    path = tmp_path / "a.book"
    blobs = [blob("mastermind-4x6")[k:] for k in range(8)]
    errors: list[BaseException] = []
    gate = threading.Barrier(8)

    def save(number: int) -> None:
        try:
            gate.wait(30)
            for _ in range(20):
                write_atomically(path, blobs[number])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=save, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert path.read_bytes() in blobs
    assert [left.name for left in tmp_path.iterdir()] == ["a.book"]
