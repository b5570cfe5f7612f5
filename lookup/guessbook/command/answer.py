"""The commands that answer from a book: hint and info."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from guessbook.book.book import DEFAULT_BOOK, book_path
from guessbook.command.arguments import AsJson, BookName, BookOption, argument
from guessbook.command.output import print_json
from guessbook.lookup import Book, open_book
from guessbook.lookup.hint import Hint
from guessbook.lookup.patience import patiently


def hint(
    history: Annotated[
        list[str] | None,
        argument(
            "GUESS=FEEDBACK",
            "What was guessed so far and answered, in any order. Feedback is black,white "
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
    answer = patiently("Choosing a guess", lambda: opened.hint(history or []))
    if json:
        print_json(answer)
    else:
        typer.echo(_describe(answer, opened))


def info(book: BookName = DEFAULT_BOOK, json: AsJson = False) -> None:
    """Say what a book is and how good it is.

    Example: guessbook info mastermind-5x8
    """
    # Late, as a hint does without.
    from guessbook.book.facts import facts, table

    path = book_path(book)
    known = facts(open_book(book), path, Path(path).stat().st_size)
    if json:
        print_json(known)
    else:
        typer.echo(table(known, shutil.get_terminal_size().columns))


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
