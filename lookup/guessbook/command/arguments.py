"""What nearly every command has: arguments, options, and the book that they name; light."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, NamedTuple

import typer

from guessbook.book.errors import (
    GuessbookError,
    InvalidBookError,
    UsageError,
    meant,
    printable,
    shown,
)
from guessbook.book.games.game import Game
from guessbook.book.strategy import DEFAULT_BOOK, book_path, shipped_books
from guessbook.command.output import say
from guessbook.lookup import Book, open_book
from guessbook.lookup.patience import patiently


def argument(metavar: str, help: str) -> Any:
    """An argument, with what a command's help calls it and says of it."""
    return typer.Argument(metavar=metavar, help=help)


def option(metavar: str, help: str, *names: str, **limits: float) -> Any:
    """An option with a value; its names are that of the parameter if none are given."""
    parameter: Any = typer.Option  # its overloads know no numbers by their names
    return parameter(*names, metavar=metavar, help=help, **limits)


def flag(name: str, help: str) -> Any:
    """An option without a value: it is there or not."""
    return typer.Option(name, help=help)


def output_option(help: str) -> Any:
    """The option `-o`, `--output`, with what it means for a command; `-` is stdout."""
    return option("FILE", f"{help}  (`-`: stdout)", "-o", "--output")


# The variable of the environment that names the book where a command does not.
DEFAULT = "GUESSBOOK_BOOK"
BOOK = (
    "A file, a book that comes with Guessbook, or the name of a game: a preset, or such as "
    "mastermind-6x6.  "
    f"[default: that of {DEFAULT}, else {DEFAULT_BOOK}]"
)

BookName = Annotated[str | None, argument("BOOK", BOOK)]
BookOption = Annotated[str | None, option("BOOK", "The same, said as an option.", "--book")]
History = Annotated[
    list[str] | None,
    argument(
        "BOOK GUESS=FEEDBACK ...",
        "The book (a file, one that comes with Guessbook, or a game's), if it is not the usual "
        'one; then what was guessed and answered, or "GUESS FEEDBACK" in quotes.',
    ),
]
AsJson = Annotated[bool, flag("--json", "Print JSON, for scripts.")]
Force = Annotated[bool, flag("--force", "Overwrite an existing file.")]
Quiet = Annotated[
    bool, flag("--quiet", "Show no progress: neither the bar nor, outside a terminal, its lines.")
]
Jobs = Annotated[int | None, option("N", "Threads.  [default: one for each core]", min=1)]


class Source(NamedTuple):
    """The book that a command is about.

    Attributes:
        book: the book, opened.
        path: its file, or the name of the preset that it was built for.
        size: of the file, in bytes.
    """

    book: Book
    path: str
    size: int


def source(name: str | None = None, nor: str = "") -> Source:
    """The book of that name: a file, a shipped one, or a preset, which is built if none is shipped.

    Args:
        name: the name; None for the usual book.
        nor: what else it might have been, for the message that it is none.

    Raises:
        InvalidBookError: the file is no book; the message names it, and what it seems to be.
        UsageError: there is none of that name.
    """
    usual = os.environ.get(DEFAULT)
    if name is None and usual:
        try:
            return source(usual)
        except GuessbookError as error:
            raise type(error)(f"{DEFAULT}: {error}") from error
    name = name or DEFAULT_BOOK
    path = book_path(name)
    # os.path, as Path raises where a text is too long for a name.
    folder = os.path.isdir(path)  # noqa: PTH112
    if folder or not os.path.exists(path):  # noqa: PTH110
        return _of_preset(name, _in_folder(Path(path)) if folder else "", nor)
    try:
        opened = patiently("Opening the book", partial(open_book, path))
        return Source(opened, path, Path(path).stat().st_size)
    except InvalidBookError as error:
        raise InvalidBookError(f"{printable(path)}: {_other_file(path) or error}") from error


