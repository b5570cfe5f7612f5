"""The heap of the C library: return the memory that a large build has freed to the system."""

import sys

# An option of glibc, and its initial value: larger blocks get pages of their own.
M_MMAP_THRESHOLD, LARGE = -3, 128 << 10


def trim_heap() -> None:
    """Return freed memory to the system, which glibc does not always do by itself.

    It keeps free memory between blocks in use, half of all memory after a build. It also raises
    the threshold `LARGE`, which is reset here, so that large blocks are returned at once.
    """
    if sys.platform == "linux":
        # Late, as only a large build needs it.
        import ctypes

        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):
            library.malloc_trim(0)
            library.mallopt(M_MMAP_THRESHOLD, LARGE)
