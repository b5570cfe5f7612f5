"""Guesses whose partitions differ, of a ranking in the engine."""

from __future__ import annotations

from array import array
from ctypes import Structure, byref, c_int64, c_void_p
from typing import Any

from guessbook.kernels.binding import address, engine, fields_of, indices


class DistinctFields(Structure):
    """`Distinct` in ranking.c."""

    _fields_ = (
        *fields_of(c_int64, "n solved width count"),
        *fields_of(c_void_p, "chosen cells own names weights"),
    )


class Distinct:
    """The first guesses of a ranking that split the candidates of a node into different cells.

    Args:
        n: how many candidates the node has.
        width: at most so many guesses are kept.
        feedbacks: how many the game has.
        solved: the feedback that says that the guess is the secret.
        weights: int64[n], how much each candidate counts; 0 where all count alike.

    Attributes:
        chosen: uint32[width], the guesses.
    """

    def __init__(self, n: int, width: int, feedbacks: int, solved: int, weights: Any) -> None:
        self.chosen, self._feedbacks = array("I", bytes(4 * width)), feedbacks
        # They live as long as the fields, which say where they are.
        self._arrays = (
            array("I", bytes(4 * width * n)), array("q", bytes(8 * width)),
            array("q", bytes(8 * feedbacks)), weights,
        )  # fmt: skip
        cells, own, names, _ = self._arrays
        self._fields = DistinctFields(
            n, solved, width, 0, address(self.chosen, "I"), address(cells, "I"), address(own, "q"),
            address(names, "q"), address(weights, "q", n),
        )  # fmt: skip

    @property
    def count(self) -> int:
        """How many guesses are kept."""
        return int(self._fields.count)

    def add(self, guesses: Any, answers: Any) -> None:
        """Keep those guesses whose cells differ from those of all that are kept.

        Args:
            guesses: uint32[many].
            answers: uint32[many * n], the feedback of each candidate; used up.

        Raises:
            IndexError: an answer is no feedback number.
        """
        count = len(guesses)
        engine().keep_distinct(
            byref(self._fields), address(guesses, "I"), count,
            indices(answers, self._feedbacks, count * int(self._fields.n), writable=True),
        )  # fmt: skip
