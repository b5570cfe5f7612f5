"""The look: what differs between kinds of games in a terminal and in words about one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.games.registry import companion

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.play.terminal.plain import Look

__all__ = ["Part", "look_of"]

# A text, and the style in which it is drawn.
Part = tuple[str, str]


def look_of(game: Game) -> Look:
    """The look of a game, as its kind has it."""
    look: Look = companion(game, "look").Look(game)
    return look
