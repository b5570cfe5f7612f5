"""The command `export`: which format, which file, and what is refused."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from guessbook.book import UsageError
from guessbook.export import FORMATS, export
from guessbook.lookup import open_book
from tests.helpers.command import complaint

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

KNOWN = ", ".join(FORMATS)


def test_the_ending_of_the_file_says_the_format(run: Run, tmp_path: Path) -> None:
    """`-o hint.py` is a script, `-o tree.JSON` is JSON; --to wins over any ending."""
    book = open_book("mastermind-4x6")
    for arguments, name in (
        (["-o", "hint.py"], "python"),
        (["-o", "tree.JSON"], "json"),
        (["--to", "json", "-o", "tree.txt"], "json"),
    ):
        done = run("export", *arguments)
        assert (done.code, done.err) == (0, "")
        file = tmp_path / arguments[-1]
        assert file.read_text("utf-8") == export(book, name)
        assert done.out == f"{file.name}  {file.stat().st_size:,} bytes\n"


def test_without_a_file_the_game_gives_the_name(run: Run, tmp_path: Path) -> None:
    """A script's name can be imported; the others are called as the game."""
    assert run("export", "--to", "python").code == 0
    assert run("export", "bulls-and-cows-4x10", "--to", "json").code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["bulls-and-cows-4x10.json", "mastermind_4x6.py"]
    assert "mastermind_4x6".isidentifier()


def test_json_says_what_was_written(run: Run, tmp_path: Path) -> None:
    """--json prints path, format, game and bytes, and nothing else."""
    done = run("export", "-o", "hint.py", "--json")
    size = (tmp_path / "hint.py").stat().st_size
    known = {"path": "hint.py", "format": "python", "game": "mastermind-4x6", "bytes": size}
    assert json.loads(done.out) == known
    assert done.err == ""


def test_a_dash_prints_the_file(run: Run, tmp_path: Path) -> None:
    """`-o -` prints exactly what a file would hold, and writes none."""
    done = run("export", "--to", "python", "-o", "-")
    assert done.out == export(open_book("mastermind-4x6"), "python")
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_kept(run: Run, tmp_path: Path) -> None:
    """A file is overwritten only with --force."""
    file = tmp_path / "hint.py"
    file.write_text("mine")
    assert "--force" in complaint(run("export", "-o", "hint.py"))
    assert file.read_text() == "mine"
    assert run("export", "-o", "hint.py", "--force").code == 0
    assert file.read_text("utf-8") == export(open_book("mastermind-4x6"), "python")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], f"expected --to with one of {KNOWN}"),
        (["-o", "hint.xyz"], f"'.xyz', expected --to with one of {KNOWN}"),
        (["-o", "-"], "expected --to"),
        (["--to", "pyhton"], f"'pyhton', expected one of {KNOWN}"),
        (["--to", "a\x1b[2J"], "expected one of"),
        (["--to", "json", "--uncompressed"], "found --uncompressed with --to json"),
        (["--to", "python", "--depth", "2"], "found --depth with --to python"),
        (["--to", "json", "-o", "-", "--json"], "leave one out"),
        (["nosuchbook", "--to", "json"], "nosuchbook"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(
    run: Run, tmp_path: Path, arguments: list[str], part: str
) -> None:
    """One line says what was found and what is expected; no file is written."""
    assert part in complaint(run("export", *arguments), 2)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_an_error(run: Run) -> None:
    """So is a folder where a file is expected; both are told in a line."""
    assert "no folder" in complaint(run("export", "-o", "there/hint.py"))
    assert "is a folder" in complaint(run("export", "--to", "json", "-o", "."))


def test_an_invalid_book_is_no_export(run: Run, tmp_path: Path) -> None:
    """A file that is not a book ends with exit code 3."""
    (tmp_path / "a.book").write_bytes(b"no book")
    complaint(run("export", "./a.book", "--to", "json"), 3)


def test_every_format_says_what_it_is(run: Run) -> None:
    """Each has its own module, an ending, a summary, and only options that the command has."""
    assert len({known.render for known in FORMATS.values()}) == len(FORMATS)
    page = run("export", "--help").out
    for name, known in FORMATS.items():
        assert known.suffix.startswith(".")
        assert known.summary
        assert name in page
        assert all(option in page for option in known.options)


def test_every_format_gives_a_text_for_every_book(small_books: dict[str, object]) -> None:
    """No format fails for a small book of any kind, or it says why in a usage error."""
    for book in small_books.values():
        for name in FORMATS:
            try:
                text: str = export(book, name)  # type: ignore[arg-type]
            except UsageError as error:
                text = str(error)
            assert text.strip()
            text.encode()


def test_the_sizes_of_the_forms_are_right(root: Path) -> None:
    """docs/how-to/embedding.md has the size of the 4x6 file of each form that it recommends."""
    page = (root / "docs" / "how-to" / "embedding.md").read_text("utf-8")
    book = open_book("mastermind-4x6")
    rows = re.findall(r"^\|[^|]*\| \[`export --to (\w+)`\][^|]*\| ([\d,]+)", page, re.MULTILINE)
    assert len(rows) > 6
    for name, said in rows:
        size = len(export(book, name).encode())
        # How well zlib compresses is its own business.
        assert abs(int(said.replace(",", "")) - size) <= size / 100, (name, size)


def test_an_unknown_format_is_a_usage_error() -> None:
    """From Python as well, with the formats that there are."""
    with pytest.raises(UsageError, match=f"expected one of {KNOWN}"):
        export(open_book("mastermind-4x6"), "yaml")
