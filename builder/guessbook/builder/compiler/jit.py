"""Kernels: functions that are compiled when they are first called, and kept on disk.

numba compiles them; it takes a third of a second to load, so that is done when one is called.
A `native` kernel, which takes numbers and addresses alone, does without numba where the package
brings its bitcode, and without a compiler once that is done: what was kept is loaded in a few
milliseconds.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import RLock, local
from typing import Any, TypeVar, cast

import numpy as np

from guessbook.builder.compiler import bitcode
from guessbook.builder.compiler.kept import COMPILING as COMPILING
from guessbook.builder.compiler.kept import cache_folder, circumstances, keep, read
from guessbook.builder.compiler.machine import load, object_file, target_machine

F = TypeVar("F", bound=Callable[..., Any])

LOCK = RLock()


# By place: an argument of a kernel, its kind, what is passed on, and the same of its fields.
Given = dict[int, tuple[Any, Any, list[int], "Given"]]


class Late:
    """Something of numba's that is made when it is first needed: called, or met by the compiler.

    Args:
        make: makes it.
        place: the module where it is defined.
    """

    def __init__(self, make: Callable[[], Any], place: str = __name__) -> None:
        self.__module__ = place
        self._make = make
        self._made: Any = None

    @property
    def made(self) -> Any:
        """What numba makes of it."""
        with LOCK:
            if self._made is None:
                self._made = self._make()
            return self._made

    @property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target  # late: asked by the compiler alone

        return cpu_target.typing_context.resolve_value_type(self.made)

    def __call__(self, *arguments: Any) -> Any:
        """Call it."""
        return self.made(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.made, name)


def lowering() -> Any:
    """The module that knows numba."""
    from guessbook.builder.compiler import lowering  # late, as it loads numba

    return lowering


def kernel(function: F) -> F:
    """Compile a function at its first call, keep the result on disk, run it without the GIL.

    Threads therefore run kernels side by side. Where neither the package nor the home folder can be
    written (containers, zipped installs) it is compiled anew in each process. Where the disk is
    full, nothing is kept; what is damaged is compiled afresh.
    """
    return cast(F, Late(lambda: lowering().kernel(function), function.__module__))


def part(function: F) -> F:
    """Compile a function that only kernels call: it has no entry point for Python."""
    return cast(F, Late(lambda: lowering().part(function), function.__module__))


def instruction(name: str) -> Callable[..., Any]:
    """One of the module `instructions`, for kernels to call."""

    def make() -> Any:
        from guessbook.builder.compiler import instructions  # late, as it loads numba

        return getattr(instructions, name)

    return Late(make)


class Last(local):
    """What a thread has last given a kernel, by place: the argument, its kind, numbers, and fields.

    To ask numpy for an address takes a microsecond, and a call has a hundred of them. So that they
    stay right, the arrays live as long as the thread, or until its next call.
    """

    def __init__(self) -> None:
        self.given: Given = {}


class Native:
    """A kernel that takes whole numbers, addresses of arrays, and named tuples of both.

    It returns nothing.
    """

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function
        self.__module__ = function.__module__
        self._entries: dict[Any, Any] = {}
        self._last = Last()

    def __call__(self, *arguments: Any) -> None:
        """Run it."""
        values: list[int] = []
        given = self._last.given
        kinds = tuple(
            [flattened(given, k, argument, values) for k, argument in enumerate(arguments)]
        )
        entry = self._entries.get(kinds)
        if entry is None:
            with LOCK:
                entry = self._entries.setdefault(kinds, self._entry(kinds, len(values)))
        nothing = ctypes.c_int64()
        if entry(ctypes.byref(nothing), ctypes.byref(nothing), *values):
            raise AssertionError(f"the kernel {self.function.__name__} raised an error")

    def _entry(self, kinds: Any, values: int) -> Any:
        path = self._path(kinds)
        kept = None if path is None else read(path)
        if kept is None:
            name, code = self._compiled(kinds)
            if path is not None:
                keep(path, name.encode() + b"\0" + code)
        else:
            text, _, code = kept.partition(b"\0")
            name = text.decode()
        # Two results, of which one is an error's, then the arguments.
        shape = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * values)
        return shape(load(name, code))

    def _compiled(self, kinds: Any) -> tuple[str, bytes]:
        COMPILING.on_start(self)
        try:
            made = bitcode.brought(self.function, kinds)
            if made is not None and made.triple == target_machine().triple:
                with suppress(RuntimeError):  # an older LLVM cannot read it
                    return made.name, object_file(made.module)
            made = lowering().lowered(self.function, kinds)
            return made.name, object_file(made.module)
        finally:
            COMPILING.on_end(self)

    def _path(self, kinds: Any) -> Path | None:
        source = Path(self.function.__code__.co_filename)
        folder = cache_folder(source.parent)
        if folder is None:
            return None
        mark = hashlib.sha256(f"{bitcode.mark_of(self.function, kinds)} {circumstances()}".encode())
        return folder / f"{source.stem}.{self.function.__name__}-{mark.hexdigest()[:16]}.nbo"


def flattened(given: Given, place: int, argument: Any, values: list[int]) -> Any:
    """The kind of an argument of a native kernel; what is passed on is added to `values`.

    An array or a tuple is often the one of the last time, or a field of it is.
    """
    if type(argument) is int:  # the most frequent by far
        values.append(argument)
        return "int"
    last = given.get(place)
    if last is None or last[0] is not argument:
        own: list[int] = []
        fields: Given = last[3] if last else {}
        if isinstance(argument, tuple):
            each = [flattened(fields, k, field, own) for k, field in enumerate(argument)]
            kind: Any = (type(argument), *each)
        elif isinstance(argument, np.ndarray):
            if not argument.flags.c_contiguous:
                raise ValueError("found an array with gaps, expected one without")
            own.append(address_of(argument))
            kind = argument.dtype.char
        else:
            own.append(int(argument))
            kind = "int"
        last = given[place] = argument, kind, own, fields
    values += last[2]
    return last[1]


def address_of(array: np.ndarray[Any, Any]) -> int:
    """Where the elements of an array begin: numpy itself takes ten times as long to say."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array.data))
    except (TypeError, ValueError):  # it is read-only, or empty
        return int(array.__array_interface__["data"][0])


# What `instructions` has, by its names there.
popcount = instruction("popcount")
lowest_one = instruction("lowest_one")
sum_rows = instruction("sum_rows")
tally = instruction("tally")
split_sum = instruction("split_sum")
at_least = instruction("at_least")
between = instruction("between")
