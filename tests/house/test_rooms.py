"""The floor plan holds: no circles, few late imports, few tests of kinds, small rooms."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from guessbook.book.games.registry import KINDS as GAMES
from guessbook.policy.registry import KINDS as POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.sources

ROOT = Path(__file__).resolve().parents[2]
PORTIONS = ("app", "book", "builder", "lookup")
MAX_LATE_IMPORTS = 25
MAX_TESTS_OF_KINDS = 5
MAX_MODULES = 15
MAX_TEST_LINES = 400
MAX_LOOKUP_LINES = 1000
MAX_FUNCTION_LINES = 60
MAX_PARAMETERS = 8
# More code has to make room for itself: look for lines that became superfluous.
MAX_HOUSE_LINES = 24_000
# What an isinstance may ask for.
GAME_NAMES = {kind.game.partition(":")[2] for kind in GAMES.values()}
POLICY_NAMES = {kind.policy.partition(":")[2] for kind in POLICIES.values()} | {"Policy"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# Whoever reads such a docstring has to look elsewhere first.
OPENERS = ("See ", "The same")
# Names of the front that people already use.
PARTICIPLES = {"called", "checked", "contradicted", "listed"}


class Import(NamedTuple):
    """A module that another one imports, where, and whether inside a function."""

    module: str
    line: int
    late: bool


class Source(NamedTuple):
    """A module: its file, its lines, its syntax."""

    path: Path
    lines: list[str]
    tree: ast.Module


@cache
def house() -> dict[str, Source]:
    """Every module of the house by its name; a package by that of its folder."""
    found = {}
    for path in sorted(path for portion in PORTIONS for path in (ROOT / portion).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts[1:]
        text = path.read_text("utf-8")
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = Source(path, text.splitlines(), ast.parse(text))
    return found


def imports(node: ast.AST, late: bool = False, types: bool = False) -> Iterator[Import]:
    """The modules of the house that are imported below a node.

    Args:
        node: the node.
        late: whether it is inside a function.
        types: whether imports count that are for type hints alone.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING" and not types:
            continue
        if isinstance(child, ast.ImportFrom):
            assert not child.level, "imports name their module in full"
            for alias in child.names:
                whole = f"{child.module}.{alias.name}"
                name = whole if whole in house() else child.module or ""
                if name in house():
                    yield Import(name, child.lineno, late)
        elif isinstance(child, ast.Import):
            for alias in child.names:
                if alias.name in house():
                    yield Import(alias.name, child.lineno, late)
        else:
            yield from imports(child, late or isinstance(child, FUNCTIONS), types)


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The sets of more than one module each of which imports all others, some by way of others.

    >>> circles({"a": {"b"}, "b": {"c"}, "c": {"b"}})
    {frozenset({'b', 'c'})}
    """

    def reached(name: str) -> set[str]:
        seen: set[str] = set()
        todo = [name]
        while todo:
            new = graph[todo.pop()] - seen
            seen |= new
            todo += new
        return seen

    below = {name: reached(name) for name in graph}
    return {
        frozenset(other for other in below[name] if name in below[other])
        for name in graph
        if name in below[name]
    }


def questions(names: set[str]) -> list[str]:
    """Where something is asked whether it is of one of these classes."""
    return [
        f"{module}:{call.lineno}"
        for module, source in house().items()
        for call in ast.walk(source.tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("isinstance", "issubclass")
        if names & {getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(call.args[1])}
    ]


def test_no_circle() -> None:
    """No module imports another that needs it, late or for type hints included."""
    assert len(house()) > 100
    graph = {
        name: {found.module for found in imports(source.tree, types=True)} - {name}
        for name, source in house().items()
    }
    assert sum(map(len, graph.values())) > 300
    assert sorted(map(sorted, circles(graph))) == []


def test_circles_are_found() -> None:
    """Circles of two and three modules, apart or side by side, and none where there is none."""
    line = {"a": {"b", "c"}, "b": {"c"}, "c": set[str]()}
    assert circles(line) == set()
    two = {"d": {"e", "a"}, "e": {"d"}}
    three = {"f": {"g", "d"}, "g": {"h"}, "h": {"f", "g"}}
    found = circles(line | two | three)
    assert found == {frozenset("de"), frozenset("fgh")}


def test_late_imports_are_few_and_have_reasons() -> None:
    """An import inside a function says in a comment, there or above it, why it is there."""
    late = {
        (name, found.line)
        for name, source in house().items()
        for found in imports(source.tree)
        if found.late
    }
    assert 0 < len(late) <= MAX_LATE_IMPORTS, sorted(late)
    for name, line in sorted(late):
        above, there = house()[name].lines[line - 2 : line]
        comment = there.partition("#")[2].strip()
        said = above.lstrip().startswith("#") or (comment and not comment.startswith("noqa"))
        assert said, f"{name}:{line} has no reason"


def test_kinds_are_found_by_registries() -> None:
    """Hardly anything asks of which kind a game or a policy is."""
    assert {"Mastermind", "WordGame"} <= GAME_NAMES
    assert {"OneStep", "Rollout", "Lookahead", "Consistent", "Positional"} <= POLICY_NAMES
    for names in (GAME_NAMES, POLICY_NAMES):
        found = questions(names)
        assert len(found) <= MAX_TESTS_OF_KINDS, found


def test_rooms_are_small() -> None:
    """No folder has many modules, and what answers from books has few lines."""
    modules = [source.path for source in house().values() if source.path.name != "__init__.py"]
    assert max(Counter(path.parent for path in modules).values()) <= MAX_MODULES
    answering = [s for name, s in house().items() if f"{name}.".startswith("guessbook.lookup.")]
    assert 100 < sum(len(source.lines) for source in answering) <= MAX_LOOKUP_LINES


def test_functions_are_short() -> None:
    """No function has many lines or parameters."""
    functions = [
        (f"{name}:{node.lineno}", node)
        for name, source in house().items()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert len(functions) > 1000
    # Without the signature: that of a command holds the help of all its options.
    lines = {name: (node.end_lineno or 0) - node.body[0].lineno + 1 for name, node in functions}
    assert {name: many for name, many in lines.items() if many > MAX_FUNCTION_LINES} == {}
    parameters = {
        name: sum(
            part.arg not in ("self", "cls")
            for part in ast.walk(node.args)
            if isinstance(part, ast.arg)
        )
        for name, node in functions
    }
    assert {name: many for name, many in parameters.items() if many > MAX_PARAMETERS} == {}


def test_the_house_stays_small() -> None:
    """The packages have at most 24,000 lines of Python."""
    assert 20_000 < sum(len(source.lines) for source in house().values()) <= MAX_HOUSE_LINES


def test_docstrings_say_themselves_what_a_thing_does() -> None:
    """No docstring opens with a reference to another one."""
    found = [
        (name, text.splitlines()[0])
        for name, source in house().items()
        for node in ast.walk(source.tree)
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node))
    ]
    assert len(found) > 1000
    assert [line for line in found if line[1].startswith(OPENERS)] == []


def test_functions_are_named_by_verbs_and_nouns() -> None:
    """No function has a bare participle as its name; a property may have one, as an adjective."""
    names = [
        node.name
        for source in house().values()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any("property" in ast.unparse(part) for part in node.decorator_list)
    ]
    assert len(names) > 1000
    assert {name for name in names if re.fullmatch("_?[a-z]+ed", name)} == PARTICIPLES


def test_rooms_of_tests_are_small() -> None:
    """No folder of tests has many modules, and no module many lines."""
    modules = sorted((ROOT / "tests").rglob("*.py"))
    assert len(modules) > 100
    assert max(Counter(path.parent for path in modules).values()) <= MAX_MODULES
    long = [path for path in modules if len(path.read_text("utf-8").splitlines()) > MAX_TEST_LINES]
    assert not long


def test_a_name_of_the_helpers_means_one_thing() -> None:
    """No module of tests gives another meaning to a function or class that all may use."""
    shared = {name for path in (ROOT / "tests" / "helpers").glob("*.py") for name in defined(path)}
    assert len(shared) > 50
    shared.remove("main")
    others = (ROOT / "tests").glob("*/**/test_*.py")
    again = {path.relative_to(ROOT).as_posix(): shared & defined(path) for path in sorted(others)}
    assert {path: sorted(names) for path, names in again.items() if names} == {}


def defined(path: Path) -> set[str]:
    """The functions and classes that a module of tests defines for itself or others."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    found = {
        node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, kinds)
    }
    return {name for name in found if not name.startswith("_")}
