"""Reading files, and writing them whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from guessbook.book.errors import GuessbookError, UsageError, printable
from guessbook.book.file.system import flush, keep_names, mode_of, open_at_once, open_new, rename

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

# The end of the name of an unfinished file.
UNFINISHED = ".guessbook-part"


@contextmanager
def reading(path: Path | str, instead: str) -> Iterator[BufferedReader]:
    """Open a file for reading; a pipe that nobody writes to is empty.

    Raises UsageError, with the advice `instead`, if the file cannot be opened or read.
    """
    try:
        # Not by Path, which raises where a name is too long.
        with open(path, "rb", opener=open_at_once) as file:
            yield file
    except GuessbookError:
        raise
    # ValueError: an impossible character in the path, such as the null character.
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {printable(path)} ({_reason(error)}); {instead}") from None


def write_atomically(path: Path | str, data: bytes, overwrite: bool = True) -> None:
    """Write a file that appears whole or not at all, and is on the disk when this returns.

    It is first written beside its place as `.NAME.RANDOM.guessbook-part`; a killed process may
    leave this file, which does no harm. If several processes write one file, the last one wins, or
    without `overwrite` the first. A new file takes over the permissions of the file it replaces.
    Raises GuessbookError if the file cannot be written; an existing file is unchanged.
    """
    try:
        # A link stays a link: the file that it points to is replaced.
        target = os.path.realpath(path)
        folder, name = os.path.split(target)
        # lexists: for a link to itself `realpath` returns the link.
        if os.path.lexists(target) and not os.path.isfile(target):  # noqa: PTH113
            # A device or a pipe would be lost, with a file in its place.
            raise ValueError("it is a folder, a device or a symbolic link loop, expected a file")
        # The whole name may be as long as a name can be.
        temporary = f".{name[:40]}.{os.urandom(6).hex()}{UNFINISHED}"
        # Open the folder first: an error must not come up when the file exists already.
        with keep_names(folder):
            _write(os.path.join(folder, temporary), target, data, overwrite)  # noqa: PTH118
    except FileExistsError:
        found = f"cannot write {printable(path)}: by now a file has that name and stays as it is"
        raise GuessbookError(f"{found}; move it away, or allow overwriting") from None
    # ValueError: an impossible character in the path, such as the null character.
    except (OSError, ValueError) as error:
        raise GuessbookError(f"cannot write {printable(path)}: {_reason(error)}") from error


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error


def _write(temporary: str, target: str, data: bytes, overwrite: bool) -> None:
    """Write a file under its temporary name, flush it to the disk, and rename it."""
    try:
        opener = partial(open_new, mode=mode_of(target))
        with open(temporary, "xb", opener=opener) as file:
            file.write(data)
            file.flush()
            flush(file.fileno())
        rename(temporary, target, overwrite)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)  # noqa: PTH108
        raise
