"""Export of books as scripts, HTML pages, C headers, data and pictures, usable without Guessbook."""

from guessbook.export.forms import FORMATS, Format, Options, export

__all__ = ["FORMATS", "Format", "Options", "export"]
