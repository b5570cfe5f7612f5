"""The one way to compile a kernel: numba, without the interpreter lock, cached where it can be."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

import numba

# What the kernels do not need and the compiler would spend a tenth of its time on: Python's errors
# for divisions by zero, entry points for C, rewriting of array expressions.
LEAN = {"error_model": "numpy", "no_cfunc_wrapper": True, "no_rewrites": True}

F = TypeVar("F", bound=Callable[..., Any])

# numba's own hints leave out the options above.
njit: Any = numba.njit


def kernel(function: F) -> F:
    """Compile a function at its first call, keep the result on disk, run it without the GIL.

    Threads therefore run kernels side by side. numba refuses to cache where neither the package
    nor the home folder can be written (containers, zipped installs): then it compiles anew in
    each process. Where the disk is full, nothing is kept.
    """
    try:
        compiled = njit(nogil=True, cache=True, **LEAN)(function)
    except RuntimeError:
        return cast(F, njit(nogil=True, **LEAN)(function))
    save = compiled._cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        # The function is compiled and usable already; numba itself would raise.
        with suppress(OSError):
            save(*arguments)

    compiled._cache.save_overload = save_if_possible
    return cast(F, compiled)


def part(function: F) -> F:
    """Compile a function that only kernels call: it has no entry point for Python."""
    return cast(F, njit(nogil=True, no_cpython_wrapper=True, **LEAN)(function))
