"""The library of the engine: its functions as Python calls them, and its age in a checkout."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from guessbook.book.errors import EngineError
from guessbook.kernels.binding import LIBRARY, PROTOTYPES, check_library

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {"int64_t": "q", "int32_t": "i", "uint32_t": "i", "int": "i", "void": "v"}


def kind_of(declared: str) -> str:
    """Return the letter of a type in C, of an argument or a result."""
    if "*" in declared:
        return "p"
    return next(KINDS[word] for word in declared.split() if word in KINDS)


@pytest.mark.sources
@pytest.mark.parametrize("name", PROTOTYPES)
def test_prototypes_are_those_of_the_sources(root: Path, name: str) -> None:
    """Python passes each function what it takes in C, in that order."""
    folder = root / "builder" / "guessbook" / "kernels"
    sources = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.c")))
    found = re.search(rf"static ([\w ]+[ *]+){name}\(([^)]*)\)\s*\{{", sources)
    assert found
    arguments = "".join(kind_of(argument) for argument in found[2].split(","))
    assert PROTOTYPES[name] == f"{arguments} {kind_of(found[1])}"


def test_an_old_library_is_noticed(tmp_path: Path) -> None:
    """A library that is older than a source beside it is refused, and the error says what to do."""
    library, source = tmp_path / LIBRARY, tmp_path / "trees.c"
    library.write_bytes(b"")
    source.write_bytes(b"")
    os.utime(library, (1000, 1000))
    os.utime(source, (999, 999))
    check_library(tmp_path)
    os.utime(source, (1001, 1001))
    expected = r"older than trees\.c; build it again: pip install -e \.$"
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
