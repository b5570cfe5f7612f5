"""Fixtures of the tests of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.helpers.command import books, write_books

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def small(tmp_path: Path) -> gb.Book:
    """Write small.book and words.book to the folder of `run`, and return small.book."""
    write_books(tmp_path)
    return gb.open(books()["small.book"])
