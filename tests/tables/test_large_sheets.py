"""Large sheets: long rows are read, large files take little memory, and blank ones little work."""

from __future__ import annotations

import csv
import os
import sys
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from guessbook.book import InvalidGameError, TableGame, csv_table
from guessbook.book.csv_table import read_table

# As docs/how-to/tables.md has them: lines of a file, characters of a row.
MAX_LINES, MAX_ROW = 1 << 20, 1 << 23

SIZE = 20_000_000
MIB = 1 << 20
HEAD = b",x,y\na,1,2\n"


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """How many rows and cells the reader of CSV makes, in this test."""
    done = SimpleNamespace(rows=0, cells=0)

    def reader(lines: Iterable[str], **options: Any) -> Iterator[list[str]]:
        for row in csv.reader(lines, **options):
            done.rows += 1
            done.cells += len(row)
            yield row

    found = SimpleNamespace(reader=reader, Error=csv.Error, field_size_limit=csv.field_size_limit)
    monkeypatch.setattr("guessbook.book.csv_table.csv", found)
    return done


@pytest.mark.parametrize("start", [b"", HEAD], ids=["at once", "after a table"])
@pytest.mark.parametrize("unit", [b"\n", b"\r\n", b",", b";", b" ", b",\n", b'""\n', b"a"])
def test_files_without_a_table_are_refused_soon(
    unit: bytes,
    start: bytes,
    tmp_path: Path,
    work: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many blank lines or cells, or one large cell, are refused after a bounded part."""
    lines, row = MAX_LINES >> 6, MAX_ROW >> 6
    monkeypatch.setattr(csv_table, "MAX_LINES", lines)
    monkeypatch.setattr(csv_table, "MAX_ROW", row)
    path = tmp_path / "table.csv"
    path.write_bytes(start + unit * ((SIZE >> 6) // len(unit)))
    with pytest.raises(InvalidGameError, match=rf"{lines:,} lines|more than {row:,} characters"):
        read_table(path)
    assert work.rows <= lines
    assert work.cells <= 4 * lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "limit"), [(b'""\n', "1,048,576 lines"), (b",", "more than 8,388,608 characters")]
)
def test_the_limits_of_a_file_are_those_of_the_manual(
    unit: bytes, limit: str, tmp_path: Path, work: SimpleNamespace
) -> None:
    """20 MB of blank lines or cells are refused at the limits that docs/how-to/tables.md gives."""
    path = tmp_path / "table.csv"
    path.write_bytes(HEAD + unit * (SIZE // len(unit)))
    with pytest.raises(InvalidGameError, match=limit):
        read_table(path)
    assert work.rows <= MAX_LINES
    assert work.cells <= 4 * MAX_LINES


def test_a_row_in_quotation_marks_is_not_endless(tmp_path: Path, work: SimpleNamespace) -> None:
    """A row whose cells go on in the next line is refused where it becomes too long."""
    path = tmp_path / "table.csv"
    path.write_bytes(b'a,"' + b'\n",,,,,,,,,,,,"' * (SIZE // 16))
    with pytest.raises(InvalidGameError, match="a row of more than 8,388,608 characters"):
        read_table(path)
    assert work.cells <= MAX_ROW


def label(number: int) -> str:
    """A label of 60 characters."""
    return f"{number:060}"


@pytest.mark.slow
def test_long_rows_are_read(tmp_path: Path) -> None:
    """65,534 different answers and 4,096 secrets, in labels of 60 characters, make a game."""
    guesses, secrets = 16, [label(-number) for number in range(4096)]
    rows = [[label((g * 4096 + s) % 65_534) for s in range(4096)] for g in range(guesses)]
    lines = [["", *secrets], *([f"ask {g}", *row] for g, row in enumerate(rows))]
    path = tmp_path / "table.csv"
    path.write_text("".join(",".join(line) + "\n" for line in lines), "utf-8")
    game = read_table(path)
    assert len(game.answers) == 65_536  # with `no` and `found`
    assert game == TableGame([f"ask {g}" for g in range(guesses)], secrets, rows)


def test_an_answer_takes_a_byte_or_two(tmp_path: Path) -> None:
    """A sheet of a million answers in 2 MB takes less than 5 MB: it is never in memory as text."""
    bits = Random(1).getrandbits
    rows = [f"g{k}," + ",".join(f"{bits(1000):01000b}") + "\n" for k in range(1000)]
    path = tmp_path / "table.csv"
    path.write_text("".join([*(f",s{k}" for k in range(1000)), "\n", *rows]), "utf-8")
    del rows
    tracemalloc.start()
    try:
        game = read_table(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert game.given == 1000
    assert peak < 5 * MIB


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    """More than 512 MiB are refused by their size."""
    path = tmp_path / "table.csv"
    path.write_bytes(HEAD)
    os.truncate(path, (512 << 20) + 1)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidGameError, match="is larger than 512 MiB"):
            read_table(path)
        assert tracemalloc.get_traced_memory()[1] < MIB
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
def test_a_pipe_is_read_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of a pipe is not known before: it is read up to the limit."""
    if sys.platform == "win32":
        raise NotImplementedError
    path = tmp_path / "pipe"
    os.mkfifo(path)
    end = os.open(path, os.O_RDWR)
    os.write(end, HEAD + b"b,1,2\n" * 100)
    monkeypatch.setattr("guessbook.book.csv_table.MAX_SHEET", 500)
    try:
        with pytest.raises(InvalidGameError, match="is larger than 0 MiB"):
            read_table(path)
    finally:
        os.close(end)
