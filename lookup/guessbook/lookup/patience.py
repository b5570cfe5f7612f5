"""Patience: work that takes long says what is being done, and Ctrl-C ends the wait for it."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

# Seconds that nobody minds.
QUIET = 0.5

# What the threads are called that work.
WORK = "guessbook-work"

Result = TypeVar("Result")


class StoppedError(KeyboardInterrupt):
    """Ctrl-C while some work was waited for."""


def patiently(what: str, work: Callable[[], Result]) -> Result:
    """What some work gives; after half a second a terminal says on stderr what is being done.

    The work is done in a thread of its own, for a compiled kernel cannot be interrupted. After
    Ctrl-C that thread is left alone: it ends when it is done, and nobody hears of it.

    >>> patiently("Adding", lambda: 1 + 1)
    2

    Args:
        what: what is being done, as the beginning of a sentence.
        work: does it; raises what it likes.

    Raises:
        StoppedError: Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()  # this is a part of what is being waited for
    results: list[Result] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def worked() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        done.set()

    try:
        threading.Thread(target=worked, name=WORK, daemon=True).start()
        if not done.wait(QUIET):
            with _notice(f"{what} ... (Ctrl-C stops)"):
                # Windows does not hear Ctrl-C before a wait is over.
                while not done.wait(QUIET):
                    pass
    except KeyboardInterrupt:
        raise StoppedError from None
    if errors:
        raise errors[0]
    return results[0]


def left_alone() -> bool:
    """Whether some work still goes on for which nobody waits."""
    return any(thread.name == WORK for thread in threading.enumerate())


@contextmanager
def _notice(text: str) -> Iterator[None]:
    """A text on the line of the cursor for as long as it is true, where there is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    text = text[: shutil.get_terminal_size().columns - 4]
    print(text, end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        # The terminal itself writes "^C" after it.
        print(f"\r{' ' * len(text)}  \r", end="", file=sys.stderr, flush=True)
