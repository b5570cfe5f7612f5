"""The analysis: the candidates after a history, and how each guess of the game would split them."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence, Set
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from guessbook.book.errors import EngineError, UsageError
from guessbook.book.games.beyond import among_guesses, listed_guesses
from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import SearchBudget, has_symmetry
from guessbook.book.games.weights import secret_weights, weight_of, weights_of
from guessbook.book.tree import entropy
from guessbook.policy.one_step import OneStep, allowed
from guessbook.policy.search import symmetry
from guessbook.policy.search.search import Sums, candidates_of, sums_of

# Pairs of a guess and a candidate that plain Python counts in a quarter of a second, and in two
# minutes. Longer searches are refused.
SOME_PAIRS = 5_000_000
MAX_PAIRS = 2_400_000_000
# The candidates that take as long as the lookup of one guess.
PAIRS_OF_A_GUESS = 110
# The most guesses whose images under all permutations plain Python compares.
MAX_LEADING = 10_000


class Split(NamedTuple):
    """The effect of a guess on the candidates, in the units of every one-step policy.

    Where secrets have weights a size is the sum of the candidates' weights.

    Attributes:
        entropy: the expected information of the feedback, in bits (`entropy`).
        expected_size: the expected number of remaining candidates (`expected`).
        cells: the number of cells (`parts`).
        worst: the size of the largest cell (`minimax`).
    """

    entropy: float
    expected_size: float
    cells: int
    worst: int


def split_of(sizes: Iterable[int]) -> Split:
    """Return the numbers of a partition with cells of these sizes."""
    sizes = list(sizes)
    # No information is 0 bits, and never a rounded -0.
    bits = entropy(sizes) if len(sizes) > 1 else 0.0
    return Split(bits, sum(n * n for n in sizes) / sum(sizes), len(sizes), max(sizes))


class Analysis:
    """The candidates after a history: every secret that fits, in the order of the game."""

    def __init__(self, game: Game, history: History, candidates: list[str] | None = None) -> None:
        self.game = game
        self.history = list(history)
        self.candidates = candidates_of(game, history) if candidates is None else candidates

    @cached_property
    def weight(self) -> int:
        """The sum of the candidates' weights; their number if secrets have no weights."""
        return weight_of(self.game, self.candidates)

    @property
    def total(self) -> int | None:
        """The sum of the candidates' weights; None where secrets have no weights."""
        return None if secret_weights(self.game) is None else self.weight

    @cached_property
    def possible(self) -> Set[str]:
        """The candidates as a set."""
        return set(self.candidates)

    @cached_property
    def sums(self) -> Sums:
        """The feedbacks of the candidates."""
        return sums_of(self.game, self.candidates)

    @cached_property
    def _held(self) -> Set[int]:
        """The ranks of the symbols that some candidate of a code game has."""
        assert has_symmetry(self.game)
        return symmetry.held_symbols(self.game, self.candidates)

    def chance(self, guess: str) -> float:
        """Return the probability that a guess is the secret."""
        own = weight_of(self.game, [guess]) if guess in self.candidates else 0
        return own / self.weight if own else 0.0

    def answers(self, guess: str) -> bytes | array[int]:
        """Return the feedback number that each candidate gives to a guess."""
        return self.sums.answers(guess)

    def counted(self, guess: str) -> Counter[int]:
        """Return the weight of the candidates of each feedback number to a guess."""
        return self.sums.counted(self.answers(guess))

    def cells(self, guess: str) -> dict[int, list[str]]:
        """Return the candidates by their feedback number to a guess, the likeliest cell first."""
        cells: dict[int, list[str]] = {}
        for secret, feedback in zip(self.candidates, self.answers(guess), strict=True):
            cells.setdefault(feedback, []).append(secret)
        counted = self.counted(guess)
        return dict(sorted(cells.items(), key=lambda cell: (-counted[cell[0]], cell[0])))

    def split(self, guess: str) -> Split:
        """Return the effect of a guess on the candidates, in numbers."""
        return split_of(self.counted(guess).values())

    def pair(self, first: str, second: str) -> Split:
        """Return the effect of two guesses on the candidates, whatever the first feedback is."""
        both = zip(self.answers(first), self.answers(second), strict=True)
        return split_of(self.sums.counted(both).values())

    def carried(self, first: Sequence[int], second: Sequence[int], effort: SearchBudget | None = None) -> bool:
        """Return whether a symmetry that is found within a budget maps `first` to `second`."""
        if not has_symmetry(self.game):
            return list(first) == list(second)
        effort = effort or SearchBudget()
        return symmetry.maps_onto(self.game, self.history, self._held, first, second, effort)

    def ranked(self, policy: OneStep, refused: Collection[str] = ()) -> Sequence[int]:
        """Return the inequivalent guesses that a policy allows, without refused ones."""
        found = self.inequivalent(allowed(self.game, policy, self.history, self.candidates))
        codes = self.game.guesses
        return [index for index in found if codes[index] not in refused] if refused else found

    def scores(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        """Return for each policy the exact scores of guesses, the credits included."""
        pairs = len(guesses) * (len(self.candidates) + PAIRS_OF_A_GUESS)
        if pairs > SOME_PAIRS:
            try:
                hints = self._hints()
                return [hints.scores(policy, guesses) for policy in policies]
            except EngineError as error:
                if pairs > MAX_PAIRS:
                    raise UsageError(
                        f"found {len(guesses):,} guesses and {len(self.candidates):,} candidates, "
                        f"too many for plain Python: {error}"
                    ) from None
        return self._plain([policy.of(self.game) for policy in policies], guesses)

    def inequivalent(self, indices: Sequence[int] | None = None, made: Sequence[int] = ()) -> Sequence[int]:
        """Return the lowest guess of each class of equivalent guesses (equal up to a symmetry).

        `indices` are the guesses, ascending; all of the game if None. A symmetry fixes the guesses of the history and
        the guesses `made`. If the search exceeds its budget, more guesses of a class remain.
        """
        game = self.game
        if not has_symmetry(game):
            return listed_guesses(game) if indices is None else indices
        # A symmetry depends on the code of a guess that was made, not on its feedback.
        history = [*self.history, *[(guess, 0) for guess in made]]
        leaders = symmetry.lowest_guesses(game, history, self._held) if indices is None else indices
        found = list(islice(leaders, MAX_LEADING + 1))
        if len(found) > MAX_LEADING:
            lowest = self._lowest(history)
            return lowest if indices is None else sorted(set(indices).intersection(lowest))
        effort = SearchBudget(symmetry.MAX_STEPS_TO_LOWEST)
        return symmetry.representatives(game, history, self._held, found, effort)

    def _lowest(self, history: History) -> Sequence[int]:
        """Return the inequivalent guesses of a large code game, or all if there is no engine."""
        try:
            found: list[int] = self._hints().lowest([guess for guess, _ in history])
        except EngineError:
            return range(len(self.game.guesses))
        return found

    def _hints(self) -> Any:
        # Late: small games and analyses need no engine.
        from guessbook.kernels.hints import hints_of

        return hints_of(self.game, self.history, self.candidates)

    def _plain(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        game, codes = self.game, self.candidates
        costs = [policy.costs(self.weight) for policy in policies]
        weights = dict(zip(codes, weights_of(game, codes), strict=True))
        known: dict[tuple[int, ...], list[int]] = {}
        rows = []
        for index in guesses:
            guess = game.guesses[index]
            sizes = tuple(sorted(self.counted(guess).values()))
            if sizes not in known:
                known[sizes] = [p.score(sizes, own) for p, own in zip(policies, costs, strict=True)]
            row = known[sizes]
            if own := weights.get(guess):
                row = [s + p.credit * own for s, p in zip(row, policies, strict=True)]
            rows.append(row)
        return [list(column) for column in zip(*rows, strict=True)]


def analysed(game: Game, history: History, refused: Collection[str] = ()) -> Analysis:
    """Return the candidates that are not refused; if there are none, all guesses are searched."""
    codes = candidates_of(game, history)
    if refused:
        codes = [code for code in codes if code not in refused]
    more = None if codes else among_guesses(game)
    return analysed(more, history, refused) if more else Analysis(game, history, codes)


def surprise(size: int, total: int) -> float:
    """Return the information, in bits, that the secret is one of `size` of `total` candidates."""
    return math.log2(total / size)
