"""How arguments and options are said, and those that nearly every command has; light, for hints."""

from __future__ import annotations

from typing import Annotated, Any

import typer


def argument(metavar: str, help: str) -> Any:
    """An argument, with what a command's help calls it and says of it."""
    return typer.Argument(metavar=metavar, help=help)


def option(metavar: str, help: str, *names: str, **limits: float) -> Any:
    """An option with a value; its names are that of the parameter if none are given."""
    return typer.Option(*names, metavar=metavar, help=help, **limits)  # type: ignore[arg-type]


def flag(name: str, help: str) -> Any:
    """An option without a value: it is there or not."""
    return typer.Option(name, help=help)


def output_option(help: str) -> Any:
    """The option `-o`, `--output`, with what it means for a command."""
    return option("FILE", help, "-o", "--output")


BOOK = "A file, or the name of a book that comes with Guessbook."

BookName = Annotated[str, argument("BOOK", BOOK)]
BookOption = Annotated[str, option("BOOK", BOOK, "--book")]
AsJson = Annotated[bool, flag("--json", "Print JSON, for scripts.")]
Force = Annotated[bool, flag("--force", "Overwrite an existing file.")]
Jobs = Annotated[int | None, option("N", "Threads.  [default: one for each core]", min=1)]
