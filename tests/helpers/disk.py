"""What writers leave on a disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.file.disk import UNFINISHED

if TYPE_CHECKING:
    from pathlib import Path


def unfinished(folder: Path) -> list[Path]:
    """The temporary files that are left in a folder."""
    return sorted(folder.glob(f".*{UNFINISHED}"))
