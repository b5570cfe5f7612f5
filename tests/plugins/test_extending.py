"""docs/how-to/extending.md shows the plugins in examples/, which work once installed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["plugin_policy", "plugin_game", "plugin_form"]
PAGE = (ROOT / "docs" / "how-to" / "extending.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PACKAGES)
def test_page_shows_or_links_every_example_file(name: str) -> None:
    shown = [text for _, text in BLOCKS]
    files = [
        path for path in (ROOT / "examples" / name).iterdir() if path.suffix in {".py", ".toml"}
    ]
    assert len(files) == 2
    for path in files:
        text = path.read_text("utf-8")
        entry_points = text[text.find("[project.entry-points") :]
        linked = f"(../../examples/{name}/{path.name})" in PAGE
        assert text in shown or linked or (path.suffix == ".toml" and entry_points in shown), path


def environment(folder: Path) -> Path:
    """Make a virtual environment that sees the packages of this one; return its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    purelib = "import sysconfig; print(sysconfig.get_path('purelib'))"
    found = subprocess.run(
        [str(python), "-c", purelib], capture_output=True, text=True, check=True
    ).stdout
    installed = [path for path in sys.path if Path(path).is_dir() and Path(path) != ROOT]
    (Path(found.strip()) / "others.pth").write_text("\n".join(installed))
    return python


def run(folder: Path, python: Path, command: list[str], code: int = 0) -> str:
    """Run a command in an environment, and return its output; pip installs without downloads."""
    program, *rest = command
    arguments = rest if program == "python" else ["-m", program, *rest]
    if rest[:1] == ["install"]:
        arguments[3:3] = ["--quiet", "--no-deps", "--no-build-isolation"]
    private = ("PYTHON", "PYTEST", "VIRTUAL_ENV", "PIP_", "GUESSBOOK")
    result = subprocess.run(
        [str(python), *arguments],
        cwd=folder,
        env={key: value for key, value in os.environ.items() if not key.startswith(private)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == code, (command, result.stdout, result.stderr)
    return result.stdout + result.stderr


@pytest.mark.slow
def test_example_plugins_work_when_installed(tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")
    for name in PACKAGES:
        shutil.copytree(ROOT / "examples" / name, tmp_path / "examples" / name)
    done = 0
    for text in [text for language, text in BLOCKS if language == "console"]:
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            assert expected in run(tmp_path, python, shlex.split(command)), command
            done += 1
    assert done > 5
    (source,) = [text for _, text in BLOCKS if text.startswith(">>>")]
    (tmp_path / "page.txt").write_text(source)
    run(tmp_path, python, ["python", "-m", "doctest", "page.txt"])
    book = "race-5-last.book"
    run(tmp_path, python, ["pip", "uninstall", "-q", "-y", "guessbook-last"])
    assert "'last'" in run(tmp_path, python, ["guessbook", "hint", book, "abcde=1"], 2)
    assert run(tmp_path, python, ["guessbook", "hint", book, "edcba=1"])
    run(tmp_path, python, ["pip", "uninstall", "-q", "-y", "guessbook-race"])
    assert "'race'" in run(tmp_path, python, ["guessbook", "info", book], 3)
