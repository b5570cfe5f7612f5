"""File locks: only one build at a time may write a book file.

The system releases the lock of a killed build.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from guessbook.book.disk import open_own
from guessbook.book.errors import BuildError

# The first bytes of each lock file of Guessbook; the process id follows.
MARK = b"guessbook build, process "
# The advice to the user if a lock file cannot be created, in general and for some error codes.
REMEDY = "choose a folder that you may write to"
REMEDIES = {
    errno.ENOENT: "make the folder first",
    errno.ENAMETOOLONG: "choose a shorter name",
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or choose another disk"),
}


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Lock a file, which need not exist, against other builds until the `with` block ends.

    A symbolic link shares the lock of its target, because a build writes the target. Raises
    BuildError if another build is writing the file, or if the lock file cannot be created.
    """
    # For a name that is too long, methods of Path raise an error, but os.path does not.
    target = Path(os.path.realpath(path)) if os.path.islink(path) else path  # noqa: PTH114
    file = target.with_name(f".{target.name}.guessbook-lock")
    # What counts is the system's lock on this file, not the process id in it, so the lock file of a
    # killed build does no harm.
    lock = FileLock(file, timeout=0, on_acquired=sign)
    try:
        # If the lock file cannot be created, `filelock` would report a timeout. So the file is
        # created first.
        with suppress(FileExistsError):
            file.touch(exist_ok=False)
    except OSError as error:
        raise BuildError(
            f"cannot write {path}: no lock file can be made in {path.parent} ({error.strerror}); "
            + REMEDIES.get(error.errno or 0, REMEDY)
        ) from error
    try:
        # This raises an error if the file is not a lock file, because `sign` would overwrite it.
        holder(file)
        lock.acquire()
    except Timeout:
        raise BuildError(
            f"another build is writing {path} (process {holder(file)}, lock file {file}); "
            "wait for it, or choose another place"
        ) from None
    except OSError as error:
        raise BuildError(
            f"cannot lock {file}: {error.strerror}; move this file, or choose another place"
        ) from error
    try:
        yield
    finally:
        # The file is deleted before the lock is released, so that no other build locks a deleted
        # file. Windows cannot delete an open file: there `release` deletes it.
        with suppress(PermissionError):
            file.unlink(missing_ok=True)
        lock.release()


def sign(descriptor: int) -> None:
    """Write the process id into a lock file, for people to read."""
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, b"%s%d\n" % (MARK, os.getpid()))


def holder(file: Path) -> str:
    """Return the process id in a lock file; "unknown" if the file is missing or empty.

    Raises OSError if the file has any other content, because then no build wrote it.
    """
    try:
        with open(file, "rb", 0, opener=open_own) as lock:
            if not os.fstat(lock.fileno()).st_size:
                return "unknown"
            # Windows cannot read the first byte of a locked file, so that byte is skipped.
            lock.seek(1)
            text = lock.read(100)
    except FileNotFoundError:
        return "unknown"
    if not text.startswith(MARK[1:]):
        raise FileExistsError(errno.EEXIST, "the file is not the lock file of a build")
    return text[len(MARK) - 1 :].decode("ascii", "replace").strip()
