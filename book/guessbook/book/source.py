"""What a session is made of: a book, its file or its name, or a game or its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from guessbook.book.games.game import Game, checked_game
from guessbook.book.games.presets import game_of, is_game
from guessbook.book.strategy import Strategy, is_book, read_strategy

if TYPE_CHECKING:
    from pathlib import Path

Source: TypeAlias = "Strategy | Game | Path | str"


def opened(source: Source) -> tuple[Strategy | None, Game]:
    """Return the book, if there is one, and the game.

    A name is that of a shipped book, of a file, or of a game.

    >>> opened("mastermind-4x6")[0], opened("bagels")[1].name
    (<Strategy mastermind-4x6 entropy: 1,296 secrets, 1,380 nodes>, 'bulls-and-cows-3x10')

    Raises:
        InvalidBookError: the file is not a book, or is damaged.
        UsageError: it is none of these.
    """
    if isinstance(source, Strategy):
        return source, source.game
    if isinstance(source, str) and not is_book(source) and is_game(source):
        return None, game_of(source)
    if isinstance(source, str) or hasattr(source, "__fspath__"):
        book = read_strategy(source)  # type: ignore[arg-type]
        return book, book.game
    return None, checked_game(source, "a book, its path, the name of a shipped one, or a game")
