"""Reader for CSV files, such as those from spreadsheet programs.

A file has a table of answers that defines a game.
"""

import csv
import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import deque
from collections.abc import Callable, Iterator
from io import BufferedReader, TextIOWrapper
from itertools import chain, count
from math import isqrt
from pathlib import Path
from typing import NoReturn, TextIO, TypeVar

from guessbook.book.disk import open_to_read
from guessbook.book.errors import (
    InvalidGameError,
    InvalidTableError,
    UsageError,
    printable,
    quantity,
    quote,
)
from guessbook.book.games.tables import (
    MAX_LABEL,
    MAX_PAIRS,
    Numbers,
    Row,
    TableGame,
    as_row,
    label_of,
)
from guessbook.book.games.weights import Weight, exact

T = TypeVar("T")

# Upper bounds for the bytes and the lines of a file. Spreadsheets have at most 2^20 rows; games
# have fewer guesses.
MAX_SHEET = 1 << 29
MAX_LINES = 1 << 20
# Every secret is also a guess, so a game of n secrets has at least n * n pairs of a guess and a
# secret.
MAX_SECRETS = isqrt(MAX_PAIRS)
# Upper bound for the characters of a row. It is enough for MAX_SECRETS labels even in the worst
# case: each label has MAX_LABEL quotation marks, and CSV writes each mark twice.
MAX_ROW = 1 << 23

DELIMITERS = ",;\t"
# A cell in quotation marks, at the start of the text or after a delimiter or a line break.
QUOTED = re.compile(r'(?<![^,;\t\r\n]) *"(?:[^"]|"")*+"')
# If the second row begins with one of these texts, this row has the weights of the secrets.
WEIGHTS = {"weight", "weights"}
# Columns with these names are rejected: they suggest a cost for each guess, but Guessbook counts
# each guess as 1.
COSTS = {"cost", "costs"}

# In a spreadsheet, a cell that begins with one of these characters is a formula. An apostrophe
# before the character makes the cell plain text. With East Asian settings, the full-width
# characters begin a formula, too.
FORMULA = "=+-@\t\r\n＝＋－＠"
# Texts that a spreadsheet shows in place of the result of a failed formula.
FAILED = {"#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#DIV/0!", "#SPILL!"}
# The first bytes of workbooks: a ZIP archive (xlsx, ods) or an OLE container (xls).
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


def read_table(path: Path | str) -> TableGame:
    """Return the game that a CSV file defines by a table of answers.

    The first row lists the secrets, and the first column lists the guesses. The top left cell is
    ignored. All other cells are answers. If the second row begins with `weights`, this row has the
    weights of the secrets. Commas, semicolons or tabs separate cells. Blank rows, and blank columns
    at the end, are skipped.

    Raises:
        UsageError: the file cannot be read, or `path` is not a path.
        InvalidGameError: `TableGame` would reject the table, or the file has more than 512 MiB,
            1,048,576 lines or 8,388,608 characters in a row. The message names a wrong cell, such
            as C7.
    """
    # Integers are rejected, because `open` would use them as file descriptors.
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"{quote(path)} is not the path of a CSV file")
    name = printable(path)
    with open_to_read(path, "give a CSV file") as file:
        if os.fstat(file.fileno()).st_size > MAX_SHEET:
            raise _too_large(name)
        with _text(name, file) as text:
            sheet = _Sheet(name, text)
    return sheet.game()


class _Rows:
    """The rows of a CSV file as (row number from 1, cells) pairs.

    A file that is too large is rejected.
    """

    def __init__(self, name: str, file: TextIO) -> None:
        self.name = name
        # Number of characters read of the current row.
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
                        f"{self.name}, {cell}: a quotation mark opens a cell, and none closes it"
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
                    "blank columns, or use fewer secrets"
                )
            if number > MAX_LINES:
                raise InvalidGameError(
                    f"{self.name} has more than {MAX_LINES:,} lines; delete blank rows, or use fewer guesses"
                )
            if total > MAX_SHEET:
                raise _too_large(self.name)
            yield line


class _Cells(Numbers):
    """Map from the text of a cell to the number of its answer.

    Each new answer gets the next number.
    """

    def label(self, value: object) -> str:
        text = _plain(str(value))
        if not text or text in FAILED:
            raise InvalidTableError(f"{text or 'an empty cell'} is not an answer; write one")
        return label_of(text)


