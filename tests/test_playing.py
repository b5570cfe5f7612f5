"""docs/playing.md: every transcript is what the commands print now."""

from __future__ import annotations

import doctest
import re

from docs import transcripts


def test_transcripts_are_up_to_date() -> None:
    """Every command of the page prints what the page shows."""
    page = transcripts.PAGE.read_text("utf-8")
    commands = re.findall(r"^\$ guessbook (\S+)", page, re.MULTILINE)
    wanted = {"solve", "run", "play", "hide", "simulate", "explain", "rate", "review", "share"}
    assert wanted <= set(commands)
    assert transcripts.page() == page, "run `python docs/transcripts.py`"


def test_the_python_of_the_page_runs() -> None:
    """The session in Python gives what the page shows."""
    results = doctest.testfile(str(transcripts.PAGE), module_relative=False)
    assert results.attempted > 8
    assert results.failed == 0
