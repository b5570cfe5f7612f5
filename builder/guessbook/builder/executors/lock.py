"""One build at a time to one file: a lock beside it, which the system lifts if its holder dies."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from guessbook.book.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["lock_path", "locked"]


def lock_path(path: Path) -> Path:
    """Where the lock of a file is."""
    return path.with_name(f"{path.name}.lock")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep every other build from writing a file, while the context lasts.

    The lock is a file with the process id, for people; what counts is the system's lock on it. What
    a killed build leaves is therefore not in the way, even if its process id is in use again.

    Args:
        path: the file; it need not exist.

    Raises:
        BuildError: another build is at it, or the lock cannot be made.
    """
    lock = lock_path(path)
    try:
        descriptor = take(lock)
    except BlockingIOError:
        # Empty for the moment between its making and its lock.
        holder = lock.read_text(errors="replace").strip() if lock.exists() else ""
        raise BuildError(
            f"another build is writing {path} (process {holder or 'unknown'}, which holds {lock}); "
            "wait for it, or choose another file with -o"
        ) from None
    except OSError as error:
        raise BuildError(
            f"cannot lock {lock}: {error.strerror}; choose another file with -o"
        ) from error
    try:
        yield
    finally:
        # Deleted while it is held: nobody can hold a file that is about to go.
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def take(lock: Path) -> int:
    """Lock a file, made if it is missing, and return its descriptor.

    Raises:
        BlockingIOError: another has locked it.
    """
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The holder before may have deleted it in between; then it locks nothing.
            if lock.exists() and lock.stat().st_ino == os.fstat(descriptor).st_ino:
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f"{os.getpid()}\n".encode())
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
