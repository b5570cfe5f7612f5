"""The search for the candidates of a history and for the best guess, in plain Python.

The registry entry of a kind of game may name a faster module, with subclasses of `Search` and `Sums`.
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

# The type codes of `array` for numbers of 1, 2 and 4 bytes.
LANES = {1: "B", 2: "H", 4: "I"}

# The type of an answer: a feedback number, or a tuple of one feedback number per guess.
T = TypeVar("T")
# A symbol and its positions in a guess: bit p is 1 if the guess has the symbol at position p.
Part = tuple[str, int]


class Choice(NamedTuple):
    """The guess that a policy chooses, and its cells.

    Attributes:
        guess: the index of the guess in `game.guesses`.
        candidates: the number of candidates.
        sizes: the sizes of the cells of the guess, or the weights of its cells if secrets have weights.
        is_candidate: whether the guess may be the secret.
        found: the weight of the candidates found within the policy's limit of guesses; None without a limit.
    """

    guess: int
    candidates: int
    sizes: list[int]
    is_candidate: bool
    found: int | None = None


class Search:
    """The candidates of a history, and the search for the best guess, for any game."""

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
        """Return the best guess of a policy that allows all guesses; None if there are no candidates."""
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
            # Skip the guess if no partition into this number of cells can exceed the best score so far.
            if best_score is not None and bounds[len(set(answers))] + credit <= best_score:
                continue
            score = policy.score(sums.cell_weights(answers).values(), costs) + credit
            if best_score is None or score > best_score:
                best, best_score = guess, score
                if score >= bounds[size] + policy.credit * max(weights):
                    break
        sizes = partition(game, best, candidates)
        return Choice(game.guesses.index(best), size, list(sizes.values()), best in possible)


def best_scores(weights: Sequence[int], policy: OneStep, costs: Sequence[int]) -> list[int]:
    """Return a list: entry k is an upper bound on the score of any partition into k cells."""
    total = sum(weights)
    # With weights, rounded logarithms may lift a score above the score of an even partition (cells of similar weights).
    rounding = 0 if total == len(weights) else 22 * total
    scores = [rounding]
    for cells in range(1, len(weights)):
        # An even partition has the highest score, because the cost of a cell is convex in its size, or constant.
        small, more = divmod(total, cells)
        even = {small + 1: more, small: cells - more}
        if policy.additive:
            cost = sum([costs[n] * times for n, times in even.items() if times])
        else:
            cost = costs[small + (more > 0)]
        scores.append(rounding - cost)
    return [*scores, policy.score(weights, costs)]


class Sums:
    """The feedbacks that a list of candidates gives to any guess, for any game."""

    __slots__ = ("_weights", "candidates", "game")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        self.game = game
        self.candidates = candidates
        self._weights = secret_weights(game) and weights_of(game, candidates)

    def answers(self, guess: str) -> bytes | array[int]:
        """Return the feedback number that each candidate gives to a guess."""
        lane = LANES[lane_bytes(self.game)]
        return array(lane, [self.game.feedback_number(guess, secret) for secret in self.candidates])

    def cell_weights(self, answers: Iterable[T]) -> Counter[T]:
        """Return the total weight of the candidates for each answer; `answers` has one answer per candidate."""
        if self._weights is None:
            return Counter(answers)
        cells: Counter[T] = Counter()
        for answer, weight in zip(answers, self._weights, strict=True):
            cells[answer] += weight
        return cells

    @staticmethod
    def table_bytes(game: Any) -> int:
        """Return an upper bound on the size in bytes of a build's table of feedbacks; 0 if a build has no table."""
        return lane_bytes(game) * len(game.guesses) * len(game.secrets)


class PartSums(Sums):
    """The feedbacks that a list of candidates gives to any guess, as sums over the symbols (`Part`) of the guess.

    One long integer has the feedback numbers of all candidates. The bytes of a candidate's number are its lane.
    """

    __slots__ = ("_known", "_lane")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        # A cache of the results of `of`: thousands of guesses have only a few hundred different values of `Part`.
        self._known: dict[Part, int] = {}
        self._lane = lane_bytes(game)

    @abstractmethod
    def of(self, part: Part) -> int:
        """Return the number that a symbol adds to each candidate's feedback number, all packed in one integer."""

    def answers(self, guess: str) -> bytes | array[int]:
        """Return the feedback number that each candidate gives to a guess."""
        total = 0
        for part in parts_of(guess):
            if part not in self._known:
                self._known[part] = self.of(part)
            total += self._known[
                part
            ]  # Each candidate's number fits its bytes: they can hold every feedback number.
        return self.lanes(total)

    def lanes(self, total: int) -> bytes | array[int]:
        """Return the numbers that are packed into one integer, one number per candidate."""
        data = total.to_bytes(self._lane * len(self.candidates), "little")
        if self._lane == 1:
            return data
        numbers = array(LANES[self._lane], data)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers


def parts_of(guess: str) -> list[Part]:
    """Return each symbol of a guess with its positions as bits, in the order of the first occurrences.

    >>> parts_of("geese")
    [('g', 1), ('e', 22), ('s', 8)]
    """
    places: dict[str, int] = {}
    for position, letter in enumerate(guess):
        places[letter] = places.get(letter, 0) | 1 << position
    return list(places.items())


def count(sets: list[int], more: int) -> list[int]:
    """Return the sets after counting each candidate in `more` once more; set n has those with a count of at least n."""
    return [sets[0], *[same | less & more for less, same in pairwise(sets)], sets[-1] & more]


def lane_bytes(game: Game) -> int:
    """Return the size in bytes of a feedback number of the game: 1, 2 or 4."""
    return 1 if game.feedbacks <= 1 << 8 else 2 if game.feedbacks <= 1 << 16 else 4


def search_of(game: Game, history: History) -> Search:
    """Return the candidates of a history as a `Search`. Raises InvalidGameError if the game has too many codes."""
    search: Search = companion(game, "search").Search(game, history)
    return search


def sums_of(game: Game, candidates: Sequence[str]) -> Sums:
    """Return an object that computes the feedbacks of `candidates`; each candidate must be a secret of the game."""
    sums: Sums = companion(game, "search").Sums(game, candidates)
    return sums


def table_bytes(game: Game) -> int:
    """Return an upper bound on the size in bytes of a build's table of feedbacks; 0 if a build has no table."""
    size: int = companion(game, "search").Sums.table_bytes(game)
    return size


def candidates_of(game: Game, history: History) -> list[str]:
    """Return every secret that fits a history, in the order of the game."""
    return search_of(game, history).candidates() if history else list(game.secrets)
