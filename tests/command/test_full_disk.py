"""Full disks and wrong places: what cannot be written is said in a line, and nothing is spoilt."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from guessbook.book import GuessbookError, Mastermind
from guessbook.book.file import disk
from guessbook.builder import build_strategy, checkpoint
from guessbook.command import build as build_command
from guessbook.export import export
from guessbook.lookup import Book, open_book
from tests.helpers.command import START, Result, complaint
from tests.helpers.disk import unfinished
from tests.helpers.tasks import cut_small, noted_tasks

resource = pytest.importorskip("resource", reason="Windows cannot limit the size of files")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.helpers.command import Run


@contextmanager
def small_files(limit: int) -> Iterator[None]:
    """No file may grow beyond so many bytes: what a full disk looks like from inside."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


BUILD = "build-book --pegs 4 --colors 5 --jobs 2 --json -o a.book"
COMMANDS = {
    "build-book": "build-book --pegs 3 --colors 4 --force -o old",
    "words": "words --dictionary long --force -o old",
    "simulate": "simulate --force -o old",
    "compare": "compare parts --pegs 2 --colors 3 --force --svg old",
    "export": "export --to json --force -o old",
    "report": "report --force -o old",
    "import": "import tree --force -o old",
}


def prepare(folder: Path) -> None:
    """Write what the commands read."""
    words = [f"{a}{b}{c}ne\n" for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyz"]
    (folder / "long").write_text("".join(words))
    (folder / "tree").write_text(export(open_book("mastermind-4x6"), "irving"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_leaves_the_old_file(run: Run, tmp_path: Path, command: str) -> None:
    """Each command that writes a file says in a line that it cannot; the old file is as it was."""
    prepare(tmp_path)
    # With room it is written.
    assert run(*COMMANDS[command].replace("old", "other").split()).code == 0
    (tmp_path / "old").write_bytes(b"as it was")
    with small_files(120):
        message = complaint(run(*COMMANDS[command].split()))
    assert "cannot write old: File too large" in message
    assert (tmp_path / "old").read_bytes() == b"as it was"
    assert not unfinished(tmp_path)
    # And with room it is written.
    assert run(*COMMANDS[command].split()).code == 0
    assert (tmp_path / "old").read_bytes() != b"as it was"


def test_saving_to_a_full_disk(tmp_path: Path, small_book: Book) -> None:
    """`save` raises GuessbookError, and the old file is as it was."""
    path = tmp_path / "a.book"
    path.write_bytes(b"as it was")
    with small_files(50), pytest.raises(GuessbookError, match="File too large"):
        small_book.save(path)
    assert path.read_bytes() == b"as it was"
    assert not unfinished(tmp_path)


@pytest.mark.parametrize(
    "command", ["share RYGB=1,1", "words --dictionary /dev/stdin", "export --to json -o -"]
)
def test_a_full_output_is_one_line(command: str) -> None:
    """What is printed to a full disk ends in one line on stderr, too."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        found = subprocess.run(
            [*START, *command.split()],
            input=b"crane\n",
            stdout=full,
            stderr=subprocess.PIPE,
            # As people have it: what is printed waits in a buffer.
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
            timeout=60,
        )
    assert found.returncode == 1
    assert found.stderr.count(b"\n") == 1
    assert found.stderr.startswith(b"Error: ")
    assert b"No space left on device" in found.stderr


@pytest.mark.parametrize("allowed", [0, 1, 3, 9])
def test_a_checkpoint_on_a_full_disk_loses_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    """The build stops, says so in a line, and goes on from what is on the disk once there is room.

    `allowed` is how many files still fit; the first one is the checkpoint's identity.
    """
    cut_small(monkeypatch.setattr)
    monkeypatch.setattr(checkpoint, "DELAY", 0.0)
    arguments = BUILD.split()
    written: list[object] = []
    write = disk._write

    def full(temporary: str, target: str, data: bytes, overwrite: bool) -> None:
        if len(written) >= allowed:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(temporary, target, data, overwrite)
        written.append(target)

    monkeypatch.setattr(disk, "_write", full)
    message = complaint(run(*arguments))
    assert "No space left on device" in message
    assert ("the same command goes on from there" in message) == (allowed > 1)
    assert not (tmp_path / "a.book").exists()
    kept = len(list(tmp_path.glob(".a.book.guessbook-parts/*.tree")))
    assert kept == max(allowed - 1, 0)
    monkeypatch.setattr(disk, "_write", write)
    result = run(*arguments)
    assert json.loads(result.out).get("resumed", 0) == kept
    expected = build_strategy(Mastermind(4, 5)).to_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]
    assert (tmp_path / "a.book").read_bytes() == expected


def test_a_book_that_cannot_be_saved_keeps_its_checkpoint(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk is full when the book is finished, none of its tasks is done again."""
    cut_small(monkeypatch.setattr)
    monkeypatch.setattr(checkpoint, "DELAY", 0.0)
    arguments = BUILD.split()
    write = disk._write

    def full(temporary: str, target: str, data: bytes, overwrite: bool) -> None:
        if target.endswith("a.book"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(temporary, target, data, overwrite)

    monkeypatch.setattr(disk, "_write", full)
    message = complaint(run(*arguments))
    assert "cannot write a.book: No space left on device" in message
    assert message.endswith("in .a.book.guessbook-parts, and the same command goes on from there")
    monkeypatch.setattr(disk, "_write", write)
    with noted_tasks() as tasks:
        assert run(*arguments).code == 0
    assert not tasks
    assert open_book(tmp_path / "a.book").stats.secrets == 625


def fill(disk: Path, left: int) -> None:
    """Fill a small file system, but for so many bytes."""
    with (disk / "filler").open("wb", buffering=0) as filler:
        with suppress(OSError):
            while True:
                filler.write(bytes(4096))
        filler.truncate(filler.tell() - left)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_disk_that_is_really_full(tmp_path: Path, command: str) -> None:
    """On a file system of 64 kB that is full, a command fails in a line and spoils nothing."""
    if sys.platform == "win32":
        raise NotImplementedError
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root may mount a small file system, and not everywhere")
    try:
        (disk / "old").write_bytes(b"as it was")
        prepare(tmp_path)
        arguments = COMMANDS[command].replace("old", str(disk / "old"))
        if command == "build-book":
            arguments = arguments.replace("--pegs 3 --colors 4", "--pegs 4 --colors 9")
        if command == "compare":
            arguments = arguments.replace("compare parts", "compare parts entropy minimax expected")
        # A build first writes its lock.
        fill(disk, 4096 if command == "build-book" else 0)
        found = subprocess.run(
            [*START, *arguments.split()], capture_output=True, text=True, timeout=120, cwd=tmp_path
        )
        message = complaint(Result(found.returncode, found.stdout, found.stderr))
        assert "No space left on device" in message
        assert sorted(path.name for path in disk.iterdir()) == ["filler", "old"]
        assert (disk / "old").read_bytes() == b"as it was"
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# --- wrong places ---------------------------------------------------------------------------


def wrong_places(folder: Path) -> dict[str, str]:
    """Where no file can be written, and a part of what a command says about it."""
    if sys.platform == "win32":
        raise NotImplementedError
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "circle").symlink_to("circle")
    (folder / "dangling").symlink_to("nowhere/b")
    return {
        str(folder / "folder"): "folder",
        str(folder / "nowhere" / "a"): "nowhere",
        str(folder / ("n" * 300)): "File name too long",
        str(folder / "pipe"): "expected a file",
        str(folder / "circle"): "circle",
        str(folder / "dangling"): "nowhere",
        "/dev/full": "expected a file",
        # Nobody can make a file there, root neither.
        "/proc/a": "/proc",
    }


# What is in a folder of wrong places, with what commands read.
PLACES = {"circle", "dangling", "folder", "pipe", "long", "tree"}


def as_they_were(folder: Path) -> bool:
    """Whether nothing has changed in these places, and nothing is left over."""
    devices = Path("/dev/full")
    return (
        (folder / "pipe").is_fifo()
        and (folder / "circle").is_symlink()
        and (folder / "dangling").is_symlink()
        and (not devices.exists() or devices.is_char_device())
        and {path.name for path in folder.iterdir()} <= PLACES
        and not list((folder / "folder").iterdir())
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_places_are_one_line(run: Run, tmp_path: Path, command: str) -> None:
    """A folder, a pipe, a device, no folder, a name too long: exit code 1 and one line."""
    prepare(tmp_path)
    for place, said in wrong_places(tmp_path).items():
        arguments = [place if word == "old" else word for word in COMMANDS[command].split()]
        assert said in complaint(run(*arguments)), place
    assert as_they_were(tmp_path)


def test_a_build_in_a_wrong_place_does_not_begin(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be written is refused before the work, and no other build is blamed for it."""

    def never(*_: object) -> None:
        raise AssertionError("the build began")

    monkeypatch.setattr(build_command, "write_best", never)
    for place in wrong_places(tmp_path):
        message = complaint(run("build-book", "--pegs", 3, "--colors", 4, "-o", place))
        assert "another build" not in message, place
    assert as_they_were(tmp_path)


def test_saving_in_wrong_places(tmp_path: Path, small_book: Book) -> None:
    """The same for `save`, which replaces no device, pipe or folder by a file."""
    for place in [*wrong_places(tmp_path), str(tmp_path / "a\0b"), str(tmp_path / "\ud800\ud800")]:
        with pytest.raises(GuessbookError, match="cannot write") as error:
            small_book.save(place)
        assert str(error.value).isprintable()
    assert as_they_were(tmp_path)


def test_a_folder_that_is_not_writable(run: Run, tmp_path: Path, small_book: Book) -> None:
    """Without the right to write, `save` and the commands say so in a line."""
    if sys.platform == "win32":
        raise NotImplementedError
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (tmp_path / "locked").mkdir(mode=0o500)
    prepare(tmp_path)
    with pytest.raises(GuessbookError, match="Permission denied"):
        small_book.save(tmp_path / "locked" / "a.book")
    for command in COMMANDS.values():
        complaint(run(*command.replace("old", "locked/a").split()))


def test_the_longest_name_can_be_written(tmp_path: Path, small_book: Book) -> None:
    """A name as long as the file system allows is written, with letters of several bytes, too."""
    for name in ("n" * 255, "ü" * 127, "🟩" * 63):
        small_book.save(tmp_path / name)
        assert open_book(tmp_path / name).stats == small_book.stats
    assert not unfinished(tmp_path)


def test_a_link_stays_a_link(tmp_path: Path, small_book: Book) -> None:
    """Saving to a link replaces the file that it leads to, also one that is not there yet."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "a.book")
    for _ in range(2):
        small_book.save(tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        assert open_book(tmp_path / "folder" / "a.book").stats == small_book.stats
    assert not unfinished(tmp_path / "folder")
