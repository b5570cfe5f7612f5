"""The opened book: a book that answers what to guess next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book import book as stored
from guessbook.book.book import DEFAULT_BOOK, Node
from guessbook.lookup.hint import Hint, hint
from guessbook.lookup.walk import find, get

if TYPE_CHECKING:
    from pathlib import Path


class Book(stored.Book):
    """A book that answers what to guess next; immutable, so threads may share it.

    >>> with open_book("mastermind-4x6") as book:
    ...     book.hint([("RYGB", "1,1"), ("RGOP", "0,2")]).guess
    'PYYG'
    """

    __slots__ = ()

    def find(self, history: object) -> Node:
        """The node that a history (a set of guesses and feedbacks) leads to.

        Its twin `get` returns None instead of raising NotInBookError.

        Raises:
            NotInBookError: the tree does not cover the history.
            InvalidCodeError, InvalidFeedbackError: it is not a history of this game.
        """
        return find(self, history)

    def get(self, history: object) -> Node | None:
        """The node that a history leads to, or None; its twin `find` raises NotInBookError."""
        return get(self, history)

    def hint(self, history: object = ()) -> Hint:
        """What to guess next, from the book, by symmetry, or computed live.

        Raises:
            InconsistentFeedbackError: no secret fits the history; names what to re-check.
            InvalidCodeError, InvalidFeedbackError: it is not a history of this game.
        """
        return hint(self, history)


def open_book(source: stored.Book | Path | str | bytes = DEFAULT_BOOK) -> Book:
    """The book in a file, in bytes, or shipped with Guessbook under a name, ready for questions.

    A book that was just built may be given as it is.

    Raises:
        InvalidBookError: the file is not a book, or is damaged.
        UsageError: there is no such file and no shipped book of that name, or `source` is none of
            these.
    """
    known = source if isinstance(source, stored.Book) else stored.open_book(source)
    return Book(known.game, known.policy, known.tree)
