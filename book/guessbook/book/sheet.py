"""Sheets: the table of a game as CSV, as people make it in a spreadsheet. No code is run."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from guessbook.book.errors import InvalidGameError, InvalidTableError, printable, shown
from guessbook.book.file.disk import reading
from guessbook.book.games.tables import TableGame

# Bytes of a file.
MAX_SHEET = 1 << 29

DELIMITERS = ",;\t"
# The first cell of the row of weights, if there is one: the second row.
WEIGHTS = {"weight", "weights"}

# What makes a spreadsheet compute a cell instead of showing it; the wide forms of the same
# characters do so in East Asian settings. An apostrophe in front says that it is a text.
FORMULA = "=+-@\t\r\n＝＋－＠"
# What a spreadsheet writes where it cannot compute.
FAILED = {"#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#DIV/0!", "#SPILL!"}
# How other files begin that a spreadsheet may write.
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


def read_sheet(path: Path | str) -> TableGame:
    """The game of a table in a file of CSV.

    The first row has the secrets, the first column the guesses, and the cells the answers; in the
    corner anything may stand. The second row may have the weights of the secrets, if its first cell
    says `weights`; then a guess may have that name, too. Cells are separated by commas, semicolons
    or tabs; blank rows are skipped, and so are blank columns at the end.

    Raises:
        UsageError: the file cannot be read.
        InvalidGameError: it is no table, or one that makes no game: see `TableGame`. The message
            names the cell, such as C7.
    """
    sheet = _Sheet(printable(path), _text(path))
    game: TableGame = sheet.game()
    return game


class _Sheet:
    """A table as it is read.

    Args:
        name: what the file is called in errors.
        text: what it holds.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        known: dict[str, str] = {}
        # The number of each row that is not blank, and its cells without blanks around them.
        self.rows: list[tuple[int, list[str]]] = []
        try:
            for number, row in enumerate(
                csv.reader(io.StringIO(text, ""), delimiter=_mark(text)), 1
            ):
                cells = [known.setdefault(cell, cell) for cell in map(_plain, row)]
                while cells and not cells[-1]:
                    cells.pop()
                if cells:
                    self.rows.append((number, cells))
        except csv.Error as error:
            raise InvalidGameError(
                f"{name}: found no table ({error}); is a quotation mark missing?"
            ) from None
        if len(self.rows) < 2:
            raise InvalidGameError(
                f"{name}: found {len(self.rows)} rows, expected a first one with the secrets and "
                "one for each guess"
            )

    def game(self) -> TableGame:
        """The game of the table."""
        (_, head), *rows = self.rows
        width = len(head)
        if width < 2:
            expected = "expected a secret; commas, semicolons or tabs separate cells"
            self._fail(self.rows[0][0], 1, f"found nothing, {expected}")
        weights = None
        if rows[0][1][0].casefold() in WEIGHTS:
            row = rows.pop(0)
            weights = [self._weight(*place) for place in self._cells(row, width, "a weight")]
        answers = []
        for row in rows:
            if weights is None and row[1][0].casefold() in WEIGHTS:
                expected = "expected weights in the second row, or another name for a guess"
                self._fail(row[0], 0, f"found {shown(row[1][0])}, {expected}")
            expected = f"an answer to {shown(row[1][0])}"
            answers.append([cell for *_, cell in self._cells(row, width, expected)])
        for column, secret in enumerate(head[1:], 1):
            if not secret:
                self._fail(self.rows[0][0], column, "found nothing, expected a secret")
        try:
            return TableGame([cells[0] for _, cells in rows], head[1:], answers, weights)
        except InvalidTableError as error:
            places = [
                _cell_name(
                    self.rows[0][0] if guess is None else rows[guess][0],
                    0 if secret is None else secret + 1,
                )
                for guess, secret in error.places
            ]
            where = f", {' and '.join(places)}" if places else ""
            # What was no UTF-8.
            advice = "; save the file as CSV UTF-8" if "\\udc" in error.reason else ""
            raise InvalidGameError(f"{self.name}{where}: {error.reason}{advice}") from None
        except InvalidGameError as error:
            raise InvalidGameError(f"{self.name}: {error}") from None

    def _cells(
        self, row: tuple[int, list[str]], width: int, expected: str
    ) -> Iterable[tuple[int, int, str]]:
        """The cells of a row behind its first one, which is a guess, with their places."""
        number, cells = row
        if not cells[0]:
            self._fail(number, 0, "found nothing, expected a guess")
        if len(cells) > width:
            column = next(k for k in range(width, len(cells)) if cells[k])
            head = _cell_name(self.rows[0][0], column)
            self._fail(number, column, f"found {shown(cells[column])}, but no secret in {head}")
        for column in range(1, width):
            cell = cells[column] if column < len(cells) else ""
            if not cell or cell in FAILED:
                self._fail(number, column, f"found {cell or 'nothing'}, expected {expected}")
            yield number, column, cell

    def _weight(self, number: int, column: int, cell: str) -> int:
        if not (cell.isascii() and cell.isdecimal() and 0 < int(cell[:20]) < 10**18):
            self._fail(number, column, f"found weight {shown(cell)}, expected a positive integer")
        return int(cell)

    def _fail(self, row: int, column: int, reason: str) -> NoReturn:
        raise InvalidGameError(f"{self.name}, {_cell_name(row, column)}: {reason}")


def _text(path: Path | str) -> str:
    """The text in a file: UTF-8, or UTF-16 with its mark, as spreadsheets write it."""
    name = printable(path)
    with reading(path, "give a file of CSV") as file:
        data = file.read(MAX_SHEET + 1)
    if len(data) > MAX_SHEET:
        raise InvalidGameError(f"{name} is larger than {MAX_SHEET >> 20} MiB, expected a table")
    if data.startswith(WORKBOOKS):
        raise InvalidGameError(f"{name} is a workbook, expected CSV: save it as CSV UTF-8")
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    # What is no text becomes what is not printable, and is refused with its cell.
    return data.decode(encoding, "replace" if encoding == "utf-16" else "surrogateescape")


def _mark(text: str) -> str:
    """What separates the cells: what makes the most of them in the first row."""
    start = text.lstrip()
    widths = {
        mark: len(next(csv.reader(io.StringIO(start, ""), delimiter=mark), []))
        for mark in DELIMITERS
    }
    return max(widths, key=widths.__getitem__)


def _plain(cell: str) -> str:
    """A cell without blanks around it, and without the apostrophe that says that it is a text."""
    cell = cell.strip()
    if cell[:1] == "'" and cell[1:].startswith((*FORMULA, "'")):
        return cell[1:]
    return cell


def _cell_name(row: int, column: int) -> str:
    """The name of a cell, of a row from 1 and a column from 0.

    >>> _cell_name(7, 2), _cell_name(1, 26)
    ('C7', 'AA1')
    """
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{row}"
