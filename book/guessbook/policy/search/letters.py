"""Feedbacks of word games in plain Python, for all candidates at once, as lanes of one integer.

A guess is split into parts: each of its letters, with its positions. The summand of a part does not
depend on the rest of the guess, so a feedback number is a sum over the parts, and thousands of
guesses are made of some hundred parts. Each candidate has a lane of bytes in the integer; no lane
overflows, because a feedback number fits.

Tests compare the results with `guessbook.policy.reference`. The engine adds the same sums
(`guessbook.kernels.hints`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from guessbook.policy.search import search
from guessbook.policy.search.code_sums import Part, PartSums, count, parts_of
from guessbook.policy.search.search import lane_bytes

if TYPE_CHECKING:
    from guessbook.book.games.words import WordGame


# A bound in bytes that is small enough to need no exact number.
SMALL_TABLE = 1 << 28


class Sums(PartSums):
    """The summands of parts for each of some candidates of a word game: see `search.Sums`."""

    __slots__ = ("_every", "_held", "_length", "_loose")

    def __init__(self, game: WordGame, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._length = game.length
        self._loose = game.scoring == "loose"
        width, size = self._lane, self._lane * len(candidates)
        self._every = int.from_bytes((b"\1" + bytes(width - 1)) * len(candidates), "little")
        # _held[p][letter]: 1 in the lanes of the candidates with that letter at position p.
        self._held: list[dict[str, int]] = []
        for p in range(game.length):
            marks: dict[str, bytearray] = {}
            for k, word in enumerate(candidates):
                letter = word[p]
                if letter not in marks:
                    marks[letter] = bytearray(size)
                marks[letter][k * width] = 1
            self._held.append({a: int.from_bytes(m, "little") for a, m in marks.items()})

    def of(self, part: Part) -> int:
        """Return the summand of a part for each candidate, as the lanes of an integer."""
        letter, places = part
        held = [masks.get(letter, 0) for masks in self._held]
        inside = [p for p in range(self._length) if places >> p & 1]
        # spare[j]: the candidates with at least j of the letter left for places where it is not in
        # place. It is in place exactly where the guess has it as well.
        spare = [self._every]
        for p, mask in enumerate(held):
            if self._loose or not places >> p & 1:
                spare = count(spare, mask)
        total = 0
        for p in inside:
            present = (spare[1] if len(spare) > 1 else 0) & ~held[p]
            total += 3 ** (self._length - 1 - p) * (2 * held[p] + present)
            if not self._loose:
                spare = [
                    now & ~present | after
                    for now, after in zip(spare, [*spare[1:], 0], strict=True)
                ]
        return total

    @staticmethod
    def table_bytes(game: WordGame) -> int:
        """Return the bytes of the table of each part's summand for each secret."""
        row = lane_bytes(game) * len(game.secrets)
        # The largest possible number of parts nearly always fits; otherwise count them.
        if game.length * len(game.guesses) * row <= SMALL_TABLE:
            return game.length * len(game.guesses) * row
        return row * len({part for guess in game.guesses for part in parts_of(guess)})


Search = search.Search
