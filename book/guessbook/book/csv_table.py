"""The table of a game as CSV, as people make it in a spreadsheet. No code is run."""

import csv
import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import deque
from collections.abc import Iterator
from io import BufferedReader, TextIOWrapper
from itertools import chain, count
from math import isqrt
from pathlib import Path
from typing import NoReturn, TextIO

from guessbook.book.errors import (
    InvalidGameError,
    InvalidTableError,
    UsageError,
    counted,
    printable,
    quote,
)
from guessbook.book.file.disk import reading
from guessbook.book.games.answers import Numbers, Row, as_row
from guessbook.book.games.labels import MAX_LABEL, label_of
from guessbook.book.games.tables import MAX_PAIRS, TableGame
from guessbook.book.games.weights import Weight, exact

# The most bytes of a file.
MAX_SHEET = 1 << 29
# The most lines of a file: the most rows of a spreadsheet, and more than the guesses of a game.
MAX_LINES = 1 << 20
# Each secret has a guess, in the table or added.
MAX_SECRETS = isqrt(MAX_PAIRS)
# The most characters of a row: that many labels of 100 characters fit, quoted, even if all
# characters are quotation marks.
MAX_ROW = 1 << 23

DELIMITERS = ",;\t"
# A cell in quotation marks, after any delimiter.
QUOTED = re.compile(r'(?<![^,;\t\r\n]) *"(?:[^"]|"")*+"')
# The first cell of the row of weights, if there is one: the second row.
WEIGHTS = {"weight", "weights"}
# Names of a column for the costs of guesses, which no game has.
COSTS = {"cost", "costs"}

# A cell that begins with one of these is computed and not shown; East Asian settings also accept
# the wide forms. An apostrophe in front makes it a text.
FORMULA = "=+-@\t\r\n＝＋－＠"
# The results of a failed computation in a spreadsheet.
FAILED = {"#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#DIV/0!", "#SPILL!"}
# The first bytes of other files that a spreadsheet may write.
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


def read_table(path: Path | str) -> TableGame:
    """Return the game of a table in a CSV file.

    The first row has the secrets, the first column the guesses, and the other cells the answers;
    the corner is ignored. The second row may have the weights of the secrets, if its first cell
    says `weights`; then a guess may have that name, too. Cells are separated by commas, semicolons
    or tabs; blank rows are skipped, and so are blank columns at the end.

    The file is read row by row; each answer takes one or two bytes of memory.

    Raises:
        UsageError: the file cannot be read, or `path` is no path.
        InvalidGameError: it is no table, or one that makes no game: see `TableGame`; or it has more
            than 512 MiB, 1,048,576 lines, or 8,388,608 characters in a row. The message names the
            cell, such as C7.
    """
    # `open` would take a number for an open file.
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"found {quote(path)}, expected the path of a file of CSV")
    name = printable(path)
    with reading(path, "give a file of CSV") as file:
        if os.fstat(file.fileno()).st_size > MAX_SHEET:
            raise _too_large(name)
        with _text(name, file) as text:
            sheet = _Sheet(name, text)
    return sheet.game()


