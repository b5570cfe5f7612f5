"""Arguments and options that nearly every command has; light, as a hint loads them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

BOOK = "A file, or the name of a book that comes with Guessbook."

BookName = Annotated[str, typer.Argument(metavar="BOOK", help=BOOK)]
BookOption = Annotated[str, typer.Option("--book", metavar="BOOK", help=BOOK)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Threads.  [default: one for each core]")
]


def output_option(help: str) -> Any:
    """The option `-o`, `--output`, with what it means for a command."""
    return typer.Option("-o", "--output", metavar="FILE", help=help)
