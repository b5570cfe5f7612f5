"""Compiled code on disk: on what it depends, where it lies, and whether it is as it was written."""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path

from guessbook.book.errors import GuessbookError
from guessbook.book.file.disk import write_atomically
from guessbook.book.file.system import open_at_once
from guessbook.builder.compiler.machine import llvm

CHECKSUM_BYTES = 32


class Compiling:
    """What the compiler does, as it says itself; to load what is kept on disk is no compiling.

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


@cache
def circumstances() -> str:
    """On what the code of a native kernel depends, besides sources: versions and the processor."""
    binding = llvm()
    known = [str(binding.llvm_version_info)]
    for name in "llvmlite", "numba":
        with suppress(metadata.PackageNotFoundError):
            known.append(metadata.version(name))
    known += [sys.version, binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()]
    known += [f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_")]
    return "\n".join(known)


def cache_folder(source: Path) -> Path | None:
    """Where the code of native kernels is kept whose sources lie in a folder; None if nowhere."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "guessbook")
    for folder in [Path(chosen)] if chosen else [source / "__pycache__", home]:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


def keep(path: Path, code: bytes) -> None:
    """Write compiled code to a file, if that is possible; it is usable without."""
    with suppress(OSError, GuessbookError):
        write_atomically(path, hashlib.sha256(code).digest() + code)


def read(path: Path) -> bytes | None:
    """What was kept in a file; None if there is none, or if it is damaged."""
    try:
        with open(path, "rb", opener=open_at_once) as file:
            data = file.read()
    except OSError:
        return None
    code = data[CHECKSUM_BYTES:]
    if hashlib.sha256(code).digest() != data[:CHECKSUM_BYTES]:
        tell_damaged(str(path.parent))
        return None
    return code


def tell_damaged(folder: str) -> None:
    """Say that what was kept is of no use."""
    what = f"the compiled kernels in {folder} are damaged: compiling them afresh"
    warnings.warn(what, stacklevel=1)