class _Rows:
    """The rows of a CSV file with their numbers, from 1, read one at a time.

    Raises InvalidGameError for too many lines, too many characters in a row, or an open quotation.
    """

    def __init__(self, name: str, file: TextIO) -> None:
        self.name = name
        # Characters of the row that is being read.
        self._size = 0
        # The reader has asked for more than the last line.
        self._ended = False
        lines = self._lines(file)
        seen: list[str] = []
        unclosed, size = False, 0
        for line in lines:
            seen.append(line)
            size += len(line)
            # An odd number of quotation marks means that the first row goes on.
            unclosed ^= line.count('"') % 2 == 1
            if size > csv.field_size_limit() if unclosed else line.strip():
                break
            self._size = 0
        plain = QUOTED.sub("", "".join(seen))
        # The right delimiter makes the most cells in the first row.
        self._mark = max(DELIMITERS, key=plain.count)
        self._all_lines = chain(seen, lines)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        # People write `a, "b"`; blanks around labels are ignored.
        reader = csv.reader(self._to_the_end(), delimiter=self._mark, skipinitialspace=True)
        number = 0
        try:
            for number, row in enumerate(reader, 1):
                if self._ended:  # it looked for the end of this row
                    raise InvalidGameError(
                        f"{self.name}, {_cell_name(number, len(row) - 1)}: found a quotation mark "
                        "at the start of a cell and none at its end, expected both"
                    )
                self._size = 0
                yield number, row
        except csv.Error:
            raise InvalidGameError(
                f"{self.name}, row {number + 1}: found a cell of more than "
                f"{csv.field_size_limit():,} characters, expected at most {MAX_LABEL}; is a "
                "quotation mark missing?"
            ) from None

    def _to_the_end(self) -> Iterator[str]:
        yield from self._all_lines
        self._ended = True

    def _lines(self, file: TextIO) -> Iterator[str]:
        """Yield the lines of the file, with their ends."""
        total = 0
        for number in count(1):
            line = file.readline(MAX_ROW + 1)
            if not line:
                return
            self._size += len(line)
            total += len(line)
            if self._size > MAX_ROW:
                raise InvalidGameError(
                    f"{self.name}, line {number}: found a row of more than {MAX_ROW:,} characters, "
                    "expected a shorter one; delete blank columns, or take fewer secrets"
                )
            if number > MAX_LINES:
                raise InvalidGameError(
                    f"{self.name} has more than {MAX_LINES:,} lines, expected fewer; delete blank "
                    "rows, or take fewer guesses"
                )
            if total > MAX_SHEET:
                raise _too_large(self.name)
            yield line


class _Cells(Numbers):
    """The numbers of answers, by the texts of cells."""

    def label(self, value: object) -> str:
        text = _plain(str(value))
        if text in FAILED:
            raise InvalidTableError(f"found {text}, expected an answer")
        return label_of(text)


