"""What numba does for the kernels: loaded by this module and `instructions` alone."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import event, types
from numba.core.caching import IndexDataCacheFile
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext

import guessbook.builder.compiler.instructions  # noqa: F401 - the compiler must know them
from guessbook.builder.compiler.bitcode import Bitcode
from guessbook.builder.compiler.kept import CHECKSUM_BYTES, COMPILING, tell_damaged
from guessbook.builder.compiler.machine import APART, HINTS, llvm

# What the kernels do not need and the compiler would spend a tenth of its time on: Python's errors
# for divisions by zero, entry points for C, rewriting of array expressions.
LEAN = {"error_model": "numpy", "no_cfunc_wrapper": True, "no_rewrites": True}

# What the name of a kernel's entry ends in.
ENTRY = ".entry"

# numba's own hints leave out the options above.
njit: Any = numba.njit


class Heard(event.Listener):
    """What numba says about its work."""

    def on_start(self, event: object) -> None:
        """See `kept.Compiling`."""
        COMPILING.on_start(event)

    def on_end(self, event: object) -> None:
        """See `kept.Compiling`."""
        COMPILING.on_end(event)


event.register("numba:compile", Heard())


def kernel(function: Callable[..., Any]) -> Any:
    """See `jit.kernel`."""
    try:
        compiled = njit(nogil=True, cache=True, **LEAN)(function)
    except RuntimeError:
        return njit(nogil=True, **LEAN)(function)
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
            tell_damaged(cache.cache_path)
            with suppress(OSError):
                cache.flush()
            return None

    def save_if_possible(*arguments: Any) -> None:
        # The function is compiled and usable already; numba itself would raise.
        with suppress(Exception):
            save(*arguments)

    cache.load_overload, cache.save_overload = load_if_whole, save_if_possible
    return compiled


def part(function: Callable[..., Any]) -> Any:
    """See `jit.part`."""
    return njit(nogil=True, no_cpython_wrapper=True, **LEAN)(function)


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


def lowered(function: Callable[..., None], kinds: tuple[Any, ...]) -> Bitcode:
    """The bitcode of a native kernel."""
    compiled = njit(nogil=True, no_cpython_wrapper=True, **LEAN)(function)
    with global_compiler_lock, unfinished(), uncollected():
        compiled.compile(types.void(*map(type_of, kinds)))
        (result,) = compiled.overloads.values()
        library, name = result.library, result.fndesc.llvm_func_name
        library.finalize()
    module = library._final_module
    module.link_in(llvm().parse_assembly(entry_of(module.get_function(name), module.triple)))
    for known in module.functions:
        if known.is_declaration or known.name == name + ENTRY:
            continue
        known.linkage = "internal"
        # A kernel stays apart from its entry.
        hints: tuple[str, ...] = APART if known.name == name else ()
        for part, own in HINTS.items():
            if f"{len(part)}{part}B" in known.name:
                hints = own
        for hint in hints:
            known.add_function_attribute(hint)
        # The names of values are half of the bitcode.
        for block in known.blocks:
            for value in (block, *block.instructions):
                value.name = ""
    return Bitcode(name + ENTRY, module.triple, module.as_bitcode())


def entry_of(function: Any, triple: str) -> str:
    """The assembly of a function that finds in memory what a kernel is given.

    To pass on a hundred numbers takes Python 20 microseconds, and to pass on where they are one.
    """
    kinds = [str(argument.type) for argument in function.arguments]
    # The first two are where the kernel would leave a result and an error.
    loads = [
        f"%p{k} = getelementptr i64, ptr %values, i64 {k}\n%v{k} = load {kind}, ptr %p{k}"
        for k, kind in enumerate(kinds[2:])
    ]
    values = ", ".join(f"{kind} %v{k}" for k, kind in enumerate(kinds[2:]))
    body = "\n".join(loads)
    return f"""target triple = "{triple}"
        declare i32 @"{function.name}"({", ".join(kinds)})
        define i32 @"{function.name}{ENTRY}"(ptr %values) {{
        %nothing = alloca i64
        {body}
        %error = call i32 @"{function.name}"(ptr %nothing, ptr %nothing, {values})
        ret i32 %error
        }}"""


def type_of(kind: Any) -> Any:
    """Numba's type of an argument, see `jit.Given`."""
    if isinstance(kind, str):
        return types.int64 if kind == "int" else types.CPointer(numba.from_dtype(np.dtype(kind)))
    return types.NamedTuple(list(map(type_of, kind[1:])), kind[0])


@contextmanager
def unfinished() -> Iterator[None]:
    """Leave out what numba does with each part for itself, and again in all that it is a part of.

    That is to optimize it, to make code of it, and to load that.
    """
    # numba knows each by its function of C, which is never called: any will do, but each its own.
    stubs: list[tuple[Any, str, Callable[..., Any]]] = [
        (CPUCodeLibrary, "_optimize_final_module", lambda *_: None),
        (JITCPUCodegen, "_add_module", lambda *_: None),
        (CPUContext, "get_executable", lambda *_: [].append),
    ]
    kept = [getattr(owner, name) for owner, name, _ in stubs]
    try:
        for owner, name, stub in stubs:
            setattr(owner, name, stub)
        yield
    finally:
        for (owner, name, _), own in zip(stubs, kept, strict=True):
            setattr(owner, name, own)


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection of garbage, of which the compiler makes little but looks at much."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
