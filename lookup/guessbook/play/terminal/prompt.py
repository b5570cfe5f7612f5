"""The prompt, which reads a typed line, and the notice during a long computation."""

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
    if not screen:  # A pipe does not echo the typed line, as a terminal does.
        print(line)
    return line.strip()


def wait_for(what: str, game: Asked, work: Callable[[Asked], Result]) -> Result:
    """Return the result of `work` on a copy of a game, and show the notice `what` meanwhile.

    Ctrl-C raises StoppedError.
    """
    # After Ctrl-C the work may continue while the game changes, so it gets a copy, which shares the game's caches.
    return run_interruptibly(what, partial(work, game.copy()))
