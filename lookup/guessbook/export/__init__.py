"""Books as other files: scripts, pages, headers, data and pictures that need no Guessbook."""

from guessbook.export.forms import FORMATS, Format, Options, export

__all__ = ["FORMATS", "Format", "Options", "export"]
