"""The list of features: every line names a test that exists."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import pytest

from guessbook.export.published import FILE
from guessbook.policy.registry import KINDS

if TYPE_CHECKING:
    from pathlib import Path


def test_every_feature_has_a_test(root: Path) -> None:
    """Each row of tests/features.md ends with a test, and there is such a test."""
    text = (root / "tests" / "features.md").read_text("utf-8")
    rows = [row for row in text.splitlines() if row.startswith("|") and "---" not in row]
    rows = [row for row in rows if not row.startswith("| feature |")]
    assert len(rows) > 30
    for row in rows:
        found = re.search(r"\| `([\w/]+\.py)::(\w+)` \|$", row)
        assert found, row
        source = (root / "tests" / found[1]).read_text("utf-8")
        assert f"\ndef {found[2]}(" in source, row


@pytest.mark.parametrize("name", KINDS)
def test_every_policy_is_described(root: Path, name: str) -> None:
    """Each policy has its row in docs/reference/policies.md."""
    assert f"| `{name}` |" in (root / "docs" / "reference" / "policies.md").read_text("utf-8")


def test_published_results_are_cited(root: Path) -> None:
    """The published results that docs/reference/policies.md cites are those of the literature."""
    text = (root / "docs" / "reference" / "policies.md").read_text("utf-8")
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 12
    for row in rows:
        assert f"{int(row['total_guesses']):,}" in text, row
