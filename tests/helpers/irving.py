"""Books in Irving's notation, for tests, and when two books are the same."""

from __future__ import annotations

from functools import cache

from guessbook.book import Mastermind, Strategy
from guessbook.builder.build import build_strategy
from guessbook.export import export
from tests.helpers.content import columns

# Two pegs and three colors, as Guessbook writes it.
SMALL = "9 (12: 1, 2 (23), 1; 4 (13); 1)\n\n"


def same(first: Strategy, second: Strategy) -> bool:
    """Whether two books have the same game and the same tree."""
    return first.game == second.game and columns(first) == columns(second)


def text_of(book: Strategy) -> str:
    """A book in Irving's notation."""
    return export(book, "irving")


@cache
def minimax() -> Strategy:
    """The book of 4 pegs and 6 colors by minimax, in the symbols 1 to 6."""
    return build_strategy(Mastermind(4, 6, symbols="123456"), "minimax")
