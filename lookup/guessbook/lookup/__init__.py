"""Answers from books: what to guess next, from the book, by symmetry, or computed live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from guessbook.book.book import Book, Node, open_book
from guessbook.book.errors import (
    GuessbookError,
    InconsistentFeedbackError,
    InvalidBookError,
    InvalidCodeError,
    InvalidFeedbackError,
    NotInBookError,
    UsageError,
)
from guessbook.lookup.board import BestGuess, Board
from guessbook.lookup.hint import Hint, hint
from guessbook.lookup.walk import find, get

if TYPE_CHECKING:
    from guessbook.lookup.session import Row, Session

__all__ = [
    "BestGuess",
    "Board",
    "Book",
    "GuessbookError",
    "Hint",
    "InconsistentFeedbackError",
    "InvalidBookError",
    "InvalidCodeError",
    "InvalidFeedbackError",
    "Node",
    "NotInBookError",
    "Row",
    "Session",
    "UsageError",
    "find",
    "get",
    "hint",
    "open_book",
]


def __getattr__(name: str) -> Any:
    # A hint does not pay for what only a whole session needs.
    if name in {"Row", "Session"}:
        from guessbook.lookup import session

        return getattr(session, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
