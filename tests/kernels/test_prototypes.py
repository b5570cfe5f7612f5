"""The prototypes of the binding are those of the functions in C."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from guessbook.kernels import binding

FOLDER = Path(binding.__file__).parent


def letter(declared: str) -> str:
    """The letter of `PROTOTYPES` for a type in C."""
    if "*" in declared:
        return "p"
    kinds = {"int64_t": "q", "int32_t": "i", "uint32_t": "i", "void": "v"}
    return next(kinds[word] for word in declared.split() if word in kinds)


@pytest.mark.sources
@pytest.mark.parametrize("name", binding.PROTOTYPES)
def test_prototypes_are_those_of_the_sources(name: str) -> None:
    """Each function has as many arguments as in C, of the same sizes, and the same result."""
    sources = "\n".join(path.read_text("utf-8") for path in FOLDER.glob("*.c"))
    found = re.search(rf"^static ([\w *]+?){name}\(([^)]*)\)\s*{{", sources, re.MULTILINE)
    assert found, f"found no {name} in C"
    result, arguments = found.groups()
    letters = "".join(letter(declared) for declared in arguments.split(","))
    assert binding.PROTOTYPES[name] == f"{letters} {letter(result)}"
