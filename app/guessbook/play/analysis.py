"""The candidates after a history, and the partitions of these candidates by guesses."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence, Set
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from guessbook.book.errors import EngineError
from guessbook.book.games import symmetry
from guessbook.book.games.game import Game, History, SymmetricGame
from guessbook.book.games.symmetry import SearchBudget
from guessbook.book.games.weights import weight_of
from guessbook.book.tree import entropy
from guessbook.policy.candidates import Sums, candidates_of, sums_of
from guessbook.policy.policy import POLICIES, OneStep, Policy, allowed_indices, score_guesses

# Without the engine, more (guess, candidate) pairs than this are refused: they take two minutes in
# plain Python.
MAX_PLAIN_PAIRS = 2_400_000_000
# Without the engine, at most this number of guesses are grouped by equivalence.
MAX_PLAIN_GUESSES = 10_000


class Split(NamedTuple):
    """Statistics of a partition of the candidates by their feedback to a guess.

    If secrets have weights, the size of a cell is the sum of its candidates' weights.

    Attributes:
        entropy: the expected information of the feedback, in bits; the policy `entropy` maximizes
            it.
        expected_size: the expected size of the cell that contains the secret; the policy `expected`
            minimizes it.
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
    squares = map(pow, sizes, [2] * len(sizes))
    return Split(bits, sum(squares) / sum(sizes), len(sizes), max(sizes))


def surprise(size: int, total: int) -> float:
    """Return the bits of information in a feedback that reduces the weight `total` to `size`."""
    return math.log2(total / size)


