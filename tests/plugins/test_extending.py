"""extending.md: its packages are those of examples/, and work where they are installed."""

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
EXAMPLES = ROOT / "examples"
PAGE = (ROOT / "docs" / "how-to" / "extending.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

# Lines of the modules, as the page is meant to be read at one go.
MOST_LINES = {"plugin_policy": 30, "plugin_game": 60, "plugin_form": 20}


@pytest.mark.parametrize("name", MOST_LINES)
def test_the_page_has_the_packages(name: str) -> None:
    """The page shows or links each module, and shows the entry points; none is long."""
    shown = [text for _, text in BLOCKS]
    files = [path for path in (EXAMPLES / name).iterdir() if path.suffix in {".py", ".toml"}]
    assert len(files) == 2
    for path in files:
        text = path.read_text("utf-8")
        entry_points = text[text.find("[project.entry-points") :]
        linked = f"(../../examples/{name}/{path.name})" in PAGE
        assert text in shown or linked or (path.suffix == ".toml" and entry_points in shown), path
        assert len(text.splitlines()) <= MOST_LINES[name]


@pytest.mark.slow
def test_the_packages_work_where_they_are_installed(tmp_path: Path) -> None:
    """The commands and the Python of the page do what it shows, in a fresh environment."""
    python = environment(tmp_path / "venv")
    for name in MOST_LINES:
        shutil.copytree(EXAMPLES / name, tmp_path / "examples" / name)
    done = []
    for text in [text for language, text in BLOCKS if language == "console"]:
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            output = run(tmp_path, python, shlex.split(command))
            assert expected in output, command
            done.append(command)
    assert len(done) > 5
    (source,) = [text for _, text in BLOCKS if text.startswith(">>>")]
    (tmp_path / "page.txt").write_text(source)
    run(tmp_path, python, ["python", "-m", "doctest", "page.txt"])
    run(tmp_path, python, ["pip", "uninstall", "-q", "-y", "guessbook-last"])
    refused = run(tmp_path, python, ["guessbook", "hint", "race-5-last.book", "abcde=1"], 2)
    assert "found policy 'last' in the book, expected an installed policy" in refused
    assert run(tmp_path, python, ["guessbook", "hint", "race-5-last.book", "edcba=1"])
    run(tmp_path, python, ["pip", "uninstall", "-q", "-y", "guessbook-race"])
    refused = run(tmp_path, python, ["guessbook", "info", "race-5-last.book"], 3)
    assert "unknown game type 'race'" in refused


def environment(folder: Path) -> Path:
    """A fresh environment that sees what is installed in this one; its Python."""
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
    """What a command says, of an environment; pip neither loads nor isolates anything."""
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
