"""Tree assembly in the engine: the finished parts of a tree as one tree, breadth first."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import Structure, byref, c_int64, c_void_p
from typing import Any

from guessbook.kernels.binding import address, engine


class PieceFields(Structure):
    """`Pieces` in assembly.c."""

    _fields_ = (
        *(
            (name, c_void_p)
            for name in ("depth", "right", "level", "begin", "solves", "sizes", "content")
        ),
        ("small", c_int64),
        ("nodes", c_int64),
    )


class TreeFields(Structure):
    """`Columned` in assembly.c."""

    _fields_ = tuple(
        (name, c_void_p)
        for name in ("guess", "feedback", "children", "candidates", "first", "solves")
    )


def assemble(pieces: Sequence[Any], small: int, nodes: int, columns: Sequence[Any]) -> int:
    """Put the nodes of all pieces in their places; return how many of them are wrong.

    Args:
        pieces: the arrays of `Pieces` in assembly.c, in its order.
        small: bytes of a feedback, and of a number of children.
        nodes: how many there are.
        columns: the arrays of `Columned` in assembly.c, in its order; they are filled.
    """
    given = [address(values, kind) for values, kind in zip(pieces, "qqqqqqB", strict=True)]
    lengths = nodes, nodes * small, nodes * small, nodes + 1, nodes + 1, nodes
    filled = [
        address(values, kind, length, writable=True)
        for values, kind, length in zip(columns, "IBBIIB", lengths, strict=True)
    ]
    found = engine().assemble(byref(PieceFields(*given, small, nodes)), byref(TreeFields(*filled)))
    return int(found)
