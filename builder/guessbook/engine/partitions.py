"""Partitions of the candidates of nodes, computed by the engine for any game."""

from array import array
from ctypes import byref
from typing import Any

from guessbook.engine.binding import address, engine, fill, indices, node_starts


def split_nodes(
    candidates: Any, starts: Any, answers: Any, feedbacks: int
) -> tuple[Any, Any, Any, Any]:
    """Partition the candidates of each node into child nodes. Omit a candidate that is the guess of its node.

    Args:
        candidates: uint32, the candidates of all nodes, node by node.
        starts: int64[nodes + 1], the index of the first candidate of each node, then the number of candidates.
        answers: uint32, the feedback number of each candidate to the guess of its node.
        feedbacks: the number of feedbacks; the highest feedback means that the guess is the secret.

    Returns four arrays. The first three may have unused entries at their ends.

    1. uint32: the candidates of the children, child by child.
    2. int64: 0, then for each child the index after its last candidate.
    3. int64: the feedback number that leads to each child.
    4. int64: the number of children of each node.
    """
    nodes, room = len(starts) - 1, len(candidates)
    begin, given = node_starts(starts, 0, room), indices(answers, feedbacks, room)
    if starts[0] or starts[nodes] != room:
        raise ValueError(
            f"found starts {starts[0]} to {starts[nodes]}, expected 0 to {room}, the number of candidates"
        )
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
    """A list of at most `width` guesses for a node of n candidates. It omits guesses with equal partitions: see `add`.

    The guesses are the first `count` entries of `chosen` (uint32). `solved` is the feedback number of a guess that is
    the secret. `weights` (int64) contains the weight of each candidate, or only zeros if secrets have no weights.
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
        """Append guesses (uint32) to `chosen`, without duplicates, until `chosen` is full.

        A guess is a duplicate if `chosen` contains a guess with an equal partition and an equal weight. The weight of a
        guess is its weight as a secret, or 0 if it is no candidate. For each guess, `answers` (uint32) contains the
        feedback number of each candidate. The call overwrites `answers`.
        """
        count = len(guesses)
        cells = indices(answers, self._feedbacks, count * int(self._fields.n), writable=True)
        engine().keep_distinct(byref(self._fields), address(guesses, "I"), count, cells)
