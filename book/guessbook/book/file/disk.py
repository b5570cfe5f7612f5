"""Files on the disk: read without waiting, written whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from guessbook.book.errors import GuessbookError, printable

if TYPE_CHECKING:
    from pathlib import Path


def open_at_once(path: str, flags: int) -> int:
    """An `opener` for `open`, which for a named pipe would wait until somebody writes to it.

    One that nobody writes to is empty instead.
    """
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


def write_atomically(path: Path | str, data: bytes) -> None:
    """Write a file that appears whole or not at all, and is on the disk when this returns.

    It is written under another name beside its own, `NAME.RANDOM.part`. What a killed process
    leaves of that is in nobody's way. Of several that write one file, the last one wins.

    Raises:
        GuessbookError: the file cannot be written (no such folder, disk full, a folder or device
            of that name, ...); an existing file is as it was.
    """
    try:
        # A link stays a link: the file that it leads to is replaced.
        target = os.path.realpath(path)
        folder, name = os.path.split(target)
        # lexists: of a link that leads to itself `realpath` gives the link.
        if os.path.lexists(target) and not os.path.isfile(target):  # noqa: PTH113
            # A device or a pipe would be gone, with a file in its place.
            raise ValueError("it is a folder, a device or a link in a circle, expected a file")
        # Not the whole name, which may be as long as names can be.
        temporary = os.path.join(folder, f"{name[:40]}.{os.urandom(6).hex()}.part")  # noqa: PTH118
        # First of all: that it cannot be opened must not come out when the file is there.
        entries = os.open(folder, os.O_RDONLY)
        try:
            _write(temporary, target, data)
            os.fsync(entries)
        finally:
            os.close(entries)
    # ValueError: also a character that no path has, such as the null character.
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GuessbookError(f"cannot write {printable(path)}: {reason}") from error


def _write(temporary: str, target: str, data: bytes) -> None:
    """Write a file under its temporary name, flush it to the disk, and rename it."""
    try:
        with open(temporary, "xb") as file:  # noqa: PTH123 - pathlib is not worth its import
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)  # noqa: PTH105
    except BaseException:
        if os.path.exists(temporary):  # noqa: PTH110
            os.unlink(temporary)  # noqa: PTH108
        raise
