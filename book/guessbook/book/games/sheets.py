"""Sheets: the cells of a CSV file, or of a workbook of a spreadsheet program."""

import csv
import os
import re
from array import array
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader, BytesIO, TextIOWrapper
from itertools import chain, count
from math import isqrt
from pathlib import Path
from typing import NoReturn, TextIO
from unicodedata import normalize

from guessbook.book.disk import open_to_read
from guessbook.book.errors import (
    InvalidGameError,
    UsageError,
    did_you_mean,
    printable,
    quantity,
    quote,
)
from guessbook.book.games.tables import MAX_ANSWERS, MAX_LABEL, MAX_PAIRS, Row, as_row, type_of
from guessbook.book.installation import missing_extra

# Upper bounds for the bytes and the lines of a file. Spreadsheets have at most 2^20 rows; games
# have fewer guesses.
MAX_SHEET = 1 << 29
MAX_LINES = 1 << 20
# If guesses name secrets, every secret is also a guess, so a game of n secrets has at least n * n
# pairs of a guess and a secret.
MAX_COLUMNS = isqrt(MAX_PAIRS)
# Upper bound for the characters of a row. It is enough for MAX_COLUMNS labels even in the worst
# case: each label has MAX_LABEL quotation marks, and CSV writes each mark twice.
MAX_ROW = 1 << 23
# Upper bound for the number of different texts, each of which takes much more memory than a cell.
MAX_TEXTS = 1 << 20

DELIMITERS = ",;\t"
# A cell in quotation marks, at the start of the text or after a delimiter or a line break.
QUOTED = re.compile(r'(?<![^,;\t\r\n]) *"(?:[^"]|"")*+"')

# In a spreadsheet, a cell that begins with one of these characters is a formula. An apostrophe
# before the character makes the cell plain text. With East Asian settings, the full-width
# characters begin a formula, too.
FORMULA = "=+-@\t\r\n＝＋－＠"
# Texts that a spreadsheet shows in place of the result of a failed formula.
FAILED = {"#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#DIV/0!", "#SPILL!"}
# An error lists at most this number of sheets.
LISTED = 8
# The first bytes of workbooks: a ZIP archive (xlsx, ods) or an OLE container (xls).
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


@dataclass
class Sheet:
    """The cells of a file.

    The first row and the first column have labels. Every other cell is stored as the number of its
    text, because tables have many cells and few different texts.

    Attributes:
        name: the name of the file.
        corner: the top left cell.
        top: the other cells of the first row.
        side: the other cells of the first column.
        cells: the other rows without their first cell; blank cells have the text "".
        texts: the text of each number.
        rows: the row numbers in the file of the first row and of each of `cells`.
        first: the column number in the file, from 0, at which `top` and `cells` begin.
    """

    name: str
    corner: str
    top: list[str]
    side: list[str]
    cells: Sequence[Row]
    texts: list[str]
    rows: list[int]
    first: int = 1

    def turned(self) -> list[Row]:
        """Return the columns of `cells`."""
        flat = array(type_of(len(self.texts)))
        for row in self.cells:
            flat.extend(memoryview(row))
        width = len(self.top)
        return [flat[column::width] for column in range(width)]

    def cell(self, row: int | None, column: int | None) -> str:
        """Return the name of a cell, such as C7. None stands for the row or the column of labels."""
        return _cell_name(
            self.rows[0 if row is None else row + 1], 0 if column is None else self.first + column
        )

    def fail(self, reason: str, *cells: str) -> NoReturn:
        """Raise InvalidGameError with the names of the wrong cells."""
        where = f", {' and '.join(cells)}" if cells else ""
        # Such escapes in a message come from bytes that are not UTF-8, as in UTF-16 without a byte
        # order mark.
        foreign = "\\udc" in reason or "\\x00" in reason
        advice = "; save the file as CSV UTF-8" if foreign else ""
        raise InvalidGameError(f"{self.name}{where}: {reason}{advice}") from None


def read_sheet(path: Path | str, sheet: str | None = None) -> Sheet:
    """Read the cells of a CSV file, or of a sheet of a workbook (the first sheet, or the named one).

    In a CSV file, commas, semicolons or tabs separate cells. Blank rows, and blank columns at the
    end, are skipped.

    Raises:
        UsageError: the file cannot be read, there is no such sheet, or the extra `sheets` is
            missing for a workbook.
        InvalidGameError: a row has a wrong length, a label is missing, or the file is too large.
    """
    # Integers are rejected, because `open` would use them as file descriptors.
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"{quote(path)} is not the path of a table")
    name = printable(path)
    with open_to_read(path, "give a CSV file or a workbook") as file:
        if os.fstat(file.fileno()).st_size > MAX_SHEET:
            raise _too_large(name)
        if file.peek(4).startswith(WORKBOOKS):
            return _read_workbook(name, file.read(MAX_SHEET + 1), sheet)
        if sheet is not None:
            raise UsageError(f"{name} is not a workbook, so it has no sheets; leave out --sheet")
        with _text(name, file) as text:
            rows = _Rows(name, text)
            return _collect(name, rows, "separate cells by commas, semicolons or tabs")


