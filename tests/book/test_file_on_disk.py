"""Books on the disk: written whole or not at all, opened only where there is a book."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import GuessbookError, InvalidBookError, UsageError
from guessbook.book import strategy as book_module
from guessbook.book.file.disk import write_atomically
from guessbook.lookup import Book, open_book
from tests.helpers.content import columns

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write that fails half-way leaves the old file and nothing beside it."""
    path = tmp_path / "a.book"
    write_atomically(path, b"old")
    for step in ("fsync", "replace"):

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail)
            with pytest.raises(GuessbookError, match="No space left"):
                write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


def test_an_interrupted_write_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C during the write removes the temporary file."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "a.book", b"new")
    assert list(tmp_path.iterdir()) == []


def test_saving_twice_gives_the_same_file(tmp_path: Path, small_book: Book) -> None:
    """`save` returns the size of the file and replaces one that is there with the same bytes."""
    path = tmp_path / "a.book"
    size = small_book.save(path)
    first = path.read_bytes()
    assert (size, small_book.save(str(path))) == (len(first), len(first))
    assert path.read_bytes() == first
    assert open_book(path).stats == small_book.stats


@pytest.mark.posix
@pytest.mark.parametrize("mode", [0o600, 0o400, 0o664, 0o640, 0o755])
def test_a_file_that_is_replaced_leaves_its_permissions(tmp_path: Path, mode: int) -> None:
    """Overwriting keeps the permissions; those of a new file are left to the umask."""
    path, link = tmp_path / "a.book", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(mode)
    link.symlink_to(path)
    before = os.umask(0o027)
    try:
        for target, data in ((path, b"new"), (link, b"newer")):
            write_atomically(target, data)
            assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (data, mode)
        for overwrite in (True, False):
            fresh = tmp_path / f"fresh {overwrite}"
            write_atomically(fresh, b"new", overwrite)
            assert stat.S_IMODE(fresh.stat().st_mode) == 0o640
    finally:
        os.umask(before)


@pytest.mark.posix
def test_a_private_file_is_never_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a file that only its owner may read is replaced, the unfinished one is as private."""
    path = tmp_path / "a.book"
    path.write_bytes(b"old")
    path.chmod(0o600)
    fsync, modes = os.fsync, []

    def noted(descriptor: int) -> None:
        found = os.fstat(descriptor).st_mode
        if stat.S_ISREG(found):
            modes.append(stat.S_IMODE(found))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    write_atomically(path, b"new")
    assert modes == [0o600]


def test_a_missing_folder_is_named(tmp_path: Path, small_book: Book) -> None:
    """Saving where no folder is says so and is a GuessbookError."""
    with pytest.raises(GuessbookError, match=r"cannot write .*No such file"):
        small_book.save(tmp_path / "nowhere" / "a.book")


@pytest.mark.parametrize(
    "source", [None, 3, 1.5, bytearray(b"x"), memoryview(b"x"), ["a"], "a\0b", "\ud800", "", "."]
)
def test_what_names_no_book_is_a_usage_error(source: Any) -> None:
    """Whatever is no path, no bytes and no name of a shipped book is UsageError."""
    with pytest.raises(UsageError):
        open_book(source)


def test_a_file_too_large_is_refused_unread(
    monkeypatch: pytest.MonkeyPatch, small_book: Book, tmp_path: Path
) -> None:
    """One byte more than the limit is InvalidBookError, which says so."""
    path = tmp_path / "a.book"
    size = small_book.save(path)
    monkeypatch.setattr(book_module, "MAX_FILE", size)
    assert len(open_book(path).tree) == len(small_book.tree)
    monkeypatch.setattr(book_module, "MAX_FILE", size - 1)
    with pytest.raises(InvalidBookError, match="larger than 0 MiB"):
        open_book(path)


@pytest.mark.posix
def test_a_pipe_is_read_to_its_end_or_to_the_limit(
    monkeypatch: pytest.MonkeyPatch, small_book: Book
) -> None:
    """What has no size is read whole if it is a book, and not for ever if it has no end."""
    there, here = os.pipe()
    with os.fdopen(here, "wb") as pipe:
        pipe.write(small_book.to_bytes())
    assert columns(open_book(f"/dev/fd/{there}")) == columns(small_book)
    os.close(there)
    monkeypatch.setattr(book_module, "MAX_FILE", 1 << 22)
    with pytest.raises(InvalidBookError, match="larger than"):
        open_book("/dev/zero")
