"""The stop flag: the caller of a search sets it, and the engine polls it."""

from __future__ import annotations

from array import array
from contextvars import ContextVar

# One int32, which the searches of this context poll; any number but 0 ends them.
STOP: ContextVar[array[int] | None] = ContextVar("STOP", default=None)


def stop_address() -> int:
    """Return the address of the stop flag of this context; 0 without a flag."""
    flag = STOP.get()
    return flag.buffer_info()[0] if flag is not None else 0
