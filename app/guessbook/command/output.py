"""Functions that print JSON, text and progress, and that write the files of commands."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from guessbook.book.disk import write_atomically
from guessbook.book.errors import GuessbookError, UsageError, printable
from guessbook.book.games.game import Game
from guessbook.book.summary import plain, table

if TYPE_CHECKING:
    from guessbook.builder.progress import Progress

# Seconds between two lines of progress if stderr is not a terminal.
PAUSE = 10.0


def say(message: str) -> None:
    """Print a message on stderr, so that stdout has only the result of the command."""
    print(printable(message), file=sys.stderr)


def show(found: Any) -> None:
    """Print a list as lines of text, and any other value as JSON."""
    if isinstance(found, list):
        print("\n".join(found))
    else:
        print_json(found)


def facts_table(game: Game, facts: dict[str, Any], screen: TextIO) -> str:
    """Return the facts about a book, such as its policy and results, as a table of text."""
    from guessbook.policy.registry import in_words  # A hint does not need this import.

    claimed = facts.get("claims", {})
    bounds = {"found_at_most": claimed["found_at_most"]} if "found_at_most" in claimed else {}
    policy = in_words({"name": facts["policy"], **facts["options"], **bounds})
    shown = {**facts, "first_guess": game.display_name(facts["first_guess"])}
    return table(shown, policy, shutil.get_terminal_size().columns, screen.encoding)


def show_facts(game: Game, facts: dict[str, Any], json: bool) -> None:
    """Print the facts about a book, such as its policy and results."""
    show(facts if json else [facts_table(game, facts, sys.stdout)])


def print_json(found: Any) -> None:
    """Print a value as JSON, with named tuples as objects."""
    import json

    print(json.dumps(plain(found)))


def check_target(
    path: Path, force: bool, option: str = "-o", json: bool = False, binary: bool = False
) -> None:
    """Raise an error if the file that `option` names must not or cannot be written.

    The path `-` means stdout.
    """
    if str(path) == "-":
        if json:
            raise UsageError(f"--json and {option} - both print to stdout; leave one out")
        if binary and sys.stdout.isatty():
            raise UsageError(
                f"{option} - would write binary data to the terminal; name a file, or use a pipe"
            )
        return
    # Path.exists raises an error if the name is too long; os.path.exists does not.
    exists = os.path.exists(path)  # noqa: PTH110
    if exists and not path.is_file():
        kind = "a folder" if path.is_dir() else "a device or pipe"
        raise GuessbookError(f"{path} is {kind}; choose another path with {option}")
    if exists and not force:
        raise GuessbookError(
            f"{path} already exists; add --force to replace it, or choose another file with {option}"
        )
    # For a symbolic link the target is written, so the folder of the target must be writable.
    target = Path(os.path.realpath(path)) if os.path.islink(path) else path  # noqa: PTH114
    if os.path.islink(target):  # noqa: PTH114
        raise GuessbookError(f"{path} is a symbolic link loop; choose another path with {option}")
    folder = target.parent
    if not folder.is_dir():
        advice = f"create it or choose another with {option}"
        raise GuessbookError(f"there is no folder {folder}; {advice}")
    if not os.access(folder, os.W_OK):
        raise GuessbookError(f"the folder {folder} is not writable; choose another with {option}")


def write(path: Path, data: bytes, force: bool) -> bool:
    """Write data to a file, or to stdout if the path is `-`; return whether a file was written."""
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return False
    write_atomically(path, data, force)
    return True


def deliver(text: str, path: Path, known: dict[str, str], force: bool, json: bool) -> None:
    """Write `text` to a file, and print the path and the size of the file.

    With `json`, the facts in `known` are also printed. If the path is `-`, print only the text.
    """
    data = text.encode()
    if write(path, data, force):
        found = {"path": str(path), **known, "bytes": len(data)}
        show(found if json else [f"{printable(path)}  {len(data):,} bytes"])


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows progress on stderr: a bar in a terminal, lines in a pipe.

    With `quiet`, the function shows nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield (lambda progress: None) if quiet else lines()
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(bar_width=None),
        bars.TaskProgressColumn(),
        # rich's own estimate of the time left would count work of an earlier run as work of this
        # run.
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
    """Return a function that prints progress as a line on stderr, at most once every 10 seconds."""
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
    """Yield a function that shows how many of `total` steps are done; None outside a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars
    from rich.console import Console

    with bars.Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def duration(seconds: float) -> str:
    """Return a number of seconds as minutes and seconds, with hours if needed: 0:07 or 27:46:40."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
