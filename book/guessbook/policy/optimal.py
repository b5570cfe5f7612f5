"""The policy `optimal`, which needs the fewest guesses in total, and its base class, shared with `win`.

Both policies are defined by an exhaustive search, which is quick enough for small games only. A
build searches with the engine.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from guessbook.book.errors import UsageError, quantity
from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of
from guessbook.policy.identification import Plan, choose_test
from guessbook.policy.policy import BasedPolicy, OneStep, allowed_indices, cells_of, rank_guesses


class State(NamedTuple):
    """A history, its candidates, and the number of guesses left."""

    history: History
    candidates: Sequence[str]
    left: int


# The cost of candidates that no strategy finds within the limit of guesses: larger than any other
# cost.
IMPOSSIBLE = 1 << 40


class SearchPolicy(BasedPolicy):
    """The base class of `optimal` and `win`, which choose each guess by an exhaustive search."""

    __slots__ = ()

    @property
    def spare(self) -> int:
        """The number of guesses allowed beyond the limit within which secrets count as found."""
        return 0

    @property
    def remembers(self) -> bool:
        return True

    @property
    def is_tabulated(self) -> bool:
        return True

    def work(self, game: Game, candidates: int) -> int:
        # Of n candidates there are 2**n sets, and the search examines each of them about once.
        return len(game.guesses) * candidates << min(candidates, 40)

    @abstractmethod
    def cost(self, search: Search, state: State, after: list[State]) -> int:
        """Return the cost of a guess at a state; `after` has the states that may follow it."""


class Search:
    """The exhaustive search that defines `optimal` and `win`: the lowest cost of each state."""

    def __init__(self, game: Game, policy: SearchPolicy) -> None:
        self.game = game
        self.policy = policy
        self.known: dict[Hashable, tuple[int, int]] = {}

    def best(self, state: State) -> tuple[int, int]:
        """Return the lowest cost of any guess at a state, and the best-ranked guess with this cost."""
        history, candidates, left = state
        game, base = self.game, self.policy.base
        # In hard mode the history limits all later guesses, so the key of the cache contains the
        # guesses that are still allowed.
        permitted = (
            tuple(allowed_indices(game, base, history, candidates) or ()) if base.hard_mode else ()
        )
        # Each guess finds or excludes a candidate, so n candidates never need more than n guesses.
        key = tuple(candidates), min(left, len(candidates) + self.policy.spare), permitted
        if key not in self.known:
            # In hard mode, two guesses with equal cells may allow different later guesses, so
            # neither replaces the other.
            every = len(game.guesses)
            guesses = rank_guesses(game, base, history, candidates, every, base.hard_mode)
            costs = [(self.cost(state, guess), guess) for guess in guesses]
            self.known[key] = min(costs, key=itemgetter(0))
        return self.known[key]

    def cost(self, state: State, guess: int) -> int:
        """Return the cost of a guess if all later guesses are optimal."""
        cells, _ = cells_of(self.game, state.history, state.candidates, guess)
        if any(len(cell) == len(state.candidates) for _, cell in cells):
            return IMPOSSIBLE  # the guess excludes no candidate, so it never helps
        after = [State(past, cell, state.left - 1) for past, cell in cells]
        return min(self.policy.cost(self, state, after), IMPOSSIBLE)


def reach(own: int, other: int, guesses: int) -> int:
    """Return an upper bound on how many candidates `guesses` guesses can find.

    A guess has at most `own` different feedbacks if it is a candidate, else at most `other`;
    "solved" is not counted.
    """
    found = 0
    for _ in range(guesses):
        found = max(1 + own * found, other * found)
    return found


@dataclass(frozen=True, repr=False)
class Optimal(SearchPolicy):
    """The policy with the fewest guesses over all secrets (for Mastermind: Koyama and Lai 1993).

    Attributes:
        base: the policy that ranks the guesses; ties go to the guess that it ranks first.
        max_guesses: the limit of guesses for every secret; it is ignored if no strategy meets it.
    """

    base: OneStep
    max_guesses: int | None = None

    name = "optimal"
    options = ("base", "max_guesses", *LIMITS)

    def left(self, guesses: int) -> int | None:
        """Return the number of guesses left within the limit after `guesses` guesses.

        Return None without a limit.
        """
        return None if self.max_guesses is None else max(0, self.max_guesses - guesses)

    def plan(self, game: Game) -> Plan:
        """Return the plan with the least expected cost."""
        if self.max_guesses is not None:
            raise UsageError(
                f"a limit of {quantity(self.max_guesses)} does not apply to a table of outcomes; "
                "to limit the cost, use the policy win"
            )
        return self.base.plan(game)._replace(endgame=len(game.secrets))

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        if game.identification is not None:
            return choose_test(game, self.plan(game), history, candidates)[1]
        search = Search(game, self)
        left = self.left(len(dict(history)))
        if left is not None:
            cost, guess = search.best(State(history, candidates, left))
            if cost < IMPOSSIBLE:
                return guess
        # There is no limit, or no strategy meets it: n candidates never need more than n guesses.
        return search.best(State(history, candidates, len(candidates)))[1]

    def cost(self, search: Search, state: State, after: list[State]) -> int:
        """Return the total number of guesses for all candidates, each counted by its weight."""
        if state.left < 1:
            return IMPOSSIBLE
        return weight_of(search.game, state.candidates) + sum(search.best(s)[0] for s in after)
