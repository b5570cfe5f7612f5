"""File operations that differ by system: open without blocking, flush to disk, replace atomically.

| | Linux and others | macOS | Windows |
|---|---|---|---|
| a pipe without a writer | is read as empty | is read as empty | cannot be in a folder |
| `open_own` with a symbolic link | refuses it | refuses it | follows it |
| the data of a file is flushed by | `fsync` | `F_FULLFSYNC` | `FlushFileBuffers` |
| the name of a file is flushed by | `fsync` of the folder | `F_FULLFSYNC` of the folder | NTFS itself |
| a target that exists, without `overwrite` | `link` refuses it | `link` refuses it | `rename` refuses it |
| the permissions of a replaced file | are preserved | are preserved | are inherited from the folder |
"""

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

WINDOWS = sys.platform == "win32"
# Flags for `os.open`; 0 on Windows, which lacks these flags.
AT_ONCE = getattr(os, "O_NONBLOCK", 0)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)

# Windows cannot rename a file that another program, such as a virus scanner, has open: `rename` tries again.
ATTEMPTS = 40
PAUSE_SECONDS = 0.05


def open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for the writer of a named pipe. `open` accepts this function as `opener`."""
    descriptor = os.open(path, flags | AT_ONCE)
    if AT_ONCE and sys.platform != "win32":
        os.set_blocking(descriptor, True)
    return descriptor


def open_own(path: str, flags: int) -> int:
    """Open a lock or checkpoint file, as an `opener` for `open`. Raises OSError unless it is a regular file."""
    descriptor = open_at_once(path, flags | NO_LINK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    return descriptor


def mode_of(path: str) -> int | None:
    """Return the permissions of a file; None if the file does not exist, and always None on Windows."""
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
    """Flush an open file or folder from the cache to the disk. Raises OSError if the disk fails or is full."""
    if sys.platform == "darwin":
        import fcntl

        # On macOS `fsync` writes only to the disk's cache. F_FULLFSYNC writes to the disk; some file systems lack it.
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


@contextmanager
def keep_names(folder: str) -> Iterator[None]:
    """Flush the names of the files in a folder to the disk when the context ends without an error."""
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
    """Rename a file atomically. Raises FileExistsError if `target` exists and `overwrite` is False."""
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
            # FAT, for example, lacks hard links. On FAT another process may create `target` after this check.
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from error
        else:
            return os.unlink(source)  # noqa: PTH108
    return os.replace(source, target)  # noqa: PTH105
