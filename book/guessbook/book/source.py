"""The source of a session: a book, the path or name of a book, a game, or the name of a game."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from guessbook.book.games.game import Game
from guessbook.book.games.presets import game_of, is_game
from guessbook.book.strategy import Strategy, book_path, read_strategy

Source: TypeAlias = "Strategy | Game | Path | str"


def open_source(source: Source) -> tuple[Strategy | None, Game]:
    """Return the book and the game of a source; the book is None if the source is only a game.

    The name of a book takes precedence over the name of a game. Raises InvalidBookError if the
    file is not a book, and UsageError for an unknown source.
    """
    if isinstance(source, Game):
        return None, source
    if isinstance(source, str) and is_game(source) and not os.path.exists(book_path(source)):  # noqa: PTH110
        return None, game_of(source)
    book = source if isinstance(source, Strategy) else read_strategy(source)
    return book, book.game
