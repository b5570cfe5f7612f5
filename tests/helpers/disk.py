"""The files that an interrupted writer leaves on a disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def unfinished(folder: Path) -> list[Path]:
    """Return the temporary files in a folder."""
    return sorted(folder.glob(".*.guessbook-part"))
