"""The command that writes a book as another file: export."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from guessbook.book.errors import UsageError, did_you_mean, quote
from guessbook.command.arguments import AsJson, BookName, Force, flag, option, output_option
from guessbook.command.books import source
from guessbook.command.output import check_target, deliver
from guessbook.export import FORMATS
from guessbook.lookup.interruptible import run_interruptibly

# The command's options for the parameters that have other names in the library.
ASKED_AS = {"depth": "--depth", "compress": "--uncompressed"}
# Forms of other packages are known to messages alone: the help needs no other package.
KNOWN = "; ".join(f"{name}: {format.summary}" for name, format in FORMATS.built_in.items())


def export(
    book: BookName = None,
    to: Annotated[
        str | None,
        option(
            "FORMAT",
            f"By default what the ending of FILE says. {KNOWN}; or one of an installed package.",
            "--to",
        ),
    ] = None,
    output: Annotated[
        str | None,
        output_option(
            "The file to write; by default the name of the game with the ending of the format."
        ),
    ] = None,
    force: Force = False,
    depth: Annotated[
        int | None, option("D", "Pictures and JSON: how many guesses deep they go.", min=1)
    ] = None,
    uncompressed: Annotated[
        bool,
        flag(
            "--uncompressed",
            "For python: a larger script, which reads its data from its own file as it needs them: "
            "for devices with some 20 kB of memory.",
        ),
    ] = False,
    json: AsJson = False,
) -> None:
    """Write a book as a file that needs no Guessbook.

    A page, a script, data, a header, a picture or text.

    Example: guessbook export mastermind-4x6 --to python -o hint.py
    """
    name = format_named(to, output)
    given = {"depth": depth} if depth is not None else {}
    options: dict[str, Any] = {**given, **({"compress": False} if uncompressed else {})}
    check_options(name, options)
    opened = source(book).book
    game = opened.game.name
    output = output or default_name(game, name)
    check_target(Path(output), force, json=json)
    text = run_interruptibly("Writing the book", lambda: opened.export(name, **options))
    deliver(text, output, {"format": name, "game": game}, force, json)


def format_named(name: str | None, output: str | None) -> str:
    """The name of the format that is asked for, or that the ending of a file says.

    >>> format_named(None, "hint.py")
    'python'

    Raises:
        UsageError: there is no such format, or neither says which.
    """
    if name is not None:
        if name not in FORMATS:
            known, near = ", ".join(FORMATS), did_you_mean(name, FORMATS)
            raise UsageError(f"found the format {quote(name)}, expected one of {known}{near}")
        return name
    ending = Path(output or "").suffix.lower()
    # Of other packages only where no form of ours fits: they are loaded for it.
    for forms in (FORMATS.built_in, FORMATS):
        fitting = [name for name, format in forms.items() if format.suffix == ending]
        if len(fitting) == 1:
            return fitting[0]
    found = f"found the ending {quote(ending)}" if ending else "found no format"
    raise UsageError(f"{found}, expected --to with one of {', '.join(FORMATS)}")


def check_options(name: str, given: Iterable[str]) -> None:
    """Check that the options which are given concern the format.

    Raises:
        UsageError: one of them does not.
    """
    for asked in given:
        if asked not in FORMATS[name].options:
            users = [name for name, form in FORMATS.built_in.items() if asked in form.options]
            raise UsageError(
                f"found {ASKED_AS[asked]} with --to {name}, expected it only with "
                f"{' or '.join(users)}"
            )


def default_name(game: str, name: str) -> str:
    """The name of the file where none is given, in the current folder.

    >>> default_name("mastermind-4x6", "svg"), default_name("mastermind-4x6", "python")
    ('mastermind-4x6.svg', 'mastermind_4x6.py')
    """
    stem = game.replace("-", "_") if name == "python" else game  # a script can be imported
    return stem + FORMATS[name].suffix
