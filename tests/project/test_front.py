"""The public names of `import guessbook as gb`, and the modules that the import loads."""

from __future__ import annotations

import os
import subprocess
import sys
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import pytest

import guessbook as gb

if TYPE_CHECKING:
    from pathlib import Path

NAMES = sorted({"open", *gb.__all__})


def printed_by(code: str, folder: Path | None = None) -> list[str]:
    """Run code in a fresh interpreter, and return the lines that it prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code]
    found = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return found.stdout.splitlines()


def test_public_names_are_documented_and_listed() -> None:
    for name in NAMES:
        value = getattr(gb, name)
        assert value.__doc__, name
        assert getattr(gb, name) is value
        assert name in dir(gb)


def test_unknown_name_raises_attribute_error() -> None:
    wrong = "nonsense"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(gb, wrong)


def test_errors_share_a_base_class() -> None:
    errors = [getattr(gb, name) for name in NAMES if name.endswith("Error")]
    assert len(errors) > 10
    assert all(issubclass(error, gb.GuessbookError) for error in errors)


def test_star_import_gives_all_public_names_except_open() -> None:
    code = (
        "builtin = open\nbefore = {*dir(), 'before'}\nfrom guessbook import *\n"
        "print(*sorted(set(dir()) - before), open is builtin)"
    )
    (line,) = printed_by(code)
    assert line.split() == [name for name in NAMES if name != "open"] + ["True"]


def test_dir_lists_only_public_names() -> None:
    (line,) = printed_by("import guessbook; print(*[n for n in dir(guessbook) if n[0] != '_'])")
    assert line.split() == NAMES


def test_public_names_differ_from_subpackage_names() -> None:
    """Otherwise the import of a subpackage would replace the public name."""
    packages = {module.name for module in iter_modules(gb.__path__)}
    assert {"book", "builder", "lookup", "play"} <= packages
    assert not packages & set(NAMES)


@pytest.mark.slow
def test_mypy_reports_misspelled_names(tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    lines = ["import guessbook as gb", "gb.open().hint()"]
    wrong = ['gb.opne("x")', "gb.open().hnt()", "from guessbook import Nonsense"]
    file.write_text("\n".join([*lines, *wrong]) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(file)]
    found = subprocess.run(command, capture_output=True, text=True)
    errors = [line.split(":")[1] for line in found.stdout.splitlines() if ": error:" in line]
    assert errors == ["3", "4", "5"], found


def test_other_folder_named_guessbook_on_path_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "guessbook" / "data").mkdir(parents=True)
    (tmp_path / "guessbook" / "extra.py").write_text("")
    (tmp_path / "guessbook" / "data" / "mastermind-4x6.book").write_bytes(b"not a book")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r})\n"
        "import importlib.util as u, guessbook as gb; print(gb.open('mastermind-4x6'));"
        "print(u.find_spec('guessbook.extra'))"
    )
    book, module = printed_by(code, tmp_path)
    assert book == "<Book mastermind-4x6 entropy: 1,296 secrets, 1,380 nodes>"
    assert module == "None"


def test_import_loads_only_the_package() -> None:
    code = (
        "import sys\nbefore = set(sys.modules)\nimport guessbook as gb\n"
        "print(*sorted(set(sys.modules) - before))\n"
        "gb.GuessbookError\nprint(*sorted(set(sys.modules) - before))"
    )
    first, second = printed_by(code)
    assert first == "guessbook"
    assert not {"numpy", "typer", "rich", "ctypes"} & set(second.split())


@pytest.mark.parametrize(
    "call",
    [
        'gb.build("mastermind-2x3")',
        'gb.compare(["entropy"], "mastermind-2x3")',
        "gb.open().verify(True)",
    ],
)
def test_error_without_numpy_names_build_extra(call: str) -> None:
    code = (
        "import sys\nsys.modules['numpy'] = None\nimport guessbook as gb\n"
        f"try:\n    {call}\nexcept gb.EngineError as error:\n    print(error)"
    )
    (line,) = printed_by(code)
    assert "numpy is not installed" in line
    assert "[build]" in line
