"""The front: what `import guessbook as gb` gives, and what it costs."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

import guessbook as gb
from guessbook.book import errors

NAMES = sorted({"open", *gb.__all__})
FRONT = Path(inspect.getfile(gb))


def test_every_name_is_there() -> None:
    """Each name is listed by dir, has a docstring, and is remembered; others are no names."""
    assert set(NAMES) <= set(dir(gb))
    for name in NAMES:
        value = getattr(gb, name)
        assert getattr(gb, name) is value
        assert value.__doc__
    wrong = "nonsense"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(gb, wrong)


@pytest.mark.parametrize("wrong", ['gb.opne("x")', "gb.Nonsense", "gb._HOMES"])
def test_a_typo_is_an_error_for_mypy(wrong: str, tmp_path: Path) -> None:
    """Type checkers know the names of the front, and no others."""
    file = tmp_path / "script.py"
    file.write_text(f"import guessbook as gb\n\ngb.open().hint()\n{wrong}\n")
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", file],
        capture_output=True,
        text=True,
    )
    assert "script.py:4: error: Module has no attribute" in found.stdout, found
    assert "Found 1 error" in found.stdout


def test_a_folder_on_the_path_is_never_joined(tmp_path: Path) -> None:
    """A folder `guessbook` where somebody works adds no module and hides no shipped book."""
    (tmp_path / "guessbook" / "data").mkdir(parents=True)
    (tmp_path / "guessbook" / "extra.py").write_text("")
    (tmp_path / "guessbook" / "data" / "mastermind-4x6.book").write_bytes(b"not a book")
    code = (
        "import importlib.util as u, guessbook as gb; print(gb.open('mastermind-4x6'));"
        "print(u.find_spec('guessbook.extra'))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    book, module = found.stdout.splitlines()
    assert book == "<Book mastermind-4x6 entropy: 1,296 secrets, 1,380 nodes>"
    assert module == "None"


def printed_by(code: str) -> list[str]:
    """The lines that a fresh interpreter prints when it runs some code."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return found.stdout.splitlines()


def test_no_other_name_is_public() -> None:
    """A fresh import lists the names and no others; `import *` gives all but `open`."""
    code = (
        "import sys\nsys.path.insert(0, 5)\nimport guessbook as gb\n"
        "print(*[name for name in dir(gb) if name[0] != '_'])\n"
        "builtin = open\nbefore = set(dir())\nfrom guessbook import *\n"
        "print(*sorted(set(dir()) - before - {'before'}), open is builtin)"
    )
    first, second = printed_by(code)
    assert first.split() == NAMES
    assert second.split() == [name for name in NAMES if name != "open"] + ["True"]


def test_no_name_is_that_of_a_package() -> None:
    """The import system would replace the name by the package once that is imported."""
    packages = {module.name for module in iter_modules(gb.__path__)}
    assert {"book", "builder", "lookup", "policy"} <= packages
    assert not packages & set(NAMES)


def test_type_checkers_see_the_same_names() -> None:
    """What is imported for mypy and editors comes from where it is loaded from."""
    tree = ast.parse(FRONT.read_text("utf-8"))
    typed = [node for node in tree.body if isinstance(node, ast.If)][-1]
    found = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in typed.body
        if isinstance(node, ast.ImportFrom) and node.module != "typing"
        for alias in node.names
    }
    found["open"] = found.pop("_open_book")
    assert found == {name: f"{_value(name).__module__}.{_value(name).__name__}" for name in NAMES}


def _value(name: str) -> Any:
    return getattr(gb, name)


def test_the_import_loads_nothing_else() -> None:
    """`import guessbook` loads one module; a name loads its home when it is touched."""
    code = (
        "import os.path, sys\nbefore = set(sys.modules)\nimport guessbook as gb\n"
        "print(*sorted(set(sys.modules) - before))\n"
        "gb.GuessbookError\nprint(*sorted(set(sys.modules) - before))"
    )
    first, second = printed_by(code)
    assert first == "guessbook"
    assert "guessbook.book.errors" in second.split()
    assert "guessbook.lookup" not in second.split()


@pytest.mark.parametrize(
    "call",
    [
        'gb.build("mastermind-2x3")',
        'gb.compare(["entropy"], "mastermind-2x3")',
        "gb.open().verify(True)",
    ],
)
def test_without_the_extra_build(call: str) -> None:
    """Where numpy is not installed, what builds says what to install, in one line."""
    code = (
        "import sys\nsys.modules['numpy'] = None\nimport guessbook as gb\n"
        f"try:\n    {call}\nexcept gb.EngineError as error:\n    print(error)"
    )
    (line,) = printed_by(code)
    assert line.startswith("numpy is not installed; get it with: pip install")


def test_all_errors_have_one_base() -> None:
    """Every error of Guessbook is a GuessbookError, and the front has those that people catch."""
    kinds = [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, Exception)
    ]
    assert len(kinds) > 10
    assert all(issubclass(kind, gb.GuessbookError) for kind in kinds)
    assert not any(hasattr(kind("x"), "exit_code") for kind in kinds)
    front = {getattr(gb, name) for name in NAMES if name.endswith("Error")}
    assert front <= set(kinds)
    assert len(front) >= 9
