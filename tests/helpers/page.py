"""The script of an exported page in Node, which needs a tenth of the time of a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    import guessbook as gb

HARNESS = Path(__file__).with_suffix(".mjs")


def answers_of_page(book: gb.Book, histories: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the hint of the page for each history, or the name of its error, {"error": NAME}."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    asked = json.dumps([str(book.export("html")), histories])
    command = ["node", str(HARNESS)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers
