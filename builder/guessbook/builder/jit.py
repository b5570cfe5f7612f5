"""The one way to compile a kernel: numba, without the interpreter lock, cached where it can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

__all__ = ["kernel"]

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function at its first call, keep the result on disk, run it without the GIL.

    Threads therefore run kernels side by side. numba refuses to cache where neither the package
    nor the home folder can be written (containers, zipped installs): then it compiles anew in
    each process.
    """
    try:
        return cast(F, numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:
        return cast(F, numba.njit(nogil=True)(function))
