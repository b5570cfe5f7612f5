"""Games of any kind in the engine, with feedback numbers that are sums.

A guess has parts, such as letters. Each part adds a number to the feedback number of each secret.
"""

from __future__ import annotations

import ctypes
from array import array
from typing import Any, NamedTuple

from guessbook.book.errors import InvalidGameError
from guessbook.engine.binding import (
    Space,
    address,
    check,
    engine,
    fill,
    indices,
    node_starts,
    numbers,
    stop_address,
    within,
)
from guessbook.engine.partitions import CostFunction, check_costs

# The result of `most_told` in sums.c if an index in `parts` or `homes` is out of range, or if
# `homes` is unsorted.
NO_INDICES = -2


class SumGame(NamedTuple):
    """A game as tables: the parts of each guess, and what each part adds to a feedback number."""

    # uint8, uint16 or uint32[parts, secrets]: for each part and each secret, the number that the
    # part adds to the feedback number. The last part may add nothing, to serve as padding.
    sums: Any
    # int32[guesses, width]: the indices of the parts of each guess, padded with the last part. If a
    # guess only asks whether k is the secret, its first entry is -1 - k. Its feedback number is the
    # highest one if k is the secret, else the second highest one.
    parts: Any
    guesses: int  # the number of guesses
    homes: Any  # uint32[secrets], the index of each secret in the list of guesses, ascending
    weights: Any  # int64[secrets], the weight of each secret
    feedbacks: int  # the number of feedbacks
    # With at most this number of candidates, the first candidate is the guess (`few_candidates`).
    few: int


def other_side(name: str, table: Any, side: int) -> int:
    """Return the number of rows of a table with `side` columns, or vice versa."""
    view = memoryview(table)
    count = view.nbytes // view.itemsize
    if side < 1 or count % side:
        raise ValueError(f"`{name}` has {count} numbers, which is not a multiple of {side}")
    return count // side


class SumSearch:
    """A game of any kind and a one-step policy, ready for searches in any number of threads.

    Candidates are indices of secrets (uint32), ascending in each node.
    """

    def __init__(self, game: SumGame, rule: CostFunction) -> None:
        sums, parts, guesses, homes, weights, feedbacks, few = game
        lane, secrets = memoryview(sums).itemsize, len(homes)
        self.rule = rule
        check_costs(rule)
        most = len(rule.costs) - 1
        numbers("weight", weights, secrets, 0, most)
        within("weight of all secrets", sum(memoryview(weights).cast("B").cast("q")), 0, most)
        self._fields = fill(
            "SumGame", address(sums, {1: "B", 2: "H", 4: "I"}[lane]), parts, homes, weights,
            rule.costs, other_side("sums", sums, secrets), secrets, guesses,
            other_side("parts", parts, guesses), lane, feedbacks, few, rule.credit, rule.additive,
        )  # fmt: skip
        self._place = ctypes.addressof(self._fields)
        self._engine = engine()
        self._check()
        self.space = Space("sum_space_new", self._place)

    def _check(self) -> None:
        of = self._fields
        told = self._engine.most_told(self._place)
        if told == NO_INDICES:
            known = f"{of.part_count} parts and {of.guesses} guesses"
            raise ValueError(
                f"an index in `parts` or `homes` is out of range ({known}), or `homes` is unsorted"
            )
        check(min(told, 0))
        if told >= of.feedbacks:
            raise InvalidGameError(
                f"the game's feedback numbers may reach {told}, limit {of.feedbacks - 1}; correct "
                "the feedbacks or their number"
            )

    def guesses(self, candidates: Any, starts: Any) -> tuple[array[int], array[int]]:
        """Return the guess of each node (uint32), and the number of guesses scored for it (int64).

        `starts` (int64[nodes + 1]) has the index of each node's first candidate, then the number of
        all candidates.
        """
        count, begin = len(starts) - 1, node_starts(starts, 1, self._fields.secrets)
        guess, scored = array("I", bytes(4 * count)), array("q", bytes(8 * count))
        self._engine.find_sum_guesses(
            self._place, self.space.place,
            indices(candidates, self._fields.secrets, starts[count]), begin, count,
            address(guess, "I"), address(scored, "q"), stop_address(),
        )  # fmt: skip
        return guess, scored

    def scores(self, candidates: Any, guesses: Any) -> array[int]:
        """Return the score (int64) of each guess for these candidates.

        Both arguments are uint32 in ascending order.
        """
        if not len(candidates):
            raise ValueError("there are no candidates; pass at least one")
        scores = array("q", bytes(8 * len(guesses)))
        self._engine.score_sums(
            self._place, self.space.place, indices(candidates, self._fields.secrets),
            len(candidates), indices(guesses, self._fields.guesses), len(guesses),
            address(scores, "q"), stop_address(),
        )  # fmt: skip
        return scores
