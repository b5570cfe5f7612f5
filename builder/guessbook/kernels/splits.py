"""Partitions of the nodes of any game, in the engine."""

from __future__ import annotations

from ctypes import byref
from typing import Any

from guessbook.kernels.binding import engine, filled, indices, node_starts


def split_nodes(
    candidates: Any, starts: Any, answers: Any, feedbacks: int
) -> tuple[Any, Any, Any, Any]:
    """Sort the candidates of some nodes into children, without those that are guessed.

    Args:
        candidates: uint32, those of the nodes, one node after the other.
        starts: int64[nodes + 1], where those of each begin, and the last end.
        answers: uint32, the feedback number of each candidate to the guess of its node.
        feedbacks: how many there are; the last one says that the guess is the secret.

    Returns:
        The candidates of the children, uint32; behind 0, where those of each child end, int64; the
        feedback that leads to it, int64; and how many children each node has, int64[nodes]. There
        is room for a child of each candidate.

    Raises:
        IndexError: an answer is no feedback number.
        ValueError: the nodes are not as many candidates one after the other.
    """
    nodes, room = len(starts) - 1, len(candidates)
    begin, given = node_starts(starts, 0, room), indices(answers, feedbacks, room)
    if starts[0] or starts[nodes] != room:
        raise ValueError(f"found nodes from {starts[0]} to {starts[nodes]}, expected 0 to {room}")
    below = memoryview(bytearray(4 * room)).cast("I")
    ends, feedback, children, counts = (
        memoryview(bytearray(8 * size)).cast("q") for size in (room + 1, room, nodes, feedbacks)
    )
    fields = filled(
        "Splits", candidates, begin, given, nodes, feedbacks, counts, feedback, ends[1:], below,
        children,
    )  # fmt: skip
    engine().split_nodes(byref(fields))
    return below, ends, feedback, children
