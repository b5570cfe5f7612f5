"""Memory: how much of it this machine has, or this container may take."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

# Where Linux shows the limits of a container (cgroups, version 1 and 2).
CGROUP = "/sys/fs/cgroup"

# An option of glibc, and its value at the start: blocks of this many bytes have pages of their own.
M_MMAP_THRESHOLD, LARGE = -3, 128 << 10


def physical_memory(cgroup: str = CGROUP) -> int:
    """The memory in bytes that this machine has and this container may take.

    A large number where the system does not tell.

    Args:
        cgroup: where Linux shows the limits of the container that this runs in.
    """
    memory = 1 << 62
    if sys.platform != "win32":
        with suppress(AttributeError, OSError, ValueError):
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # Of version 2 and of version 1; where there is no limit, "max" and a huge number.
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(os.path.join(cgroup, name), "rb") as file:  # noqa: PTH118, PTH123
            memory = min(memory, int(file.read(32)))
    return memory


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
