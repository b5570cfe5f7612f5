"""Tables for spreadsheets: lines of CSV in which no cell is taken for a formula."""

from __future__ import annotations

# What makes a spreadsheet compute a cell instead of showing it; the wide forms of the same
# characters do so in East Asian settings.
FORMULA = "=+-@\t\r\n＝＋－＠"


def line(*values: object) -> str:
    """A line of CSV (RFC 4180), ended by a newline.

    >>> print(line("RRYY", 4), end="")
    RRYY,4
    """
    return ",".join([cell(value) for value in values]) + "\n"


def cell(value: object) -> str:
    """A value as a cell of CSV.

    A code may consist of any visible characters. One that begins like a formula gets an apostrophe
    in front: the sign for "this is text", after a rule of OWASP against CSV injection. Whatever
    is more than letters and digits is quoted, also where it need not be, for the sake of
    spreadsheets that split at semicolons.

    >>> print(cell("RRYY"), cell("a;b"), cell("+1+1"), cell(42))
    RRYY "a;b" "'+1+1" 42
    """
    text = str(value)
    if isinstance(value, int) or text.isalnum():
        return text
    mark = "'" if text.startswith(tuple(FORMULA)) else ""
    quoted = text.replace('"', '""')
    return f'"{mark}{quoted}"'