def check_game(found: Game, game: Game, name: str, more: str = "") -> None:
    """Raise UsageError where a book of that name is of another game; `more` says what to do."""
    if found != game:
        same = " with other symbols or words" if found.name == game.name else ""
        raise UsageError(
            f"found a book of {found.name}{same} in {printable(name)}, expected {game.name}{more}"
        )


@dataclass(frozen=True)
class Told:
    """The arguments that name a book and a history.

    The book is the first one that is a file, or has no `=`, which an entry of a history has, nor a
    space in its stead.

    Attributes:
        words: the arguments.
        book: what the option `--book` says.
    """

    words: History = None
    book: BookOption = None

    def source(self) -> tuple[Source, list[str]]:
        """The book, and the history. Raises InvalidBookError or UsageError, as `source` does."""
        # os.path, as Path raises where a text is too long for a name.
        files = {word for word in self.words or () if os.path.exists(word)}  # noqa: PTH110
        book = self.book
        history = [word if word in files else entry(word) for word in self.words or ()]
        names = [word for word in history if "=" not in word or word in files]
        if book is None and names:
            book = names[0]
            history.remove(book)
            return source(book, ", nor GUESS=FEEDBACK"), history
        return source(book), history


def entry(text: str) -> str:
    """An entry of a history as it may be typed, with a space for its `=`; others stay as they are.

    >>> entry("crane 00001"), entry("p y r o 1,1"), entry("bagels")
    ('crane=00001', 'p y r o=1,1', 'bagels')
    """
    guess, space, feedback = text.strip().rpartition(" ")
    typed = space and "=" not in text and not text.endswith(".book")
    return f"{guess.strip()}={feedback}" if typed else text


def _in_folder(path: Path) -> str:
    """What to say of a folder: the books that it has."""
    books = sorted(path.glob("*.book"))
    if not books:
        return f"found the folder {printable(path)} without books, expected one book"
    inside = ", ".join(printable(book.name) for book in books[:3])
    return (
        f"found the folder {printable(path)} with {inside}, expected one book; name one: "
        f"guessbook hint {quote(printable(books[0].as_posix()))}"
    )


def _of_preset(name: str, other: str, nor: str) -> Source:
    """The book of a preset, or of a game such as mastermind-6x6: the shipped one, or built now.

    Args:
        name: the preset, or the game.
        other: what to say if it is none, where that is known.
        nor: see `source`.

    Raises:
        UsageError: it is none.
    """
    from guessbook.book.games.presets import PRESETS, game_of, is_game  # late: a hint needs none

    if not is_game(name):
        if other:
            raise UsageError(other)
        if "=" in name:
            raise UsageError(
                f"found {shown(name)}, expected a book; `hint` and `solve` take a history"
            )
        shipped = shipped_books()
        near = meant(name, [*shipped, *PRESETS])
        expected = near or f"; expected a file, a preset, or one of {', '.join(shipped)}"
        raise UsageError(f"found no book {shown(name)}{nor}{expected}")
    if name in PRESETS and not PRESETS[name].secrets:
        make = f"guessbook build-book --preset {name} --answers FILE"
        raise UsageError(f"the preset {name} has no words of its own; make a book with: {make}")
    game = game_of(name)
    if game.name in shipped_books() and open_book(game.name).game == game:
        return source(game.name)
    import numpy  # noqa: F401 late; where it is missing, nothing is announced

    from guessbook.front.making import build  # late, as a shipped book does without

    say(f"building the book of {name}; keep it with: guessbook build-book --preset {name}")
    book = patiently("Building the book", lambda: build(game))
    return Source(book, name, len(book.to_bytes()))


def _other_file(path: str) -> str:
    """What to do with a file that is no book but a text: words, or a table; empty if it is none."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            start = file.read(1000)
    except (OSError, UnicodeDecodeError):
        return ""
    if "".join(start.split()).isalnum():
        what, option = "a list of words", "--answers"
    elif any(mark in start for mark in ",;\t"):
        what, option = "a table", "--table"
    else:
        return ""
    make = f"guessbook build-book {option} {quote(printable(path))}"
    return f"found {what}, expected a book; make one with: {make}"