def _collect(name: str, rows: Iterable[tuple[int, list[str]]], advice: str) -> Sheet:
    """Return the sheet of these rows, given as (row number from 1, cells).

    `advice` goes into the error for a first row without labels.
    """
    texts = _Texts()
    sheet: Sheet | None = None
    cells: list[Row] = []
    for number, row in rows:
        given = len(row)
        while row and not row[-1].strip():
            row.pop()
        if not row:
            continue
        if sheet is None:
            top = list(map(_plain, row[1:]))
            sheet = Sheet(name, _plain(row[0]), top, [], cells, [], [number])
            _check_top(sheet, advice)
            continue
        sheet.rows.append(number)
        sheet.side.append(_plain(row[0]))
        cells.append(_numbers_in(sheet, row, given, texts))
    if sheet is None or not cells:
        raise InvalidGameError(
            f"{name} has {0 if sheet is None else 1} row{'s' * (sheet is None)}; write labels in the "
            "first row, and then a label and answers in each row"
        )
    sheet.texts = list(texts.numbers)
    return sheet


def _check_top(sheet: Sheet, advice: str) -> None:
    if not sheet.top:
        sheet.fail(f"no label; {advice}, and write nothing above the table", sheet.cell(None, 0))
    if len(sheet.top) > MAX_COLUMNS:
        raise InvalidGameError(
            f"{sheet.name} has {len(sheet.top):,} columns, limit {MAX_COLUMNS:,}"
        )
    if "" in sheet.top:
        sheet.fail("empty cell; write a label", sheet.cell(None, sheet.top.index("")))


def _numbers_in(sheet: Sheet, row: list[str], given: int, texts: "_Texts") -> Row:
    """Return the numbers of a row's cells after the label.

    `given` is the length of the row before blank cells at its end were removed.
    """
    index, width = len(sheet.side) - 1, len(sheet.top)
    if not sheet.side[-1]:
        sheet.fail("empty cell; write a label", sheet.cell(index, None))
    if len(row) > width + 1:
        column = next(k for k in range(width, len(row) - 1) if row[k + 1].strip())
        head = sheet.cell(None, column)
        sheet.fail(
            f"{quote(row[column + 1])} has no label in {head}; write one or clear the cell",
            sheet.cell(index, column),
        )
    if given < width + 1:
        # Spreadsheets write blank cells, too, so a row that is too short has lost some cells.
        short = quantity(width + 1 - given, "cell")
        sheet.fail(
            f"the row of {quote(sheet.side[-1])} is {short} short; fill in each cell (? is an unknown answer)",
            sheet.cell(index, given - 1),
        )
    row += [""] * (width + 1 - len(row))
    numbers = []
    try:
        numbers = list(map(texts.__getitem__, row[1:]))
    except InvalidGameError:
        for column, cell in enumerate(row[1:]):
            try:
                texts[cell]
            except InvalidGameError as error:
                sheet.fail(str(error), sheet.cell(index, column))
    return as_row(numbers, len(texts.numbers))


class _Texts(dict[str, int]):
    """A map from each cell, as it is in the file, to the number of its text."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}

    def __missing__(self, cell: str) -> int:
        text = _plain(cell)
        if text in FAILED:
            raise InvalidGameError(f"{text} is not an answer; write one")
        number = self.numbers.setdefault(text, len(self.numbers))
        if number >= MAX_TEXTS:
            raise InvalidGameError(f"more than {MAX_TEXTS:,} different cells; use fewer")
        # The cache is limited, because extra blanks allow millions of spellings of a text.
        if len(self) < 2 * MAX_ANSWERS:
            self[cell] = number
        return number


def _read_workbook(name: str, data: bytes, sheet: str | None) -> Sheet:
    """Return a sheet of a workbook: the first one, or the one with the name `sheet`."""
    try:
        # Only workbooks need the extra `sheets`.
        from python_calamine import CalamineError, CalamineWorkbook
    except ModuleNotFoundError as error:
        raise UsageError(f"{name}: {missing_extra(error.name)}; or save it as CSV UTF-8") from None
    if len(data) > MAX_SHEET:
        raise _too_large(name)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        names = book.sheet_names
        if not names or sheet not in (None, *names):
            known = ", ".join(map(quote, names[:LISTED])) or "no sheets"
            near = did_you_mean(sheet or "", names)
            raise UsageError(f"{name} has no sheet {quote(sheet or 1)}; it has {known}{near}")
        chosen = sheet or names[0]
        rows = book.get_sheet_by_name(chosen).to_python(skip_empty_area=False)
    except CalamineError as error:
        raise InvalidGameError(
            f"{name} cannot be read as a workbook ({printable(error)}); save it again, or as CSV UTF-8"
        ) from None
    texts = ((number, list(map(_cell_text, row))) for number, row in enumerate(rows, 1))
    try:
        return _collect(name, texts, "write the labels in the first row")
    except InvalidGameError as error:
        others = [quote(other) for other in names if other != chosen]
        if sheet is not None or not others:
            raise
        raise InvalidGameError(
            f"{error}; this is the sheet {quote(chosen)}, and --sheet reads another: "
            f"{', '.join(others[:LISTED])}"
        ) from None


def _cell_text(value: object) -> str:
    """Return the text of a value in a workbook, as a spreadsheet program writes it to CSV."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


