"""Books in Irving's notation, and a comparison of books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.helpers.content import columns

if TYPE_CHECKING:
    import guessbook as gb

# The book of two pegs and three colours, as Guessbook writes it.
SMALL = "9 (12: 1, 2 (23), 1; 4 (13); 1)\n\n"


def same(first: gb.Book, second: gb.Book) -> bool:
    """Return whether two books have the same game and the same tree."""
    return first.game == second.game and columns(first) == columns(second)


def text_of(book: gb.Book) -> str:
    """Return a book in Irving's notation."""
    return str(book.export("irving"))
