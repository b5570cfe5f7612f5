"""The registry of forms: every way to export a book, each a module with one function."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from guessbook.book.errors import UsageError, meant, shown
from guessbook.book.strategy import Strategy


class Options(NamedTuple):
    """What an export may be told.

    Attributes:
        depth: how many guesses deep a picture goes; None for what is readable.
        compress: whether the data of a script is compressed.
    """

    depth: int | None = None
    compress: bool = True


class Format(NamedTuple):
    """One way to export a book.

    Attributes:
        module: the module of this package whose `render(book, options)` gives the file's text.
        suffix: how the name of such a file ends.
        summary: what it is, in a few words.
        options: the names of the `Options` that it has.
    """

    module: str
    suffix: str
    summary: str
    options: tuple[str, ...] = ()


# One is added by its module and a line here: the command, its help and docs/embedding.md follow.
FORMATS: dict[str, Format] = {
    "html": Format("page", ".html", "a page that plays and gives hints in a browser, offline"),
    "python": Format("python", ".py", "a script without dependencies", ("compress",)),
    "json": Format("json_columns", ".json", "plain lists, for every language"),
    "c": Format("c", ".h", "a header for C99 and C++, for programs and devices"),
    "dot": Format("pictures.dot", ".dot", "the strategy tree as text for Graphviz", ("depth",)),
    "svg": Format("pictures.svg", ".svg", "the strategy tree as a picture", ("depth",)),
    "irving": Format("irving", ".txt", "the strategy tree as the literature prints it"),
}


class Text(str):
    """A text that a notebook shows as what it is: a picture, or a string."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return str(self) if self.startswith("<svg") else None


def export(book: Strategy, name: str, **options: Any) -> Text:
    """The text of a book in one of `FORMATS`; written as UTF-8 it is the file.

    A notebook draws it if it is a picture: `export(book, "svg", depth=2)`.

    Args:
        book: the book.
        name: of the format.
        options: those of `Options` that the format has.

    Raises:
        UsageError: no such format, book or option; or the format cannot hold the book.
    """
    if not isinstance(book, Strategy):
        raise UsageError(f"found {shown(book)}, expected a book, as open_book gives")
    if not isinstance(name, str) or name not in FORMATS:
        near = meant(name, FORMATS) if isinstance(name, str) else ""
        names = ", ".join(FORMATS)
        raise UsageError(f"found the format {shown(name)}, expected one of {names}{near}")
    known = FORMATS[name].options
    other = next((option for option in options if option not in known), None)
    if other is not None:
        expected = f"one of {', '.join(known)}" if known else "none"
        raise UsageError(f"found option {other!r} of the format {name}, expected {expected}")
    module = import_module(f"{__package__}.{FORMATS[name].module}")
    return Text(module.render(book, Options(**options)))
