"""Whole lists of words. They are not in this repository; tests are skipped without them."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "words"


def whole_lists(length: int) -> tuple[list[str], list[str]]:
    """Return the secrets and the guesses of a length; skip the test if the lists are missing."""
    names = (f"{length}-answers", f"{length}-guesses")
    if length == 5:
        names = ("wordle-answers-2315", "wordle-guesses-12972")
    files = [FOLDER / f"{name}.txt" for name in names]
    if not all(file.is_file() for file in files):
        pytest.skip(f"needs the word lists of {length} letters in ../shared/words")
    secrets, guesses = (file.read_text("utf-8").split() for file in files)
    return secrets, guesses
