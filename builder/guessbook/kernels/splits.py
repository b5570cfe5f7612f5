"""Partitions of the nodes of any game, in the engine."""

from __future__ import annotations

from array import array
from ctypes import byref
from typing import Any

from guessbook.kernels.binding import address, engine, filled, indices, node_starts


def split_nodes(
    candidates: Any, starts: Any, answers: Any, feedbacks: int, below: Any, ends: Any,
    feedback: Any, children: Any,
) -> None:  # fmt: skip
    """Sort the candidates of some nodes into children, without those that are guessed.

    Args:
        candidates: uint32, those of the nodes, one node after the other.
        starts: int64[nodes + 1], where those of each begin, and the last end.
        answers: uint32, the feedback number of each candidate to the guess of its node.
        feedbacks: how many there are; the last one says that the guess is the secret.
        below: uint32, receives the candidates of the children.
        ends: int64, receives where those of each child end.
        feedback: int64, receives the feedback that leads to it.
        children: int64[nodes], receives how many each node has.

    Raises:
        IndexError: an answer is no feedback number.
        ValueError: the nodes are not as many candidates one after the other.
    """
    nodes, room = len(starts) - 1, len(candidates)
    begin, given = node_starts(starts, 0, room), indices(answers, feedbacks, room)
    if starts[0] or starts[nodes] != room:
        raise ValueError(f"found nodes from {starts[0]} to {starts[nodes]}, expected 0 to {room}")
    fields = filled(
        "Splits", candidates, begin, given, nodes, feedbacks,
        array("q", bytes(8 * feedbacks)), address(feedback, "q", room, True),
        address(ends, "q", room, True), address(below, "I", room, True),
        address(children, "q", nodes, True),
    )  # fmt: skip
    engine().split_nodes(byref(fields))
