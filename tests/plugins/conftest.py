"""Fixtures that simulate installed plugins."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.plugins.installed import Install

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Install:
    """A function that registers entry points, with metadata in a folder on `sys.path`."""

    def installed(package: str, group: str, **entries: str) -> None:
        info = tmp_path / package / f"{package}-1.0.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        with (info / "entry_points.txt").open("a") as file:
            file.write(f"[guessbook.{group}]\n")
            file.writelines(f"{name} = {place}\n" for name, place in entries.items())
        monkeypatch.syspath_prepend(tmp_path / package)

    return installed


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, install: Install) -> Iterator[None]:
    """Simulate the installation of the plugins in examples/."""
    for kind in ("policy", "game", "form"):
        monkeypatch.syspath_prepend(EXAMPLES / f"plugin_{kind}")
    install("guessbook_game", "games", race="guessbook_race:Race")
    install("guessbook_preset", "presets", derby="guessbook_race:DERBY")
    install("guessbook_policy", "policies", last="guessbook_last:Last")
    install("guessbook_form", "forms", markdown="guessbook_markdown:FORM")
    yield
    for name in [name for name in sys.modules if name.startswith("guessbook_")]:
        del sys.modules[name]
