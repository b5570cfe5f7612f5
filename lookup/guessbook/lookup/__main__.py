"""The command `python -m guessbook.lookup BOOK GUESS=FEEDBACK ...`, for small machines."""

import os
import sys
from io import TextIOWrapper

from guessbook.book.errors import GuessbookError, InvalidBookError, printable
from guessbook.book.games.game import read_history
from guessbook.book.strategy import Strategy, book_path, read_strategy
from guessbook.lookup.hint import hint_for
from guessbook.lookup.json_text import exit_code

USAGE = """usage: python -m guessbook.lookup BOOK GUESS=FEEDBACK ...
Prints the next guess.
Exit codes: 0 done, 1 failure, 2 usage, 3 invalid book, 4 inconsistent history."""


def main() -> int:
    """Print the next guess for the book and the history in `sys.argv`, and return the exit code."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Characters that the encoding of a Windows pipe lacks are printed as escapes.
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:]
    asked = arguments in (["-h"], ["--help"])
    try:
        if not arguments or arguments[0].startswith("-"):
            print(USAGE, file=sys.stdout if asked else sys.stderr, flush=True)
            return 0 if asked else 2
        book = _open(arguments[0])
        game, history = read_history(book.game, arguments[1:])
        print(hint_for(game, None, history, book).guess, flush=True)
    except GuessbookError as error:
        print("Error:", printable(error), file=sys.stderr)
        return exit_code(error)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print("Error: cannot write:", error.strerror, file=sys.stderr)
        return 1
    return 0


def _open(name: str) -> Strategy:
    """Open a book by its name or path. An error for an invalid book starts with its path."""
    try:
        return read_strategy(name)
    except InvalidBookError as error:
        raise InvalidBookError(f"{book_path(name)}: {error}") from error


if __name__ == "__main__":
    # `os._exit` skips Python's cleanup, which takes as long as the hint. The output is already
    # flushed.
    os._exit(main())
