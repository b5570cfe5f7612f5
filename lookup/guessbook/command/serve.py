"""The command that serves a book to browsers and programs on this machine: serve."""

from __future__ import annotations

from typing import Annotated

import typer

from guessbook.book.book import DEFAULT_BOOK, book_path
from guessbook.command.arguments import BookName
from guessbook.lookup.opened import open_book

__all__ = ["serve"]


def serve(
    book: BookName = DEFAULT_BOOK,
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, metavar="N", help="Where to listen; 0 takes a free port."),
    ] = 8000,
) -> None:
    """Serve a page and hints as JSON to this machine, until Ctrl-C.

    The page is at /, a hint at /hint?RYGB=1,1&RGOP=0,2 (or POST {"history": ["RYGB=1,1"]}), and
    what the book is at /info. Other machines are not answered.

    Example: guessbook serve mastermind-4x6 --port 8000
    """
    import os

    from guessbook.export.serve import server

    path = book_path(book)
    opened = open_book(book)

    def ready(address: str) -> None:
        typer.echo(f"{opened.game.name} at {address} (Ctrl-C stops)")

    server.serve(opened, os.path.getsize(path), port, ready)  # noqa: PTH202
