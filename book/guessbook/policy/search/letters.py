"""Feedbacks of word games in plain Python, computed for all candidates at once."""

from collections.abc import Sequence

from guessbook.book.games.words import WordGame
from guessbook.policy.search import search
from guessbook.policy.search.search import Part, count, lane_bytes, parts_of

# If an upper bound on the size of a table is at most this number of bytes, the exact size is not computed.
SMALL_TABLE = 1 << 28

Search = search.Search


class Sums(search.PartSums):
    """The feedbacks that a list of candidates of a word game gives to any guess."""

    __slots__ = ("_every", "_held", "_length", "_loose")

    def __init__(self, game: WordGame, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._length = game.length
        self._loose = game.scoring == "loose"
        width, size = self._lane, self._lane * len(candidates)
        self._every = int.from_bytes((b"\1" + bytes(width - 1)) * len(candidates), "little")
        # _held[p][letter] is an integer with 1 in the lane (see `PartSums`) of each candidate with this letter at p.
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
        """Return the number that a letter adds to each candidate's feedback number, all packed in one integer."""
        letter, places = part
        held = [masks.get(letter, 0) for masks in self._held]
        inside = [p for p in range(self._length) if places >> p & 1]
        # spare[j] marks the candidates that have the letter at least j times outside the positions where the guess has
        # the letter. With loose scoring, all positions count.
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
        """Return the size in bytes of a build's table of all results of the method `of`, or an upper bound."""
        row = lane_bytes(game) * len(game.secrets)
        # The table has a row per `Part` and a column per secret. Counting the rows is slow, so a bound is tried first.
        if game.length * len(game.guesses) * row <= SMALL_TABLE:
            return game.length * len(game.guesses) * row
        return row * len({part for guess in game.guesses for part in parts_of(guess)})
