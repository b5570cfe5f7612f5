"""Run docs/tutorials/teaching.ipynb, and update its outputs.

A test in tests/project/test_docs.py fails if the outputs are out of date.

    python docs/notebook.py
"""

from __future__ import annotations

import ast
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().parent / "tutorials" / "teaching.ipynb"


def main() -> None:
    """Write the notebook with its current outputs."""
    NOTEBOOK.write_text(text_of(run(json.loads(NOTEBOOK.read_text("utf-8")))), "utf-8")


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """Run the cells in order in one namespace, and return the notebook with their outputs."""
    names: dict[str, Any] = {}
    cells = []
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            outputs = outputs_of("".join(cell["source"]), names, number)
            cell = {**cell, "execution_count": number, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}


def outputs_of(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; return its printed text and the value of its last line as outputs."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = StringIO(), None
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        shown = {"execution_count": number, "metadata": {}, "output_type": "execute_result"}
        outputs.append({"data": _shown(value), **shown})
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    """A value as a notebook shows it: as SVG or HTML if it can be, otherwise as text."""
    forms = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}
    found = {form: getattr(value, name)() for form, name in forms.items() if hasattr(value, name)}
    rich = {form: text.splitlines(keepends=True) for form, text in found.items() if text}
    return rich or {"text/plain": [repr(value)]}


def text_of(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    main()
