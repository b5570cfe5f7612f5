"""What an export format is: a function that renders a book, and the options that it takes."""

from collections.abc import Callable
from typing import NamedTuple

from guessbook.book.strategy import Strategy


class Options(NamedTuple):
    """The options of an export.

    Attributes:
        depth: the number of levels of the tree in a picture or in JSON; None stands for the default of the format.
        compress: whether a Python script stores its data compressed.
    """

    depth: int | None = None
    compress: bool = True


class Format(NamedTuple):
    """A format in which a book can be exported.

    Attributes:
        render: the function that returns the text of the file for a book and `Options`.
        suffix: the end of the file's name, such as ".html".
        summary: a description in a few words.
        options: the names of the attributes of `Options` that the format uses.
    """

    render: Callable[[Strategy, Options], str]
    suffix: str
    summary: str
    options: tuple[str, ...] = ()


class Text(str):
    """The text of an exported file. If the file is an SVG picture, a Jupyter notebook shows the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return str(self) if self.startswith("<svg") else None
