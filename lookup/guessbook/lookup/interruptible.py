"""Interruptible work: a notice while it takes long, and Ctrl-C to stop it."""

import shutil
import sys
import threading
from array import array
from collections.abc import Callable
from typing import TypeVar

from guessbook.kernels.stop import STOP

# The seconds before the notice appears, and between its updates.
QUIET = 0.5
TURN = 0.2
# The name of the working thread.
WORK = "guessbook-work"

Result = TypeVar("Result")


class StoppedError(KeyboardInterrupt):
    """Ctrl-C during interruptible work."""


def run_interruptibly(what: str, work: Callable[[], Result]) -> Result:
    """Return the result of some work; after half a second, show a notice in the terminal.

    `what` is the notice, as the beginning of a sentence. The work runs in a thread of its own, as
    the engine cannot be interrupted from outside. Ctrl-C sets the stop flag of that thread, which
    the engine polls; other work is abandoned, and StoppedError is raised. So the work must only
    compute: changes of state belong into the main thread, after the result.
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

    shown, wait = "", QUIET
    thread = threading.Thread(target=worked, name=WORK, daemon=True)
    try:
        thread.start()
        # Windows handles Ctrl-C only when a wait is over.
        while not done.wait(wait):
            shown, wait = _notice(what, shown), TURN
        thread.join()  # the work is done, so this returns at once
    except KeyboardInterrupt:
        stop[0] = 1
        raise StoppedError from None
    finally:
        _notice("", shown)
    if errors:
        raise errors[0]
    return results[0]


def _notice(what: str, shown: str) -> str:
    """Replace the notice on the line of the cursor, or clear the line; return what it shows."""
    text = f"{what} ... (Ctrl-C stops)"[: shutil.get_terminal_size().columns - 4] if what else ""
    if text == shown or not sys.stderr.isatty():
        return shown
    # Two blanks more, as the terminal writes "^C" behind the notice.
    cleared = f"\r{' ' * len(shown)}  \r" if shown else ""
    print(cleared + text, end="", file=sys.stderr, flush=True)
    return text
