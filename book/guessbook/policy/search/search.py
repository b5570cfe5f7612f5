"""Search in plain Python: the candidates of a history, and the best guess for them.

Each kind of game may have a faster version, its companion (see `guessbook.book.games.registry`): a
module with the classes `Search` and `Sums`, derived from the classes here, which work for any game.
Tests compare all results with `guessbook.policy.reference`.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from guessbook.book.games.game import Game, History
from guessbook.book.games.registry import companion
from guessbook.book.games.weights import secret_weights, weights_of
from guessbook.policy.one_step import OneStep
from guessbook.policy.reference import consistent, partition

# The type code of an array, by the bytes of a number.
LANES = {1: "B", 2: "H", 4: "I"}

# An answer: one feedback number, or several for several guesses.
T = TypeVar("T")
# A symbol, and the positions where the guess has it, as bits.
Part = tuple[str, int]


class Choice(NamedTuple):
    """A policy's guess, by its index in `game.guesses`, and the number of candidates.

    Attributes:
        sizes: the sizes of the cells that it makes; their weights if secrets have weights.
        is_candidate: whether it may be the secret.
        found: the weight of the candidates that the policy finds within the guesses that are left;
            None if the policy does not count it.
    """

    guess: int
    candidates: int
    sizes: list[int]
    is_candidate: bool
    found: int | None = None


class Search:
    """The candidates of a history, ready to be searched."""

    __slots__ = ("_candidates", "game")

    def __init__(self, game: Game, history: History) -> None:
        self.game = game
        self._candidates = consistent(game, history)

    @property
    def size(self) -> int:
        """The number of candidates."""
        return len(self._candidates)

    def candidates(self) -> list[str]:
        """Return every secret that fits the history, in the order of the game."""
        return self._candidates

    def best_guess(self, policy: OneStep) -> Choice | None:
        """Return a one-step policy's guess, ignoring its limits; None without candidates."""
        game, candidates, size = self.game, self.candidates(), self.size
        if not size:
            return None
        policy = policy.of(game)
        sums = sums_of(game, candidates)
        weights = weights_of(game, candidates)
        costs = policy.costs(sum(weights))
        bounds = best_scores(weights, policy, costs)
        best, best_score = "", None
        possible = dict(zip(candidates, weights, strict=True))
        for guess in [*possible, *game.guesses]:
            credit = policy.credit * possible.get(guess, 0)
            answers = sums.answers(guess)
            # An even split into this number of cells has the best possible score.
            if best_score is not None and bounds[len(set(answers))] + credit <= best_score:
                continue
            score = policy.score(sums.counted(answers).values(), costs) + credit
            if best_score is None or score > best_score:
                best, best_score = guess, score
                if score >= bounds[size] + policy.credit * max(weights):
                    break
        sizes = partition(game, best, candidates)
        return Choice(game.guesses.index(best), size, list(sizes.values()), best in possible)


def best_scores(weights: Sequence[int], policy: OneStep, costs: Sequence[int]) -> list[int]:
    """Return, for k = 0, 1, 2, ..., an upper bound of the score of a partition into k cells.

    The cost of a cell grows faster than linearly, or is constant, so an even split has the best
    score. Rounded logarithms of large cells deviate from that a little.
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


class Sums:
    """The feedbacks of some candidates, for many guesses; this one works for any game."""

    __slots__ = ("_weights", "candidates", "game")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        self.game = game
        self.candidates = candidates
        self._weights = secret_weights(game) and weights_of(game, candidates)

    def answers(self, guess: str) -> bytes | array[int]:
        """Return the feedback number that each candidate gives to a guess."""
        lane = LANES[lane_bytes(self.game)]
        return array(lane, [self.game.feedback_number(guess, secret) for secret in self.candidates])

    def counted(self, answers: Iterable[T]) -> Counter[T]:
        """Return the weight of the candidates that give each of these answers."""
        if self._weights is None:
            return Counter(answers)
        cells: Counter[T] = Counter()
        for answer, weight in zip(answers, self._weights, strict=True):
            cells[answer] += weight
        return cells

    @staticmethod
    def table_bytes(game: Any) -> int:
        """Return the most bytes of the table from which a build reads feedbacks; 0 without one."""
        return lane_bytes(game) * len(game.guesses) * len(game.secrets)


class PartSums(Sums):
    """The feedbacks of some candidates, each the sum of numbers for the parts of a guess.

    A number for all candidates is one integer with a lane of bytes for each of them. No lane
    overflows, because a feedback number fits. Thousands of guesses consist of some hundred parts.
    """

    __slots__ = ("_known", "_lane")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._known: dict[Part, int] = {}
        self._lane = lane_bytes(game)

    @abstractmethod
    def of(self, part: Part) -> int:
        """Return the summand of a part for each candidate, as the lanes of an integer."""

    def answers(self, guess: str) -> bytes | array[int]:
        """Return the feedback number that each candidate gives to a guess."""
        total = 0
        for part in parts_of(guess):
            if part not in self._known:
                self._known[part] = self.of(part)
            total += self._known[part]
        return self.lanes(total)

    def lanes(self, total: int) -> bytes | array[int]:
        """Return the lanes of an integer as a sequence of numbers, one a candidate."""
        data = total.to_bytes(self._lane * len(self.candidates), "little")
        if self._lane == 1:
            return data
        numbers = array(LANES[self._lane], data)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers


def parts_of(guess: str) -> list[Part]:
    """Return the parts of a guess, in the order of their first letters.

    >>> parts_of("geese")
    [('g', 1), ('e', 22), ('s', 8)]
    """
    places: dict[str, int] = {}
    for position, letter in enumerate(guess):
        places[letter] = places.get(letter, 0) | 1 << position
    return list(places.items())


def count(sets: list[int], more: int) -> list[int]:
    """Add one to the counts of some candidates: sets[n] has those with n or more, as bits."""
    return [sets[0], *[same | less & more for less, same in pairwise(sets)], sets[-1] & more]


def lane_bytes(game: Game) -> int:
    """Return the bytes of a feedback number in a table: 1, 2 or 4."""
    return 1 if game.feedbacks <= 1 << 8 else 2 if game.feedbacks <= 1 << 16 else 4


def search_of(game: Game, history: History) -> Search:
    """Return the search of a history. Raises InvalidGameError if the codes exceed the memory."""
    search: Search = companion(game, "search").Search(game, history)
    return search


def sums_of(game: Game, candidates: Sequence[str]) -> Sums:
    """Return the feedbacks of these candidates, all of which are secrets of the game."""
    sums: Sums = companion(game, "search").Sums(game, candidates)
    return sums


def table_bytes(game: Game) -> int:
    """Return the most bytes of the table from which a build reads feedbacks; 0 without one."""
    size: int = companion(game, "search").Sums.table_bytes(game)
    return size


def candidates_of(game: Game, history: History) -> list[str]:
    """Return every secret that fits a history, in the order of the game."""
    return search_of(game, history).candidates() if history else list(game.secrets)
