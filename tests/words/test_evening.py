"""tutorials/wordle.md: an evening of Wordle from nothing, in five commands."""

from __future__ import annotations

import doctest
import re
import shlex
from typing import TYPE_CHECKING

import pytest

from guessbook.book import UsageError
from guessbook.book.games.presets import game_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run


def test_an_evening_of_wordle(root: Path, run: Run) -> None:
    """The commands of the page print what it shows, with the words of this machine."""
    try:
        game_of("wordle")
    except UsageError as error:
        pytest.skip(f"needs words: {error}")
    text = (root / "docs" / "tutorials" / "wordle.md").read_text("utf-8")
    section = text.partition("## Five commands")[2].partition("\n## ")[0]
    install, shown = re.findall(r"^```\w+\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    parts = re.split(r"^\$ guessbook ", shown, flags=re.MULTILINE)[1:]
    assert len(install.splitlines()) + len(parts) == 5
    for part in parts:
        command, _, expected = part.partition("\n")
        found = run(*shlex.split(command))
        same = doctest.OutputChecker().check_output(
            expected, found.out + found.err, doctest.ELLIPSIS
        )
        assert same, f"$ guessbook {command}\n{found.out}{found.err}"
        assert found.code == 0
