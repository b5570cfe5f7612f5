"""The stop flag of searches: the caller sets it to end a search, and the engine polls it."""

from __future__ import annotations

from array import array
from contextvars import ContextVar

# The stop flag: an array of one int32. The searches of this context end when this number is not 0.
STOP: ContextVar[array[int] | None] = ContextVar("STOP", default=None)


def stop_address() -> int:
    """Return the address of the stop flag of this context; 0 if there is no flag."""
    flag = STOP.get()
    return flag.buffer_info()[0] if flag is not None else 0
