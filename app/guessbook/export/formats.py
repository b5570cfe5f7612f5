"""The export formats by name. Other packages can add formats: docs/how-to/extending.md."""

from typing import Any

from guessbook.book.errors import UsageError, did_you_mean, quote
from guessbook.book.plugins import Registry
from guessbook.book.strategy import Strategy
from guessbook.export import booklet, c, irving, json_tree, page, pictures, python
from guessbook.export.format import Format, Options, Text

BUILT_IN = {
    "html": Format(page.render, ".html", "a page that plays and gives hints in a browser, offline"),
    "python": Format(python.render, ".py", "a script without dependencies", ("compress",)),
    "json": Format(
        json_tree.render, ".json", "nested nodes, for every programming language", ("depth",)
    ),
    "c": Format(c.render, ".h", "a header for C99 and C++, for programs and devices"),
    "dot": Format(
        pictures.render_dot, ".dot", "the strategy tree as text for Graphviz", ("depth",)
    ),
    "svg": Format(pictures.render, ".svg", "the strategy tree as a picture", ("depth",)),
    "sheet": Format(
        booklet.render,
        ".sheet.html",
        "a booklet to print and to play from without a computer",
    ),
    "irving": Format(
        irving.render,
        ".txt",
        "the strategy tree as text in the notation of Irving (1978), which `import` reads",
    ),
}
FORMATS: Registry[Format] = Registry(
    "guessbook.forms",
    "format",
    BUILT_IN,
    BUILT_IN.__getitem__,
    lambda found: isinstance(found, Format),
    "a guessbook.export.Format",
)


def export(book: Strategy, name: str, **options: Any) -> Text:
    """Return a book in one of `FORMATS` as text, to be written to a file as UTF-8.

    A Jupyter notebook shows the result of `export(book, "svg", depth=2)` as a picture.

    Args:
        book: the book.
        name: the name of the format.
        options: attributes of `Options` that the format uses, such as `depth`.

    Raises:
        UsageError: `book`, the format or an option is invalid, or the format cannot represent the book.
    """
    if not isinstance(book, Strategy):
        raise UsageError(f"found {quote(book)}, expected a book; open one with open_book")
    if not isinstance(name, str) or name not in FORMATS:
        near = did_you_mean(name, FORMATS) if isinstance(name, str) else ""
        names = ", ".join(FORMATS)
        raise UsageError(f"found the format {quote(name)}, expected one of {names}{near}")
    known = FORMATS[name].options
    other = next((option for option in options if option not in known), None)
    if other is not None:
        expected = f"one of {', '.join(known)}" if known else "no options"
        raise UsageError(f"found option {other!r} of the format {name}, expected {expected}")
    return Text(FORMATS[name].render(book, Options(**options)))
