"""Functions that read JSON from scripts, and that write errors as JSON."""

from typing import Any

from guessbook.book.errors import (
    GuessbookError,
    InconsistentFeedbackError,
    InvalidBookError,
    UsageError,
    quote,
)

# JSON input may have this many levels of nested lists and objects. Valid input has fewer.
MAX_DEPTH = 8

FAILURE = 1
# The exit codes of some errors. For other errors, the exit code is FAILURE.
EXIT_CODES = {UsageError: 2, InvalidBookError: 3, InconsistentFeedbackError: 4}


def exit_code(error: GuessbookError) -> int:
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), FAILURE)


def error_as_json(error: GuessbookError) -> dict[str, object]:
    """Return an error as a dict for JSON: text, exit code, and indices of entries to re-check."""
    suspects = error.suspects if isinstance(error, InconsistentFeedbackError) else ()
    return {"error": str(error), "exit_code": exit_code(error), "suspects": list(suspects)}


def as_json(value: object) -> str:
    """Return a JSON value as a short string for an error message."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return quote(value)


def json_from(text: str, wanted: str) -> Any:
    """Parse a JSON string. The UsageError for any other string asks for `wanted`."""
    import json  # Imported here because a hint does not need it.

    deep = f"lists are nested more than {MAX_DEPTH} deep; give {wanted}"
    try:
        found = json.loads(text)
    except RecursionError:
        raise UsageError(deep) from None
    except json.JSONDecodeError:
        raise UsageError(f"{quote(text.strip())} is not JSON; give {wanted}") from None
    except ValueError:
        raise UsageError(f"a number has too many digits; give {wanted}") from None
    if _is_deep(found, MAX_DEPTH):
        raise UsageError(deep)
    return found


def refuse_constants(value: object) -> None:
    """Raise UsageError for null, true or false from JSON, also in nested lists."""
    if value is None or isinstance(value, bool):
        raise UsageError(f"{as_json(value)} is neither a guess nor a feedback; give both as text")
    for item in value if isinstance(value, list) else ():
        refuse_constants(item)


def _is_deep(value: object, levels: int) -> bool:
    """Return whether a value has more than `levels` levels of lists and objects."""
    if not isinstance(value, (list, dict)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deep(item, levels - 1) for item in inner)
