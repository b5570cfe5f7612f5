"""The library of the engine: its functions as Python calls them, and its age in a checkout."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from guessbook.book.errors import EngineError
from guessbook.engine.binding import LIBRARY, check_library

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {"int64_t": "q", "int32_t": "i", "uint32_t": "i", "int": "i", "void": "v"}


def test_an_old_library_is_noticed(tmp_path: Path) -> None:
    """A library that is older than a source beside it is refused, and the error says what to do."""
    library, source = tmp_path / LIBRARY, tmp_path / "trees.c"
    library.write_bytes(b"")
    source.write_bytes(b"")
    os.utime(library, (1000, 1000))
    os.utime(source, (999, 999))
    check_library(tmp_path)
    os.utime(source, (1001, 1001))
    expected = r"older than its source trees\.c; run pip install -e \.$"
    with pytest.raises(EngineError, match=expected):
        check_library(tmp_path)


def test_a_missing_library_is_told(tmp_path: Path) -> None:
    """Where there is none the error says how to get one: in a checkout by another command."""
    with pytest.raises(EngineError, match=r"install a C compiler, then guessbook again$"):
        check_library(tmp_path)
    (tmp_path / "trees.c").write_bytes(b"")
    with pytest.raises(EngineError, match=r"pip install -e \.$"):
        check_library(tmp_path)


def test_a_library_without_sources_has_no_age(tmp_path: Path) -> None:
    """In an installed wheel there are no sources to compare with."""
    (tmp_path / LIBRARY).write_bytes(b"")
    check_library(tmp_path)
