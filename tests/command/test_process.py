"""The command as a process: the modules that it loads, and resources that are missing."""

from __future__ import annotations

import builtins
import os
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.helpers.command import one_line

if TYPE_CHECKING:
    from tests.helpers.command import Run

# Runs the command between two pieces of code from a test.
AND_THEN = """
import runpy, sys
{before}
try:
    runpy.run_module("guessbook", run_name="__main__")
finally:
    {after}
"""


def start(
    *arguments: str, before: str = "", after: str = "pass", **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run `guessbook` in a process of its own, with some code before and after it."""
    code = AND_THEN.format(before=before, after=after)
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


@pytest.mark.parametrize(
    "arguments", ["--help", "--version", "hint RRYG=1,1 BBOO=0,1", "hint RRY=0,1 --book BOOK"]
)
def test_help_and_hints_do_not_load_numpy(arguments: str, book_file: Path) -> None:
    words = [str(book_file) if word == "BOOK" else word for word in arguments.split()]
    done = start(*words, after="print(*sys.modules, file=sys.stderr)")
    loaded = done.stderr.splitlines()[-1].split()
    assert done.returncode == 0
    assert "typer" in loaded
    assert "numpy" not in loaded


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [
        ("typer", "", "cli"),
        ("typer", "hint", "cli"),
        ("typer", "build-book", "build"),
        ("typer", "serve", "serve"),
        ("numpy", "build-book --pegs 2 --colors 2", "build"),
        ("filelock", "build-book --pegs 2 --colors 2", "build"),
        ("starlette", "serve", "serve"),
        ("uvicorn", "serve", "serve"),
    ],
)
def test_missing_package_is_reported_with_its_extra(
    tmp_path: Path, package: str, arguments: str, extra: str
) -> None:
    done = start(*arguments.split(), before=f"sys.modules['{package}'] = None", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f'pip install ".[{extra}]" in a clone, or "WHEEL[{extra}]"' in done.stderr


@pytest.mark.posix
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("info >&-", 1, "not writable"),
        ("info >/dev/full", 1, "No space left"),
        ("info --json >/dev/full", 1, "No space left"),
        ("share RYGB=1,1 >/dev/full", 1, "No space left"),
        ("export --to json -o - >/dev/full", 1, "No space left"),
        ("hint >&-", 1, "not writable"),
        ("hint RYGZ=1,1 >&-", 2, "'Z'"),
        ("hint RYGZ=1,1 <&-", 2, "'Z'"),
        ("hint RYGZ=1,1 2>&-", 2, ""),
        ("hint RYGZ=1,1 2>/dev/full", 2, ""),
        ("info >&- 2>&-", 1, ""),
        ("export --to json -o - | true", 0, ""),
    ],
)
def test_output_that_cannot_be_written_is_reported_in_one_line(
    command: str, code: int, said: str
) -> None:
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    line = f"{shlex.quote(sys.executable)} -m guessbook {command}"
    # By default, the output is buffered.
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.count("\n") == bool(said)
    assert said in done.stderr


def test_python_module_runs_the_command() -> None:
    done = start("hint", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().startswith("Usage: guessbook hint ")


SHORTAGES = [
    (MemoryError(), "not enough memory"),
    (MemoryError("Unable to allocate 3 EiB"), "not enough memory"),
    (RuntimeError("can't start new thread"), "give --jobs a smaller number"),
    (ImportError("libx.so: failed to map segment"), "cannot load a library: libx.so: failed"),
]


def fail_to_open_books(patch: pytest.MonkeyPatch, error: Exception) -> None:
    """Raise an error instead of opening a book."""
    system_open = builtins.open

    def fail(path: Any, *arguments: Any, **options: Any) -> Any:
        if str(path).endswith(".book"):
            raise error
        return system_open(path, *arguments, **options)

    patch.setattr(builtins, "open", fail)


@pytest.mark.parametrize(("error", "said"), SHORTAGES)
def test_lack_of_system_resources_is_reported_in_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    fail_to_open_books(monkeypatch, error)
    assert said in one_line(run("hint"))


def test_operating_system_error_without_a_number_is_reported(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError("Could not find shared object file")

    monkeypatch.setattr(shutil, "get_terminal_size", fail)
    assert "Could not find shared object file" in one_line(run("hint"))


def test_internal_error_keeps_its_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_to_open_books(monkeypatch, RuntimeError("a mistake"))
    with pytest.raises(RuntimeError, match="a mistake"):
        run("hint")


def test_commands_work_without_package_metadata(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", unknown)
    assert run("--version").out == "guessbook (run from its source, not installed)\n"
    assert run("build-book", "--pegs", 2, "--colors", 2, "-o", "a.book").code == 0


def test_command_expands_wildcards_on_windows(tmp_path: Path) -> None:
    (tmp_path / "PYRO").touch()
    windows = "from guessbook.command import games, main, root; import os; os.name = 'nt'"
    done = start("score", "RYGB", "PY*", before=windows, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("1,1\n", "")


# Runs commands where Python finds no home directory. The clock is fast, so that the build writes a
# checkpoint.
HOMELESS = """
import os, pathlib, pwd, runpy, sys, time
def nobody(*_):
    raise KeyError("uid not found")
def nowhere(*_):
    raise RuntimeError("Could not determine home directory.")
pwd.getpwuid = pwd.getpwnam = nobody
pathlib.Path.home = classmethod(nowhere)
pathlib.Path.expanduser = nowhere
os.path.expanduser = lambda path: path
clock = time.monotonic
time.monotonic = lambda: 1000 * clock()
for command in sys.argv[1:]:
    sys.argv = ["guessbook", *command.split()]
    try:
        runpy.run_module("guessbook", run_name="__main__")
    except SystemExit as end:
        print("exit", end.code, command, file=sys.stderr)
"""
COMMANDS = [
    "hint RYGB=1,1",
    "hint RRYG=1,1 BBOO=0,1",
    "candidates RYGB=1,1",
    "explain RYGB=1,1",
    "play --daily",
    "words --length 4",
    "words --length 5 --dictionary list -o words",
    "presets",
    "simulate",
    "verify",
    "export --to python -o hint.py",
    "report -o page.html",
    "build-book --pegs 4 --colors 5 -o a.book --jobs 1",
]


@pytest.mark.posix
def test_commands_work_without_a_home_directory(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("crane\nslate\n")
    found = subprocess.run(
        [sys.executable, "-c", HOMELESS, *COMMANDS],
        input="RYGB\n",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env={"XDG_CACHE_HOME": str(tmp_path / "cache")},
    )
    assert "Traceback" not in found.stderr
    ends = [line for line in found.stderr.splitlines() if line.startswith("exit ")]
    assert ends == [f"exit 0 {command}" for command in COMMANDS], found.stderr
    files = {path.name for path in tmp_path.iterdir()} - {"cache"}
    assert files == {"list", "words", "hint.py", "page.html", "a.book"}
