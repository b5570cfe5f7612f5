"""The policy `optimal`, which needs the fewest guesses in total over all secrets."""

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
    """The policy with the fewest guesses in total over all secrets (for Mastermind: Koyama and Lai 1993).

    Attributes:
        base: the policy that ranks the guesses; ties go to the guess that it ranks first.
        width: the number of best-ranked guesses to try at each node; None tries all.
        max_guesses: the limit of guesses for every secret; it is ignored if no strategy meets it.
    """

    __slots__ = ()

    def left(self, guesses: int) -> int | None:
        """Return the number of guesses left within the limit after `guesses` guesses; None without a limit."""
        return None if self.max_guesses is None else max(0, self.max_guesses - guesses)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the policy's guess after a history, as an index in `game.guesses`."""
        return self.best_within(_Search(game, self), history, candidates)

    def choose_quickly(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the same guess as `choose`, found by a faster search."""
        return self.best_within(_QuickSearch(game, self, history, candidates), history, candidates)

    def best_within(self, search: _Search, history: History, candidates: Sequence[str]) -> int:
        """Return the best guess within the limit of guesses, or without the limit if no strategy meets it."""
        # n candidates never need more than n guesses, so a limit of n guesses has no effect.
        unlimited = State(history, candidates, len(candidates))
        left = self.left(len(dict(history)))
        if left is not None:
            cost, guess = search.best(unlimited._replace(left=left))
            if cost < IMPOSSIBLE:
                return guess
        return search.best(unlimited)[1]


class _Search(Memory):
    """The search that defines the policy: it finds the lowest cost of each state.

    A cost is the total number of guesses for all candidates, each counted by its weight.
    """

    def search(self, state: State) -> tuple[int, int]:
        """Return the lowest cost of any guess, and the best-ranked guess with this cost."""
        guesses = self.ranking(state, self.policy.width)
        costs = [(self.cost(state, self.after(state, guess)), guess) for guess in guesses]
        return min(costs, key=itemgetter(0))

    def cost(self, state: State, after: list[State]) -> int:
        """Compute the cost of a guess from the possible states `after` it, if all later guesses are optimal."""
        if state.left < 1:
            return IMPOSSIBLE
        total = weight_of(self.game, state.candidates)
        for cell in after:
            if len(cell.candidates) == len(state.candidates):
                return IMPOSSIBLE  # The guess excludes no candidate, so it never helps.
            total += self.best(cell)[0]
        return min(total, IMPOSSIBLE)


class _QuickSearch(_Search):
    """A faster search with equal results: it skips guesses that cannot cost less than the best guess so far."""

    def __init__(
        self, game: Game, policy: Optimal, history: History, candidates: Sequence[str]
    ) -> None:
        super().__init__(game, policy)
        # These numbers hold for the whole search: a subset of the candidates never gives more feedbacks.
        self.answers = most_answers(game, policy.base, history, candidates)
        self.bounds = Bounds(len(candidates), *self.answers)

    def search(self, state: State) -> tuple[int, int]:
        """Return the lowest cost of any guess, and the best-ranked guess with this cost."""
        least, first = IMPOSSIBLE + 1, -1
        for guess in self.ranking(state, self.policy.width):
            after = self.after(state, guess)
            if self.bound(state, after) < least and (cost := self.cost(state, after)) < least:
                least, first = cost, guess
        return least, first

    def bound(self, state: State, after: list[State]) -> int:
        """Compute a lower bound on the cost of a guess from the possible states `after` it (see `State`)."""
        total, size = weight_of(self.game, state.candidates), len(state.candidates)
        most = size if state.left >= size else reach(*self.answers, state.left - 1)
        for cell in after:
            if len(cell.candidates) > most:
                return IMPOSSIBLE
            total += self.bounds.cost(weights_of(self.game, cell.candidates))
        return min(total, IMPOSSIBLE)
