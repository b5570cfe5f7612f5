"""The export forms by name. Other packages can add forms: docs/how-to/extending.md."""

from collections.abc import Callable
from typing import Any, NamedTuple

from guessbook.book.errors import UsageError, did_you_mean, known_options, quote
from guessbook.book.plugins import Registry
from guessbook.book.strategy import Strategy
from guessbook.export.booklet import booklet, key
from guessbook.export.c import c_header
from guessbook.export.irving import irving_text
from guessbook.export.json_tree import json_tree
from guessbook.export.page import html_page
from guessbook.export.pictures import graphviz_text, mermaid_text, svg_picture
from guessbook.export.python import python_script
from guessbook.export.spreadsheet import paths_csv


class Options(NamedTuple):
    """The options of an export.

    Attributes:
        depth: the number of levels of the tree to export; None for the default of the form.
        compress: whether a Python script stores its data compressed.
        title: the title of a page or chart; None for the name of the game.
        plain: whether a key is plain text instead of HTML.
    """

    depth: int | None = None
    compress: bool = True
    title: str | None = None
    plain: bool = False


class Form(NamedTuple):
    """A form in which a book can be exported.

    Attributes:
        render: the function that returns the text of the file for a book and `Options`.
        suffix: the end of the file's name, such as ".html".
        summary: a description in a few words.
        options: the names of the attributes of `Options` that the form uses.
    """

    render: Callable[[Strategy, Options], str]
    suffix: str
    summary: str
    options: tuple[str, ...] = ()


class Text(str):
    """A `str` with the text of an exported file; a Jupyter notebook shows it if it is SVG."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return str(self) if self.startswith("<svg") else None


BUILT_IN = {
    "html": Form(
        lambda book, options: html_page(book, options.title),
        ".html",
        "a page that plays and gives hints in a browser, offline",
        ("title",),
    ),
    "python": Form(
        lambda book, options: python_script(book, options.compress),
        ".py",
        "a script without dependencies",
        ("compress",),
    ),
    "json": Form(
        lambda book, options: json_tree(book, options.depth),
        ".json",
        "nested nodes, for every programming language",
        ("depth",),
    ),
    "c": Form(
        lambda book, _: c_header(book),
        ".h",
        "a header for C99 and C++, for programs and devices",
    ),
    "dot": Form(
        lambda book, options: graphviz_text(book, options.depth),
        ".dot",
        "the strategy tree as text for Graphviz",
        ("depth",),
    ),
    "svg": Form(
        lambda book, options: svg_picture(book, options.depth),
        ".svg",
        "the strategy tree as a picture",
        ("depth",),
    ),
    "booklet": Form(
        lambda book, options: booklet(book, options.title),
        ".booklet.html",
        "a booklet to print and to play from without a computer",
        ("title",),
    ),
    "key": Form(
        lambda book, options: key(book, options.title, options.plain),
        ".key.html",
        "numbered questions and answers that lead to an outcome, to print",
        ("title", "plain"),
    ),
    "mermaid": Form(
        lambda book, options: mermaid_text(book, options.depth, options.title),
        ".mmd",
        "the strategy tree as a flow chart that GitHub shows",
        ("depth", "title"),
    ),
    "csv": Form(
        lambda book, _: paths_csv(book),
        ".csv",
        "a row for each path through the strategy tree, for spreadsheets",
    ),
    "irving": Form(
        lambda book, _: irving_text(book),
        ".txt",
        "the strategy tree as text in the notation of Irving (1978), which `import` reads",
    ),
}
FORMS: Registry[Form] = Registry(
    "guessbook.forms",
    "form",
    BUILT_IN,
    BUILT_IN.__getitem__,
    lambda found: isinstance(found, Form),
    "a guessbook.Form",
)


def export(book: Strategy, name: str, **options: Any) -> Text:
    """Return a book in one of `FORMS` as text, to be written to a file as UTF-8.

    A Jupyter notebook shows the result of `export(book, "svg", depth=2)` as a picture.

    Args:
        book: the book.
        name: the name of the form.
        options: attributes of `Options` that the form uses, such as `depth`.

    Raises:
        UsageError: `book`, the form or an option is invalid, or the form cannot hold the book.
    """
    if not isinstance(book, Strategy):
        raise UsageError(f"{quote(book)} is not a book; open one with guessbook.open")
    if not isinstance(name, str) or name not in FORMS:
        near = did_you_mean(name, FORMS) if isinstance(name, str) else ""
        names = ", ".join(FORMS)
        raise UsageError(f"unknown export form {quote(name)}; use one of {names}{near}")
    known = FORMS[name].options
    other = next((option for option in options if option not in known), None)
    if other is not None:
        raise UsageError(f"the export form {name} has no option {other!r}; {known_options(known)}")
    if not isinstance(options.get("title", ""), str | None):
        raise UsageError(f"the title {quote(options['title'])} is not a string")
    return Text(FORMS[name].render(book, Options(**options)))
