"""The prompt: it asks for a line, and says what is computed meanwhile."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from guessbook.lookup.interruptible import Result, run_interruptibly
from guessbook.play.boards import Boards
from guessbook.play.session import Session

# The line after Ctrl-C at a prompt.
STOPPED = "Stopped."
# The work in progress for several boards.
BOARDS = "Choosing a guess for all boards"

Asked = TypeVar("Asked", Session, Boards)


def ask(question: str) -> str | None:
    """Return the line typed at a prompt, without blanks around it; None at the end of the input.

    In a pipe the answer is written after the question, so that the output reads like a screen.
    """
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    if screen:
        with suppress(ImportError):  # not every Python has it
            import readline  # noqa: F401  the arrow keys then edit the line
    try:
        line = input(question)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        raise
    if not screen:
        print(line)
    return line.strip()


def wait_for(what: str, game: Asked, work: Callable[[Asked], Result]) -> Result:
    """Return the result of `work` on a copy of a game; `what` names the work in a sentence.

    Ctrl-C raises StoppedError, and the thread of the work goes on. It has a copy because the game
    may change meanwhile; the copy shares the game's caches, so later answers come faster.
    """
    return run_interruptibly(what, partial(work, game.copy()))
