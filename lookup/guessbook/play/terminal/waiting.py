"""Waiting at a prompt: a line says what is computed, and Ctrl-C ends the wait.

What may be interrupted only computes, on a copy: after Ctrl-C its thread goes on, while the game
itself may already be another one. Only the main thread changes a game.
"""

from collections.abc import Callable
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


def wait_for(what: str, game: Asked, ask: Callable[[Asked], Result]) -> Result:
    """Return a game's answer to a question, computed on a copy that can be interrupted.

    The copy shares its caches with the game, so later questions are answered faster.

    Args:
        what: the name of the work, as the beginning of a sentence.
        game: the game; a copy of it is asked.
        ask: asks it, such as `Session.suggest`.

    Raises:
        StoppedError: Ctrl-C.
    """
    return run_interruptibly(what, partial(ask, game.copy()))
