"""The commands that answer from a book: hint, info, verify."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from guessbook.book.book import DEFAULT_BOOK, book_path
from guessbook.command.arguments import AsJson, BookName, BookOption
from guessbook.lookup import Book, open_book

if TYPE_CHECKING:
    from guessbook.lookup.hint import Hint

__all__ = ["hint", "info", "verify"]


def hint(
    history: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GUESS=FEEDBACK",
            help="What was guessed so far and answered, in any order. Feedback is black,white "
            "(RYGB=1,1), black,white,grey (RYGB=1,1,2), RYGB=1B1W, or a digit a peg "
            "(RYGB=0012: 2 right place, 1 right symbol, 0 neither).",
        ),
    ] = None,
    book: BookOption = DEFAULT_BOOK,
    json: AsJson = False,
) -> None:
    """Say what to guess next.

    The answer comes from the book, also where it holds only a mirror image of your history, and is
    computed where it does not.

    Example: guessbook hint RYGB=1,1 RGOP=0,2
    """
    opened = open_book(book)
    answer = opened.hint(history or [])
    if json:
        _print_json(answer._asdict())
    else:
        typer.echo(_describe(answer, opened))


def info(book: BookName = DEFAULT_BOOK, json: AsJson = False) -> None:
    """Say what a book is and how good it is.

    Example: guessbook info mastermind-5x8
    """
    import os

    from guessbook.book.facts import facts, table

    path = book_path(book)
    known = facts(open_book(book), path, os.path.getsize(path))  # noqa: PTH202
    if json:
        _print_json(known)
    else:
        typer.echo(table(known, _width()))


def verify(
    book: BookName = DEFAULT_BOOK,
    policy: Annotated[
        bool,
        typer.Option("--policy", help="Also compute every guess of the book again and compare."),
    ] = False,
    json: AsJson = False,
) -> None:
    """Prove a book against every secret.

    The book plays each secret by the rules of its game, and what it says of itself must be what
    comes out. Prints one line a check; the exit code is 1 if any fails.

    Example: guessbook verify mastermind-4x6 --policy
    """
    from guessbook.play.proof import prove

    opened = open_book(book)
    checks = []
    for check in prove(opened, policy):
        checks.append(check._asdict())
        if not json:
            typer.echo(f"{'ok' if check.passed else 'FAILED':<8}{check.name}: {check.found}")
    passed = all(check["passed"] for check in checks)
    if json:
        _print_json({"path": book_path(book), "passed": passed, "checks": checks})
    if not passed:
        raise typer.Exit(1)


def _describe(answer: Hint, book: Book) -> str:
    """A hint in a few short lines: the guess, what remains, the bits, the source."""
    if answer.solved:
        return f"guess       {answer.guess}\nsolved: this is the secret"
    total = len(book.game.secrets)
    if answer.remaining == 1:
        note = ", certain: the only code that fits"
    else:
        note = ", may be the secret" if answer.candidate else ""
    return "\n".join(
        [
            f"guess       {answer.guess}{note}",
            f"candidates  {answer.remaining:,} of {total:,}",
            f"entropy     {answer.entropy:.4f} bits",
            f"source      {answer.source}",
        ]
    )


def _print_json(value: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps(value))


def _width() -> int:
    import shutil

    return shutil.get_terminal_size().columns
