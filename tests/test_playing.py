"""docs/playing.md: every transcript is what the commands print now."""

from __future__ import annotations

import doctest
import re
from typing import TYPE_CHECKING

import pytest

from docs import transcripts

if TYPE_CHECKING:
    from pathlib import Path


def test_transcripts_are_up_to_date() -> None:
    """Every command of the page prints what the page shows."""
    page = transcripts.PAGE.read_text("utf-8")
    commands = re.findall(r"^\$ guessbook (\S+)", page, re.MULTILINE)
    wanted = {"solve", "run", "play", "hide", "simulate", "explain", "rate", "review", "share"}
    assert wanted <= set(commands)
    assert transcripts.page() == page, "run `python docs/transcripts.py`"


def test_a_command_that_fails_is_an_error_of_the_page(tmp_path: Path) -> None:
    """Only a block that is marked so may show a failing command, and it has to fail."""
    wrong, right = "$ guessbook share\n", "$ guessbook share RYGB=1,1\n"
    assert "Error: found no guess" in transcripts.fresh(wrong, tmp_path, " fails")
    for block, mark in ((wrong, ""), (right, " fails")):
        with pytest.raises(RuntimeError, match="guessbook share"):
            transcripts.fresh(block, tmp_path, mark)


def test_the_python_of_the_page_runs() -> None:
    """The session in Python gives what the page shows."""
    results = doctest.testfile(str(transcripts.PAGE), module_relative=False)
    assert results.attempted > 8
    assert results.failed == 0
