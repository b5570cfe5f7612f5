"""The bitcode of native kernels, of which the package brings what numba made of its own.

numba takes most of the time of compiling, and it need not be loaded for what is there. A kernel
whose sources are others, as after a change, and another kind of machine are numba's business.
`python builder/bitcode.py` writes the files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

FOLDER = Path(__file__).parent / "brought"
# What numba is given, and how: kernels may call any other of them.
MADE_OF = [
    *sorted((Path(__file__).parent.parent / "kernels").glob("*.py")),
    *(
        Path(__file__).with_name(f"{name}.py")
        for name in ("instructions", "jit", "lowering", "machine")
    ),
]


class Bitcode(NamedTuple):
    """A native kernel as numba leaves it.

    Attributes:
        name: of its function.
        triple: of the machines for which it is, such as `x86_64-unknown-linux-gnu`.
        module: the bitcode of LLVM.
    """

    name: str
    triple: str
    module: bytes


@cache
def sources() -> bytes:
    """The SHA-256 of all that native kernels are made of."""
    found = hashlib.sha256()
    for path in MADE_OF:
        found.update(text_of(path))
    return found.digest()


def text_of(path: Path) -> bytes:
    """A source with the same ends of lines on every system."""
    return path.read_bytes().replace(b"\r\n", b"\n")


def mark_of(function: Callable[..., None], kinds: tuple[Any, ...]) -> str:
    """What the bitcode of a kernel depends on but for numba: its sources and its arguments."""
    own = text_of(Path(function.__code__.co_filename))
    return hashlib.sha256(b"\0".join([sources(), own, str(kinds).encode()])).hexdigest()


def brought(function: Callable[..., None], kinds: tuple[Any, ...]) -> Bitcode | None:
    """What the package brings for a kernel; None if that is nothing, or of other sources."""
    path = FOLDER / f"{function.__name__}.bc.zst"
    if not path.exists():
        return None
    head, _, packed = path.read_bytes().partition(b"\n")
    mark, _, name, triple = head.decode().split()
    if mark != mark_of(function, kinds):
        return None
    return Bitcode(name, triple, zstandard.decompress(packed))


def write(
    folder: Path, function: Callable[..., None], kinds: tuple[Any, ...], made: Bitcode, by: str
) -> Path:
    """Write what a version of numba made, for `brought`; returns the file."""
    head = " ".join([mark_of(function, kinds), by, made.name, made.triple])
    packed = zstandard.compress(made.module, 19)
    path = folder / f"{function.__name__}.bc.zst"
    path.write_bytes(head.encode() + b"\n" + packed)
    return path
