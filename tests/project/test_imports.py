"""Modules have no circular imports; `lint-imports` checks the layers."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.sources


def modules(root: Path) -> dict[str, ast.Module]:
    """The syntax tree of every module of the package, by its name."""
    found = {}
    for folder in root.glob("*/guessbook"):
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            name = ".".join(parts).removesuffix(".__init__")
            found[name] = ast.parse(path.read_text("utf-8"))
    return found


def imports(tree: ast.Module, names: set[str]) -> Iterator[str]:
    """Yield those of `names` that a module imports, also inside functions and for type hints."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from names & {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in names or node.module in names:
                    yield whole if whole in names else str(node.module)


def test_modules_have_no_circular_imports(root: Path) -> None:
    found = modules(root)
    graph = {
        name: set(imports(tree, set(found))) - {name, "guessbook"} for name, tree in found.items()
    }
    assert len(graph) > 50
    assert sum(map(len, graph.values())) > 150
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"these modules import each other: {' -> '.join(error.args[1])}")
