"""The commands that answer from a book: hint and info."""

from __future__ import annotations

import shutil
import sys

from guessbook.book.errors import GuessbookError, UsageError, complaint, shown
from guessbook.book.facts import file_facts, table
from guessbook.book.games.beyond import only_one
from guessbook.command.arguments import AsJson, BookName, Told, entry, source
from guessbook.command.output import print_json
from guessbook.lookup import Book
from guessbook.lookup.hint import Hint
from guessbook.lookup.patience import patiently
from guessbook.lookup.suggestion import suggestion


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
    known = suggestion(found.book, history, answer)
    if json:
        print_json(known)
    else:
        print(_describe(answer, found.book, known.chance))


def bot(book: BookName = None) -> None:
    """Answer histories from stdin, a line each, until it ends.

    A line is a history, its entries apart by spaces, or a JSON list of them; an empty line is the
    start of a game. For each a line of JSON is printed: what `hint --json` prints, or an error.

    Example: guessbook bot mastermind-4x6
    """
    import json  # late, as a hint does without

    opened = source(book).book
    for text in sys.stdin:
        entries = text.split()
        try:
            if text.lstrip().startswith("["):
                entries = [entry(e) if isinstance(e, str) else e for e in json.loads(text)]
            print_json(suggestion(opened, entries, opened.hint(entries)))
        except json.JSONDecodeError:
            print_json(complaint(UsageError(f"found {shown(text.strip())}, expected a JSON list")))
        except GuessbookError as error:
            print_json(complaint(error))
        sys.stdout.flush()


def info(book: BookName = None, json: AsJson = False) -> None:
    """Say what a book is and how good it is.

    Example: guessbook info mastermind-5x8
    """
    known = file_facts(*source(book))
    if json:
        print_json(known)
    else:
        print(table(known, shutil.get_terminal_size().columns))


def _describe(answer: Hint, book: Book, chance: float | None = None) -> str:
    """A hint in a few short lines: the guess, what remains, the bits, the source."""
    if answer.solved:
        return f"guess       {answer.guess}\nsolved: this is the secret"
    total, beyond = len(book.game.secrets), ""
    if answer.source == "wider":
        total, beyond = len(book.game.guesses), ": no secret fits, but other guesses do"
    if answer.remaining == 1:
        note = f", {only_one(book.game, answer.source == 'wider')}"
    else:
        note = f", {'may' if answer.candidate else 'cannot'} be the secret"
        note += f": {chance:.2%}" if chance else ""
    return "\n".join(
        [
            f"guess       {answer.guess}{note}",
            f"candidates  {answer.remaining:,} of {total:,}",
            f"entropy     {answer.entropy:.4f} bits",
            f"source      {answer.source}{beyond}",
        ]
    )
