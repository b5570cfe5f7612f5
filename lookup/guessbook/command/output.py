"""The output of commands: JSON, lines, progress, and checks of the files to write."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from guessbook.book.errors import GuessbookError, UsageError, printable
from guessbook.book.file.disk import write_atomically
from guessbook.book.summary import plain

if TYPE_CHECKING:
    from guessbook.builder.growth.progress import Progress

# Seconds between two lines where stderr is no terminal.
PAUSE = 10.0


def say(message: str) -> None:
    """A line for people, on stderr: stdout may be JSON."""
    print(printable(message), file=sys.stderr)


def show(found: Any) -> None:
    """Print lines as they are, and anything else as JSON."""
    if isinstance(found, list):
        print("\n".join(found))
    else:
        print_json(found)


def print_json(found: Any) -> None:
    """Print a value as JSON, its named tuples as maps."""
    import json

    print(json.dumps(plain(found)))


def check_target(
    path: Path, force: bool, option: str = "-o", json: bool = False, binary: bool = False
) -> None:
    """Check that a file can be written, before the work for it starts; `-` is stdout.

    Args:
        path: the file.
        force: whether an existing file may be overwritten.
        option: the option that names it, for the messages.
        json: whether JSON is to be printed.
        binary: whether the output is binary.

    Raises:
        UsageError: the file is stdout, but JSON goes there too, or binary data to a terminal.
        GuessbookError: the file exists and not `force`, or its folder is not writable.
    """
    if str(path) == "-":
        if json:
            both = f"found --json and {option} -, which both print"
            raise UsageError(f"{both}; leave one of them out or name a file")
        if binary and sys.stdout.isatty():
            raise UsageError(
                f"found {option} - and a terminal, expected a file or a pipe: a book is no text"
            )
        return
    # os.path, as Path raises where a name is too long.
    exists = os.path.exists(path)  # noqa: PTH110
    if exists and path.is_dir():
        raise GuessbookError(f"{path} is a folder, expected a file to write")
    if exists and not path.is_file():
        raise GuessbookError(f"{path} is no regular file, expected a file to write")
    if exists and not force:
        raise GuessbookError(
            f"{path} exists already; overwrite it with --force or choose another file with {option}"
        )
    folder = path.parent
    if os.path.islink(path):  # noqa: PTH114
        # The file that it leads to is written, in the folder of that file.
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise GuessbookError(f"{path} is a symbolic link loop, expected a file to write")
        folder = target.parent
    if not folder.is_dir():
        raise GuessbookError(
            f"there is no folder {folder}; make it or choose another with {option}"
        )
    if not os.access(folder, os.W_OK):
        raise GuessbookError(f"the folder {folder} is not writable; choose another with {option}")


def write(path: Path, data: bytes, force: bool) -> bool:
    """Write a file, or stdout if that is what `-` asks for; whether it was a file.

    Raises:
        GuessbookError: the file cannot be written, or has appeared since `check_target` and there
            is no `force`.
    """
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return False
    write_atomically(path, data, force)
    return True


def deliver(text: str, output: str, known: dict[str, str], force: bool, json: bool) -> None:
    """Write a text to a file and say so, or print it if that is what `-` asks for.

    Args:
        text: the text.
        output: the path of the file, or `-`.
        known: what `--json` says besides the path and the size in bytes.
        force: whether a file that has appeared since `check_target` may be overwritten.
        json: whether to say it in JSON.

    Raises:
        GuessbookError: the file cannot be written.
    """
    data = text.encode()
    if not write(Path(output), data, force):
        return
    path = str(Path(output))
    found = {"path": path, **known, "bytes": len(data)}
    show(found if json else [f"{printable(path)}  {len(data):,} bytes"])


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """A function that shows progress on stderr: a bar on a terminal, else a line now and then."""
    if quiet or not sys.stderr.isatty():
        yield (lambda progress: None) if quiet else lines()
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(bar_width=None),
        bars.TaskProgressColumn(),
        # Our own: rich would take what was found on disk for the work of a moment.
        bars.TextColumn("{task.fields[left]}"),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        task = bar.add_task("", total=None, left="")

        def show(progress: Progress) -> None:
            stage, done, total, seconds = progress
            left = "" if seconds is None else f"{duration(seconds)} left"
            bar.update(task, description=stage, completed=done, total=total or None, left=left)

        yield show


def lines(clock: Callable[[], float] = time.monotonic) -> Callable[[Progress], None]:
    """Return a function that writes progress as a line on stderr, but not more often than `PAUSE`.

    Args:
        clock: tells the time in seconds.
    """
    last = clock()

    def show(progress: Progress) -> None:
        nonlocal last
        stage, done, total, seconds = progress
        if clock() - last >= PAUSE:
            last = clock()
            part = f", {done / total:.0%} done" if total else ""
            say(f"{stage}{part}" + (f", {duration(seconds)} left" if seconds is not None else ""))

    return show


@contextmanager
def counting_bar(what: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """Show on stderr how many of `total` are done, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars
    from rich.console import Console

    with bars.Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def duration(seconds: float) -> str:
    """A time as people read it.

    >>> duration(7.4), duration(432), duration(100_000)
    ('0:07', '7:12', '27:46:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
