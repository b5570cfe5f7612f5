"""File operations that differ by system: open without waiting, flush to disk, replace atomically.

| | Linux and others | macOS | Windows |
|---|---|---|---|
| a pipe that nobody writes to | is empty | is empty | is no file of a folder |
| a link in place of our file | is refused | is refused | is followed |
| a file is on the disk | `fsync` | `F_FULLFSYNC` | `FlushFileBuffers` |
| its name is on the disk | `fsync` of the folder | the same | NTFS sees to it |
| a name that is taken meanwhile | `link` refuses it | the same | `rename` refuses it |
| the permissions of a file that is replaced | are kept | are kept | come from the folder |
"""

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

WINDOWS = sys.platform == "win32"
# Flags that Windows lacks.
AT_ONCE = getattr(os, "O_NONBLOCK", 0)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)

# Windows cannot rename a file that another program, such as a virus scanner, has open.
ATTEMPTS = 40
PAUSE_SECONDS = 0.05


def open_at_once(path: str, flags: int) -> int:
    """Open a file, as an `opener`; a named pipe without a writer is empty and does not block."""
    descriptor = os.open(path, flags | AT_ONCE)
    if AT_ONCE and sys.platform != "win32":
        os.set_blocking(descriptor, True)
    return descriptor


def open_own(path: str, flags: int) -> int:
    """Open one of our own files, as an `opener`. Raises OSError for a link or no regular file."""
    descriptor = open_at_once(path, flags | NO_LINK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", path)
    return descriptor


def mode_of(path: str) -> int | None:
    """Return the permissions of a file to be replaced; None if there is none, and on Windows."""
    if not WINDOWS:
        with suppress(FileNotFoundError):
            # Without the bits that run a program as its file's owner, who may be another one now.
            return os.stat(path).st_mode & 0o777  # noqa: PTH116
    return None


def open_new(path: str, flags: int, mode: int | None) -> int:
    """Open a new file with some permissions, as an `opener`; None leaves them to the umask."""
    if mode is None or sys.platform == "win32":
        return os.open(path, flags, 0o666)
    # Nobody else can open the file before `fchmod`.
    descriptor = os.open(path, flags, mode)
    # Set the bits that the umask removed. A file system without permissions may refuse.
    with suppress(OSError):
        os.fchmod(descriptor, mode)
    return descriptor


def flush(descriptor: int) -> None:
    """Write a file, or a folder, to the disk. Raises OSError if the disk fails or is full."""
    if sys.platform == "darwin":
        import fcntl

        # On macOS `fsync` ends in the cache of the disk, but some file systems have nothing better.
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


@contextmanager
def keep_names(folder: str) -> Iterator[None]:
    """Write the names in a folder to the disk when the context ends.

    The folder is opened first, so an error comes before anything is done.
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
            # Some file systems, such as network file systems, cannot do this.
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise
    finally:
        os.close(entries)


def rename(source: str, target: str, overwrite: bool) -> None:
    """Rename a file in one step. Raises FileExistsError if the name must not be overwritten."""
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
            # A file system without hard links, such as FAT: another file may appear before `replace`.
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from error
        else:
            return os.unlink(source)  # noqa: PTH108
    return os.replace(source, target)  # noqa: PTH105
