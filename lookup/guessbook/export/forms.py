"""The registry of forms, the ways to export a book; each is a function in a module of its own.

Other packages can add forms: docs/how-to/extending.md.
"""

from typing import Any, NamedTuple

from guessbook.book.errors import UsageError, did_you_mean, quote
from guessbook.book.plugins import Registry, load
from guessbook.book.strategy import Strategy


class Options(NamedTuple):
    """The options of exports.

    Attributes:
        depth: the depth of a picture or of nested data in guesses; None for the default.
        compress: whether the data of a script is compressed.
    """

    depth: int | None = None
    compress: bool = True


class Format(NamedTuple):
    """One way to export a book.

    Attributes:
        render: `MODULE:NAME` of a function of a book and `Options` that returns the file's text;
            it is loaded on first use.
        suffix: the end of the file's name.
        summary: a description in a few words.
        options: the names of the `Options` that it uses.
    """

    render: str
    suffix: str
    summary: str
    options: tuple[str, ...] = ()


def _own(module: str, suffix: str, summary: str, *options: str) -> Format:
    return Format(f"guessbook.export.{module}:render", suffix, summary, options)


BUILT_IN = {
    "html": _own("page", ".html", "a page that plays and gives hints in a browser, offline"),
    "python": _own("python", ".py", "a script without dependencies", "compress"),
    "json": _own("json_tree", ".json", "nested nodes, for every language", "depth"),
    "c": _own("c", ".h", "a header for C99 and C++, for programs and devices"),
    "dot": _own("pictures.dot", ".dot", "the strategy tree as text for Graphviz", "depth"),
    "svg": _own("pictures.svg", ".svg", "the strategy tree as a picture", "depth"),
    "sheet": _own("booklet", ".sheet.html", "a booklet to print and to play from without a computer"),
    "irving": _own(
        "irving", ".txt", "the strategy tree as text in the notation of Irving (1978), which `import` reads"
    ),
}
FORMATS = Registry("guessbook.forms", "format", BUILT_IN, Format, "render", "__call__")


class Text(str):
    """A text that a notebook shows as a picture if it is SVG."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return str(self) if self.startswith("<svg") else None


def export(book: Strategy, name: str, **options: Any) -> Text:
    """Return a book in one of `FORMATS` as text, to be written to a file as UTF-8.

    A notebook shows a picture as such: `export(book, "svg", depth=2)`.

    Args:
        book: the book.
        name: the name of the format.
        options: the `Options` that the format uses.

    Raises:
        UsageError: the format or the option does not exist, the book is none, or the format cannot hold it.
    """
    if not isinstance(book, Strategy):
        raise UsageError(f"found {quote(book)}, expected a book, as open_book gives")
    if not isinstance(name, str) or name not in FORMATS:
        near = did_you_mean(name, FORMATS) if isinstance(name, str) else ""
        names = ", ".join(FORMATS)
        raise UsageError(f"found the format {quote(name)}, expected one of {names}{near}")
    known = FORMATS[name].options
    other = next((option for option in options if option not in known), None)
    if other is not None:
        expected = f"one of {', '.join(known)}" if known else "none"
        raise UsageError(f"found option {other!r} of the format {name}, expected {expected}")
    return Text(load(FORMATS[name].render)(book, Options(**options)))
