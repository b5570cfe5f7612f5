"""The heap of the C library: memory that a large build has freed goes back to the system."""

from __future__ import annotations

import sys

# An option of glibc, and its value at the start: blocks of this many bytes have pages of their own.
M_MMAP_THRESHOLD, LARGE = -3, 128 << 10


def trim_heap() -> None:
    """Give freed memory back to the system, where the C library keeps it: glibc.

    It keeps what lies between things that are still needed, which is half of all after a build.
    It has also raised `LARGE` to what was freed: that is fixed again, and what is large goes back
    at once from now on.
    """
    if sys.platform == "linux":
        # Late: only a large build needs it.
        import ctypes

        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):
            library.malloc_trim(0)
            library.mallopt(M_MMAP_THRESHOLD, LARGE)
