"""The policy `optimal`: the fewest guesses in total over all secrets; its search is the proof."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.policy.memory import Memory, SearchPolicy, State, most_answers
from guessbook.policy.one_step import OneStep
from guessbook.policy.search.bounds import IMPOSSIBLE, Bounds, reach


class _Fields(NamedTuple):
    base: OneStep
    width: int | None = None
    max_guesses: int | None = None
    name: str = "optimal"


class Optimal(SearchPolicy, _Fields):
    """The strategy with the fewest guesses in total (for Mastermind: Koyama and Lai 1993).

    Ties between guesses go to the one that the base ranks first. So the choice depends on the candidates and the
    options; with a limit also on the number of guesses made, in hard mode or with a width also on the history.

    Attributes:
        width: the number of best-ranked guesses to try at each node; None tries all. With a width the result is only an
            upper bound.
        max_guesses: the most guesses for any secret, including the guesses of the history. If no strategy can keep to
            this limit after a history, the limit is ignored.
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
        unlimited = State(history, candidates, len(candidates))
        left = self.left(len(dict(history)))
        if left is not None:
            cost, guess = search.best(unlimited._replace(left=left))
            if cost < IMPOSSIBLE:
                return guess
        return search.best(unlimited)[1]


class _Search(Memory):
    """The least costs that come up, each computed once: the definition of the policy.

    A cost is the sum of the guesses for each candidate times its weight, or IMPOSSIBLE.
    """

    def search(self, state: State) -> tuple[int, int]:
        """Return the least cost of a guess, and the first guess in the ranking that has it."""
        guesses = self.ranking(state, self.policy.width)
        costs = [(self.cost(state, self.after(state, guess)), guess) for guess in guesses]
        return min(costs, key=itemgetter(0))

    def cost(self, state: State, after: list[State]) -> int:
        """Return the cost of a guess that leads to these states, with the best later guesses."""
        if state.left < 1:
            return IMPOSSIBLE
        total = weight_of(self.game, state.candidates)
        for cell in after:
            if len(cell.candidates) == len(state.candidates):
                return IMPOSSIBLE  # nothing is learned, which never helps
            total += self.best(cell)[0]
        return min(total, IMPOSSIBLE)


class _QuickSearch(_Search):
    """A search with the results of `_Search` that skips guesses whose bound is too high."""

    def __init__(self, game: Game, policy: Optimal, history: History, candidates: Sequence[str]) -> None:
        super().__init__(game, policy)
        self.answers = most_answers(game, policy.base, history, candidates)
        self.bounds = Bounds(len(candidates), *self.answers)

    def search(self, state: State) -> tuple[int, int]:
        """Return the least cost and its guess; skip guesses whose bound is not lower."""
        least, first = IMPOSSIBLE + 1, -1
        for guess in self.ranking(state, self.policy.width):
            after = self.after(state, guess)
            if self.bound(state, after) < least and (cost := self.cost(state, after)) < least:
                least, first = cost, guess
        return least, first

    def bound(self, state: State, after: list[State]) -> int:
        """Return a lower bound of what `cost` returns."""
        total, size = weight_of(self.game, state.candidates), len(state.candidates)
        most = size if state.left >= size else reach(*self.answers, state.left - 1)
        for cell in after:
            if len(cell.candidates) > most:
                return IMPOSSIBLE
            total += self.bounds.cost(weights_of(self.game, cell.candidates))
        return min(total, IMPOSSIBLE)
