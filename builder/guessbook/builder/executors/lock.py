"""One build at a time to one file: a lock beside it, which the system lifts if its holder dies."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from guessbook.book.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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
    file = lock_path(path)
    lock = FileLock(file, timeout=0)
    try:
        lock.acquire()
        file.write_text(f"{os.getpid()}\n")
    except Timeout:
        # Empty for the moment between its making and its lock.
        holder = file.read_text(errors="replace").strip() if file.exists() else ""
        raise BuildError(
            f"another build is writing {path} (process {holder or 'unknown'}, which holds {file}); "
            "wait for it, or choose another file with -o"
        ) from None
    except OSError as error:
        lock.release()
        raise BuildError(
            f"cannot lock {file}: {error.strerror}; choose another file with -o"
        ) from error
    try:
        yield
    finally:
        # Deleted while it is held: nobody can hold a file that is about to go.
        file.unlink(missing_ok=True)
        lock.release()
