"""JSON for scripts: parse input, with a one-line error for malformed input, and write errors as JSON."""

from typing import Any

from guessbook.book.errors import GuessbookError, InconsistentFeedbackError, InvalidBookError, UsageError, quote

# Valid input needs fewer levels: a request contains a history, which contains pairs, guesses and parts of labels.
MAX_DEPTH = 8

FAILURE = 1
# The exit codes of some errors. Every other error exits with FAILURE.
EXIT_CODES = {UsageError: 2, InvalidBookError: 3, InconsistentFeedbackError: 4}


def exit_code(error: GuessbookError) -> int:
    """Return the exit code of a script or a command that ends with an error."""
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), FAILURE)


def error_as_json(error: GuessbookError) -> dict[str, object]:
    """Return an error as a dict for JSON: its text, its exit code, and the indices of the entries to re-check."""
    suspects = error.suspects if isinstance(error, InconsistentFeedbackError) else ()
    return {"error": str(error), "exit_code": exit_code(error), "suspects": list(suspects)}


def as_json(value: object) -> str:
    """Return a JSON value as a short text for a message; write null, true and false as JSON does."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return quote(value)


def json_from(text: str, expected: str) -> Any:
    """Return the value of a JSON text from a script; an error message ends with the text `expected`.

    Raises UsageError if the text is not JSON, is nested more than `MAX_DEPTH` deep, or contains a number with more
    digits than Python reads.
    """
    import json  # The import is here, because a hint does not need `json`.

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
    """Raise UsageError if a history or a guess from JSON contains null, true or false at any level."""
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
