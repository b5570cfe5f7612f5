"""Answers from books: what to guess next, from the book, by symmetry, or computed live."""

from guessbook.lookup.book import Book, open_book
from guessbook.lookup.hint import Hint, hint
from guessbook.lookup.walk import find, get

__all__ = ["Book", "Hint", "find", "get", "hint", "open_book"]
