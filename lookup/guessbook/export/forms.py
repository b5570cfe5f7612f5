"""The registry of forms: every way to export a book, each a function in a module of its own.

Other packages add forms: docs/how-to/extending.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from guessbook.book.errors import UsageError, meant, shown
from guessbook.book.plugins import Registry, loaded
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
        render: a function of a book and `Options` that gives the file's text, `MODULE:NAME`; it
            is loaded when it is asked for.
        suffix: how the name of such a file ends.
        summary: what it is, in a few words.
        options: the names of the `Options` that it has.
    """

    render: str
    suffix: str
    summary: str
    options: tuple[str, ...] = ()


BUILT_IN = {
    "html": Format(
        "guessbook.export.page:render",
        ".html",
        "a page that plays and gives hints in a browser, offline",
    ),
    "python": Format(
        "guessbook.export.python:render",
        ".py",
        "a script without dependencies",
        ("compress",),
    ),
    "json": Format(
        "guessbook.export.json_tree:render",
        ".json",
        "nested nodes, for every language",
        ("depth",),
    ),
    "c": Format(
        "guessbook.export.c:render", ".h", "a header for C99 and C++, for programs and devices"
    ),
    "dot": Format(
        "guessbook.export.pictures.dot:render",
        ".dot",
        "the strategy tree as text for Graphviz",
        ("depth",),
    ),
    "svg": Format(
        "guessbook.export.pictures.svg:render",
        ".svg",
        "the strategy tree as a picture",
        ("depth",),
    ),
    "sheet": Format(
        "guessbook.export.booklet:render",
        ".sheet.html",
        "a booklet to print and to play from without a computer",
    ),
    "irving": Format(
        "guessbook.export.irving:render",
        ".txt",
        "the strategy tree as text in the notation of Irving (1978), which `import` reads",
    ),
}
FORMATS = Registry("guessbook.forms", "format", BUILT_IN, Format, "render", "__call__")


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
    render = loaded(FORMATS[name].render)
    return Text(render(book, Options(**options)))
