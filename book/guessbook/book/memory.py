"""The memory of this machine, or of this container."""

import os
import sys
from contextlib import suppress


def physical_memory(cgroup: str = "/sys/fs/cgroup") -> int:
    """Return the memory in bytes of this machine, or of its container if that has less.

    The number is huge if the system does not report it. Linux has a container's limits in `cgroup`.
    """
    memory = 1 << 62
    if sys.platform != "win32":
        with suppress(AttributeError, OSError, ValueError):
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # The files of cgroups, version 2 and 1; without a limit they have "max" and a huge number.
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(os.path.join(cgroup, name), "rb") as file:  # noqa: PTH118, PTH123
            memory = min(memory, int(file.read(32)))
    return memory
