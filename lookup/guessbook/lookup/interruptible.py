"""Interruptible work: a notice while it takes long, and Ctrl-C to stop it."""

import shutil
import sys
import threading
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from guessbook.kernels.stop import STOP

# The seconds before the notice appears.
QUIET = 0.5
# The seconds between two updates of the notice.
TURN = 0.2
# The name of the working thread.
WORK = "guessbook-work"

Result = TypeVar("Result")


class StoppedError(KeyboardInterrupt):
    """Ctrl-C during interruptible work."""


def run_interruptibly(what: str, work: Callable[[], Result]) -> Result:
    """Return the result of some work; after half a second, show a notice in the terminal.

    The work runs in a thread of its own, as the engine cannot be interrupted from outside. Ctrl-C
    sets the stop flag of that thread, which the engine polls; other work is abandoned. So the work
    must only compute: changes of state belong into the main thread, after the result.

    >>> run_interruptibly("Adding", lambda: 1 + 1)
    2

    Args:
        what: the notice, as the beginning of a sentence.
        work: the function to call; its errors are raised here.

    Raises:
        StoppedError: Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()  # a part of interruptible work
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
                # Windows handles Ctrl-C only when a wait is over.
                while not done.wait(TURN):
                    show(what)
        thread.join()  # the work is done, so this returns at once
    except KeyboardInterrupt:
        stop[0] = 1
        raise StoppedError from None
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def _notice() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows a notice on the line of the cursor; clear the line at the end."""
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
            # Two blanks more, as the terminal writes "^C" behind the notice.
            print(f"\r{' ' * len(shown)}  \r", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        clear()
