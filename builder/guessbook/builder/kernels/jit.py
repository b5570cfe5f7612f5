"""The one way to compile a kernel: numba, without the interpreter lock, cached where it can be."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.core.caching import IndexDataCacheFile

# What the kernels do not need and the compiler would spend a tenth of its time on: Python's errors
# for divisions by zero, entry points for C, rewriting of array expressions.
LEAN = {"error_model": "numpy", "no_cfunc_wrapper": True, "no_rewrites": True}

CHECKSUM_BYTES = 32

F = TypeVar("F", bound=Callable[..., Any])

# numba's own hints leave out the options above.
njit: Any = numba.njit


class Compiling(event.Listener):
    """What the compiler does, as it says itself; to load a kernel from the cache is no compiling.

    Attributes:
        started: how many functions it has begun with in this process.
        now: how many of them are not finished.
    """

    started = now = 0

    def on_start(self, event: object) -> None:
        """A function is being compiled."""
        self.started += 1
        self.now += 1

    def on_end(self, event: object) -> None:
        """It is compiled."""
        self.now -= 1


COMPILING = Compiling()
event.register("numba:compile", COMPILING)


def kernel(function: F) -> F:
    """Compile a function at its first call, keep the result on disk, run it without the GIL.

    Threads therefore run kernels side by side. numba refuses to cache where neither the package
    nor the home folder can be written (containers, zipped installs): then it compiles anew in
    each process. Where the disk is full, nothing is kept; what is damaged is compiled afresh.
    """
    try:
        compiled = njit(nogil=True, cache=True, **LEAN)(function)
    except RuntimeError:
        return cast(F, njit(nogil=True, **LEAN)(function))
    cache = compiled._cache
    cache._cache_file = Checked(
        cache._cache_path, cache._impl.filename_base, cache._impl.locator.get_source_stamp()
    )
    load, save = cache.load_overload, cache.save_overload

    def load_if_whole(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:
            # A damaged pickle raises anything: EOFError, UnpicklingError, ImportError, ...
            what = f"the compiled kernels in {cache.cache_path} are damaged: compiling them afresh"
            warnings.warn(what, stacklevel=1)
            with suppress(OSError):
                cache.flush()
            return None

    def save_if_possible(*arguments: Any) -> None:
        # The function is compiled and usable already; numba itself would raise.
        with suppress(Exception):
            save(*arguments)

    cache.load_overload, cache.save_overload = load_if_whole, save_if_possible
    return cast(F, compiled)


def part(function: F) -> F:
    """Compile a function that only kernels call: it has no entry point for Python."""
    return cast(F, njit(nogil=True, no_cpython_wrapper=True, **LEAN)(function))


class Checked(IndexDataCacheFile):
    """numba's files of a compiled kernel, each with its SHA-256 behind what numba reads.

    numba runs what it finds; a file that is whole but for a bit would crash, or compute nonsense.
    """

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[Any]:
        with super()._open_for_write(filepath) as file:
            yield file
            file.flush()
            file.write(hashlib.sha256(Path(file.name).read_bytes()).digest())

    def _load_index(self) -> Any:
        with suppress(FileNotFoundError):
            check(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        check(self._data_path(name))
        return super()._load_data(name)


def check(path: str) -> None:
    """Refuse a file of the cache that is not as it was written.

    Raises:
        ValueError: it is not.
        OSError: it cannot be read.
    """
    data = Path(path).read_bytes()
    if hashlib.sha256(data[:-CHECKSUM_BYTES]).digest() != data[-CHECKSUM_BYTES:]:
        raise ValueError(f"found a wrong checksum in {path}")
