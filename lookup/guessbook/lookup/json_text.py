"""JSON for scripts: refuse malformed, deep or long input in one line, and report errors."""

from typing import Any

from guessbook.book.errors import GuessbookError, InconsistentFeedbackError, InvalidBookError, UsageError, quote

# More than enough: a body holds a history, which holds pairs, guesses and parts of labels.
MAX_DEPTH = 8

FAILURE = 1
# The kinds of errors with an exit code of their own; others are a failure.
EXIT_CODES = {UsageError: 2, InvalidBookError: 3, InconsistentFeedbackError: 4}


def exit_code(error: GuessbookError) -> int:
    """Return the exit code of a script or a command that ends with an error."""
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), FAILURE)


def error_as_json(error: GuessbookError) -> dict[str, object]:
    """Return an error as JSON: its text, its exit code, and the entries to re-check."""
    suspects = error.suspects if isinstance(error, InconsistentFeedbackError) else ()
    return {"error": str(error), "exit_code": exit_code(error), "suspects": list(suspects)}


def as_json(value: object) -> str:
    """Return a value of JSON for a message: shortened, with constants as JSON writes them."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return quote(value)


def json_from(text: str, expected: str) -> Any:
    """Read JSON that a script sent; `expected` completes the message of an error.

    Raises UsageError if the text is not JSON, is nested more than `MAX_DEPTH` deep, or holds a
    number of more digits than Python reads.
    """
    import json  # late, as a hint does not need it

    deep = f"found lists nested more than {MAX_DEPTH} deep, expected {expected}"
    try:
        found = json.loads(text)
    except RecursionError:
        raise UsageError(deep) from None
    except json.JSONDecodeError:
        raise UsageError(f"found {quote(text.strip())}, expected {expected}") from None
    except ValueError:
        raise UsageError(f"found a number of too many digits, expected {expected}") from None
    if _is_deep(found, MAX_DEPTH):
        raise UsageError(deep)
    return found


def refuse_constants(value: object) -> None:
    """Raise UsageError for null, true or false anywhere in a history or a guess of JSON."""
    if value is None or isinstance(value, bool):
        raise UsageError(f"found {as_json(value)}, expected guesses and feedbacks as text")
    for item in value if isinstance(value, list) else ():
        refuse_constants(item)


def _is_deep(value: object, levels: int) -> bool:
    """Return whether lists and objects are nested in a value more than `levels` deep."""
    if not isinstance(value, (list, dict)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deep(item, levels - 1) for item in inner)
