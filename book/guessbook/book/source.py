"""The source of a session: a book, the path or name of a book, a game, or the name of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from guessbook.book.errors import UsageError, did_you_mean, quote
from guessbook.book.games.game import Game, check_game
from guessbook.book.games.presets import PRESETS, game_of, is_game, names
from guessbook.book.strategy import Strategy, is_book, read_strategy, shipped_books

Source: TypeAlias = "Strategy | Game | Path | str"


def open_source(source: Source) -> tuple[Strategy | None, Game]:
    """Return the book and the game of a source; the book is None if the source is only a game.

    Raises InvalidBookError if the file is not a book, and UsageError for an unknown source.
    """
    if isinstance(source, Strategy):
        return source, source.game
    if isinstance(source, str) and not is_book(source):
        if is_game(source):
            return None, game_of(source)
        if not is_path(source):
            near = did_you_mean(source, [*shipped_books(), *PRESETS])
            books = ", ".join(shipped_books()) or "none is installed"
            expected = f"expected the path of a book, a shipped book ({books}), or a game"
            raise UsageError(f"found {quote(source)}, {expected}: {names()}{near}")
    if isinstance(source, str) or hasattr(source, "__fspath__"):
        book = read_strategy(source)  # type: ignore[arg-type]
        return book, book.game
    return None, check_game(source, "a book, its path, the name of a shipped book, or a game")


def is_path(name: str) -> bool:
    """Return whether a name contains a slash, a backslash or a dot, which names of games never contain."""
    return any(mark in name for mark in "/\\.")


def or_a_game(source: object) -> str:
    """Return the end of the error for an unknown book: how to build it, if `source` may be the name of a game.

    >>> or_a_game("bagels")
    "; gb.build('bagels') makes the book of that game"
    """
    if not isinstance(source, str) or is_book(source) or is_path(source):
        return ""
    if is_game(source):
        return f"; gb.build({source!r}) makes the book of that game"
    return f"; gb.build makes the book of a game{did_you_mean(source, PRESETS)}"
