"""The command `export`: the form and the name of the file."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.export.samples import FORMS
from tests.helpers.command import Run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("options", "name", "form"),
    [
        ("-o hint.py", "hint.py", "python"),
        ("-o tree.JSON", "tree.JSON", "json"),
        ("--to json -o tree.py", "tree.py", "json"),
        ("--to python", "mastermind_4x6.py", "python"),
        ("--to json", "mastermind-4x6.json", "json"),
        ("--to json --depth 2", "mastermind-4x6.json", "json"),
    ],
)
def test_form_follows_from_the_file_name_and_vice_versa(
    run: Run, tmp_path: Path, options: str, name: str, form: str
) -> None:
    depth = {"depth": 2} if "--depth" in options else {}
    text = gb.open().export(form, **depth)
    done = run("export", *options.split())
    size = len(text.encode())
    assert done == (0, f"{name}  {size:,} bytes\n", "")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text("utf-8") == text
    done = run("export", *options.split(), "--json", "--force")
    known = {"path": name, "form": form, "game": "mastermind-4x6", "bytes": size}
    assert (json.loads(done.out), done.err) == (known, "")


def test_output_path_dash_prints_the_export(run: Run, tmp_path: Path) -> None:
    done = run("export", "--to", "python", "--uncompressed", "-o", "-")
    assert done.out == gb.open().export("python", compress=False)
    assert not list(tmp_path.iterdir())


def test_help_lists_every_form(run: Run) -> None:
    text = " ".join(run("export", "--help").out.split())
    (listed,) = re.findall(r"--to FORM (.*?) \[default", text)
    assert re.findall(r"(?:^|; )(\w+):", listed) == FORMS


@pytest.mark.parametrize("form", FORMS)
def test_every_form_exports_a_book_or_raises_a_usage_error(
    small_books: dict[str, gb.Book], form: str
) -> None:
    texts = []
    for book in small_books.values():
        try:
            texts.append(book.export(form))
        except gb.UsageError:
            assert form in ("irving", "booklet", "key")
    assert all(text.strip() for text in texts)
    assert len({*texts}) == len(texts)
    assert len(texts) > 1 or form == "key"


def test_documented_sizes_of_exports_are_right(root: Path) -> None:
    page = (root / "docs" / "how-to" / "embedding.md").read_text("utf-8")
    rows = re.findall(r"^\|[^|]*\| \[`export --to (\w+)`\][^|]*\| ([\d,]+)", page, re.MULTILINE)
    assert len(rows) > 6
    for name, said in rows:
        size = len(gb.open().export(name).encode())
        # Versions of zlib compress to different sizes.
        assert int(said.replace(",", "")) == pytest.approx(size, rel=0.01)
