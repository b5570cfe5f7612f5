"""README.md and first-hint.md: every command in them works and prints what they show."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
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
    """The page, where a test asks for no other."""
    return "README.md"


@pytest.fixture
def blocks(root: Path, page: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: (language, text)."""
    return FENCE.findall((root / page).read_text("utf-8"))


def set_up(blocks: list[tuple[str, str]]) -> list[str]:
    """The set-up commands: the blocks of `sh`."""
    return [text.strip() for language, text in blocks if language == "sh"]


def transcript(blocks: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Every `$ guessbook` command of the page with what is shown below it."""
    shown: list[tuple[str, str]] = []
    for language, text in blocks:
        if language == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                shown.append((command, output))
    return shown


def test_readme_has_two_set_up_commands(blocks: list[tuple[str, str]]) -> None:
    """There are exactly two set-up commands, one line each: install and build, install and test."""
    first, second = set_up(blocks)
    assert "\n" not in first + second
    assert first.endswith("guessbook build-book")
    assert '".[build]"' in first
    assert second.endswith("pytest")
    assert '".[test]"' in second


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_shows(blocks: list[tuple[str, str]], tmp_path: Path) -> None:
    """Each `guessbook` command of the page, in order, in one folder (`...` stands for anything)."""
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80"}
    commands = transcript(blocks)
    assert len(commands) >= 3
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


@pytest.mark.parametrize("page", PAGES)
def test_python_examples_of_the_page_run(blocks: list[tuple[str, str]]) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=OPTIONS)
    sources = [text for language, text in blocks if language == "python" and ">>> " in text]
    assert sources
    for source in sources:
        test = parser.get_doctest(source, {}, "README.md", "README.md", 0)
        assert test.examples
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_bot_of_the_readme_prints_what_it_shows(root: Path) -> None:
    blocks = FENCE.findall((root / "README.md").read_text("utf-8"))
    (program,) = [text for language, text in blocks if "import json" in text]
    (output,) = [text for language, text in blocks if language == "text"]
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == output


@pytest.mark.nightly
def test_set_up_commands_work_in_a_fresh_clone(
    blocks: list[tuple[str, str]], root: Path, tmp_path: Path
) -> None:
    """Word for word, in a fresh copy without any environment, both commands succeed."""
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
    assert (copy / "mastermind-4x6-entropy.book").stat().st_size > 1000
    assert "5,722 guesses" in outputs[0]
    assert re.search(r"\d+ passed", outputs[1])
