"""Memory: how much of it this machine has, or this container may take."""

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
