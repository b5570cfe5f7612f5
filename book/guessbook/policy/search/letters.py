"""Feedbacks of word games in plain Python, for all candidates at once, as lanes of one integer.

The summand of a letter with its positions does not depend on the rest of the guess. The engine adds
the same summands (`guessbook.kernels.hints`).
"""

from collections.abc import Sequence

from guessbook.book.games.words import WordGame
from guessbook.policy.search import search
from guessbook.policy.search.search import Part, count, lane_bytes, parts_of

# A bound in bytes that is small enough to need no exact number.
SMALL_TABLE = 1 << 28

Search = search.Search


class Sums(search.PartSums):
    """The feedbacks of some candidates of a word game."""

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
                spare = [now & ~present | after for now, after in zip(spare, [*spare[1:], 0], strict=True)]
        return total

    @staticmethod
    def table_bytes(game: WordGame) -> int:
        """Return the bytes of the table of each part's summand for each secret."""
        row = lane_bytes(game) * len(game.secrets)
        # The largest possible number of parts nearly always fits; otherwise count them.
        if game.length * len(game.guesses) * row <= SMALL_TABLE:
            return game.length * len(game.guesses) * row
        return row * len({part for guess in game.guesses for part in parts_of(guess)})
