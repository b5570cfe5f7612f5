"""Guesses whose partitions differ, of a ranking in the engine."""

from __future__ import annotations

from array import array
from ctypes import byref
from typing import Any

from guessbook.kernels.binding import address, engine, filled, indices


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
        address(weights, "q", n)
        self._fields = filled(
            "Distinct", n, solved, width, 0, self.chosen, array("I", bytes(4 * width * n)),
            array("q", bytes(8 * width)), array("q", bytes(8 * feedbacks)), weights,
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
