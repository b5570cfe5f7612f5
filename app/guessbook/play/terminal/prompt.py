"""Functions that read a typed line at a prompt, and that show a notice during a long computation."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from guessbook.lookup.interruptible import Result, run_interruptibly
from guessbook.play.boards import Boards
from guessbook.play.session import Session

# The message after Ctrl-C during a computation.
STOPPED = "Stopped."
# The notice during the computation of a guess for several boards.
BOARDS = "Choosing a guess for all boards"

Asked = TypeVar("Asked", Session, Boards)


def ask(question: str) -> str | None:
    """Return the line typed at a prompt, without surrounding blanks; None at the end of the input."""
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    if screen:
        with suppress(ImportError):  # Some builds of Python have no readline.
            import readline  # noqa: F401  enables the arrow keys in the line
    try:
        line = input(question)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        raise
    if (
        not screen
    ):  # A terminal echoes the typed line. A pipe does not, so the line is printed here.
        print(line)
    return line.strip()


def wait_for(what: str, game: Asked, work: Callable[[Asked], Result]) -> Result:
    """Return the result of `work` on a copy of `game`. Show the notice `what` while `work` runs.

    Ctrl-C raises StoppedError.
    """
    # After Ctrl-C, `work` may continue while the game changes, so `work` gets a copy. The copy shares the caches.
    return run_interruptibly(what, partial(work, game.copy()))
