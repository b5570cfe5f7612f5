"""Irving's notation: the strategy tree of a book as the literature prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.irving import text_of

if TYPE_CHECKING:
    from guessbook.book.book import Book
    from guessbook.lookup.export import Options

__all__ = ["render"]


def render(book: Book, options: Options) -> str:
    """The text; `guessbook import` reads it. There is nothing that an option could change."""
    return text_of(book)
