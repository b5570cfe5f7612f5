"""What a book is: games and their rules, the strategy tree, the file."""

from guessbook.book.book import Book, Metadata, Node, open_book, shipped_books
from guessbook.book.errors import (
    BuildError,
    GuessbookError,
    InconsistentFeedbackError,
    InvalidBookError,
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    NotInBookError,
    UsageError,
)
from guessbook.book.game import Game, game_from_header, parse_history
from guessbook.book.mastermind import Mastermind

__all__ = [
    "Book",
    "BuildError",
    "Game",
    "GuessbookError",
    "InconsistentFeedbackError",
    "InvalidBookError",
    "InvalidCodeError",
    "InvalidFeedbackError",
    "InvalidGameError",
    "Mastermind",
    "Metadata",
    "Node",
    "NotInBookError",
    "UsageError",
    "game_from_header",
    "open_book",
    "parse_history",
    "shipped_books",
]
