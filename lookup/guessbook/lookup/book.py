"""The book: a strategy tree that answers what to guess next, and what else is asked of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.strategy import DEFAULT_BOOK, Node, Strategy, read_strategy
from guessbook.lookup.hint import Hint, hint
from guessbook.lookup.walk import find, get

if TYPE_CHECKING:
    from pathlib import Path


class Book(Strategy):
    """A book that answers what to guess next; immutable, so threads may share it.

    >>> book = open_book("mastermind-4x6")
    >>> book.hint([("RYGB", "1,1"), ("RGOP", "0,2")]).guess
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


def open_book(source: Strategy | Path | str | bytes = DEFAULT_BOOK) -> Book:
    """The book in a file, in bytes, or shipped with Guessbook under a name, ready for questions.

    A strategy that was just built may be given as it is.

    Raises:
        InvalidBookError: the file is not a book, or is damaged.
        UsageError: there is no such file and no shipped book of that name, or `source` is none of
            these.
    """
    known = source if isinstance(source, Strategy) else read_strategy(source)
    return Book(known.game, known.policy, known.tree)
