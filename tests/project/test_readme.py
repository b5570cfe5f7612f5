"""The commands in README.md and first-hint.md work and print what the pages show."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "*_cache", "__pycache__", ".hypothesis")


PAGES = ["README.md", "docs/tutorials/first-hint.md"]


@pytest.fixture
def page() -> str:
    """The default page of tests that are not parametrized."""
    return "README.md"


@pytest.fixture
def blocks(root: Path, page: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: (language, text)."""
    return FENCE.findall((root / page).read_text("utf-8"))


def set_up(blocks: list[tuple[str, str]]) -> list[str]:
    """The set-up commands, which are the `sh` blocks."""
    return [text.strip() for language, text in blocks if language == "sh"]


def transcript(blocks: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each `$` command of the page with the output shown below it."""
    shown: list[tuple[str, str]] = []
    for language, text in blocks:
        if language == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                shown.append((command, output))
    return shown


def test_readme_has_two_set_up_commands(blocks: list[tuple[str, str]]) -> None:
    """The first installs, builds a book and asks for a hint; the second runs the tests."""
    first, second = set_up(blocks)
    assert "\n" not in first + second
    assert '".[build,words]"' in first
    built = re.search(r"guessbook build-book -o (\S+\.book) && guessbook hint (\S+) \S+", first)
    assert built
    assert built[1] == built[2], "the hint reads another book"
    assert second.endswith("pytest")
    assert '".[test]"' in second


@pytest.mark.parametrize("page", PAGES)
def test_page_commands_print_shown_output(blocks: list[tuple[str, str]], tmp_path: Path) -> None:
    """Run the commands in order in one folder; `...` matches any output."""
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80"}
    commands = transcript(blocks)
    assert len(commands) >= 2
    for command, expected in commands:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        same = doctest.OutputChecker().check_output(expected, done.stdout, OPTIONS)
        assert same, f"$ {command}\n{done.stdout}"
        assert bool(done.returncode) == expected.startswith("Error"), command


def test_readme_is_short(root: Path) -> None:
    assert len((root / "README.md").read_text("utf-8").splitlines()) <= 100


@pytest.mark.nightly
def test_set_up_commands_work_in_a_fresh_clone(
    blocks: list[tuple[str, str]], root: Path, tmp_path: Path
) -> None:
    """Both commands succeed unchanged in a copy without a virtual environment."""
    copy = tmp_path / "guessbook"
    shutil.copytree(root, copy, ignore=LEFT_OUT)
    for stray in copy.glob("*.book"):
        stray.unlink()
    private = ("PYTHON", "PYTEST", "VIRTUAL_ENV")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(private)}
    outputs = []
    for command in set_up(blocks):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        outputs.append(done.stdout)
    assert (copy / "my.book").stat().st_size > 1000
    assert "5,722 guesses" in outputs[0]
    assert re.search(r"^guess +PYYG,", outputs[0], re.MULTILINE)
    assert re.search(r"\d+ passed", outputs[1])
