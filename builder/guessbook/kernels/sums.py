"""Games of any kind in the engine: feedback numbers that are sums over the parts of a guess."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

from guessbook.book.errors import InvalidGameError
from guessbook.kernels.binding import Space, address, check, engine, filled, indices, node_starts
from guessbook.kernels.costs import Rule
from guessbook.kernels.stop import stop_address

# What `most_told` returns where an index is none.
NO_INDICES = -2


class SumSearch:
    """A game and a one-step policy, ready to be searched by any number of threads.

    Candidates are indices of secrets, ascending in each node; guesses of guesses: uint32. What is
    no index raises IndexError, and a node without candidates ValueError.

    Args:
        sums: uint8, uint16 or uint32[parts, secrets], what each part of a guess adds to the
            feedback number of each secret; the last part may be nothing at all.
        parts: int32[guesses, width], the parts of each guess, filled up with the last part. A guess
            that does nothing but name secret k has -1 - k: it is answered by the last feedback
            number, or for other secrets by the one before.
        guesses: how many guesses there are.
        homes: uint32[secrets], the index of each secret as a guess, ascending.
        weights: int64[secrets], how much each secret counts.
        feedbacks: how many feedback numbers there are.
        few: up to so many candidates the first is the guess: `weights.few_candidates`.
        rule: the policy.
        variant: of the machine: see `binding.engine`.

    Raises:
        InvalidGameError: a feedback number of the game is too large.
        ValueError: parts, homes or weights are none.
    """

    def __init__(
        self, sums: Any, parts: Any, guesses: int, homes: Any, weights: Any, feedbacks: int,
        few: int, rule: Rule, variant: int = -1,
    ) -> None:  # fmt: skip
        lane, secrets = memoryview(sums).itemsize, len(homes)
        width = memoryview(parts).nbytes // 4 // guesses
        self.rule, self._sums, self._weights = rule, sums, weights
        address(weights, "q", secrets)
        self._fields = filled(
            "SumGame", address(sums, {1: "B", 2: "H", 4: "I"}[lane]), parts, homes, weights,
            rule.costs, memoryview(sums).nbytes // lane // secrets, secrets, guesses, width, lane,
            feedbacks, few, rule.credit, rule.additive,
        )  # fmt: skip
        self._place = ctypes.addressof(self._fields)
        self._engine = engine(variant)
        self._check()
        self.space = Space("sum_space_new", self._place)

    def _check(self) -> None:
        of = self._fields
        weights = memoryview(self._weights).cast("B").cast("q")
        most = len(self.rule.costs) - 1
        if min(weights, default=1) < 0 or sum(weights) > most:
            raise ValueError(f"found secrets that count {sum(weights)}, expected at most {most}")
        told = self._engine.most_told(self._place)
        if told == NO_INDICES:
            raise ValueError(
                f"found parts or homes that are no indices of {of.part_count} parts and "
                f"{of.guesses} guesses, or homes that do not ascend"
            )
        check(min(told, 0))
        if told >= of.feedbacks:
            raise InvalidGameError(
                f"found feedback number {told}, expected 0 to {of.feedbacks - 1}; correct the "
                "game's feedbacks or their number"
            )

    def guesses(self, candidates: Any, starts: Any) -> tuple[array[int], array[int]]:
        """Return the guess of each node (uint32), and how many guesses were scored (int64).

        Args:
            candidates: uint32, those of each node, ascending.
            starts: int64[nodes + 1], where the candidates of each begin, and the last end.
        """
        count, begin = len(starts) - 1, node_starts(starts, 1, self._fields.secrets)
        guess, scored = array("I", bytes(4 * count)), array("q", bytes(8 * count))
        check(
            self._engine.find_sum_guesses(
                self._place, self.space.place,
                indices(candidates, self._fields.secrets, starts[count]), begin, count,
                address(guess, "I"), address(scored, "q"),
                stop_address(),
            )
        )  # fmt: skip
        return guess, scored

    def scores(self, candidates: Any, guesses: Any) -> array[int]:
        """Return the score of each guess: int64.

        Args:
            candidates: uint32, ascending, at least one.
            guesses: uint32, ascending.
        """
        if not len(candidates):
            raise ValueError("found no candidates, expected at least one")
        scores = array("q", bytes(8 * len(guesses)))
        check(
            self._engine.score_sums(
                self._place, self.space.place, indices(candidates, self._fields.secrets),
                len(candidates), indices(guesses, self._fields.guesses), len(guesses),
                address(scores, "q"), stop_address(),
            )
        )  # fmt: skip
        return scores
