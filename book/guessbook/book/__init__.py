"""What a book is: games and their rules, the strategy tree, the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import Game, parse_history
from guessbook.book.games.registry import game_from_header

if TYPE_CHECKING:
    from guessbook.book.games.words import WordGame

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
    "WordGame",
    "game_from_header",
    "open_book",
    "parse_history",
    "shipped_books",
]


def __getattr__(name: str) -> Any:
    if name == "WordGame":
        # Late, as a hint for a game of codes does not pay for word games.
        from guessbook.book.games.words import WordGame

        return WordGame
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
