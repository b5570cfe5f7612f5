"""The class `Analysis`: the candidates after a history, and how guesses partition them."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence, Set
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from guessbook.book.errors import EngineError, UsageError
from guessbook.book.games import symmetry
from guessbook.book.games.game import Game, History, SymmetricGame
from guessbook.book.games.symmetry import SearchBudget
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.book.tree import entropy
from guessbook.policy.policy import OneStep, allowed_indices
from guessbook.policy.search import Sums, candidates_of, sums_of

# Plain Python scores at most SOME_PAIRS (guess, candidate) pairs, in a quarter of a second. The engine scores larger
# numbers of pairs. Without the engine, more than MAX_PAIRS pairs (two minutes in plain Python) are refused.
SOME_PAIRS = 5_000_000
MAX_PAIRS = 2_400_000_000
# The fixed overhead of scoring a guess takes as long as scoring this number of (guess, candidate) pairs.
PAIRS_OF_A_GUESS = 110
# Plain Python groups at most this number of guesses by equivalence; the engine groups more.
MAX_LEADING = 10_000


class Split(NamedTuple):
    """Statistics of a partition of the candidates by their feedback to a guess.

    If secrets have weights, the size of a cell is the sum of its candidates' weights.

    Attributes:
        entropy: the expected information of the feedback, in bits; the policy `entropy` maximizes it.
        expected_size: the expected size of the cell that contains the secret; the policy `expected` minimizes it.
        cells: the number of cells; the policy `parts` maximizes it.
        worst: the size of the largest cell; the policy `minimax` minimizes it.
    """

    entropy: float
    expected_size: float
    cells: int
    worst: int


def split_of(sizes: Iterable[int]) -> Split:
    """Return the statistics of a partition into cells of these sizes."""
    sizes = list(sizes)
    # A single cell gives exactly 0 bits; `entropy` could return a rounding error.
    bits = entropy(sizes) if len(sizes) > 1 else 0.0
    return Split(bits, sum(n * n for n in sizes) / sum(sizes), len(sizes), max(sizes))


class Analysis:
    """The candidates after a history, in the order of the game, and how guesses partition them."""

    def __init__(self, game: Game, history: History, candidates: list[str] | None = None) -> None:
        self.game = game
        self.history = list(history)
        self.candidates = candidates_of(game, history) if candidates is None else candidates

    @cached_property
    def weight(self) -> int:
        """The sum of the candidates' weights; the number of candidates if secrets have no weights."""
        return weight_of(self.game, self.candidates)

    @property
    def total(self) -> int | None:
        """The sum of the candidates' weights; None if secrets have no weights."""
        return None if self.game.weights is None else self.weight

    @cached_property
    def possible(self) -> Set[str]:
        """The candidates as a set, for fast membership tests."""
        return set(self.candidates)

    @cached_property
    def sums(self) -> Sums:
        """The object that computes the feedbacks of all candidates to a guess."""
        return sums_of(self.game, self.candidates)

    @cached_property
    def _held(self) -> Set[int]:
        """The indices of the symbols that occur in some candidate. The game must be a code game."""
        assert isinstance(self.game, SymmetricGame)
        return symmetry.held_symbols(self.game, self.candidates)

    def chance(self, guess: str) -> float:
        """Return the probability that a guess is the secret."""
        own = weight_of(self.game, [guess]) if guess in self.candidates else 0
        return own / self.weight if own else 0.0

    def answers(self, guess: str) -> bytes | array[int]:
        """Return the feedback numbers of all candidates to a guess, in the order of `candidates`."""
        return self.sums.answers(guess)

    def cell_weights(self, guess: str) -> Counter[int]:
        """Return the weight of each cell of a guess, as a dict with feedback numbers as keys."""
        return self.sums.cell_weights(self.answers(guess))

    def cells(self, guess: str) -> dict[int, list[str]]:
        """Return the candidates in each cell of a guess, as a dict by feedback number, the likeliest cell first."""
        cells: dict[int, list[str]] = {}
        for secret, feedback in zip(self.candidates, self.answers(guess), strict=True):
            cells.setdefault(feedback, []).append(secret)
        counted = self.cell_weights(guess)
        return dict(sorted(cells.items(), key=lambda cell: (-counted[cell[0]], cell[0])))

    def split(self, guess: str) -> Split:
        """Return the statistics of the partition by a guess."""
        return split_of(self.cell_weights(guess).values())

    def pair(self, first: str, second: str) -> Split:
        """Return the statistics of the partition by the feedbacks to two guesses."""
        both = zip(self.answers(first), self.answers(second), strict=True)
        return split_of(self.sums.cell_weights(both).values())

    def maps(
        self, first: Sequence[int], second: Sequence[int], effort: SearchBudget | None = None
    ) -> bool:
        """Return whether one symmetry of the history maps `first[k]` to `second[k]` for every k.

        Both arguments are lists of guess indices. A search that exceeds the budget `effort` also returns False.
        """
        if not isinstance(self.game, SymmetricGame):
            return list(first) == list(second)
        effort = effort or SearchBudget()
        return symmetry.maps_onto(self.game, self.history, self._held, first, second, effort)

    def rank_guesses(self, policy: OneStep, refused: Collection[str] = ()) -> Sequence[int]:
        """Return the indices of the guesses to rank, unsorted: those that `policy` allows, except those in `refused`.

        Of each group of equivalent guesses, only the guess with the lowest index is returned.
        """
        found = self.inequivalent(allowed_indices(self.game, policy, self.history, self.candidates))
        codes = self.game.guesses
        return [index for index in found if codes[index] not in refused] if refused else found

    def scores(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        """Return for each policy the exact scores of the guess indices `guesses`; a higher score is better."""
        pairs = len(guesses) * (len(self.candidates) + PAIRS_OF_A_GUESS)
        if pairs > SOME_PAIRS:
            try:
                hints = self._hints()
                return [hints.scores(policy, guesses) for policy in policies]
            except EngineError as error:
                if pairs > MAX_PAIRS:
                    raise UsageError(
                        f"found {len(guesses):,} guesses and {len(self.candidates):,} candidates, "
                        f"too many to score in plain Python: {error}"
                    ) from None
        return self._plain([policy.of(self.game) for policy in policies], guesses)

    def inequivalent(
        self, indices: Sequence[int] | None = None, made: Sequence[int] = ()
    ) -> Sequence[int]:
        """Return the lowest index of each group of equivalent guesses.

        Two guesses are equivalent if a symmetry maps one to the other, and maps each guess of the history and of `made`
        to itself. `made` are guesses that follow the history, such as the first guess of a pair; their feedbacks are
        not needed. `indices` are the guess indices to group, in ascending order; None stands for all guesses.
        """
        game = self.game
        if not isinstance(game, SymmetricGame):
            return range(game.listed) if indices is None else indices
        # Symmetries do not depend on the feedbacks, so any number serves as the feedback to a guess of `made`.
        history = [*self.history, *[(guess, 0) for guess in made]]
        leaders = symmetry.lowest_guesses(game, history, self._held) if indices is None else indices
        found = list(islice(leaders, MAX_LEADING + 1))
        if len(found) > MAX_LEADING:
            lowest = self._lowest(history)
            return lowest if indices is None else sorted(set(indices).intersection(lowest))
        # If the search exceeds this budget, the result may contain several equivalent guesses.
        effort = SearchBudget(symmetry.MAX_STEPS_TO_LOWEST)
        return symmetry.representatives(game, history, self._held, found, effort)

    def _lowest(self, history: History) -> Sequence[int]:
        """Return the lowest index of each group of equivalent guesses, or all indices if there is no engine."""
        try:
            found: list[int] = self._hints().lowest([guess for guess, _ in history])
        except EngineError:
            return range(len(self.game.guesses))
        return found

    def _hints(self) -> Any:
        # Imported here, because only large analyses need the engine.
        from guessbook.engine.hints import hints_of

        return hints_of(self.game, self.history, self.candidates)

    def _plain(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        game, codes = self.game, self.candidates
        costs = [policy.costs(self.weight) for policy in policies]
        weights = dict(zip(codes, weights_of(game, codes), strict=True))
        known: dict[tuple[int, ...], list[int]] = {}
        rows = []
        for index in guesses:
            guess = game.guesses[index]
            sizes = tuple(sorted(self.cell_weights(guess).values()))
            if sizes not in known:
                known[sizes] = [p.score(sizes, own) for p, own in zip(policies, costs, strict=True)]
            row = known[sizes]
            if own := weights.get(guess):
                row = [s + p.credit * own for s, p in zip(row, policies, strict=True)]
            rows.append(row)
        return [list(column) for column in zip(*rows, strict=True)]


def analyse(game: Game, history: History, refused: Collection[str] = ()) -> Analysis:
    """Analyse the secrets that fit a history; if there are none, all words that fit. Omit the codes in `refused`."""
    codes = candidates_of(game, history)
    if refused:
        codes = [code for code in codes if code not in refused]
    more = None if codes else game.widened()
    return analyse(more, history, refused) if more else Analysis(game, history, codes)


def surprise(size: int, total: int) -> float:
    """Return the information, in bits, of a feedback that reduces the candidates' weight from `total` to `size`."""
    return math.log2(total / size)
