"""One build at a time to one file: a lock beside it, which the system lifts if its holder dies."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from guessbook.book.errors import BuildError
from guessbook.book.file.system import open_own

# What a lock of ours begins with; the process id follows.
MARK = b"guessbook build, process "


def lock_path(path: Path) -> Path:
    """Where the lock of a file is."""
    return path.with_name(f".{path.name}.guessbook-lock")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep every other build from writing a file, while the context lasts.

    The lock is a file with the process id, for people; what counts is the system's lock on it. What
    a killed build leaves is therefore not in the way, even if its process id is in use again.

    Args:
        path: the file; it need not exist.

    Raises:
        BuildError: another build is at it, nothing can be written there, or what has the name of
            the lock is none.
    """
    file = lock_path(path)
    lock = FileLock(file, timeout=0, on_acquired=sign)
    try:
        # The library takes it for a lock that is held where a file system makes no files.
        with suppress(FileExistsError):
            file.touch(exist_ok=False)
    except OSError as error:
        raise BuildError(
            f"cannot write {path}: no lock file can be made in {path.parent} ({error.strerror}); "
            f"{_remedy(error)}"
        ) from error
    try:
        holder(file)
        lock.acquire()
    except Timeout:
        raise BuildError(
            f"another build is writing {path} (process {holder(file)}, which holds {file}); "
            "wait for it, or choose another file with -o"
        ) from None
    except OSError as error:
        raise BuildError(
            f"cannot lock {file}: {error.strerror}; move what is there, "
            "or choose another file with -o"
        ) from error
    try:
        yield
    finally:
        # Deleted while it is held, so that nobody can hold a file that is about to go. Windows
        # deletes none that is open: there it goes with the lock.
        with suppress(PermissionError):
            file.unlink(missing_ok=True)
        lock.release()


def _remedy(error: OSError) -> str:
    """Return what to do where no lock can be made; another name in the same folder seldom helps."""
    if error.errno == errno.ENOENT:
        return "make the folder first"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some space, or name a file on another disk with -o"
    if error.errno == errno.ENAMETOOLONG:
        return "choose a shorter name with -o"
    return "name a file in a folder that you may write to with -o"


def sign(descriptor: int) -> None:
    """Write into a lock who holds it."""
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, b"%s%d\n" % (MARK, os.getpid()))


def holder(file: Path) -> str:
    """The process id in a lock; unknown if there is none, or for the moment before it is written.

    Raises:
        OSError: what is there is no lock: a file of others, a pipe, a folder, a link.
    """
    try:
        with open(file, "rb", 0, opener=open_own) as lock:
            if not os.fstat(lock.fileno()).st_size:
                return "unknown"
            lock.seek(1)  # Windows locks the first byte against reading as well
            said = lock.read(100)
    except FileNotFoundError:
        return "unknown"
    if not said.startswith(MARK[1:]):
        raise FileExistsError(errno.EEXIST, "it is no lock of a build")
    return said[len(MARK) - 1 :].decode("ascii", "replace").strip()
