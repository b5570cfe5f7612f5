"""The package for the contents of a book: games with their rules, the strategy tree, and the book file."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from guessbook.book.errors import (
    BuildError,
    EngineError,
    GuessbookError,
    InconsistentFeedbackError,
    InvalidBookError,
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    NotInBookError,
    UsageError,
    WrongTreeError,
)
from guessbook.book.games.codes import Mastermind, Pegs
from guessbook.book.games.game import Game, parse_history
from guessbook.book.games.registry import game_from_header
from guessbook.book.strategy import Node, Stats, Strategy, read_strategy, shipped_books

if TYPE_CHECKING:
    from guessbook.book.games.tables import TableGame
    from guessbook.book.games.words import WordGame

__all__ = [
    "BuildError",
    "EngineError",
    "Game",
    "GuessbookError",
    "InconsistentFeedbackError",
    "InvalidBookError",
    "InvalidCodeError",
    "InvalidFeedbackError",
    "InvalidGameError",
    "Mastermind",
    "Node",
    "NotInBookError",
    "Pegs",
    "Stats",
    "Strategy",
    "TableGame",
    "UsageError",
    "WordGame",
    "WrongTreeError",
    "game_from_header",
    "parse_history",
    "read_strategy",
    "shipped_books",
]


# `__getattr__` imports these classes on first use: a hint for a game of codes need not load the other games.
_LATE = {"TableGame": "guessbook.book.games.tables", "WordGame": "guessbook.book.games.words"}


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return getattr(import_module(_LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
