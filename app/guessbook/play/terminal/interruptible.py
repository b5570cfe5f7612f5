"""Run a long computation with a notice in the terminal; Ctrl-C stops it."""

import shutil
import sys
import threading
from array import array
from collections.abc import Callable
from typing import TypeVar

from guessbook.engine.binding import STOP

# The seconds until the notice appears, and the seconds between updates of the notice.
QUIET = 0.5
TURN = 0.2
# The name of the thread that runs the computation.
WORK = "guessbook-work"

Result = TypeVar("Result")


class StoppedError(KeyboardInterrupt):
    """The user pressed Ctrl-C during `run_interruptibly`."""


def run_interruptibly(what: str, work: Callable[[], Result]) -> Result:
    """Return the result of `work`, and show the notice `what` while `work` runs.

    Ctrl-C raises StoppedError.

    After Ctrl-C, `work` may run on in another thread, so it must only compute a result and change
    no state.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()  # Python delivers Ctrl-C to the main thread only.
    results: list[Result] = []
    errors: list[BaseException] = []
    done = threading.Event()
    stop = array("i", [0])  # Signals cannot interrupt the engine, but the engine polls this flag.

    def run_work() -> None:
        STOP.set(stop)
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        done.set()

    shown, wait = "", QUIET
    thread = threading.Thread(target=run_work, name=WORK, daemon=True)
    try:
        thread.start()
        # On Windows, Python handles Ctrl-C only after a wait, so every wait is short.
        while not done.wait(wait):
            shown, wait = _notice(what, shown), TURN
        thread.join()  # This returns at once: setting `done` is the last step of the thread.
    except KeyboardInterrupt:
        stop[0] = 1
        raise StoppedError from None
    finally:
        _notice("", shown)
    if errors:
        raise errors[0]
    return results[0]


def _notice(what: str, shown: str) -> str:
    """Replace the notice `shown` by one about `what`, or by nothing; return the new notice."""
    text = f"{what} ... (Ctrl-C stops)"[: shutil.get_terminal_size().columns - 4] if what else ""
    if text == shown or not sys.stderr.isatty():
        return shown
    # Two more blanks clear the "^C" that the terminal writes after the notice.
    cleared = f"\r{' ' * len(shown)}  \r" if shown else ""
    print(cleared + text, end="", file=sys.stderr, flush=True)
    return text
