"""Find the book that a command names: a file, a shipped book, or the book of a preset or game."""

import os
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from guessbook.book.disk import open_at_once
from guessbook.book.errors import (
    GuessbookError,
    InvalidBookError,
    UsageError,
    did_you_mean,
    printable,
    quote,
)
from guessbook.book.games.presets import PRESETS, game_of, is_game
from guessbook.book.strategy import DEFAULT_BOOK, book_path, shipped_books
from guessbook.command.output import say
from guessbook.front import Book, open_book

# The environment variable that names the default book of all commands.
DEFAULT = "GUESSBOOK_BOOK"
# Files with fewer bytes open too fast to need a notice or Ctrl-C.
LARGE_FILE = 1 << 20


class Source(NamedTuple):
    """The book of a command, with its path and size."""

    book: Book
    path: str  # path of the file; if there is no file, the name of the preset or game
    size: int  # size of the file in bytes; if there is no file, the size of the book as a file


def source(name: str | None = None, or_entry: bool = False) -> Source:
    """Return the book that a name means: a file, a shipped book, or the book of a preset or a game.

    None means the default book. If `or_entry` is true, the error for an unknown name says that it
    is not GUESS=FEEDBACK, either.
    """
    usual = os.environ.get(DEFAULT)
    if name is None and usual:
        try:
            return source(usual)
        except GuessbookError as error:
            raise type(error)(f"{DEFAULT}: {error}") from error
    name = name or DEFAULT_BOOK
    path = book_path(name)
    # Path methods raise an error if the string is too long for a file name; os.path does not.
    folder = os.path.isdir(path)  # noqa: PTH112
    if folder or not os.path.exists(path):  # noqa: PTH110
        return _of_preset(name, or_entry, Path(path) if folder else None)
    try:
        size = os.stat(path).st_size  # noqa: PTH116
        if size < LARGE_FILE:
            return Source(open_book(path), path, size)
        from guessbook.play.terminal.interruptible import run_interruptibly

        opened = run_interruptibly("Opening the book", lambda: open_book(path))
        return Source(opened, path, size)
    except InvalidBookError as error:
        raise InvalidBookError(f"{printable(path)}: {_other_file(path) or error}") from error


def names_book(word: str) -> bool:
    """Return whether a word is an existing path, or names a shipped book, a preset or a game."""
    # Path methods raise an error if the string is too long for a file name; os.path does not.
    if os.path.exists(word):  # noqa: PTH110
        return True
    return "=" not in word and (word in shipped_books() or is_game(word))


def _in_folder(path: Path) -> str:
    """Return the error message for a folder that is named instead of a book."""
    books = sorted(path.glob("*.book"))
    if not books:
        return f"{printable(path)} is a folder without books; name a book"
    first = shlex.quote(printable(books[0].as_posix()))
    return f"{printable(path)} is a folder; name a book in it, such as {first}"


def _of_preset(name: str, or_entry: bool, folder: Path | None) -> Source:
    """Return the book of a preset or of a game such as mastermind-6x6, built if none is shipped.

    Raise UsageError for any other name. `folder` is the folder of this name, if there is one.
    """
    if not is_game(name):
        if folder is not None:
            raise UsageError(_in_folder(folder))
        if "=" in name:
            raise UsageError(f"{quote(name)} is not a book; give a history to `hint` or `solve`")
        shipped = shipped_books()
        near = did_you_mean(name, [*shipped, *PRESETS])
        advice = near or f"; give a file, a preset, or one of {', '.join(shipped)}"
        # `quote` would cut the path of a file after 40 characters.
        shown = f"'{printable(name)}'"
        found = f"there is no book {shown}"
        if or_entry:
            found = f"{shown} is neither a book nor GUESS=FEEDBACK"
        raise UsageError(f"{found}{advice}")
    if name in PRESETS and PRESETS[name].needs_words:
        make = f"guessbook build-book --preset {name} --answers FILE"
        raise UsageError(f"the preset {name} has no words of its own; make a book with: {make}")
    game = game_of(name)
    if game.name in shipped_books() and open_book(game.name).game == game:
        return source(game.name)
    import numpy  # noqa: F401 reports a missing numpy before the build is announced

    # Imported here so that opening a book does not load the builder.
    from guessbook.front import build
    from guessbook.play.terminal.interruptible import run_interruptibly

    if name in PRESETS and PRESETS[name].dictionary:
        count = f"{len(game.secrets):,} of {len(game.guesses):,}"
        say(f"{name}: {PRESETS[name].title}; {count} words may be the secret")
    keep = f"guessbook build-book --preset {name} -o {name}.book"
    say(f"building the book of {name}; keep it with: {keep}")
    book = run_interruptibly("Building the book", lambda: build(game))
    return Source(book, name, len(book.to_bytes()))


def _other_file(path: str) -> str:
    """Return the error message for a word list, a saved game or a table opened as a book.

    Return "" for other files.
    """
    try:
        with open(path, encoding="utf-8", opener=open_at_once) as file:
            start = file.read(1000)
    except (OSError, UnicodeDecodeError):
        return ""
    if re.match(r"\w+[ =]\d+[,.]\d+\s", start):
        return f"this saved game lacks its first line, such as: # Guessbook game of {DEFAULT_BOOK}"
    if "".join(start.split()).isalnum():
        what, option = "a list of words", "--answers"
    elif any(mark in start for mark in ",;\t"):
        what, option = "a table", "--table"
    else:
        return ""
    make = f"guessbook build-book {option} {shlex.quote(printable(path))}"
    return f"this is {what}, not a book; make a book with: {make}"
