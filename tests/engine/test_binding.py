"""The binding: its declarations, its checks of arrays, and the library that it loads."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from array import array
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import guessbook as gb
from guessbook.engine.binding import (
    FOLDER,
    LIBRARY,
    PROTOTYPES,
    STRUCTS,
    address,
    check_library,
    engine,
    struct,
)
from guessbook.engine.partitions import best_pairs
from tests.engine.calls import VARIANTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def source(root: Path) -> str:
    """The whole engine in C, without comments."""
    files = sorted((root / "builder" / "guessbook" / "engine").glob("*.[ch]"))
    return re.sub(r"/\*.*?\*/", " ", "\n".join(f.read_text() for f in files), flags=re.DOTALL)


def kind(declared: str) -> str:
    """Return the letter of a type in C."""
    if "*" in declared:
        return "p"
    return "v" if "void" in declared else "q" if "64" in declared else "i"


@pytest.mark.sources
def test_prototypes_match_the_functions_in_c(source: str) -> None:
    for name, prototype in PROTOTYPES.items():
        found = re.search(rf"static ([\w ]+[ *]){name}\(([^)]*)\)\s*\{{", source)
        assert found is not None, name
        given, result = prototype.split()
        declared = [kind(one) for one in found[2].split(",")]
        # A 32-bit argument may be passed as 64 bits.
        wide = [a if (a, b) != ("i", "q") else b for a, b in zip(declared, given, strict=True)]
        assert ("".join(wide), kind(found[1])) == (given, result), name


@pytest.mark.sources
def test_structs_match_the_first_fields_in_c(source: str) -> None:
    letters: dict[Any, str] = {ctypes.c_int32: "i", ctypes.c_int64: "q", ctypes.c_uint64: "q"}
    letters[ctypes.c_void_p] = "p"
    for name in STRUCTS:
        found = re.search(rf"typedef struct \{{([^{{}}]*)\}} {name};", source)
        assert found is not None, name
        fields = []
        for line in found[1].split(";")[:-1]:
            *words, last = re.findall(r"\w+|\*", line.replace(",", " "))
            names = [*[w for w in words if w != "*"][-line.count(",") :], last]
            fields += [(one, kind(line)) for one in names[-line.count(",") - 1 :]]
        python: list[Any] = list(struct(name)._fields_)
        assert [(field, letters[of]) for field, of in python] == fields[: len(python)], name


def test_engine_variants_differ_and_the_last_is_the_default() -> None:
    assert list(range(len(VARIANTS))) == VARIANTS
    assert len({engine(variant).variant for variant in VARIANTS}) == len(VARIANTS)
    assert engine().variant == engine(VARIANTS[-1]).variant
    with pytest.raises(gb.EngineError):
        engine(99)


READ_ONLY = np.frombuffer(bytes(12), np.uint32)


@pytest.mark.parametrize(
    ("values", "kind", "count", "writable"),
    [
        (array("I", [1]), "q", 1, False),
        (array("I", [1]), "i", 1, False),
        (array("I", [1]), "I", 2, False),
        (np.arange(6, dtype=np.uint32)[::2], "I", 3, False),
        (np.ones(3, bool), "B", 3, False),
        ([1, 2], "I", 2, False),
        (bytes(3), "B", 3, True),
        (READ_ONLY, "I", 3, True),
        (memoryview(bytes(3)), "B", 3, False),
    ],
    ids=lambda value: "memoryview" if isinstance(value, memoryview) else str(value),
)
def test_arrays_of_wrong_type_or_size_are_rejected(
    values: Any, kind: str, count: int, writable: bool
) -> None:
    with pytest.raises(TypeError):
        address(values, kind, count, writable)


def test_address_is_that_of_the_first_number() -> None:
    values = array("I", [7, 8])
    assert address(values, "I", 2, True) == values.buffer_info()[0]
    assert address(READ_ONLY, "I", 3) == READ_ONLY.ctypes.data
    assert ctypes.string_at(address(b"abc", "B", 3), 3) == b"abc"
    assert address(array("q"), "q", 0) == 0


@pytest.mark.posix
def test_pairs_of_guesses_with_many_feedbacks_take_little_memory() -> None:
    # A table with an entry for each pair of feedbacks would take 12 GB.
    limited = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "from array import array\n"
        "from guessbook.engine.partitions import best_pairs\n"
        "costs = array('q', range(40_001))\n"
        "rows = [range(40_000), [k // 2 for k in range(40_000)]]\n"
        "assert best_pairs(rows, [0], costs, 1, [1] * 40_000) == [(40_000, 0, 1)]\n"
    )
    subprocess.run([sys.executable, "-c", limited], check=True)
    assert best_pairs([[0], [0]], [0], array("q", [0, 1]), 0, [1]) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc/self/statm")
def test_lack_of_memory_is_not_reported_as_too_large_a_game() -> None:
    # The codes of this game take 168 MB.
    limited = (
        "import resource\n"
        "from guessbook.engine.codes import CodeTables\n"
        "CodeTables(1, 1, True)\n"
        "pages = int(open('/proc/self/statm').read().split()[0])\n"
        "most = pages * resource.getpagesize() + (100 << 20)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (most, most))\n"
        "try:\n"
        "    CodeTables(6, 16, True)\n"
        "except MemoryError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited], check=True, capture_output=True, text=True
    )
    assert "memory" in done.stdout


def test_missing_or_outdated_library_is_rejected(tmp_path: Path) -> None:
    library, source = tmp_path / LIBRARY, tmp_path / "trees.c"
    with pytest.raises(gb.EngineError, match="C compiler"):
        check_library(tmp_path)
    library.write_bytes(b"")
    check_library(tmp_path)
    source.write_bytes(b"")
    os.utime(library, (1000, 1000))
    os.utime(source, (1000, 1000))
    check_library(tmp_path)
    os.utime(source, (1001, 1001))
    with pytest.raises(gb.EngineError, match=r"trees\.c"):
        check_library(tmp_path)
    library.unlink()
    with pytest.raises(gb.EngineError, match="pip install -e"):
        check_library(tmp_path)


@pytest.mark.slow
@pytest.mark.sources
@pytest.mark.posix
def test_replayed_calls_give_the_recorded_results(root: Path, tmp_path: Path) -> None:
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("needs gcc or clang")
    recording, player = tmp_path / "recording.bin", tmp_path / "selftest"
    folder = root / "wheels" / "selftest"
    command = [sys.executable, str(folder / "record.py"), str(recording)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert int(done.stdout.split()[0].replace(",", "")) > 500
    subprocess.run([compiler, "-o", player, folder / "selftest.c", "-ldl"], check=True)
    subprocess.run([player, FOLDER / LIBRARY, recording], check=True)
