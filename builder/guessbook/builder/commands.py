"""The command that builds: build-book."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from guessbook.book.errors import GuessbookError
from guessbook.book.mastermind import MAX_PEGS, Mastermind
from guessbook.book.report import facts, table
from guessbook.builder.build import build, warm_up
from guessbook.builder.limits import check_limits
from guessbook.builder.policy import POLICIES, policy_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["build_book", "check_target", "default_name", "progress_bar"]


def build_book(
    pegs: Annotated[
        int, typer.Option(min=1, max=MAX_PEGS, metavar="N", help="Positions of a code.")
    ] = 4,
    colors: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=36,
            metavar="N",
            help="Symbols to choose from.  [default: 6; 10 if no repeats]",
        ),
    ] = None,
    no_repeats: Annotated[
        bool,
        typer.Option(
            "--no-repeats", help="No symbol occurs twice in a code: Bulls and Cows, Bagels."
        ),
    ] = False,
    symbols: Annotated[
        str | None,
        typer.Option(
            metavar="SYMBOLS",
            help="The symbols, one character each, in the order that breaks ties.",
        ),
    ] = None,
    policy: Annotated[
        str, typer.Option(metavar="NAME", help=f"One of {', '.join(POLICIES)}.")
    ] = "entropy",
    first_guess: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Open with this code, whatever the policy prefers."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Threads.  [default: one for each core]")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write.  [default: GAME-POLICY.book in this folder]",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    stats: Annotated[
        bool, typer.Option("--stats", help="Also say how many guesses were scored.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False,
) -> None:
    """Build the book of a game.

    It holds the policy's guess for every history that can come up. The result depends on the game
    and the policy alone, not on the number of threads.

    Example: guessbook build-book --pegs 4 --colors 6 --policy entropy
    """
    game = Mastermind(pegs, colors or (10 if no_repeats else 6), not no_repeats, symbols)
    policy_named(policy)
    check_limits(game)
    if first_guess is not None:
        first_guess = game.guesses[game.parse_code(first_guess)]
    path = output or Path(default_name(game, policy, first_guess))
    check_target(path, force)

    # Only now, when nothing is left to complain about, the compiler and the kernels.
    with progress_bar() as show:
        show("compiling", 0, 0)
        warm_up(game)
        start = time.perf_counter()
        built = build(game, policy, first_guess, jobs, lambda progress: show(*progress))
        seconds = time.perf_counter() - start
    size = built.book.save(path)
    known = {**facts(built.book, str(path), size), "seconds": seconds}
    if stats:
        known["pairs"] = {str(depth): pairs for depth, pairs in enumerate(built.pairs, 1)}
    typer.echo(dumps(known) if json else table(known, shutil.get_terminal_size().columns))


def default_name(game: Mastermind, policy: str, first_guess: str | None) -> str:
    """The name of a book's file: `mastermind-4x6-entropy.book`, `...-entropy-RRYY.book`.

    >>> default_name(Mastermind(4, 6), "minimax", None)
    'mastermind-4x6-minimax.book'
    """
    name = f"{game.name}-{policy}"
    if first_guess is not None:
        # Symbols are free; some, such as a slash, cannot be in the name of a file.
        plain = first_guess.isascii() and first_guess.isalnum()
        name += f"-{first_guess if plain else game.parse_code(first_guess)}"
    return f"{name}.book"


def check_target(path: Path, force: bool) -> None:
    """Check that a file can be written, before the work for it starts.

    Raises:
        GuessbookError: there is such a file and no `force`, or its folder cannot be written to.
    """
    if path.is_dir():
        raise GuessbookError(f"{path} is a folder, expected a file to write")
    if path.exists() and not force:
        raise GuessbookError(
            f"{path} exists already; overwrite it with --force or choose another file with -o"
        )
    folder = path.parent
    if not folder.is_dir():
        raise GuessbookError(f"there is no folder {folder}; make it or choose another with -o")
    if not os.access(folder, os.W_OK):
        raise GuessbookError(f"the folder {folder} is not writable; choose another with -o")


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A function that shows (stage, done, total) on stderr if that is a terminal, else nowhere."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bars:
        task = bars.add_task("", total=None)
        yield lambda stage, done, total: bars.update(
            task, description=stage, completed=done, total=total or None
        )
