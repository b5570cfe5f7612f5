"""Kernels: functions that are compiled when they are first called, and kept on disk.

numba compiles them; it takes a third of a second to load, so that is done when one is called.
A `native` kernel, which takes numbers and addresses alone, does without numba where the package
brings its bitcode, and without a compiler once that is done: what was kept is loaded in a few
milliseconds.
"""

from __future__ import annotations

import ctypes
import hashlib
from array import array
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


class Given:
    """An argument of a native kernel, where a thread has last put what is passed on of it.

    To ask numpy for an address takes a microsecond, and a call has a hundred of them. So that they
    stay right, the arrays live as long as the thread, or until its next call.

    Attributes:
        argument: the argument.
        begin: where its number or its address is among the values, or that of its first field.
        fields: of a tuple.
        kind: "int", the character of the dtype of an array, or the type of a tuple and the kinds of
            its fields.
    """

    __slots__ = ("argument", "begin", "fields", "kind")

    def __init__(self, argument: Any, values: list[int]) -> None:
        self.argument, self.begin = argument, len(values)
        self.fields: list[Given] = []
        self.kind: Any = "int"
        if isinstance(argument, tuple):
            self.fields = [Given(field, values) for field in argument]
            self.kind = type(argument), *(field.kind for field in self.fields)
        elif isinstance(argument, np.ndarray):
            self.kind = argument.dtype.char
            values.append(address_of(argument))
        else:
            values.append(int(argument))

    def again(self, argument: Any, values: array[int]) -> bool:
        """Pass on another argument in its place; False if it is of another kind."""
        # Whatever becomes of this, it is no longer the last one.
        self.argument = None
        if self.fields:
            if type(argument) is not self.kind[0] or not all_again(self.fields, argument, values):
                return False
        elif isinstance(argument, np.ndarray):
            if argument.dtype.char != self.kind:
                return False
            values[self.begin] = address_of(argument)
        elif self.kind != "int":
            return False
        else:
            values[self.begin] = int(argument)
        self.argument = argument
        return True


def all_again(given: list[Given], arguments: tuple[Any, ...], values: array[int]) -> bool:
    """Pass on other arguments; False if they are of other kinds."""
    for one, argument in zip(given, arguments, strict=True):
        if one.argument is not argument and not one.again(argument, values):
            return False
    return True


class Last(local):
    """The last call of a kernel by a thread.

    Attributes:
        given: the arguments.
        values: all their numbers and addresses.
        place: where these are.
        entry: what is called.
    """

    def __init__(self) -> None:
        self.given: list[Given] = []
        self.values = array("q")
        self.place = 0
        self.entry: Any = None


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
        last = self._last
        if not last.given or not all_again(last.given, arguments, last.values):
            self._prepare(last, arguments)
        if last.entry(last.place):
            raise AssertionError(f"the kernel {self.function.__name__} raised an error")

    def forget(self) -> None:
        """Let go of what it was last given, where that is large."""
        self._last = Last()

    def _prepare(self, last: Last, arguments: tuple[Any, ...]) -> None:
        """Make ready for the first call, or one with arguments of other kinds than the last."""
        values: list[int] = []
        last.given = []
        given = [Given(argument, values) for argument in arguments]
        kinds = tuple(one.kind for one in given)
        last.entry = self._entries.get(kinds)
        if last.entry is None:
            with LOCK:
                # Another thread may have made it meanwhile.
                last.entry = self._entries.get(kinds) or self._entry(kinds)
                self._entries[kinds] = last.entry
        last.values = array("q", values)
        last.place = last.values.buffer_info()[0]
        last.given = given

    def _entry(self, kinds: Any) -> Any:
        path = self._path(kinds)
        kept = None if path is None else read(path)
        if kept is None:
            name, code = self._compiled(kinds)
            if path is not None:
                keep(path, name.encode() + b"\0" + code)
        else:
            text, _, code = kept.partition(b"\0")
            name = text.decode()
        return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(load(name, code))

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


def address_of(numbers: np.ndarray[Any, Any]) -> int:
    """Where the elements of an array begin: numpy itself takes ten times as long to say."""
    if not numbers.flags.c_contiguous:
        raise ValueError("found an array with gaps, expected one without")
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(numbers.data))
    except (TypeError, ValueError):  # it is read-only, or empty
        return int(numbers.__array_interface__["data"][0])


# What `instructions` has, by its names there.
popcount = instruction("popcount")
lowest_one = instruction("lowest_one")
sum_rows = instruction("sum_rows")
tally = instruction("tally")
split_sum = instruction("split_sum")
at_least = instruction("at_least")
between = instruction("between")
alike = instruction("alike")
