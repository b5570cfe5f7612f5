"""The sections of the command reference, for tests."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def command_sections() -> dict[str, str]:
    """The section of docs/reference/cli.md on each command, by the command's name."""
    text = (DOCS / "reference" / "cli.md").read_text("utf-8")
    parts = re.split(r"^## guessbook (\S+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
