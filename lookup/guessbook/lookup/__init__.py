"""Books that give hints: the next guess, from the book, from an equivalent history, or from a computation."""

from guessbook.lookup.book import Book, open_book
from guessbook.lookup.hint import Hint, hint
from guessbook.lookup.walk import find, get

__all__ = ["Book", "Hint", "find", "get", "hint", "open_book"]
