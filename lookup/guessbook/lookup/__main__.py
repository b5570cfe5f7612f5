"""A hint for scripts on small machines: `python -m guessbook.lookup BOOK GUESS=FEEDBACK ...`."""

from __future__ import annotations

import os
import sys

from guessbook.book.errors import GuessbookError, printable
from guessbook.lookup.opened import open_book

USAGE = """usage: python -m guessbook.lookup BOOK GUESS=FEEDBACK ...
Prints what to guess next.
Exit codes: 0 done, 1 failure, 2 usage, 3 invalid book, 4 inconsistent history."""


def main() -> int:
    """Print the guess for `sys.argv`, and return the exit code."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0].startswith("-"):
        print(USAGE, file=sys.stdout if arguments in (["-h"], ["--help"]) else sys.stderr)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        print(open_book(arguments[0]).hint(arguments[1:]).guess, flush=True)
    except GuessbookError as error:
        print("Error:", printable(error), file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print("Error: cannot write:", error.strerror, file=sys.stderr)
        os._exit(1)  # or Python would try, and complain, once more
    return 0


if __name__ == "__main__":
    sys.exit(main())
