"""The partition of nodes into their children, in the engine, for any game."""

from ctypes import byref
from typing import Any

from guessbook.kernels.binding import engine, fill, indices, node_starts


def split_nodes(
    candidates: Any, starts: Any, answers: Any, feedbacks: int
) -> tuple[Any, Any, Any, Any]:
    """Sort the candidates of some nodes into children, without the candidates that are guessed.

    Args:
        candidates: uint32, the candidates of one node after the other.
        starts: int64[nodes + 1], where the candidates of each node begin, and the last end.
        answers: uint32, the feedback number of each candidate to the guess of its node.
        feedbacks: the number of feedbacks; the last one says that the guess is the secret.

    Returns:
        The candidates of the children, uint32; 0, and where the candidates of each child end,
        int64; the feedback that leads to each child, int64; and the number of children of each
        node, int64[nodes]. All but the last have room for a child of each candidate.

    Raises:
        IndexError: an answer is no feedback number.
        ValueError: the nodes do not cover all candidates.
    """
    nodes, room = len(starts) - 1, len(candidates)
    begin, given = node_starts(starts, 0, room), indices(answers, feedbacks, room)
    if starts[0] or starts[nodes] != room:
        raise ValueError(f"found nodes from {starts[0]} to {starts[nodes]}, expected 0 to {room}")
    below = memoryview(bytearray(4 * room)).cast("I")
    ends, feedback, children, counts = (
        memoryview(bytearray(8 * size)).cast("q") for size in (room + 1, room, nodes, feedbacks)
    )
    fields = fill(
        "Splits", candidates, begin, given, nodes, feedbacks, counts, feedback, ends[1:], below,
        children,
    )  # fmt: skip
    engine().split_nodes(byref(fields))
    return below, ends, feedback, children
