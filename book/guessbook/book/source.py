"""The source of a session: a book, its file or its name, or a game or its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from guessbook.book.errors import UsageError, did_you_mean, quote
from guessbook.book.games.game import Game, check_game
from guessbook.book.games.presets import PRESETS, game_of, is_game, names
from guessbook.book.strategy import Strategy, is_book, read_strategy, shipped_books

if TYPE_CHECKING:
    from pathlib import Path

# A book's path contains one of these; a game's name does not.
MARKS = ("/", "\\", ".")

Source: TypeAlias = "Strategy | Game | Path | str"


def open_source(source: Source) -> tuple[Strategy | None, Game]:
    """Return the book, if there is one, and the game.

    A name names a bundled book, a file, or a game.

    >>> open_source("mastermind-4x6")[0], open_source("bagels")[1].name
    (<Strategy mastermind-4x6 entropy: 1,296 secrets, 1,380 nodes>, 'bulls-and-cows-3x10')

    Raises:
        InvalidBookError: the file is not a book, or is damaged.
        UsageError: the source is not one of them.
    """
    if isinstance(source, Strategy):
        return source, source.game
    if isinstance(source, str) and not is_book(source):
        if is_game(source):
            return None, game_of(source)
        if not is_path(source):
            near = did_you_mean(source, [*shipped_books(), *PRESETS])
            books = ", ".join(shipped_books()) or "none is installed"
            raise UsageError(
                f"found {quote(source)}, expected the path of a book, a shipped book ({books}), or "
                f"a game: {names()}{near}"
            )
    if isinstance(source, str) or hasattr(source, "__fspath__"):
        book = read_strategy(source)  # type: ignore[arg-type]
        return book, book.game
    return None, check_game(source, "a book, its path, the name of a shipped one, or a game")


def is_path(name: str) -> bool:
    """Return whether a name that is no book looks like a path."""
    return any(mark in name for mark in MARKS)


def or_a_game(source: object) -> str:
    """Return the end of a message for a game's name where a book is expected; else nothing.

    >>> or_a_game("bagels")
    "; gb.build('bagels') makes the book of that game"
    >>> or_a_game("bagles")
    '; gb.build makes the book of a game; did you mean bagels?'
    """
    if not isinstance(source, str) or is_book(source) or is_path(source):
        return ""
    if is_game(source):
        return f"; gb.build({source!r}) makes the book of that game"
    return f"; gb.build makes the book of a game{did_you_mean(source, PRESETS)}"
