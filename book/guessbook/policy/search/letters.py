"""Word games in plain Python: the feedbacks of all candidates at once, the lanes of one integer.

A guess falls into parts: each of its letters, with the positions where the guess has it. What a
part adds to the feedback number depends on nothing else in the guess, so a feedback is a sum over
the parts of a guess, and thousands of guesses are made of some hundred parts. The sums of all
candidates lie side by side in one integer, a lane of bytes each; a lane never overflows, because a
feedback fits.

The answer is exactly that of `guessbook.policy.reference`. Where numpy is at hand, `words` in
`guessbook.builder.games` does the same with arrays, from the same sums.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from guessbook.book.games.weights import weights_of
from guessbook.policy.reference import partition
from guessbook.policy.search import search
from guessbook.policy.search.code_sums import Part, count, parts_of
from guessbook.policy.search.search import Choice, lane_bytes

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.book.games.words import WordGame
    from guessbook.policy.one_step import OneStep


# Bytes of a table that nobody needs to know exactly.
SMALL_TABLE = 1 << 28

# The kernel of words is loaded sooner than those of codes: it is worth it from one second of plain
# Python on, theirs from one and a half (`lookup.live.MAX_PLAIN_SECONDS`).
EAGERNESS = 1.5


class Sums(search.Sums):
    """What each part adds to the feedback numbers of a list of candidates.

    Args:
        game: the game.
        candidates: words, all of which are secrets of the game.
    """

    __slots__ = ("_every", "_held", "_known", "_length", "_loose", "_size", "_width")

    def __init__(self, game: WordGame, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._known: dict[Part, int] = {}
        self._length = game.length
        self._loose = game.scoring == "loose"
        self._width = width = lane_bytes(game)
        self._size = len(candidates) * width
        self._every = int.from_bytes((b"\1" + bytes(width - 1)) * len(candidates), "little")
        # _held[p][letter]: 1 in the lanes of the candidates with that letter at position p.
        self._held: list[dict[str, int]] = []
        for p in range(game.length):
            marks: dict[str, bytearray] = {}
            for k, word in enumerate(candidates):
                letter = word[p]
                if letter not in marks:
                    marks[letter] = bytearray(self._size)
                marks[letter][k * width] = 1
            self._held.append({a: int.from_bytes(m, "little") for a, m in marks.items()})

    def of(self, part: Part) -> int:
        """What a part adds to the feedback number of each candidate, as the lanes of an integer."""
        letter, places = part
        held = [masks.get(letter, 0) for masks in self._held]
        inside = [p for p in range(self._length) if places >> p & 1]
        # spare[j]: the candidates with at least j of the letter to answer with where it is not in
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

    def answers(self, guess: str) -> bytes | array[int]:
        """See `search.Sums.answers`."""
        total = 0
        for part in parts_of(guess):
            if part not in self._known:
                self._known[part] = self.of(part)
            total += self._known[part]
        return self.lanes(total)

    def lanes(self, total: int) -> bytes | array[int]:
        """An integer of sums as a sequence of numbers, one a candidate."""
        data = total.to_bytes(self._size, "little")
        if self._width == 1:
            return data
        numbers = array("H" if self._width == 2 else "I", data)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers

    @staticmethod
    def table_bytes(game: WordGame) -> int:
        """See `search.Sums.table_bytes`: what each part of a guess adds for each secret."""
        row = lane_bytes(game) * len(game.secrets)
        # As many parts as there can be nearly always fit; only else is it worth counting them.
        if game.length * len(game.guesses) * row <= SMALL_TABLE:
            return game.length * len(game.guesses) * row
        return row * len({part for guess in game.guesses for part in parts_of(guess)})


class Search(search.Search):
    """The candidates of a history: see `search.Search`."""

    game: WordGame

    @property
    def seconds(self) -> float:
        """See `search.Search.seconds`."""
        return EAGERNESS * work(self.game, self.size)

    def best_guess(self, policy: OneStep) -> Choice | None:
        """See `search.Search.best_guess`."""
        game, candidates, size = self.game, self.candidates(), self.size
        if not size:
            return None
        sums = Sums(game, candidates)
        weights = weights_of(game, candidates)
        costs = policy.costs(sum(weights))
        bounds = best_scores(weights, policy, costs)
        best, best_score = "", None
        possible = dict(zip(candidates, weights, strict=True))
        for guess in [*possible, *game.guesses]:
            credit = policy.credit * possible.get(guess, 0)
            lanes = sums.answers(guess)
            # An even split into so many cells is the best that could come of it.
            if best_score is not None and bounds[len(set(lanes))] + credit <= best_score:
                continue
            score = policy.score(sums.counted(lanes).values(), costs) + credit
            if best_score is None or score > best_score:
                best, best_score = guess, score
                if score >= bounds[size] + policy.credit * max(weights):
                    break
        sizes = partition(game, best, candidates)
        return Choice(game.guesses.index(best), size, list(sizes.values()), best in possible)


def best_scores(weights: Sequence[int], policy: OneStep, costs: list[int]) -> list[int]:
    """For k = 0, 1, 2, ...: a score that no partition of candidates into k cells beats.

    Costs grow faster and faster, or are all the same, so that is the score of an even split. Those
    of large cells do so but for what their logarithms are rounded by.

    Args:
        weights: how much each candidate counts.
        policy: the policy.
        costs: its costs.
    """
    total = sum(weights)
    rounding = 0 if total == len(weights) else 22 * total
    scores = [rounding]
    for cells in range(1, len(weights)):
        small, more = divmod(total, cells)
        even = {small + 1: more, small: cells - more}
        if policy.additive:
            cost = sum([costs[n] * times for n, times in even.items() if times])
        else:
            cost = costs[small + (more > 0)]
        scores.append(rounding - cost)
    return [*scores, policy.score(weights, costs)]


def work(game: Game, candidates: int) -> float:
    """About how many seconds `Search.best_guess` takes for so many candidates."""
    return len(game.guesses) * (4e-6 + candidates * 1e-7)
