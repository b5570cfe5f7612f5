"""Partitions of nodes by guesses, computed by the engine for any game."""

from array import array
from ctypes import byref
from typing import Any

from guessbook.kernels.binding import address, engine, fill, indices, node_starts


def split_nodes(candidates: Any, starts: Any, answers: Any, feedbacks: int) -> tuple[Any, Any, Any, Any]:
    """Sort the candidates of each node into its children; omit each candidate that is the guess of its node.

    Args:
        candidates: uint32, the candidates of one node after the other.
        starts: int64[nodes + 1], the start of each node in `candidates`, and the end of the last node.
        answers: uint32, for each candidate, the feedback number to its node's guess.
        feedbacks: the number of feedbacks; the highest feedback means that the guess is the secret.

    Returns four arrays: the candidates of the children (uint32); 0, then the end of each child (int64); the feedback
    that leads to each child (int64); the number of children of each node (int64). The first three arrays may have
    unused entries at their ends.
    """
    nodes, room = len(starts) - 1, len(candidates)
    begin, given = node_starts(starts, 0, room), indices(answers, feedbacks, room)
    if starts[0] or starts[nodes] != room:
        raise ValueError(f"found nodes from candidate {starts[0]} to {starts[nodes]}, expected 0 to {room}")
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


class Distinct:
    """The list `chosen` (uint32): at most `width` guesses that partition a node of n candidates differently.

    `solved` is the feedback to a right guess. The candidates' `weights` (int64) are all 0 if the game has none.
    """

    def __init__(self, n: int, width: int, feedbacks: int, solved: int, weights: Any) -> None:
        self.chosen, self._feedbacks = array("I", bytes(4 * width)), feedbacks
        address(weights, "q", n)
        self._fields = fill(
            "Distinct", n, solved, width, 0, self.chosen, array("I", bytes(4 * width * n)),
            array("q", bytes(8 * width)), array("q", bytes(8 * feedbacks)), weights,
        )  # fmt: skip

    @property
    def count(self) -> int:
        """The number of guesses in `chosen` so far."""
        return int(self._fields.count)

    def add(self, guesses: Any, answers: Any) -> None:
        """Append m guesses (uint32) to `chosen`; skip a guess if one in `chosen` has an equal partition and weight.

        `answers` (uint32[m * n]) contains the feedback number of each candidate to each guess, and is overwritten.
        """
        count = len(guesses)
        cells = indices(answers, self._feedbacks, count * int(self._fields.n), writable=True)
        engine().keep_distinct(byref(self._fields), address(guesses, "I"), count, cells)
