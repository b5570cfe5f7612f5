"""The commands that answer from a book: hint and bot."""

from __future__ import annotations

import sys

from guessbook.book.errors import OUT_OF_MEMORY, GuessbookError, UsageError
from guessbook.book.games.beyond import only_one
from guessbook.book.games.weights import secret_weights
from guessbook.command.arguments import AsJson, BookName, Told, source
from guessbook.command.output import print_json
from guessbook.lookup import Book
from guessbook.lookup.complaint import complaint
from guessbook.lookup.hint import Hint
from guessbook.lookup.patience import patiently
from guessbook.lookup.received import json_from, refuse_constants

# Characters of a line of `bot`.
MAX_LINE = 1 << 16
LEFT = "within the guesses that are left"


def hint(
    told: Told,
    json: AsJson = False,
) -> None:
    """Say what to guess next.

    The answer comes from the book, also where it holds only a mirror image of your history, and is
    computed where it does not. The order of the entries does not matter. Feedback is black,white
    (RYGB=1,1), black,white,grey (RYGB=1,1,2), RYGB=1B1W, pegs as they are drawn (RYGB=BW..), or a
    digit a peg (RYGB=0012: 2 right place, 1 right symbol, 0 neither).

    Example: guessbook hint RYGB=1,1 RGOP=0,2
    """
    found, history = told.source()
    answer = patiently("Choosing a guess", lambda: found.book.hint(history))
    if json:
        print_json(answer)
    else:
        print(_describe(answer, found.book))


def bot(book: BookName = None) -> None:
    """Answer histories from stdin, a line each, until it ends.

    A line is a history, its entries apart by spaces, or a JSON list of them; an empty line is the
    start of a game. For each a line of JSON is printed: what `hint --json` prints, or an error. A
    line of more than 65,536 characters is an error.

    Example: guessbook bot mastermind-4x6
    """
    opened = source(book).book
    while line := sys.stdin.readline(MAX_LINE + 1):
        print_json(_reply(opened, line))
        sys.stdout.flush()


def _reply(book: Book, line: str) -> object:
    """Return the hint for a line of `bot` or the error, and skip the rest of a long line."""
    try:
        if len(line) > MAX_LINE and not line.endswith("\n"):
            while (rest := sys.stdin.readline(MAX_LINE)) and not rest.endswith("\n"):
                pass
            raise UsageError(f"found a line of more than {MAX_LINE:,} characters, expected fewer")
        history: object = line.strip()
        if line.lstrip().startswith("["):
            history = json_from(line, "a JSON list")
            refuse_constants(history)
        return book.hint(history)
    except GuessbookError as error:
        return complaint(error)
    except MemoryError:
        return complaint(GuessbookError(OUT_OF_MEMORY))


def _describe(answer: Hint, book: Book) -> str:
    """A hint in a few short lines: the guess, what remains, the bits, the source, the chance."""
    if answer.solved:
        return f"guess       {answer.guess}\nsolved: this is the secret"
    total, beyond = len(book.game.secrets), ""
    if answer.source == "guesses":
        total, beyond = len(book.game.guesses), ": no secret fits, but other guesses do"
    if answer.remaining == 1:
        note = f", {only_one(book.game, answer.source == 'guesses')}"
    else:
        note = f", {'may' if answer.candidate else 'cannot'} be the secret"
        weighted = secret_weights(book.game) is not None
        note += f": {answer.chance:.2%}" if weighted and answer.candidate else ""
    return "\n".join(
        [
            f"guess       {answer.guess}{note}",
            f"candidates  {answer.remaining:,} of {total:,}",
            f"entropy     {answer.entropy:.4f} bits",
            f"source      {answer.source}{beyond}",
            *([] if answer.win is None else [f"win         {answer.win:.2%} {LEFT}"]),
        ]
    )
