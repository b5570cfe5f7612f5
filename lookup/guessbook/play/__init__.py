"""A game in progress: sessions, ratings, reviews, opponents."""

from guessbook.play.board import Board
from guessbook.play.rows import Row
from guessbook.play.session import Session

__all__ = ["Board", "Row", "Session"]
