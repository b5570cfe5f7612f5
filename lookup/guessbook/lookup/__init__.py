"""Answers from books: what to guess next, from the book, by symmetry, or computed live."""

from __future__ import annotations

from guessbook.book.errors import (
    GuessbookError,
    InconsistentFeedbackError,
    InvalidBookError,
    InvalidCodeError,
    InvalidFeedbackError,
    NotInBookError,
    UsageError,
    WrongTreeError,
)
from guessbook.book.strategy import Node
from guessbook.lookup.book import Book, open_book
from guessbook.lookup.hint import Hint, hint
from guessbook.lookup.walk import find, get

__all__ = [
    "Book",
    "GuessbookError",
    "Hint",
    "InconsistentFeedbackError",
    "InvalidBookError",
    "InvalidCodeError",
    "InvalidFeedbackError",
    "Node",
    "NotInBookError",
    "UsageError",
    "WrongTreeError",
    "find",
    "get",
    "hint",
    "open_book",
]
