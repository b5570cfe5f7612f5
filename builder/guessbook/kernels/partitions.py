"""The partitions of nodes by guesses, in the engine, for any game."""

from array import array
from ctypes import byref
from typing import Any

from guessbook.kernels.binding import address, engine, fill, indices, node_starts


def split_nodes(candidates: Any, starts: Any, answers: Any, feedbacks: int) -> tuple[Any, Any, Any, Any]:
    """Sort the candidates of some nodes into children, without the candidates that are guessed.

    The candidates (uint32) of each node begin at `starts` (int64[nodes + 1]), and give `answers`
    (uint32) to its guess. Raises IndexError for an answer that is no feedback number. The last
    feedback number says that the guess is the secret.

    Returns the candidates of the children, uint32; 0, and where the candidates of each child end,
    int64; the feedback that leads to each child, int64; and the number of children of each node,
    int64[nodes]. All but the last have room for a child of each candidate.
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

    At most `width` guesses are `chosen` (uint32), for n candidates of these weights (int64), which
    are all 0 if secrets have no weights.
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

        The feedback numbers of the candidates (uint32[m * n]) are overwritten.
        """
        count = len(guesses)
        cells = indices(answers, self._feedbacks, count * int(self._fields.n), writable=True)
        engine().keep_distinct(byref(self._fields), address(guesses, "I"), count, cells)
