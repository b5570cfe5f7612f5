"""The command that converts a book to another format: export."""

from pathlib import Path
from typing import Any

from guessbook.book.errors import UsageError, did_you_mean, quote
from guessbook.command.arguments import BOOK, FORCE, JSON, flag, option, output_option
from guessbook.command.books import source
from guessbook.command.output import check_target, deliver
from guessbook.export import FORMATS
from guessbook.lookup.interruptible import run_interruptibly

# Formats of other packages appear in error messages only: the help must not load packages.
KNOWN = "; ".join(f"{name}: {format.summary}" for name, format in FORMATS.built_in.items())


def export(
    book: str | None = BOOK,
    to: str | None = option(
        "FORMAT",
        f"By default that of the ending of FILE. {KNOWN}; or one of an installed package.",
        "--to",
    ),
    output: str | None = output_option(
        "The file to write; by default the name of the game with the ending of the format."
    ),
    force: bool = FORCE,
    depth: int | None = option("D", "Pictures and JSON: how many guesses deep they go.", min=1),
    uncompressed: bool = flag(
        "--uncompressed",
        "For python: a larger script that reads its data as it needs them, for devices with "
        "some 20 kB of memory.",
    ),
    json: bool = JSON,
) -> None:
    """Write a book as a file that needs no Guessbook.

    A page, a script, data, a header, a picture or text.

    Example: guessbook export mastermind-4x6 --to python -o hint.py
    """
    name = format_named(to, output)
    options: dict[str, Any] = {} if depth is None else {"depth": depth}
    if uncompressed:
        options["compress"] = False
    for parameter in options:
        if parameter not in FORMATS[name].options:
            users = [user for user, form in FORMATS.built_in.items() if parameter in form.options]
            given = "--uncompressed" if parameter == "compress" else "--depth"
            raise UsageError(f"found {given} with --to {name}, use it with {' or '.join(users)}")
    opened = source(book).book
    game = opened.game.name
    output = output or default_name(game, name)
    check_target(Path(output), force, json=json)
    text = run_interruptibly("Writing the book", lambda: opened.export(name, **options))
    deliver(text, output, {"format": name, "game": game}, force, json)


def format_named(name: str | None, output: str | None) -> str:
    """Return the format of the name, or else of the ending of the file.

    >>> format_named(None, "hint.py")
    'python'
    """
    if name is not None:
        if name not in FORMATS:
            known, near = ", ".join(FORMATS), did_you_mean(name, FORMATS)
            raise UsageError(f"found the format {quote(name)}, expected one of {known}{near}")
        return name
    ending = Path(output or "").suffix.lower()
    # Other packages are loaded only if no built-in format fits.
    for forms in (FORMATS.built_in, FORMATS):
        fitting = [name for name, format in forms.items() if format.suffix == ending]
        if len(fitting) == 1:
            return fitting[0]
    found = f"found the ending {quote(ending)}" if ending else "found no format"
    raise UsageError(f"{found}, expected --to with one of {', '.join(FORMATS)}")


def default_name(game: str, name: str) -> str:
    """Return the default name of the file.

    >>> default_name("mastermind-4x6", "svg"), default_name("mastermind-4x6", "python")
    ('mastermind-4x6.svg', 'mastermind_4x6.py')
    """
    stem = game.replace("-", "_") if name == "python" else game  # a script can be imported
    return stem + FORMATS[name].suffix
