"""The whole lists of words: they are not of this repository, so tests that need them may skip."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "words"


def whole_lists(length: int) -> tuple[list[str], list[str]]:
    """The secrets and the guesses of that length in ../shared/words; skips the test without."""
    names = (f"{length}-answers", f"{length}-guesses")
    if length == 5:
        names = ("wordle-answers-2315", "wordle-guesses-12972")
    files = [FOLDER / f"{name}.txt" for name in names]
    if not all(file.is_file() for file in files):
        pytest.skip(f"needs word lists: those of {length} letters are not in ../shared/words")
    secrets, guesses = (file.read_text("utf-8").split() for file in files)
    return secrets, guesses
