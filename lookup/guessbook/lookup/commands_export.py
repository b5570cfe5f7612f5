"""The command that writes a book as another file: export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from guessbook.book.book import DEFAULT_BOOK, open_book
from guessbook.book.errors import UsageError, printable, shown
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
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"One of {', '.join(FORMATS)}; by default what the ending of FILE says.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write; `-` prints it. By default the name of the game with the "
            "ending of the format.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    depth: Annotated[
        int | None,
        typer.Option(min=1, metavar="D", help="Pictures: how many guesses deep they go."),
    ] = None,
    uncompressed: Annotated[
        bool,
        typer.Option("--uncompressed", help="Scripts: for machines that cannot decompress."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False,
) -> None:
    """Write a book as a file that needs no Guessbook.

    A script, a page, a header, data or a picture.

    Example: guessbook export mastermind-4x6 --to python -o hint.py
    """
    name = format_named(to, output)
    check_options(name, {"--depth": depth is not None, "--uncompressed": uncompressed})
    if json and output == "-":
        raise UsageError("found --json and -o -, which both print; leave one of them out")
    opened = open_book(book)
    path = Path(output or default_name(opened.game.name, name))
    if output != "-":
        from guessbook.builder.commands import check_target

        check_target(path, force)
    data = text_of(opened, name, Options(depth, not uncompressed)).encode()
    if output == "-":
        typer.echo(data, nl=False)
        return
    write_atomically(path, data)
    if json:
        from json import dumps

        known = {"path": str(path), "format": name, "game": opened.game.name, "bytes": len(data)}
        typer.echo(dumps(known))
    else:
        typer.echo(f"{printable(path)}  {len(data):,} bytes")


def format_named(name: str | None, output: str | None) -> str:
    """The name of the format that is asked for, or that the ending of a file says.

    >>> format_named(None, "hint.py")
    'python'

    Raises:
        UsageError: there is no such format, or neither says which.
    """
    known = ", ".join(FORMATS)
    if name is not None:
        if name not in FORMATS:
            raise UsageError(f"found the format {shown(name)}, expected one of {known}")
        return name
    ending = Path(output or "").suffix.lower()
    fitting = [name for name, format in FORMATS.items() if format.suffix == ending]
    if len(fitting) == 1:
        return fitting[0]
    found = f"found the ending {shown(ending)}" if ending else "found no format"
    raise UsageError(f"{found}, expected --to with one of {known}")


def check_options(name: str, given: dict[str, bool]) -> None:
    """Check that the options which are given concern the format.

    Raises:
        UsageError: one of them does not.
    """
    for option, wanted in given.items():
        if wanted and option not in FORMATS[name].options:
            users = [name for name, format in FORMATS.items() if option in format.options]
            raise UsageError(
                f"found {option} with --to {name}, expected it only with {' or '.join(users)}"
            )


def default_name(game: str, name: str) -> str:
    """The name of the file where none is given, in the current folder.

    >>> default_name("mastermind-4x6", "svg"), default_name("mastermind-4x6", "python")
    ('mastermind-4x6.svg', 'mastermind_4x6.py')
    """
    stem = game.replace("-", "_") if name == "python" else game  # a script can be imported
    return stem + FORMATS[name].suffix
