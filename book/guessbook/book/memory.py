"""The memory of this machine, or of this container."""

import os
import sys
from contextlib import suppress

# Where Linux shows the limits of a container (cgroups, version 1 and 2).
CGROUP = "/sys/fs/cgroup"


def physical_memory(cgroup: str = CGROUP) -> int:
    """Return the memory in bytes of this machine, or of this container if that is less.

    The number is very large if the system does not tell. `cgroup` is where Linux shows the limits
    of the container.
    """
    memory = 1 << 62
    if sys.platform != "win32":
        with suppress(AttributeError, OSError, ValueError):
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # The files of version 2 and 1; without a limit they have "max" and a huge number.
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(os.path.join(cgroup, name), "rb") as file:  # noqa: PTH118, PTH123
            memory = min(memory, int(file.read(32)))
    return memory
