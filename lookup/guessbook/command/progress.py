"""What long work tells people on stderr: a bar on a terminal, else the odd line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from guessbook.command.output import say

if TYPE_CHECKING:
    from guessbook.builder.growth.progress import Progress

# Seconds between two lines where stderr is no terminal.
PAUSE = 10.0


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
