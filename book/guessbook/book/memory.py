"""Memory: how much this machine has, or this container may take; what is not needed, given back."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

# Where Linux shows the limits of a container (cgroups, version 1 and 2).
CGROUP = "/sys/fs/cgroup"


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


def give_back() -> None:
    """Give what has been freed back to the system, where the C library keeps it: glibc.

    It keeps what lies between things that are still needed, which is half of all after a build.
    """
    # Late: only who writes a book asks for this, and a builder has loaded it already.
    import ctypes

    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
