"""The policy `optimal`: the fewest guesses in total over all secrets; its search is the proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.policy.memory import Memory, SearchPolicy, most_answers
from guessbook.policy.one_step import OneStep
from guessbook.policy.ranking import cells_of
from guessbook.policy.search.bounds import IMPOSSIBLE, Bounds


class _Fields(NamedTuple):
    base: OneStep
    width: int | None = None
    max_guesses: int | None = None
    name: str = "optimal"


class Optimal(SearchPolicy, _Fields):
    """The strategy with the fewest guesses in total (for Mastermind: Koyama and Lai 1993).

    Ties between guesses go to the one that the base ranks first: its score, then a candidate, then
    the lowest index. So the choice depends on the candidates and the options; with a limit also on
    the number of guesses made, in hard mode or with a width also on the history.

    Attributes:
        base: the one-step policy that ranks the guesses.
        width: the number of best-ranked guesses to try at each node; None tries all. With a
            width the result is only an upper bound.
        max_guesses: the most guesses for any secret, including the guesses of the history. If no
            strategy can keep to this limit after a history, the limit is ignored.
    """

    __slots__ = ()

    def left(self, guesses: int) -> int | None:
        """Return the number of guesses left after `guesses`; None without a limit."""
        return None if self.max_guesses is None else max(0, self.max_guesses - guesses)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        return self.best_within(_Search(game, self), history, candidates)

    def choose_quickly(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the guess of `choose` after a search of fewer sets of candidates."""
        return self.best_within(_QuickSearch(game, self, history, candidates), history, candidates)

    def best_within(self, search: _Search, history: History, candidates: Sequence[str]) -> int:
        """Return the guess within the limit, or without a limit if no strategy keeps to it."""
        left = self.left(len(dict(history)))
        cost, guess = search.best(history, candidates, left)
        return guess if cost < IMPOSSIBLE else search.best(history, candidates, None)[1]


class _Search(Memory):
    """The least costs that come up, each computed once: the definition of the policy.

    A cost is the sum of the guesses for each candidate times its weight, or IMPOSSIBLE.
    """

    def search(
        self, history: History, candidates: Sequence[str], left: int | None
    ) -> tuple[int, int]:
        """Return the least cost of a guess, and the first guess in the ranking that has it."""
        costs = [
            (self.cost(history, candidates, guess, left), guess)
            for guess in self.ranking(history, candidates, self.policy.width)
        ]
        return min(costs, key=lambda found: found[0])

    def cost(
        self, history: History, candidates: Sequence[str], guess: int, left: int | None
    ) -> int:
        """Return the cost of a guess if all later guesses are the best."""
        if left is not None and left < 1:
            return IMPOSSIBLE
        cells, _ = cells_of(self.game, history, candidates, guess)
        total = weight_of(self.game, candidates)
        for past, cell in cells:
            if len(cell) == len(candidates):
                return IMPOSSIBLE  # nothing is learned, which never helps
            total += self.best(past, cell, left if left is None else left - 1)[0]
        return min(total, IMPOSSIBLE)


class _QuickSearch(_Search):
    """A search with the results of `_Search` that skips guesses whose bound is too high."""

    def __init__(
        self, game: Game, policy: Optimal, history: History, candidates: Sequence[str]
    ) -> None:
        super().__init__(game, policy)
        own, other = most_answers(game, policy.base, history, candidates)
        self.bounds = Bounds(len(candidates), own, other)

    def search(
        self, history: History, candidates: Sequence[str], left: int | None
    ) -> tuple[int, int]:
        """Return the least cost and its guess; skip guesses whose bound is not lower."""
        least, first = IMPOSSIBLE + 1, -1
        for guess in self.ranking(history, candidates, self.policy.width):
            if self.bound(history, candidates, guess, left) < least:
                cost = self.cost(history, candidates, guess, left)
                if cost < least:
                    least, first = cost, guess
        return least, first

    def bound(
        self, history: History, candidates: Sequence[str], guess: int, left: int | None
    ) -> int:
        """Return a lower bound of the cost of a guess."""
        most = len(candidates) if left is None else self.bounds.reach(max(0, left - 1))
        total = weight_of(self.game, candidates)
        for _, cell in cells_of(self.game, history, candidates, guess)[0]:
            if len(cell) > most:
                return IMPOSSIBLE
            total += self.bounds.cost(weights_of(self.game, cell))
        return min(total, IMPOSSIBLE)
