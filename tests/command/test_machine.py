"""The script around the commands: what it loads, and what a machine lacks, closes or takes away."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from guessbook.builder.build import open_checkpoint
from guessbook.lookup import open_book
from tests.helpers.command import START, Run, one_line


def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """`guessbook` in a process of its own."""
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    return subprocess.Popen(
        [*START, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **options,
    )


LOADED = (
    "import sys\n"
    "from guessbook.command.main import main\n"
    "try:\n    main()\n"
    "except SystemExit as end:\n    code = end.code or 0\n"
    "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    "sys.exit(code)\n"
)


@pytest.mark.parametrize("arguments", ["--help", "--version", "hint RRY=0,1 --book BOOK", "hint"])
def test_light_commands_load_nothing_heavy(arguments: str, book_file: Path) -> None:
    """Help, version and a hint (also a live one) never load numpy."""
    words = [str(book_file) if word == "BOOK" else word for word in arguments.split()]
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=False
    )
    loaded = done.stderr.splitlines()[-1].split()
    assert "typer" in loaded
    assert "numpy" not in loaded


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [
        ("typer", [], "cli"),
        ("typer", ["hint"], "cli"),
        ("typer", ["build-book"], "build"),
        ("typer", ["serve"], "serve"),
        ("numpy", ["build-book", "--pegs", "2", "--colors", "2"], "build"),
        ("filelock", ["build-book", "--pegs", "2", "--colors", "2"], "build"),
        ("starlette", ["serve"], "serve"),
        ("uvicorn", ["serve"], "serve"),
    ],
)
def test_without_a_package_the_script_says_what_to_install(
    tmp_path: Path, package: str, arguments: list[str], extra: str
) -> None:
    """Where a command lacks a package, one line names the extra that has it."""
    code = f"import sys; sys.modules['{package}'] = None\n" + START[2]
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f'pip install ".[{extra}]" in a clone, or "WHEEL[{extra}]"' in done.stderr


def test_a_broken_pipe_is_quiet(book_file: Path) -> None:
    """When the reader has gone, no traceback and no complaint at exit."""
    process = start("info", book_file)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() in (0, 1)


@pytest.mark.posix
@pytest.mark.parametrize(
    ("command", "code", "complaint"),
    [
        ("info >&-", 1, "not writable"),
        ("info >/dev/full", 1, "No space left"),
        ("info --json >/dev/full", 1, "No space left"),
        ("hint >&-", 1, "not writable"),
        ("hint RYGZ=1,1 >&-", 2, "'Z'"),
        ("hint RYGZ=1,1 <&-", 2, "'Z'"),
        ("hint RYGZ=1,1 2>&-", 2, ""),
        ("hint RYGZ=1,1 2>/dev/full", 2, ""),
        ("info >&- 2>&-", 1, ""),
    ],
)
def test_closed_and_full_outputs(command: str, code: int, complaint: str) -> None:
    """Output that cannot be written is one line and exit code 1; an earlier error keeps its own."""
    if "/dev/full" in command and not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("this system has no /dev/full")
    line = f"{shlex.quote(sys.executable)} -c {shlex.quote(START[2])} {command}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.count("\n") == bool(complaint)
    assert complaint in done.stderr


def test_the_module_is_the_command() -> None:
    """`python -m guessbook` is the command, by its own name."""
    command = [sys.executable, "-m", "guessbook", "hint", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().startswith("Usage: guessbook hint ")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "there is not enough memory"),
        (MemoryError("Unable to allocate 3 EiB"), "there is not enough memory"),
        (
            RuntimeError("can't start new thread"),
            "can't start new thread; give --jobs a smaller number",
        ),
        (ImportError("libx.so: failed to map segment"), "cannot load a library: libx.so: failed"),
        (OSError("Could not find shared object file"), "Could not find shared object file"),
    ],
)
def test_what_a_machine_lacks_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    """Too little memory, too few threads, a library that does not load: no traceback."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("guessbook.command.arguments.source", fail)
    assert said in one_line(run("hint"))


def test_our_own_errors_keep_their_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of this program is none of the machine's."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a mistake")

    monkeypatch.setattr("guessbook.command.arguments.source", fail)
    with pytest.raises(RuntimeError, match="a mistake"):
        run("hint")


def test_without_metadata_everything_works(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run from its source, without an installation: a version that says so, and builds."""

    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", unknown)
    assert run("--version").out == "guessbook (run from its source, not installed)\n"
    assert run("build-book", "--pegs", 2, "--colors", 2, "-o", "a.book").code == 0


def test_a_book_that_appears_during_the_build_stays(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What others write while a build runs is not overwritten; with --force it is."""

    def appear(*arguments: Any) -> Any:
        (tmp_path / "a.book").write_bytes(b"theirs")
        return open_checkpoint(*arguments)

    monkeypatch.setattr("guessbook.command.build.open_checkpoint", appear)
    command = ("build-book", "--pegs", 2, "--colors", 2, "-o", "a.book")
    assert "stays as it is" in one_line(run(*command))
    assert (tmp_path / "a.book").read_bytes() == b"theirs"
    assert run(*command, "--force").code == 0
    assert open_book(tmp_path / "a.book").stats.secrets == 4
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


# Takes from Python whatever finds a home, before anything of ours is loaded, and runs commands.
HOMELESS = """
import os, pathlib, pwd, sys
def nobody(*_):
    raise KeyError("uid not found")
def nowhere(*_):
    raise RuntimeError("Could not determine home directory.")
pwd.getpwuid = pwd.getpwnam = nobody
pathlib.Path.home = classmethod(nowhere)
pathlib.Path.expanduser = nowhere
os.path.expanduser = lambda path: path
from guessbook.builder import checkpoint
checkpoint.DELAY = 0.0
from guessbook.command.main import run
for command in sys.argv[1:]:
    sys.argv = ["guessbook", *command.split()]
    print("exit", run(), command, file=sys.stderr)
"""
# The last one keeps compiled kernels, which it is told where, and checkpoints.
AT_HOME_NOWHERE = [
    "hint RYGB=1,1",
    "hint RRYG=1,1 BBOO=0,1",  # is in no book
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
def test_commands_work_without_a_home(tmp_path: Path) -> None:
    """An unknown user without an environment: every command works, checkpoints and locks too."""
    (tmp_path / "list").write_text("crane\nslate\n")
    found = subprocess.run(
        [sys.executable, "-c", HOMELESS, *AT_HOME_NOWHERE],
        input="RYGB\n",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env={"XDG_CACHE_HOME": str(tmp_path / "cache")},
    )
    assert "Traceback" not in found.stderr
    ends = [line for line in found.stderr.splitlines() if line.startswith("exit ")]
    assert ends == [f"exit 0 {command}" for command in AT_HOME_NOWHERE], found.stderr
    files = {path.name for path in tmp_path.iterdir()} - {"cache"}
    assert files == {"list", "words", "hint.py", "page.html", "a.book"}
