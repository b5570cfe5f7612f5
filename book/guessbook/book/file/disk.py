"""Functions that open files for reading, and write files atomically: completely or not at all."""

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

# The suffix of the names of unfinished files.
UNFINISHED = ".guessbook-part"


@contextmanager
def open_to_read(path: Path | str, instead: str) -> Iterator[BufferedReader]:
    """Open a file for reading. Raises UsageError, with the advice `instead` at the end, if the file cannot be read."""
    try:
        # `Path.open` has no parameter `opener`.
        with open(path, "rb", opener=open_at_once) as file:
            yield file
    except GuessbookError:
        raise
    # A path with a null character, for example, raises a ValueError.
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {printable(path)} ({_reason(error)}); {instead}") from None


def write_atomically(path: Path | str, data: bytes, overwrite: bool = True) -> None:
    """Write a file to the disk completely, or raise GuessbookError and leave an existing file unchanged."""
    try:
        # Replace the file that a symbolic link points to, so that the link remains a link.
        target = os.path.realpath(path)
        folder, name = os.path.split(target)
        # `realpath` does not resolve a loop of symbolic links, such as a link to itself. Then `target` is a link, and
        # `exists` is False for it, but `lexists` is True.
        if os.path.lexists(target) and not os.path.isfile(target):  # noqa: PTH113
            # `rename` would replace a device or a pipe by a file.
            raise ValueError("it is a folder, a device or a symbolic link loop, expected a file")
        # A killed process leaves this harmless temporary file. Its name has at most 40 characters of `name`, since file
        # systems limit the length of names.
        temporary = f".{name[:40]}.{os.urandom(6).hex()}{UNFINISHED}"
        # This context opens the folder first, so that an error occurs before the file is written.
        with keep_names(folder):
            _write(os.path.join(folder, temporary), target, data, overwrite)  # noqa: PTH118
    except FileExistsError:
        found = f"cannot write {printable(path)}: found a file of this name, which stays as it is"
        raise GuessbookError(f"{found}; move it away, or allow overwriting") from None
    # A path with a null character, for example, raises a ValueError.
    except (OSError, ValueError) as error:
        raise GuessbookError(f"cannot write {printable(path)}: {_reason(error)}") from error


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error


def _write(temporary: str, target: str, data: bytes, overwrite: bool) -> None:
    """Write data to a file with a temporary name, flush it to the disk, and rename it to `target`."""
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
