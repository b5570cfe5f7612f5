"""The partitions of nodes by guesses, in the engine, for any game."""

from array import array
from ctypes import byref
from typing import Any

from guessbook.kernels.binding import address, engine, fill, indices, node_starts


def split_nodes(
    candidates: Any, starts: Any, answers: Any, feedbacks: int
) -> tuple[Any, Any, Any, Any]:
    """Sort the candidates of some nodes into children, without the candidates that are guessed.

    Args:
        candidates: uint32, the candidates of one node after the other.
        starts: int64[nodes + 1], where the candidates of each node begin, and the last end.
        answers: uint32, the feedback number of each candidate to the guess of its node. Raises
            IndexError for other numbers.
        feedbacks: the number of feedbacks; the last one says that the guess is the secret.

    Returns:
        The candidates of the children, uint32; 0, and where the candidates of each child end,
        int64; the feedback that leads to each child, int64; and the number of children of each
        node, int64[nodes]. All but the last have room for a child of each candidate.
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


class Distinct:
    """The first guesses of a ranking that split the candidates of a node into different cells.

    Args:
        n: the number of candidates.
        width: the most guesses to keep.
        feedbacks: the number of feedbacks of the game.
        solved: the feedback that says that the guess is the secret.
        weights: int64[n], the weight of each candidate; all 0 if secrets have no weights.

    Attributes:
        chosen: uint32[width], the guesses.
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
        """The number of guesses kept so far."""
        return int(self._fields.count)

    def add(self, guesses: Any, answers: Any) -> None:
        """Keep the guesses (uint32[m]) whose cells differ from the cells of all kept guesses.

        `answers` is uint32[m * n], the feedback number of each candidate, and is overwritten.
        Raises IndexError for other numbers.
        """
        count = len(guesses)
        engine().keep_distinct(
            byref(self._fields), address(guesses, "I"), count,
            indices(answers, self._feedbacks, count * int(self._fields.n), writable=True),
        )  # fmt: skip
