"""Ctrl-C during a long computation."""

from __future__ import annotations

from pathlib import Path

import pytest

import guessbook as gb
from tests.play.terminal import terminal

pytestmark = pytest.mark.posix

NOTICE = "(Ctrl-C stops)"
# Without the engine, `rollout` takes half a minute for the hint after this row.
LONG = "RRRR=0,0\n"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a book built with `rollout`."""
    path = Path(tmp_path_factory.mktemp("books"), "rollout.book")
    gb.build(gb.Mastermind(4, 6), "rollout:width=5").save(path)
    return str(path)


def test_interrupted_hint_in_solve_can_be_retried_or_undone(book: str) -> None:
    with terminal("solve", book, GUESSBOOK_PURE="1") as screen:
        screen.wait_for("feedback> ")
        screen.type(LONG)
        screen.wait_for("Choosing a guess ... " + NOTICE)
        screen.type("\x03")
        screen.wait_for("Stopped. Enter tries again.")
        screen.wait_for("feedback> ", 2)
        screen.type("\n")
        screen.wait_for(NOTICE, 2)
        screen.type("\x03")
        screen.wait_for("feedback> ", 3)
        # The row is kept, and the thread that still computes does not delay the next commands.
        screen.type("undo\n")
        screen.wait_for("Took back RRRR=0,0.")
        screen.wait_for("feedback> ", 4)
        assert screen.text.count("Guess 1:") == 2
        screen.type("quit\n")
        assert screen.exit_code() == 0


@pytest.mark.slow
def test_interrupted_hint_for_boards_offers_retry() -> None:
    with terminal("solve", "mastermind-5x8", "--boards", "2", GUESSBOOK_PURE="1") as screen:
        screen.wait_for("board 1 ")
        screen.type("RRYGB=1,1 0,2\n")
        screen.wait_for("Guess 2:")
        screen.wait_for("board 1 ", 2)
        notices = screen.text.count(NOTICE)
        screen.type("RYGOP=1,1 1,1\n")
        screen.wait_for("Choosing a guess for all boards ... " + NOTICE, notices + 1)
        screen.type("\x03")
        screen.wait_for("Enter tries again> ")
        screen.type("quit\n")
        assert screen.exit_code() == 0


@pytest.mark.slow
def test_interrupted_hint_in_play_keeps_the_game(book: str) -> None:
    arguments = ("play", book, "--secret", "GGBB", "--plain")
    with terminal(*arguments, GUESSBOOK_PURE="1") as screen:
        screen.wait_for("guess 1 of 10> ")
        screen.type("RRRR\n?\n")
        screen.wait_for(NOTICE)
        screen.type("\x03")
        screen.wait_for("Stopped.")
        screen.wait_for("guess 2 of 10> ", 2)
        screen.type("GGBB\n")
        screen.wait_for("GGBB is the secret. Solved in 2 guesses.")
        assert screen.exit_code() == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", ["hint", "explain"])
def test_interrupted_command_exits_with_130(book: str, command: str) -> None:
    with terminal(command, book, LONG.strip(), GUESSBOOK_PURE="1") as screen:
        screen.wait_for(NOTICE)
        screen.type("\x03")
        assert screen.exit_code() == 130
        assert "Traceback" not in screen.text
