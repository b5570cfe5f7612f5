"""Errors for scripts: an exit code, and an object of JSON."""

from guessbook.book.errors import (
    GuessbookError,
    InconsistentFeedbackError,
    InvalidBookError,
    UsageError,
)

FAILURE = 1
# The kinds of errors with an exit code of their own; others are a failure.
EXIT_CODES = {UsageError: 2, InvalidBookError: 3, InconsistentFeedbackError: 4}


def exit_code(error: GuessbookError) -> int:
    """Return the exit code of a script or a command that ends with an error.

    >>> exit_code(UsageError("found ...")), exit_code(GuessbookError("no room"))
    (2, 1)
    """
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), FAILURE)


def error_as_json(error: GuessbookError) -> dict[str, object]:
    """Return an error as JSON: its text, its exit code, and the entries to re-check."""
    suspects = error.suspects if isinstance(error, InconsistentFeedbackError) else ()
    return {"error": str(error), "exit_code": exit_code(error), "suspects": list(suspects)}
