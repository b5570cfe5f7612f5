"""The policy `optimal`, which needs the fewest guesses in total, and what it shares with `win`.

Both are defined by an exhaustive search, which is for small games: a build searches with the engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from operator import itemgetter
from typing import NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of
from guessbook.policy.identification import Plan, choose_test
from guessbook.policy.policy import BasedPolicy, OneStep, allowed_indices, cells_of, rank_guesses


class SearchPolicy(BasedPolicy):
    """The base class of the policies `optimal` and `win`, which choose each guess by an exhaustive search."""

    __slots__ = ()

    @property
    def remembers(self) -> bool:
        """True: a build stores the cost of each set of candidates."""
        return True

    @property
    def is_tabulated(self) -> bool:
        """True: a build reads feedbacks from a table of all guesses and secrets."""
        return True

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes for a number of candidates."""
        # The search examines each set of candidates only once.
        return len(game.guesses) * candidates << min(candidates, 40)


class State(NamedTuple):
    """A history, its candidates, and the number of guesses left."""

    history: History
    candidates: Sequence[str]
    left: int


class MemoizedSearch(ABC):
    """The base class of searches. Its cache maps each state to its value (a cost or a weight) and its best guess."""

    def __init__(self, game: Game, policy: SearchPolicy) -> None:
        self.game = game
        self.policy = policy
        self.known: dict[Hashable, tuple[int, int]] = {}

    def key(self, state: State) -> Hashable:
        """Return the key of a state in the cache; states with equal keys have equal best guesses and values."""
        history, candidates, left = state
        game, base = self.game, self.policy.base
        # In hard mode the history limits all later guesses, so the key contains the guesses that are still allowed.
        permitted = (
            tuple(allowed_indices(game, base, history, candidates) or ()) if base.hard_mode else ()
        )
        # Each guess finds or excludes a candidate, so n candidates never need more than n guesses.
        return tuple(candidates), min(left, len(candidates)), permitted

    def best(self, state: State) -> tuple[int, int]:
        """Return the result of `search` for a `State`, from the cache if possible."""
        key = self.key(state)
        if key not in self.known:
            self.known[key] = self.search(state)
        return self.known[key]

    @abstractmethod
    def search(self, state: State) -> tuple[int, int]:
        """Compute and return the value of a `State` (a cost or a weight), and the index of the best guess in it."""

    def after(self, state: State, guess: int) -> list[State]:
        """Return the state after each possible feedback to a guess, except the feedback "solved"."""
        cells, _ = cells_of(self.game, state.history, state.candidates, guess)
        return [State(past, cell, state.left - 1) for past, cell in cells]

    def ranking(self, state: State) -> list[int]:
        """Return the guesses to try, the best guess of the base policy first."""
        base, every = self.policy.base, len(self.game.guesses)
        # In hard mode, two guesses with equal cells may allow different later guesses, so neither replaces the other.
        return rank_guesses(self.game, base, state.history, state.candidates, every, base.hard_mode)


# The cost, in guesses, of candidates that no strategy finds within the limit of guesses; larger than any other cost.
IMPOSSIBLE = 1 << 40


def reach(own: int, other: int, guesses: int) -> int:
    """Return an upper bound on how many candidates `guesses` guesses can find.

    A guess has at most `own` different feedbacks if it is a candidate, else at most `other`; "solved" is not counted.
    """
    found = 0
    for _ in range(guesses):
        found = max(1 + own * found, other * found)
    return found


class _Fields(NamedTuple):
    base: OneStep
    max_guesses: int | None = None
    name: str = "optimal"


class Optimal(SearchPolicy, _Fields):
    """The policy with the fewest guesses in total over all secrets (for Mastermind: Koyama and Lai 1993).

    Attributes:
        base: the policy that ranks the guesses; ties go to the guess that it ranks first.
        max_guesses: the limit of guesses for every secret; it is ignored if no strategy meets it.
    """

    __slots__ = ()

    options = ("base", "max_guesses", *LIMITS)

    def left(self, guesses: int) -> int | None:
        """Return the number of guesses left within the limit after `guesses` guesses; None without a limit."""
        return None if self.max_guesses is None else max(0, self.max_guesses - guesses)

    def plan(self, game: Game) -> Plan:
        """Return the plan with the least expected cost."""
        if self.max_guesses is not None:
            raise UsageError(
                "max_guesses limits guesses, and this table has tests with costs; "
                "use the policy win with a cost as its limit"
            )
        return self.base.plan(game)._replace(endgame=len(game.secrets))

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the policy's guess after a history, as an index in `game.guesses`."""
        if game.identification is not None:
            return choose_test(game, self, history, candidates)[1]
        search = _Search(game, self)
        left = self.left(len(dict(history)))
        if left is not None:
            cost, guess = search.best(State(history, candidates, left))
            if cost < IMPOSSIBLE:
                return guess
        # No strategy meets the limit, or there is none: n candidates never need more than n guesses.
        return search.best(State(history, candidates, len(candidates)))[1]


class _Search(MemoizedSearch):
    """The search that defines the policy: it finds the lowest cost of each state.

    A cost is the total number of guesses for all candidates, each counted by its weight.
    """

    def search(self, state: State) -> tuple[int, int]:
        """Return the lowest cost of any guess, and the best-ranked guess with this cost."""
        guesses = self.ranking(state)
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
