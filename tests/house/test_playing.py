"""Playing, ratings, games and embedding: every transcript is what the commands print now."""

from __future__ import annotations

import doctest
import re
from typing import TYPE_CHECKING

import pytest

from docs import transcripts

if TYPE_CHECKING:
    from pathlib import Path

PLAYING = [transcripts.DOCS / name for name in ("how-to/playing.md", "reference/ratings.md")]
PLAYED = {"solve", "run", "play", "hide", "simulate", "explain", "rate", "review", "share"}


# Their commands take half a minute.
LONG = {"games", "playing", "ratings"}


def shown_there() -> str:
    """Both pages about playing."""
    return "\n".join(page.read_text("utf-8") for page in PLAYING)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] * (path.stem in LONG), id=path.stem)
        for path in transcripts.PAGES
    ],
)
def test_transcripts_are_up_to_date(path: Path) -> None:
    """Every command of the page prints what the page shows."""
    assert transcripts.page(path) == path.read_text("utf-8"), "run `python docs/transcripts.py`"


def test_every_playing_command_is_shown() -> None:
    """The pages about playing have a transcript of each command that plays or looks at a game."""
    commands = re.findall(r"^\$ guessbook (\S+)", shown_there(), re.MULTILINE)
    assert set(commands) >= PLAYED


def test_every_playing_feature_is_shown() -> None:
    """What tests/features.md says of a playing command, its options included, has a transcript."""
    shown = re.findall(r"^\$ guessbook (.*)$", shown_there(), re.MULTILINE)
    features = (transcripts.DOCS.parent / "tests" / "features.md").read_text("utf-8")
    wanted = [span for span in re.findall(r"`([^`]+)`", features) if span.split()[0] in PLAYED]
    assert {span.split()[0] for span in wanted} == PLAYED
    for span in wanted:
        name, *words = span.split()
        lines = [line.split() for line in shown if line.split()[0] == name]
        for option in {word for word in words if word.startswith("-")}:
            assert any(option in line for line in lines), span


def test_a_command_that_fails_is_an_error_of_the_page(tmp_path: Path) -> None:
    """Only a block that is marked so may show a failing command, and it has to fail."""
    wrong, right = "$ guessbook share\n", "$ guessbook share RYGB=1,1\n"
    assert "Error: found no guess" in transcripts.fresh(wrong, tmp_path, " fails")
    for block, mark in ((wrong, ""), (right, " fails")):
        with pytest.raises(RuntimeError, match="guessbook share"):
            transcripts.fresh(block, tmp_path, mark)


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("how-to/playing", 9),
        ("reference/policies", 9),
        ("how-to/numpy", 25),
        ("tutorials/first-hint", 8),
    ],
)
def test_the_python_of_the_page_runs(page: str, least: int) -> None:
    """What a page shows of Python is what it gives."""
    results = doctest.testfile(str(transcripts.DOCS / f"{page}.md"), module_relative=False)
    assert results.attempted >= least
    assert results.failed == 0
