"""The physical memory of this machine, or the memory limit of the container that runs this process."""

import os
import sys
from contextlib import suppress


def physical_memory(cgroup: str = "/sys/fs/cgroup") -> int:
    """Return the bytes of memory of this machine, or the container's limit if it is lower; 2^62 if both are unknown."""
    memory = 1 << 62
    if sys.platform != "win32":
        with suppress(AttributeError, OSError, ValueError):
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # Files with the limit of a Linux container, for cgroups 2 and 1. Without a limit, they have "max" or a huge number.
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(os.path.join(cgroup, name), "rb") as file:  # noqa: PTH118, PTH123
            memory = min(memory, int(file.read(32)))
    return memory
