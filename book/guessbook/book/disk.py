"""Files: opened without blocking, and written atomically (completely or not at all) on every system."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from guessbook.book.errors import GuessbookError, UsageError, printable

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

WINDOWS = sys.platform == "win32"
# Flags for `os.open`; 0 on Windows, which lacks these flags.
AT_ONCE = getattr(os, "O_NONBLOCK", 0)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)

# A path that ends with one of these is the name of a folder.
SEPARATORS = tuple({"/", os.sep})

# Windows cannot rename a file that another program, such as a virus scanner, has open: `rename`
# tries again.
ATTEMPTS = 40
PAUSE_SECONDS = 0.05


def open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for the writer of a named pipe; an `opener` for `open`."""
    descriptor = os.open(path, flags | AT_ONCE)
    if AT_ONCE and sys.platform != "win32":
        os.set_blocking(descriptor, True)
    return descriptor


def open_own(path: str, flags: int) -> int:
    """Open a lock or checkpoint file, as an `opener` for `open`.

    Raises OSError if the path is a symbolic link, or not a regular file.
    """
    descriptor = open_at_once(path, flags | NO_LINK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    return descriptor


def mode_of(path: str) -> int | None:
    """Return the permissions of a file; None if it does not exist, and always None on Windows."""
    if not WINDOWS:
        with suppress(FileNotFoundError):
            # Omit the set-user-ID and set-group-ID bits, since the new file may have another owner.
            return os.stat(path).st_mode & 0o777  # noqa: PTH116
    return None


def open_new(path: str, flags: int, mode: int | None) -> int:
    """Create a file with the permissions `mode`; None means the default permissions."""
    if mode is None or sys.platform == "win32":
        return os.open(path, flags, 0o666)
    # Create the file with `mode`, so that no other user can open it before `fchmod`.
    descriptor = os.open(path, flags, mode)
    # Set the bits that the umask removed. A file system without permissions may raise an error.
    with suppress(OSError):
        os.fchmod(descriptor, mode)
    return descriptor


def flush(descriptor: int) -> None:
    """Flush an open file or folder from the cache to the disk.

    Raises OSError if the disk fails or is full.
    """
    if sys.platform == "darwin":
        import fcntl

        # On macOS `fsync` writes only to the disk's cache. F_FULLFSYNC writes to the disk; some
        # file systems lack it.
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


@contextmanager
def keep_names(folder: str) -> Iterator[None]:
    """Flush the file names in a folder to the disk when the context ends without an error.

    Do nothing on Windows.
    """
    if WINDOWS:
        yield
        return
    entries = os.open(folder, os.O_RDONLY)
    try:
        yield
        try:
            flush(entries)
        except OSError as error:
            # Some file systems, such as network file systems, cannot flush a folder.
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise
    finally:
        os.close(entries)


def rename(source: str, target: str, overwrite: bool) -> None:
    """Rename a file atomically.

    Raises FileExistsError if `target` exists and `overwrite` is False.
    """
    if WINDOWS:
        replace = os.replace if overwrite else os.rename
        for _ in range(ATTEMPTS):
            with suppress(PermissionError):
                return replace(source, target)
            time.sleep(PAUSE_SECONDS)
        return replace(source, target)
    if not overwrite:
        try:
            os.link(source, target)
        except OSError as error:
            # FAT, for example, lacks hard links. On FAT another process may create `target` after
            # this check.
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from error
        else:
            return os.unlink(source)  # noqa: PTH108
    return os.replace(source, target)  # noqa: PTH105


# The suffix of the names of unfinished files.
UNFINISHED = ".guessbook-part"


@contextmanager
def open_to_read(path: Path | str, instead: str) -> Iterator[BufferedReader]:
    """Open a file for reading.

    Raises UsageError, with the advice `instead` at the end, if the file cannot be read.
    """
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
    """Write a file to the disk, either completely or not at all.

    Raises GuessbookError, and leaves an existing file unchanged, if the file cannot be written, or
    if it exists and `overwrite` is False.
    """
    try:
        if os.fspath(path).endswith(SEPARATORS):
            # `realpath` would drop the slash, and a file would get the name of the folder.
            raise ValueError("it is the name of a folder")
        # Replace the file that a symbolic link points to, so that the link remains a link.
        target = os.path.realpath(path)
        folder, name = os.path.split(target)
        # `realpath` does not resolve a loop of symbolic links, such as a link to itself. Then
        # `target` is a link, and `exists` is False for it, but `lexists` is True.
        if os.path.lexists(target) and not os.path.isfile(target):  # noqa: PTH113
            # `rename` would replace a device or a pipe by a file.
            raise ValueError("it is a folder, a device or a symbolic link loop, not a file")
        # A killed process leaves this harmless temporary file. Its name has at most 40 characters
        # of `name`, since file systems limit the length of names.
        temporary = f".{name[:40]}.{os.urandom(6).hex()}{UNFINISHED}"
        # This context opens the folder first, so that an error occurs before the file is written.
        with keep_names(folder):
            _write(os.path.join(folder, temporary), target, data, overwrite)  # noqa: PTH118
    except FileExistsError:
        raise GuessbookError(
            f"{printable(path)} already exists; move it away, or allow overwriting"
        ) from None
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