class _Sheet:
    """A table, read row by row; its answers become numbers at once, which take little memory."""

    def __init__(self, name: str, file: TextIO) -> None:
        self.name = name
        # The number of the row of the secrets, and of the row of each guess.
        self.top = 0
        self.places: list[int] = []
        self.secrets: list[str] = []
        self.weights: list[Weight] | None = None
        self.guesses: list[str] = []
        self.answers: deque[Row] = deque()
        self.known = _Cells()
        rows = 0
        for number, row in _Rows(name, file):
            if not _is_blank(row):
                rows += 1
                (self._read_guess if self.top else self._read_secrets)(number, row)
        if rows < 2:
            raise InvalidGameError(
                f"{name}: found {rows} rows, expected a first one with the secrets and one for "
                "each guess"
            )

    def _read_secrets(self, number: int, row: list[str]) -> None:
        self.top = number
        while not row[-1].strip():
            row.pop()
        self.secrets = list(map(_plain, row[1:]))
        if not self.secrets:
            expected = "expected a secret; commas, semicolons or tabs separate cells"
            self._fail(number, 1, f"found nothing, {expected}")
        if "" in self.secrets:
            column = self.secrets.index("") + 1
            self._fail(number, column, "found nothing, expected a secret")
        titles = [k for k, name in enumerate(self.secrets, 1) if name.casefold() in COSTS]
        if titles:
            expected = "expected a secret in every column: all guesses cost the same; delete it"
            self._fail(number, titles[0], f"found the column {quote(row[titles[0]])}, {expected}")
        if len(self.secrets) > MAX_SECRETS:
            found = f"found {len(self.secrets):,} secrets, expected at most {MAX_SECRETS:,}"
            raise InvalidGameError(f"{self.name}: {found}")

    def _read_guess(self, number: int, row: list[str]) -> None:
        """Read a row of answers, or of weights."""
        guess, width = _plain(row[0]), len(self.secrets) + 1
        if not guess:
            self._fail(number, 0, "found nothing, expected a guess")
        if not _is_blank(row[width:]):
            column = next(k for k in range(width, len(row)) if row[k].strip())
            head = _cell_name(self.top, column)
            self._fail(number, column, f"found {quote(row[column])}, but no secret in {head}")
        while not row[-1].strip():
            row.pop()
        short = width - len(row)
        cells = row[1:width] + [""] * short
        if self.weights is None and guess.casefold() in WEIGHTS:
            if self.guesses:
                expected = "expected weights in the second row, or another name for a guess"
                self._fail(number, 0, f"found {quote(guess)}, {expected}")
            if short > 0:
                self._refuse_short(number, short, "a weight")
            self.weights = [self._weight(number, *place) for place in enumerate(cells, 1)]
            return
        if short > 0:
            self._refuse_short(number, short, f"an answer to {quote(guess)}")
        self.guesses.append(guess)
        self.places.append(number)
        try:
            numbers = list(map(self.known.__getitem__, cells))
        except InvalidTableError:
            self._refuse_answer(number, guess, cells)
        self.answers.append(as_row(numbers, len(self.known.labels)))

    def _refuse_short(self, number: int, short: int, due: str) -> NoReturn:
        """Raise the error for a row that lacks cells, and name the first of them."""
        count = len(self.secrets)
        cells = counted(short, "cell")
        expected = f"expected {due} for each of {counted(count, 'secret')}"
        self._fail(number, count + 1 - short, f"found a row that is {cells} short, {expected}")

    def _refuse_answer(self, number: int, guess: str, cells: list[str]) -> NoReturn:
        """Raise the error for the first cell of a row that is no answer."""
        for column, cell in enumerate(cells, 1):
            text = _plain(cell)
            if not text or text in FAILED:
                expected = f"expected an answer to {quote(guess)}"
                self._fail(number, column, f"found {text or 'nothing'}, {expected}")
            try:
                _ = self.known[cell]
            except InvalidTableError as error:
                self._fail(number, column, error.reason)
        raise AssertionError

    def _weight(self, number: int, column: int, cell: str) -> Weight:
        text = _plain(cell)
        if not text:
            self._fail(number, column, "found nothing, expected a weight")
        try:
            return exact(text)
        except InvalidGameError as error:
            self._fail(number, column, str(error))

    def game(self) -> TableGame:
        """Return the game of the table; afterwards the answers are gone."""
        labels = list(self.known.labels)
        answers = self.answers
        rows = (list(map(labels.__getitem__, answers.popleft())) for _ in range(len(answers)))
        try:
            return TableGame(self.guesses, self.secrets, rows, self.weights)
        except InvalidTableError as error:
            places = [
                _cell_name(
                    self.top if guess is None else self.places[guess],
                    0 if secret is None else secret + 1,
                )
                for guess, secret in error.places
            ]
            self._refuse(f", {' and '.join(places)}" if places else "", error.reason)
        except InvalidGameError as error:
            self._refuse("", str(error))

    def _fail(self, row: int, column: int, reason: str) -> NoReturn:
        self._refuse(f", {_cell_name(row, column)}", reason)

    def _refuse(self, where: str, reason: str) -> NoReturn:
        # Signs of bytes that are no UTF-8, or of UTF-16 without its mark.
        foreign = "\\udc" in reason or "\\x00" in reason
        advice = "; save the file as CSV UTF-8" if foreign else ""
        raise InvalidGameError(f"{self.name}{where}: {reason}{advice}") from None


def _text(name: str, file: BufferedReader) -> TextIO:
    """Return the text in a file: UTF-8, or UTF-16 with its mark, as spreadsheets write it."""
    start = file.peek(4)
    if start.startswith(WORKBOOKS):
        raise InvalidGameError(f"{name} is a workbook, expected CSV: save it as CSV UTF-8")
    wide = start.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    if b"\0" in start and not wide:
        raise InvalidGameError(f"{name}: found null characters, expected CSV: save it as CSV UTF-8")
    # Bytes that are no UTF-8 become unprintable characters, and the error names their cell.
    form = ("utf-16", "strict") if wide else ("utf-8-sig", "surrogateescape")
    return TextIOWrapper(file, *form, newline="")


def _too_large(name: str) -> InvalidGameError:
    return InvalidGameError(
        f"{name} is larger than {MAX_SHEET >> 20} MiB, expected a table; take fewer guesses or "
        "secrets"
    )


def _is_blank(row: list[str]) -> bool:
    return not any(map(str.strip, row))


def _plain(cell: str) -> str:
    """Return a cell without blanks around it, and without the apostrophe that marks a text."""
    cell = cell.strip()
    if cell[:1] == "'" and cell[1:].startswith((*FORMULA, "'")):
        return cell[1:]
    return cell


def _cell_name(row: int, column: int) -> str:
    """Return the name of a cell, from a row from 1 and a column from 0.

    >>> _cell_name(7, 2), _cell_name(1, 26)
    ('C7', 'AA1')
    """
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{row}"
