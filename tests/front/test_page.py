"""The page docs/reference/api.md: the front comes first, and its examples run."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from docs.api import FRONT, NAMES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.sources


def front_of(root: Path) -> str:
    """The part of the page that is for users."""
    page = (root / "docs" / "reference" / "api.md").read_text("utf-8")
    front, extend, _ = page.partition("\n## Extend\n")
    assert extend
    return front


def test_the_front_is_told_once(root: Path) -> None:
    """Each name of the front has its place on the page, by what people do."""
    assert sorted(NAMES) == sorted({"open", *gb.__all__})
    lines = front_of(root).splitlines()
    assert [line for line in lines if line.startswith("## ")] == [f"## {each[0]}" for each in FRONT]
    for name in NAMES:
        assert lines.count(f"### gb.{name}") == 1


def test_the_examples_of_the_front_run(root: Path) -> None:
    """What the page shows of the front is what comes out, from its first line to its last."""
    text = front_of(root).replace("```\n", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, "api.md", "api.md", 0)
    assert len(test.examples) > 60
    found = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert found.failed == 0
