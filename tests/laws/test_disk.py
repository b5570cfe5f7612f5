"""Files by their contract: read to the end or refused in a line, written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from guessbook.book import GuessbookError, InvalidBookError, UsageError
from guessbook.book.file import disk, system
from guessbook.book.file.disk import UNFINISHED, open_to_read, write_atomically


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    """By its path or by its name, to the end, in bytes; afterwards it is closed."""
    data = bytes(range(256)) * 400
    (tmp_path / "a").write_bytes(data)
    for path in (tmp_path / "a", str(tmp_path / "a")):
        with open_to_read(path, "do this") as file:
            assert file.read() == data
        assert file.closed


@pytest.mark.parametrize("name", ["missing", "", "x" * 5000, "null\0", "\ud800\0", "missing/a"])
def test_what_cannot_be_read_is_said_in_a_line(tmp_path: Path, name: str) -> None:
    """The path, the reason and what to do instead are in one line that can be printed."""
    path = os.path.join(tmp_path, name)  # noqa: PTH118
    with (
        pytest.raises(UsageError, match=r"^cannot read .+ \(.+\); do this$") as error,
        open_to_read(path, "do this") as file,
    ):
        file.read()
    assert str(error.value).isprintable()
    assert error.value.__cause__ is None


def test_what_goes_wrong_with_its_content_is_an_error_of_the_file(tmp_path: Path) -> None:
    """Our own errors stay as they are; those of the system become one that names the file."""
    (tmp_path / "a").write_bytes(b"data")
    for raised, due in (
        (InvalidBookError("found no book"), "found no book"),
        (OSError(errno.EIO, "Input/output error"), r"a \(Input/output error\); do this"),
        (ValueError("line 3"), r"a \(line 3\); do this"),
    ):
        with pytest.raises(GuessbookError, match=due), open_to_read(tmp_path / "a", "do this"):
            raise raised


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_file_appears_whole_beside_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool
) -> None:
    """Until it is on the disk it has a name that no other writer gives, short enough for any."""
    seen: list[str] = []
    path = tmp_path / f"{'a' * 250}.book"

    def look(descriptor: int) -> None:
        assert os.fstat(descriptor).st_size == 4
        (name,) = (entry.name for entry in tmp_path.iterdir() if entry.name != path.name)
        seen.append(name)
        system.flush(descriptor)

    monkeypatch.setattr(disk, "flush", look)
    for _ in range(1 + overwrite):
        write_atomically(path, b"data", overwrite)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"data"
    assert len(set(seen)) == 1 + overwrite
    for name in seen:
        stem, random, end = name.rsplit(".", 2)
        assert (stem, f".{end}") == ("." + "a" * 40, UNFINISHED)
        assert len(random) == 12
        int(random, 16)


def test_a_file_that_is_there_stays_unless_it_is_overwritten(tmp_path: Path) -> None:
    """By default it is replaced; else it stays as it is, and the message says what to do."""
    path = tmp_path / "a"
    write_atomically(str(path), b"first", overwrite=False)
    with pytest.raises(GuessbookError, match=r"cannot write .*a: .* allow overwriting"):
        write_atomically(path, b"second", overwrite=False)
    assert path.read_bytes() == b"first"
    write_atomically(path, b"third")
    assert path.read_bytes() == b"third"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The target of a link is replaced or created; a symbolic link loop is refused."""
    (tmp_path / "there").mkdir()
    target, link, circle = tmp_path / "there" / "a", tmp_path / "b", tmp_path / "c"
    link.symlink_to(target)
    circle.symlink_to(circle)
    for data in (b"made", b"replaced"):
        write_atomically(link, data)
        assert link.is_symlink()
        assert target.read_bytes() == data
    for wrong in (circle, tmp_path / "there"):
        with pytest.raises(GuessbookError, match="folder, a device or a symbolic link loop"):
            write_atomically(wrong, b"data")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["b", "c", "there"]
    assert list((tmp_path / "there").iterdir()) == [target]


@pytest.mark.parametrize("name", ["nowhere/a", "x" * 5000, "null\0"])
def test_what_cannot_be_written_is_said_in_a_line(tmp_path: Path, name: str) -> None:
    """The path and the reason are in one line that can be printed, and nothing is left."""
    with pytest.raises(GuessbookError, match=r"^cannot write .+: .+") as error:
        write_atomically(os.path.join(tmp_path, name), b"data")  # noqa: PTH118
    assert str(error.value).isprintable()
    assert isinstance(error.value.__cause__, OSError | ValueError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["flush", "rename"])
@pytest.mark.parametrize("raised", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_a_write_that_ends_early_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, raised: BaseException
) -> None:
    """Neither an error nor Ctrl-C leaves a file, or changes the one that is there."""
    (tmp_path / "a").write_bytes(b"old")

    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr(disk, step, fail)
    due = GuessbookError if isinstance(raised, OSError) else KeyboardInterrupt
    with pytest.raises(due, match="full" if due is GuessbookError else None):
        write_atomically(tmp_path / "a", b"new")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a", b"old")]
