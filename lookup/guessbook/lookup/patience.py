"""Patience: work that takes long says what is being done, and Ctrl-C ends the wait for it."""

from __future__ import annotations

import shutil
import sys
import threading
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from guessbook.kernels.stop import STOP

# Seconds that nobody minds.
QUIET = 0.5
# How often somebody who waits is told anew what for, in seconds.
TURN = 0.2
# What the threads are called that work.
WORK = "guessbook-work"

Result = TypeVar("Result")


class StoppedError(KeyboardInterrupt):
    """Ctrl-C while some work was waited for."""


def patiently(what: str, work: Callable[[], Result]) -> Result:
    """What some work gives; after half a second a terminal says on stderr what is being done.

    The work is done in a thread of its own, for the engine cannot be interrupted from outside.
    After Ctrl-C the engine finds the flag of the thread set, and ends; the rest is dropped. So the
    work must only compute, and change nothing that is used afterwards: the main thread does that
    with the result.

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
    stop = array("i", [0])

    def worked() -> None:
        STOP.set(stop)
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        done.set()

    thread = threading.Thread(target=worked, name=WORK, daemon=True)
    try:
        thread.start()
        if not done.wait(QUIET):
            with _notice() as show:
                show(what)
                # Windows does not hear Ctrl-C before a wait is over.
                while not done.wait(TURN):
                    show(what)
        thread.join()  # at once; a process that asked may end as usual
    except KeyboardInterrupt:
        stop[0] = 1
        raise StoppedError from None
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def _notice() -> Iterator[Callable[[str], None]]:
    """A function that writes what is being done on a line of the terminal; cleared at the end."""
    shown = ""

    def show(what: str) -> None:
        nonlocal shown
        text = f"{what} ... (Ctrl-C stops)"[: shutil.get_terminal_size().columns - 4]
        if text != shown and sys.stderr.isatty():
            clear()
            print(text, end="", file=sys.stderr, flush=True)
            shown = text

    def clear() -> None:
        if shown:
            # The terminal itself writes "^C" after it.
            print(f"\r{' ' * len(shown)}  \r", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        clear()
