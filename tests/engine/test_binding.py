"""The binding: what the engine expects is what Python gives it."""

from __future__ import annotations

import ctypes
import re
from array import array
from typing import Any

import numpy as np
import pytest

from guessbook.book.errors import EngineError
from guessbook.engine.binding import PROTOTYPES, STRUCTS, address, engine, struct
from tests.engine.engines import SOURCES, VARIANTS


def source() -> str:
    """All of the engine, without comments."""
    files = sorted([*SOURCES.glob("*.c"), *SOURCES.glob("*.h")])
    return re.sub(r"/\*.*?\*/", " ", "\n".join(f.read_text() for f in files), flags=re.DOTALL)


def kind(declared: str) -> str:
    """The letter of a type in C."""
    if "*" in declared:
        return "p"
    if "void" in declared:
        return "v"
    return "q" if "64" in declared else "i"


@pytest.mark.sources
def test_each_function_has_the_arguments_that_python_gives() -> None:
    """As many and as wide: ctypes passes what is too much as 32 bits, and says nothing."""
    text = source()
    for name, prototype in PROTOTYPES.items():
        found = re.search(rf"static ([\w ]+[ *]){name}\(([^)]*)\)\s*\{{", text)
        assert found is not None, name
        given, result = prototype.split()
        declared = [kind(one) for one in found[2].split(",")]
        # A number of 32 bits in a register of 64 is the same number.
        wide = [a if (a, b) != ("i", "q") else b for a, b in zip(declared, given, strict=True)]
        assert ("".join(wide), kind(found[1])) == (given, result), name


@pytest.mark.sources
def test_each_struct_has_the_fields_that_python_fills() -> None:
    """By their names, kinds and order."""
    letters = {ctypes.c_int32: "i", ctypes.c_int64: "q", ctypes.c_void_p: "p"}
    text = source()
    for name in STRUCTS:
        found = re.search(rf"typedef struct \{{([^{{}}]*)\}} {name};", text)
        assert found is not None, name
        fields = []
        for line in found[1].split(";")[:-1]:
            words = re.findall(r"\w+|\*", line)
            declared = "p" if "*" in words else kind(line)
            count = line.count(",") + 1
            names = [w for w in words if w != "*"][-count:] if "," in line else words[-1:]
            fields += [(name, declared) for name in names]
        python: list[Any] = list(struct(name)._fields_)
        # Python need not know the last fields, such as the memory that a struct owns.
        assert [(field, letters[of]) for field, of in python] == fields[: len(python)], name


def test_each_variant_says_what_it_is_for() -> None:
    """They are numbered from the plainest on, and there is none above the best."""
    assert list(range(len(VARIANTS))) == VARIANTS
    assert len({engine(variant).variant for variant in VARIANTS}) == len(VARIANTS)
    assert engine().variant == engine(VARIANTS[-1]).variant
    with pytest.raises(EngineError):
        engine(99)


@pytest.mark.parametrize(
    ("values", "kind", "count"),
    [
        (array("I", [1]), "q", 1),
        (array("I", [1]), "i", 1),
        (array("I", [1]), "I", 2),
        (np.arange(6, dtype=np.uint32)[::2], "I", 3),
        (np.ones(3, bool), "B", 3),
        ([1, 2], "I", 2),
    ],
    ids=str,
)
def test_arrays_that_do_not_fit_are_refused(values: Any, kind: str, count: int) -> None:
    """Of another kind, too short, with gaps, or no arrays at all."""
    with pytest.raises(TypeError):
        address(values, kind, count)


def test_what_cannot_be_written_is_not() -> None:
    """Bytes and arrays that are read only have an address to read from alone."""
    fixed = np.zeros(3, np.uint8)
    fixed.flags.writeable = False
    for values in (bytes(3), fixed):
        assert address(values, "B", 3)
        with pytest.raises(TypeError, match="found a read-only array"):
            address(values, "B", 3, writable=True)
