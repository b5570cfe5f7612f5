"""The flag that ends a search: whoever waits sets it, and the engine looks at it often."""

from __future__ import annotations

from array import array
from contextvars import ContextVar

# One int32, 0 until the search is to end; the searches of this context look at it.
STOP: ContextVar[array[int] | None] = ContextVar("STOP", default=None)


def stop_address() -> int:
    """Return where the flag of this context is, for the engine; 0 where there is none."""
    flag = STOP.get()
    return flag.buffer_info()[0] if flag is not None else 0
