"""Guard bytes around every array that the engine is given."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.engine import binding, codes, costs, pairs, partitions, sets, sums

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = (binding, codes, costs, pairs, partitions, sets, sums)
SIZE, GUARD = 64, b"\xa5" * 64


class Guards:
    """Copies of arrays between guards, made equal before each call and after it.

    Attributes:
        calls: how many calls of the engine were looked at.
    """

    def __init__(self) -> None:
        self.calls = 0
        self._plain = binding.address
        # The array, how many bytes it had, its copy.
        self._kept: list[tuple[Any, int, bytearray]] = []

    def address(
        self, values: Any, kind: str, count: int | None = None, writable: bool = False
    ) -> int:
        """Return where the copy of an array begins: see `binding.address`."""
        self._plain(values, kind, count, writable)
        for known, size, copy in self._kept:
            if known is values and size == memoryview(values).nbytes:
                return start_of(copy)
        own = memoryview(values).cast("B") if memoryview(values).nbytes else b""
        copy = bytearray(GUARD + bytes(own) + GUARD)
        self._kept.append((values, len(own), copy))
        return start_of(copy)

    def engine(self, variant: int = -1) -> Any:
        """Return the engine, whose calls are looked at."""
        return Guarded(self, binding.__dict__["_unguarded"](variant))

    def load(self) -> None:
        """Take over what Python wrote into the arrays."""
        self._kept = [one for one in self._kept if memoryview(one[0]).nbytes == one[1]]
        for values, size, copy in self._kept:
            if size:
                copy[SIZE:-SIZE] = bytes(memoryview(values).cast("B"))

    def store(self) -> None:
        """Give back what the engine wrote; nothing was written beside."""
        self.calls += 1
        for values, size, copy in self._kept:
            assert copy[:SIZE] == GUARD == copy[-SIZE:], "found bytes that changed beside an array"
            view = memoryview(values)
            if size and view.readonly:
                assert bytes(view.cast("B")) == copy[SIZE:-SIZE]
            elif size:
                view.cast("B")[:] = copy[SIZE:-SIZE]


def start_of(copy: bytearray) -> int:
    """Return where the array in a copy begins."""
    return ctypes.addressof(ctypes.c_char.from_buffer(copy)) + SIZE


class Guarded:
    """The functions of the engine, with a look at the guards after each call."""

    def __init__(self, guards: Guards, engine: Any) -> None:
        self._guards, self._engine = guards, engine

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._engine, name)
        if name.endswith(("_free", "_new")):
            return function

        def call(*given: Any) -> Any:
            self._guards.load()
            result = function(*given)
            self._guards.store()
            return result

        return call


@contextmanager
def guarded() -> Iterator[Guards]:
    """Give the engine copies between guards of all arrays, and check them after each call."""
    guards = Guards()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binding, "_unguarded", binding.engine, raising=False)
        for module in MODULES:
            for name in ("address", "engine"):
                if hasattr(module, name):
                    patch.setattr(module, name, getattr(guards, name))
        yield guards
