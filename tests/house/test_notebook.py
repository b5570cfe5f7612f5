"""The notebook for teachers: every cell runs, and prints what the file has."""

from __future__ import annotations

import json

from docs import notebook


def test_the_notebook_is_what_it_prints() -> None:
    """Run from its first cell to its last, it gives the outputs that it is published with."""
    text = notebook.NOTEBOOK.read_text("utf-8")
    due = "docs/tutorials/teaching.ipynb is out of date: run `python docs/notebook.py`"
    assert notebook.text_of(notebook.run(json.loads(text))) == text, due
    assert text.count('"image/svg+xml"') == text.count('"text/html"') == 1
