"""The command that makes a book of a published strategy tree: import."""

from __future__ import annotations

import shutil
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from guessbook.book.facts import facts, table
from guessbook.book.file.container import IMPORTED
from guessbook.book.imported import book_of, read_text
from guessbook.command.build import check_target, default_name
from guessbook.command.options import AsJson, Force

__all__ = ["import_tree"]


def import_tree(
    text: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A strategy tree in Irving's notation; `-` for stdin."),
    ],
    symbols: Annotated[
        str | None,
        typer.Option(
            metavar="SYMBOLS",
            help="The symbols of the book, in the order of those of the text, such as RYGBOP for "
            "123456.  [default: those of the text]",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Where the tree is from; `info` will say so."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write.  [default: GAME-imported.book in this folder]",
        ),
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Make a book of a published strategy tree.

    The tree is played against every secret. One that is incomplete, or contradicts the rules, is
    refused with its line and the history.

    Example: guessbook import knuth.txt --source "Knuth 1976" -o knuth.book
    """
    if output is not None:
        check_target(output, force)
    book = book_of(read_text(text), symbols, source)
    path = output or Path(default_name(book.game, IMPORTED, None))
    if output is None:
        check_target(path, force)
    known = facts(book, str(path), book.save(path))
    typer.echo(dumps(known) if json else table(known, shutil.get_terminal_size().columns))
