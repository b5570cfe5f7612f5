"""A game in progress, and what can be said of it."""

from guessbook.play.board import Board
from guessbook.play.rows import Row
from guessbook.play.session import Session

__all__ = ["Board", "Row", "Session"]
