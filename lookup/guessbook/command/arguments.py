"""Options and arguments that several commands of lookup share."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["AsJson", "BookName", "BookOption", "Force"]

BOOK = "A file, or the name of a book that comes with Guessbook."

BookName = Annotated[str, typer.Argument(metavar="BOOK", help=BOOK)]
BookOption = Annotated[str, typer.Option("--book", metavar="BOOK", help=BOOK)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