class _Sheet:
    """The table of answers in a CSV file.

    Each answer is stored as the number that `_Cells` assigns to it.
    """

    def __init__(self, name: str, file: TextIO) -> None:
        self.name = name
        # The row number of the secrets (0 until they are read), and the row number of each guess.
        self.top = 0
        self.places: list[int] = []
        self.secrets: list[str] = []
        self.weights: list[Weight] | None = None
        self.guesses: list[str] = []
        self.answers: deque[Row] = deque()
        self.known = _Cells()
        rows = 0
        for number, row in _Rows(name, file):
            while row and not row[-1].strip():
                row.pop()
            if row:
                rows += 1
                (self._read_guess if self.top else self._read_secrets)(number, row)
        if rows < 2:
            raise InvalidGameError(
                f"{name} has {quantity(rows, 'row')}; write the secrets in the first, and a row for each guess"
            )

    def _read_secrets(self, number: int, row: list[str]) -> None:
        self.top = number
        self.secrets = list(map(_plain, row[1:]))
        if not self.secrets:
            self._fail(number, 1, "no secret; separate cells by commas, semicolons or tabs")
        if len(self.secrets) > MAX_SECRETS:
            raise InvalidGameError(
                f"{self.name} has {len(self.secrets):,} secrets, limit {MAX_SECRETS:,}"
            )
        for column, secret in enumerate(self.secrets, 1):
            if not secret:
                self._fail(number, column, "empty cell; write a secret")
            if secret.casefold() in COSTS:
                self._fail(
                    number,
                    column,
                    f"{quote(row[column])} is not a secret, and all guesses cost the same; delete the column",
                )

    def _read_guess(self, number: int, row: list[str]) -> None:
        """Check and store a row with the answers to a guess, or with the weights of the secrets."""
        guess, width = _plain(row[0]), len(self.secrets) + 1
        weighs = self.weights is None and guess.casefold() in WEIGHTS
        if not guess:
            self._fail(number, 0, "empty cell; write a guess")
        if weighs and self.guesses:
            self._fail(
                number,
                0,
                f"{quote(guess)} belongs in the second row; move this row there, or rename the guess",
            )
        if len(row) > width:
            column = next(k for k in range(width, len(row)) if row[k].strip())
            head = _cell_name(self.top, column)
            self._fail(
                number,
                column,
                f"{quote(row[column])} has no secret in {head}; write one or clear the cell",
            )
        if len(row) < width:
            due = "a weight" if weighs else f"an answer to {quote(guess)}"
            each = quantity(len(self.secrets), "secret")
            short = quantity(width - len(row), "cell")
            self._fail(number, len(row), f"the row is {short} short; give {due} for each of {each}")
        if weighs:
            self.weights = self._values(number, list(map(_plain, row[1:])), exact)
            return
        self.guesses.append(guess)
        self.places.append(number)
        numbers = self._values(number, row[1:], self.known.__getitem__)
        self.answers.append(as_row(numbers, len(self.known.labels)))

    def _values(self, number: int, cells: list[str], read: Callable[[str], T]) -> list[T]:
        """Return the cells of a row, converted by `read`.

        An error of `read` is raised with the name of the cell.
        """
        try:
            return list(map(read, cells))
        except InvalidGameError:
            for column, cell in enumerate(cells, 1):
                try:
                    read(cell)
                except InvalidGameError as error:
                    self._fail(number, column, str(error))
            raise

    def game(self) -> TableGame:
        """Return the game of the table. Call it only once, because it frees the stored answers."""
        labels = list(self.known.labels)
        answers = self.answers
        rows = (list(map(labels.__getitem__, answers.popleft())) for _ in range(len(answers)))
        try:
            return TableGame(self.guesses, self.secrets, rows, self.weights)
        except InvalidTableError as error:
            rows_columns = [
                (self.top if g is None else self.places[g], 0 if s is None else s + 1)
                for g, s in error.places
            ]
            cells = " and ".join([_cell_name(*place) for place in rows_columns])
            self._refuse(f", {cells}" if cells else "", error.reason)
        except InvalidGameError as error:
            self._refuse("", str(error))

    def _fail(self, row: int, column: int, reason: str) -> NoReturn:
        self._refuse(f", {_cell_name(row, column)}", reason)

    def _refuse(self, where: str, reason: str) -> NoReturn:
        # In a message, these escapes stand for bytes that are not UTF-8, or for UTF-16 without a
        # byte order mark.
        foreign = "\\udc" in reason or "\\x00" in reason
        advice = "; save the file as CSV UTF-8" if foreign else ""
        raise InvalidGameError(f"{self.name}{where}: {reason}{advice}") from None


def _text(name: str, file: BufferedReader) -> TextIO:
    """Return a text stream for a CSV file in UTF-8, or in UTF-16 with a byte order mark."""
    start = file.peek(4)
    if start.startswith(WORKBOOKS):
        raise InvalidGameError(f"{name} is a workbook, not CSV; save it as CSV UTF-8")
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
    return InvalidGameError(f"{name} is larger than {limit}; use fewer guesses or secrets")


def _plain(cell: str) -> str:
    """Return a cell without outer blanks, and without an apostrophe that marks a formula as plain text."""
    cell = cell.strip()
    if cell[:1] == "'" and cell[1:].startswith((*FORMULA, "'")):
        return cell[1:]
    return cell


def _cell_name(row: int, column: int) -> str:
    """Return the name of a cell, such as C7, from its row number (from 1) and column number (from 0)."""
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{row}"
