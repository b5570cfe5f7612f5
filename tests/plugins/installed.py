"""Packages that add kinds to Guessbook, as if they were installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def install(
    patch: pytest.MonkeyPatch,
    folder: Path,
    group: str,
    entries: dict[str, str],
    package: str = "some-package",
) -> None:
    """Make entry points known to this process: a folder on its path has a package's metadata.

    Args:
        patch: takes the folder off the path again.
        folder: where the metadata goes; it may be new.
        group: of the entry points.
        entries: their names, each with `MODULE:NAME`.
        package: its name.
    """
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    with (info / "entry_points.txt").open("a") as file:
        file.write(f"[{group}]\n")
        file.writelines(f"{name} = {place}\n" for name, place in entries.items())
    patch.syspath_prepend(folder)
