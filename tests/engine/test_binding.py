"""The binding: its declarations, its checks of arguments, and the library that it loads."""

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
    STOP,
    STRUCTS,
    address,
    check_library,
    engine,
    struct,
)
from guessbook.engine.codes import CodeSearch, CodeTables
from guessbook.engine.partitions import CostFunction, Distinct, best_pairs, split_nodes
from guessbook.engine.sets import Problem, Set, SetSearch, SetTable
from guessbook.engine.sums import SumGame, SumSearch
from tests.engine.calls import IMPOSSIBLE, MAX_LEFT, VARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable
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
def test_prototypes_are_those_of_the_functions_in_c(source: str) -> None:
    for name, prototype in PROTOTYPES.items():
        found = re.search(rf"static ([\w ]+[ *]){name}\(([^)]*)\)\s*\{{", source)
        assert found is not None, name
        given, result = prototype.split()
        declared = [kind(one) for one in found[2].split(",")]
        # A number of 32 bits in a register of 64 is the same number.
        wide = [a if (a, b) != ("i", "q") else b for a, b in zip(declared, given, strict=True)]
        assert ("".join(wide), kind(found[1])) == (given, result), name


@pytest.mark.sources
def test_structs_begin_with_the_fields_in_c(source: str) -> None:
    letters = {ctypes.c_int32: "i", ctypes.c_int64: "q", ctypes.c_void_p: "p"}
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


def test_variants_are_numbered_from_the_smallest_instruction_set() -> None:
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
def test_arrays_that_do_not_fit_are_refused(
    values: Any, kind: str, count: int, writable: bool
) -> None:
    with pytest.raises(TypeError):
        address(values, kind, count, writable)


def test_addresses_are_those_of_the_first_number() -> None:
    values = array("I", [7, 8])
    assert address(values, "I", 2, True) == values.buffer_info()[0]
    assert address(READ_ONLY, "I", 3) == READ_ONLY.ctypes.data
    assert ctypes.string_at(address(b"abc", "B", 3), 3) == b"abc"
    assert address(array("q"), "q", 0) == 0


GAME = gb.Mastermind(3, 5)
CODES = len(GAME.guesses)
SOME, NONE, BEYOND = array("I", range(9)), array("I"), array("I", [0, CODES])
PAIR = array("q", [0, 2])
COSTS = CostFunction(array("q", range(CODES + 1)), True, 0, False)
SUMS = SumGame(
    array("B", [0, 4, 1, 2, 0, 1]),
    array("i", range(3)),
    3,
    array("I", [0, 1]),
    array("q", [1, 1]),
    5,
    1,
)
SETS = Problem(
    np.array([[2, 0, 1], [0, 2, 1]], np.uint8),
    array("q", [0, 1]),
    array("Q", [7, 9]),
    array("q", [1, 1]),
    array("q", [0, 1, 3] * (MAX_LEFT + 1)),
    array("q", [1, 2] * (MAX_LEFT + 1)),
    array("I"),
    b"",
    2,
    3,
    3,
    2,
    False,
    0,
)


def codes() -> CodeSearch:
    """Return a search in a code game."""
    return CodeSearch(CodeTables(3, 5, True), COSTS)


def sets(**change: Any) -> SetSearch:
    """Return a search for optimal strategies."""
    return SetSearch(SETS._replace(**change), SetTable(16))


def cost(candidates: Any, left: int = 9, limit: int = 50, guess: int = -1, **more: Any) -> int:
    """Ask for the cost of a set."""
    search = sets()
    whole = search.whole
    return search.cost(Set(candidates, left, **more), limit, whole, whole, guess)


def store(known: int) -> None:
    """Store what is known of a set."""
    sets().store(Set(SOME[:2], 9), known)


def fields(**change: Any) -> SumSearch:
    """Return a search in a game of sums."""
    return SumSearch(SUMS._replace(**change), COSTS)


def kept(answers: list[int], weights: int = 2) -> None:
    """Keep distinct guesses."""
    found = Distinct(2, 2, 4, 3, array("q", bytes(8 * weights)))
    found.add(array("I", [0]), array("I", answers))


