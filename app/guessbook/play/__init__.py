"""Games in progress: sessions, ratings of guesses, reviews of games, and opponents."""

from guessbook.play.board import Board
from guessbook.play.rows import Row
from guessbook.play.session import Session

__all__ = ["Board", "Row", "Session"]
