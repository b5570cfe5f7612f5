"""The first guesses of a ranking whose partitions differ, found by the engine."""

from array import array
from ctypes import byref
from typing import Any

from guessbook.kernels.binding import address, engine, fill, indices


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
        """Keep the guesses whose cells differ from the cells of all kept guesses.

        Args:
            guesses: uint32[m].
            answers: uint32[m * n], the feedback of each candidate; it is overwritten.

        Raises:
            IndexError: an answer is no feedback number.
        """
        count = len(guesses)
        engine().keep_distinct(
            byref(self._fields), address(guesses, "I"), count,
            indices(answers, self._feedbacks, count * int(self._fields.n), writable=True),
        )  # fmt: skip