WRONG: dict[str, Callable[[], Any]] = {
    "pegs": lambda: CodeTables(16, 2, True),
    "codes: candidate": lambda: codes().guesses(BEYOND, PAIR, NONE, 0),
    "codes: path": lambda: codes().guesses(SOME, PAIR, BEYOND, 2),
    "codes: short path": lambda: codes().guesses(SOME, PAIR, NONE, 2),
    "codes: empty node": lambda: codes().guesses(SOME, array("q", [0, 0]), NONE, 0),
    "codes: many": lambda: codes().guesses(SOME * 99, array("q", [0, 9 * 99]), NONE, 0),
    "codes: few": lambda: codes().guesses(SOME, array("q", [0, 10]), NONE, 0),
    "codes: below 0": lambda: codes().guesses(SOME, array("q", [-3, 4]), NONE, 0),
    "codes: order": lambda: codes().guesses(SOME, array("q", [4, 2]), NONE, 0),
    "codes: signed": lambda: codes().guesses(array("i", SOME), PAIR, NONE, 0),
    "codes: guess": lambda: codes().tables.fitting(array("I", SOME), CODES, 0),
    "codes: answers": lambda: codes().tables.feedbacks(BEYOND, SOME, array("q", [0, 4, 9])),
    "codes: starts": lambda: codes().tables.feedbacks(SOME[:2], SOME, array("q", [0, 9, 4])),
    "codes: lowest": lambda: codes().tables.lowest(SOME, BEYOND),
    "codes: scores": lambda: codes().scores(SOME, None, bytes(35), PAIR, bytearray(CODES)),
    "codes: scored": lambda: codes().scores(
        array("I", [0]) * (CODES + 1),
        None,
        bytes(35),
        array("q", bytes(8 * CODES)),
        bytearray(CODES),
    ),
    "codes: roots": lambda: codes().grow(NONE, array("q", [0, 0]), bytes(1), NONE, 2),
    "codes: feedback": lambda: codes().grow(SOME[:2], PAIR, b"", NONE, 4),
    "codes: used": lambda: codes().grow(SOME[:2], PAIR, bytes(1), BEYOND, 4),
    "codes: room": lambda: codes().grow(SOME, array("q", [0, 9]), bytes(1), NONE, 8),
    "distinct: answer": lambda: kept([1, 4]),
    "distinct: answers": lambda: kept([1]),
    "distinct: weights": lambda: kept([1, 2], 1),
    "split: answer": lambda: split_nodes(SOME[:2], PAIR, array("I", [0, 9]), 9),
    "split: starts": lambda: split_nodes(SOME[:2], array("q", [0, 1]), array("I", [0, 1]), 9),
    "sums: feedbacks": lambda: fields(feedbacks=4),
    "sums: parts": lambda: fields(parts=array("i", [0, 1, 3])),
    "sums: homes": lambda: fields(homes=array("I", [1, 0])),
    "sums: heavy": lambda: fields(weights=array("q", [1, CODES])),
    "sums: light": lambda: fields(weights=array("q", [2, -1])),
    "sums: candidate": lambda: fields().guesses(array("I", [0, 2]), PAIR),
    "sums: empty node": lambda: fields().guesses(NONE, array("q", [0, 0])),
    "sums: no candidates": lambda: fields().scores(NONE, SOME[:2]),
    "sums: guess": lambda: fields().scores(SOME[:2], array("I", [3])),
    "sets: answers": lambda: sets(answers=2),
    "sets: table": lambda: sets(guesses=4),
    "sets: homes": lambda: sets(homes=array("q", [0, 3])),
    "sets: light": lambda: sets(weights=array("q", [1, 0])),
    "sets: heavy": lambda: sets(weights=array("q", [1, 1 << 22])),
    "sets: guesses": lambda: sets(guesses=(1 << 20) + 1),
    "sets: entries": lambda: SetTable(12),
    "sets: few entries": lambda: SetTable(2),
    "sets: candidate": lambda: cost(array("I", [0, 2])),
    "sets: no candidates": lambda: cost(NONE),
    "sets: many": lambda: cost(array("I", [0, 1, 0])),
    "sets: type": lambda: cost(PAIR),
    "sets: left": lambda: cost(SOME[:2], -1),
    "sets: much left": lambda: cost(SOME[:2], MAX_LEFT + 1),
    "sets: limit": lambda: cost(SOME[:2], limit=IMPOSSIBLE),
    "sets: column": lambda: cost(SOME[:2], guess=3),
    "sets: low column": lambda: cost(SOME[:2], guess=-3),
    "sets: allowed": lambda: cost(SOME[:2], allowed=array("i", [3])),
    "sets: known": lambda: store(0),
    "sets: much known": lambda: store(4 * IMPOSSIBLE + 4),
    "sets: bounds": lambda: sets().bounds(Set(SOME[:2], 0), SOME[:2]),
    "sets: bound": lambda: sets().bounds(Set(SOME[:2], 3), array("I", [3])),
    "sets: cells": lambda: sets().bound_cells(Set(SOME[:2], 3), SOME[:2], 9),
}
REFUSED = IndexError, ValueError, TypeError, AssertionError, gb.GuessbookError


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_use_is_refused(wrong: str) -> None:
    with pytest.raises(REFUSED):
        WRONG[wrong]()


def test_right_use_is_answered() -> None:
    assert codes().guesses(SOME, array("q", [0, 9]), NONE, 0)[0][0] == 0
    assert cost(SOME[:2]) == 3
    assert fields().scores(SOME[:2], SOME[:3]).tolist() == [-2] * 3
    kept([1, 2])


def test_too_little_memory_is_an_error() -> None:
    with pytest.raises(MemoryError):
        SetTable(1 << 45)
    with pytest.raises(MemoryError):
        fields(feedbacks=1 << 45)


@pytest.mark.posix
def test_pairs_of_guesses_with_many_feedbacks_take_little_memory() -> None:
    # A table of both feedbacks would have 12 GB.
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


def test_stop_flag_of_the_context_ends_a_search() -> None:
    search, flag = codes(), STOP.set(array("i", [1]))
    try:
        with pytest.raises(KeyboardInterrupt):
            search.guesses(SOME, array("q", [0, 9]), NONE, 0)
    finally:
        STOP.reset(flag)
    assert search.guesses(SOME, array("q", [0, 9]), NONE, 0)


def test_library_older_than_a_source_or_missing_is_refused(tmp_path: Path) -> None:
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
def test_recorded_calls_have_the_same_answers_again(root: Path, tmp_path: Path) -> None:
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no compiler for the program that repeats the calls")
    recording, player = tmp_path / "recording.bin", tmp_path / "selftest"
    folder = root / "wheels" / "selftest"
    command = [sys.executable, str(folder / "record.py"), str(recording)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert int(done.stdout.split()[0].replace(",", "")) > 500
    subprocess.run([compiler, "-o", player, folder / "selftest.c", "-ldl"], check=True)
    subprocess.run([player, FOLDER / LIBRARY, recording], check=True)
