"""The lock of a file: only one build at a time may write it, and a dead build holds no lock."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from guessbook.book.errors import BuildError
from guessbook.book.file.system import open_own

# The beginning of our lock files; the process id follows.
MARK = b"guessbook build, process "
# The advice for errors that prevent a lock file.
REMEDY = "name a file in a folder that you may write to with -o"
REMEDIES = {
    errno.ENOENT: "make the folder first",
    errno.ENAMETOOLONG: "choose a shorter name with -o",
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or name a file on another disk with -o"),
}


def lock_path(path: Path) -> Path:
    """Return the path of the lock file beside a file."""
    return path.with_name(f".{path.name}.guessbook-lock")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep every other build from writing a file, which need not exist, while the context lasts.

    The lock file holds the process id for people; only the system's lock on it counts. So the lock
    file of a killed build does no harm, even if its process id is in use again. Raises BuildError
    if another build is writing the file, or the lock file cannot be made.
    """
    file = lock_path(path)
    lock = FileLock(file, timeout=0, on_acquired=sign)
    try:
        # The library would report a held lock where no file can be made.
        with suppress(FileExistsError):
            file.touch(exist_ok=False)
    except OSError as error:
        raise BuildError(
            f"cannot write {path}: no lock file can be made in {path.parent} ({error.strerror}); "
            + REMEDIES.get(error.errno or 0, REMEDY)
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
        raise BuildError(f"cannot lock {file}: {error.strerror}; move it, or choose another file with -o") from error
    try:
        yield
    finally:
        # Deleted while the lock is held, so that no other build can lock a deleted file. Windows
        # cannot delete an open file: there the release deletes it.
        with suppress(PermissionError):
            file.unlink(missing_ok=True)
        lock.release()


def sign(descriptor: int) -> None:
    """Write the process id into a lock file."""
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, b"%s%d\n" % (MARK, os.getpid()))


def holder(file: Path) -> str:
    """Return the process id in a lock file, or "unknown". Raises OSError for any other file."""
    try:
        with open(file, "rb", 0, opener=open_own) as lock:
            if not os.fstat(lock.fileno()).st_size:
                return "unknown"
            lock.seek(1)  # on Windows the first byte of a locked file cannot be read
            text = lock.read(100)
    except FileNotFoundError:
        return "unknown"
    if not text.startswith(MARK[1:]):
        raise FileExistsError(errno.EEXIST, "it is no lock of a build")
    return text[len(MARK) - 1 :].decode("ascii", "replace").strip()
