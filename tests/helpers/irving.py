"""Books in Irving's notation, for tests, and when two books are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.helpers.content import columns

if TYPE_CHECKING:
    import guessbook as gb

# Two pegs and three colors, as Guessbook writes it.
SMALL = "9 (12: 1, 2 (23), 1; 4 (13); 1)\n\n"


def same(first: gb.Book, second: gb.Book) -> bool:
    """Whether two books have the same game and the same tree."""
    return first.game == second.game and columns(first) == columns(second)


def text_of(book: gb.Book) -> str:
    """A book in Irving's notation."""
    return str(book.export("irving"))