class Analysis:
    """The candidates after a history, and how guesses partition them.

    Args:
        game: the game.
        history: (guess index, feedback number) pairs.
        candidates: the candidates in the order of the game; None for all secrets that fit the
            history.
    """

    def __init__(
        self, game: Game, history: History, candidates: Sequence[str] | None = None
    ) -> None:
        self.game = game
        self.history = history
        self._given = candidates

    @cached_property
    def candidates(self) -> Sequence[str]:
        """The candidates, in the order of the game."""
        return candidates_of(self.game, self.history) if self._given is None else self._given

    @cached_property
    def weight(self) -> int:
        """The sum of the candidates' weights; their number if secrets have no weights."""
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
    def _sums(self) -> Sums:
        return sums_of(self.game, self.candidates)

    @cached_property
    def _held(self) -> Set[int]:
        """The indices of the symbols that occur in some candidate. The game must be a code game."""
        assert isinstance(self.game, SymmetricGame)
        return symmetry.held_symbols(self.game, self.candidates)

    @cached_property
    def _engine(self) -> Any:
        """The candidates, loaded into the engine. Raises EngineError if there is no engine."""
        # Imported here because a hint from the book needs no engine.
        from guessbook.engine.hints import hints_of

        return hints_of(self.game, self.history, self._given)

    def chance(self, guess: str) -> float:
        """Return the probability that a guess is the secret."""
        return weight_of(self.game, [guess]) / self.weight if guess in self.possible else 0.0

    def feedbacks(self, guess: str) -> bytes | array[int]:
        """Return the candidates' feedback numbers to a guess, in the order of `candidates`."""
        return self._sums.answers(guess)

    def weigh(self, feedbacks: Iterable[Any]) -> Counter[Any]:
        """Return the total weight for each feedback; `feedbacks` has an item per candidate."""
        return self._sums.cell_weights(feedbacks)

    def cells(self, guess: str) -> Counter[int]:
        """Return the weight of each cell of a guess, as a dict with feedback numbers as keys."""
        return self.weigh(self.feedbacks(guess))

    def partition(self, guess: str) -> dict[int, list[str]]:
        """Return the candidates in each cell of a guess, by feedback number."""
        cells: dict[int, list[str]] = {}
        for secret, feedback in zip(self.candidates, self.feedbacks(guess), strict=True):
            cells.setdefault(feedback, []).append(secret)
        return cells

    def split(self, guess: str) -> Split:
        """Return the statistics of the partition by a guess."""
        return split_of(self.cells(guess).values())

    def split_by_pair(self, first: str, second: str) -> Split:
        """Return the statistics of the partition by the feedbacks to two guesses."""
        both = zip(self.feedbacks(first), self.feedbacks(second), strict=True)
        return split_of(self.weigh(both).values())

    def equivalent(
        self, first: Sequence[int], second: Sequence[int], budget: SearchBudget | None = None
    ) -> bool:
        """Return whether one symmetry of the history maps `first[k]` to `second[k]` for every k.

        A search that exceeds the budget returns False.
        """
        if not isinstance(self.game, SymmetricGame):
            return list(first) == list(second)
        budget = budget or SearchBudget()
        return symmetry.maps_onto(self.game, self.history, self._held, first, second, budget)

    def inequivalent(
        self, indices: Sequence[int] | None = None, made: Sequence[int] = ()
    ) -> Sequence[int]:
        """Return the lowest index of each group of equivalent guesses.

        Two guesses are equivalent if a symmetry maps one to the other, and maps each guess of the
        history and of `made` to itself. `made` are guesses that follow the history, such as the
        first guess of a pair; their feedbacks are not needed. `indices` are the guess indices to
        group, in ascending order; None stands for all guesses. Without the engine, several guesses
        of a group may be returned.
        """
        game = self.game
        if not isinstance(game, SymmetricGame):
            return range(game.listed) if indices is None else indices
        try:
            lowest = self._engine.lowest([*[guess for guess, _ in self.history], *made])
        except EngineError:
            # Symmetries do not depend on the feedbacks, so any number serves as the feedback to a
            # guess of `made`.
            history = [*self.history, *[(guess, 0) for guess in made]]
            return self._inequivalent_in_python(indices, history)
        return lowest if indices is None else sorted(set(indices).intersection(lowest))

    def _inequivalent_in_python(
        self, indices: Sequence[int] | None, history: History
    ) -> Sequence[int]:
        """Do the work of `inequivalent` in plain Python.

        If the search would take too long, several guesses of a group are returned.
        """
        game, held = self.game, self._held
        assert isinstance(game, SymmetricGame)
        leaders = symmetry.lowest_guesses(game, history, held) if indices is None else indices
        found = list(islice(leaders, MAX_PLAIN_GUESSES + 1))
        if len(found) > MAX_PLAIN_GUESSES:
            return range(len(game.guesses)) if indices is None else indices
        # If the search exceeds this budget, the result may contain several equivalent guesses.
        budget = SearchBudget(symmetry.MAX_STEPS_TO_LOWEST)
        return symmetry.representatives(game, history, held, found, budget)

    def allowed(self, policy: OneStep, refused: Collection[str] = ()) -> Sequence[int]:
        """Return the indices of the guesses that a policy allows, without those in `refused`.

        Of each group of equivalent guesses, only the guess with the lowest index is returned.
        """
        found = self.inequivalent(allowed_indices(self.game, policy, self.history, self.candidates))
        codes = self.game.guesses
        return [index for index in found if codes[index] not in refused] if refused else found

    def best_guesses(
        self, policies: Sequence[OneStep], guesses: Sequence[int], counts: Sequence[int]
    ) -> list[list[int]]:
        """Return for each policy its best guesses among the indices `guesses`, best first.

        `counts` has the number of guesses to return for each policy. If scores are equal,
        candidates come first.
        """
        codes, possible = self.game.guesses, self.possible
        known: dict[int, bool] = {}
        best = []
        for scores, count in zip(self.scores(policies, guesses), counts, strict=True):
            least = sorted(scores, reverse=True)[:count][-1]
            keys = []
            for index, score in zip(guesses, scores, strict=True):
                if score >= least:
                    if index not in known:
                        known[index] = codes[index] not in possible
                    keys.append((-score, known[index], index))
            best.append([index for _, _, index in sorted(keys)[:count]])
        return best

    def scores(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        """Return for each policy the exact scores of the guess indices; higher is better."""
        try:
            return [self._engine.scores(policy, guesses) for policy in policies]
        except EngineError as error:
            if len(guesses) * len(self.candidates) > MAX_PLAIN_PAIRS:
                raise EngineError(
                    f"{len(guesses):,} guesses and {len(self.candidates):,} candidates are "
                    f"too many to score in plain Python: {error}"
                ) from None
        return score_guesses(self._sums, policies, guesses)


def analyse(game: Game, history: History, refused: Collection[str] = ()) -> Analysis:
    """Analyse the secrets that fit a history, without the codes in `refused`.

    If no secret of a word game fits, analyse all words that fit.
    """
    analysis = Analysis(game, history)
    if refused:
        codes = [code for code in analysis.candidates if code not in refused]
        analysis = Analysis(game, history, codes)
    more = None if analysis.candidates else game.widened()
    return analyse(more, history, refused) if more else analysis


def ranking_policy(policy: Policy) -> OneStep:
    """Return the policy that ranks guesses: the rule of `policy` if it has one, else `entropy`."""
    # If the policy guesses only candidates, so must `entropy`.
    only = policy.only_candidates
    return policy.rule or POLICIES["entropy"]._replace(consistent_only=only)


def with_limits(policy: OneStep, other: OneStep) -> OneStep:
    """Return `policy`, limited to candidates or to hard mode if `other` has these limits."""
    return policy._replace(consistent_only=other.consistent_only, hard_mode=other.hard_mode)
