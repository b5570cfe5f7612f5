"""The command that writes a book as another file: export."""

from __future__ import annotations

from typing import Annotated

import typer

from guessbook.book.book import DEFAULT_BOOK, open_book
from guessbook.book.file import write_atomically
from guessbook.lookup.export import FORMATS, Options
from guessbook.lookup.export import export as text_of

__all__ = ["export"]


def export(
    book: Annotated[
        str,
        typer.Argument(
            metavar="BOOK", help="A file, or the name of a book that comes with Guessbook."
        ),
    ] = DEFAULT_BOOK,
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
    ] = "python",
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write; `-` prints it. By default the name of the game with the "
            "format's ending.",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(min=1, metavar="D", help="Pictures: how many guesses deep they go."),
    ] = None,
    uncompressed: Annotated[
        bool,
        typer.Option("--uncompressed", help="Scripts: for machines that cannot decompress."),
    ] = False,
) -> None:
    """Write a book as a script, a page, a header, data or a picture that needs no Guessbook.

    Example: guessbook export mastermind-4x6 --to python -o hint.py
    """
    opened = open_book(book)
    text = text_of(opened, to, Options(depth, not uncompressed))
    if output == "-":
        typer.echo(text, nl=False)
        return
    path = output or opened.game.name + FORMATS[to].suffix
    data = text.encode()
    write_atomically(path, data)
    typer.echo(f"{path}  {len(data):,} bytes")