class _Rows:
    """The rows of a CSV file as (row number from 1, cells) pairs.

    A file that is too large is rejected.
    """

    def __init__(self, name: str, file: TextIO) -> None:
        self.name = name
        # The number of characters of the current row read so far.
        self._size = 0
        # Whether `csv.reader` has requested another line after the last line of the file.
        self._ended = False
        lines = self._lines(file)
        seen: list[str] = []
        unclosed, size = False, 0
        for line in lines:
            seen.append(line)
            size += len(line)
            # A line with an odd number of quotation marks starts or ends a cell that contains line
            # breaks.
            unclosed ^= line.count('"') % 2 == 1
            if size > csv.field_size_limit() if unclosed else line.strip():
                break
            self._size = 0
        plain = QUOTED.sub("", "".join(seen))
        # A CSV file does not name its delimiter. Guess the character that splits the first row into
        # the most cells.
        self._mark = max(DELIMITERS, key=plain.count)
        self._all_lines = chain(seen, lines)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        # Blanks around labels are ignored, so a quoted cell may follow a blank, as in `a, "b"`.
        reader = csv.reader(self._to_the_end(), delimiter=self._mark, skipinitialspace=True)
        number = 0
        try:
            for number, row in enumerate(reader, 1):
                if self._ended:  # the file ended inside quotation marks
                    cell = _cell_name(number, len(row) - 1)
                    raise InvalidGameError(
                        f"{self.name}, {cell}: the quotation mark in this cell is never closed; close or remove it"
                    )
                self._size = 0
                yield number, row
        except csv.Error:
            raise InvalidGameError(
                f"{self.name}, row {number + 1}: cell too long: more than {csv.field_size_limit():,} "
                f"characters, limit {MAX_LABEL}; is a quotation mark missing?"
            ) from None

    def _to_the_end(self) -> Iterator[str]:
        yield from self._all_lines
        self._ended = True

    def _lines(self, file: TextIO) -> Iterator[str]:
        """Yield the lines of the file with their line ends.

        Raises InvalidGameError if a limit is exceeded.
        """
        total = 0
        for number in count(1):
            line = file.readline(MAX_ROW + 1)
            if not line:
                return
            self._size += len(line)
            total += len(line)
            if self._size > MAX_ROW:
                raise InvalidGameError(
                    f"{self.name}, line {number}: the row has more than {MAX_ROW:,} characters; delete "
                    "blank columns, or use fewer"
                )
            if number > MAX_LINES:
                raise InvalidGameError(
                    f"{self.name} has more than {MAX_LINES:,} lines; delete blank rows, or use fewer"
                )
            if total > MAX_SHEET:
                raise _too_large(self.name)
            yield line


def _text(name: str, file: BufferedReader) -> TextIO:
    """Return a text stream for a CSV file in UTF-8, or in UTF-16 with a byte order mark."""
    start = file.peek(4)
    wide = start.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    if b"\0" in start and not wide:
        raise InvalidGameError(
            f"{name} has null characters, so it is not CSV; save it as CSV UTF-8"
        )
    # Bytes that are not UTF-8 become surrogate characters, so that a later check can name their
    # cell.
    form = ("utf-16", "strict") if wide else ("utf-8-sig", "surrogateescape")
    return TextIOWrapper(file, *form, newline="")


def _too_large(name: str) -> InvalidGameError:
    limit = f"{MAX_SHEET >> 20} MiB"
    return InvalidGameError(f"{name} is larger than {limit}; use fewer rows or columns")


def _plain(cell: str) -> str:
    """Return a cell in the form of a label.

    An apostrophe that marks a formula as plain text is removed.
    """
    cell = cell.strip()
    if cell[:1] == "'" and cell[1:].startswith((*FORMULA, "'")):
        cell = cell[1:]
    return normalize("NFC", " ".join(cell.split()))


def _cell_name(row: int, column: int) -> str:
    """Return the name of a cell, such as C7, from its row (from 1) and its column (from 0)."""
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{row}"
