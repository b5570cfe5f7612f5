"""The base classes of the policies `optimal` and `win` and of their exhaustive searches, in plain Python. Bounds on the number of guesses that any strategy needs for a number of candidates. The policy `optimal`, which needs the fewest guesses in total over all secrets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of, weights_of
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
        # An estimate of the number of different sets of candidates. The search examines each set only once.
        sets = min(len(game.guesses) * min(candidates, 100) // 2, 1 << min(candidates, 40))
        return len(game.guesses) * candidates * (1 + sets)


class State(NamedTuple):
    """A history, its candidates, and the number of guesses left."""

    history: History
    candidates: Sequence[str]
    left: int


class Memory(ABC):
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


def most_answers(
    game: Game, base: OneStep, history: History, candidates: Sequence[str]
) -> tuple[int, int]:
    """Return the largest number of different feedbacks to an allowed candidate, and the largest to an allowed guess.

    The feedback "solved" is not counted. The first number is 0 if no candidate is allowed as a guess.
    """
    indices = allowed_indices(game, base, history, candidates)
    answers = {}
    for index in range(len(game.guesses)) if indices is None else indices:
        code = game.guesses[index]
        answers[code] = len({game.feedback_number(code, s) for s in candidates} - {game.solved})
    own = max([answers[code] for code in candidates if code in answers], default=0)
    return own, max(answers.values())


# The cost, in guesses, of candidates that no strategy finds within the limit of guesses; larger than any other cost.
IMPOSSIBLE = 1 << 40


class Bounds:
    """Lower bounds on the total number of guesses for 0 to `size` candidates, in the list `least`.

    A guess has at most `own` different feedbacks if it is a candidate, else at most `other`. "solved" is not counted.

    >>> Bounds(4, own=1, other=2).least
    [0, 1, 3, 6, 10]
    """

    def __init__(self, size: int, own: int, other: int) -> None:
        self.least: list[int] = [0]
        # split[k][n] is a lower bound on the total number of guesses for n candidates in at most k cells.
        parts = range(1, min(max(own, other), size) + 1)
        split = [[0] for _ in [0, *parts]]
        own, other = min(own, len(parts)), min(other, len(parts))
        for n in range(1, size + 1):
            # A guess that may be the secret finds one candidate and divides the rest into at most `own` cells.
            ways = [split[own][n - 1]]
            # A guess that cannot be the secret must divide all n candidates into two or more cells.
            if other > 1:
                ways += [self.least[i] + split[other - 1][n - i] for i in range(1, n)]
            self.least.append(min(n + min(ways), IMPOSSIBLE))
            split[0].append(IMPOSSIBLE)
            for k in parts:
                split[k].append(min(self.least[i] + split[k - 1][n - i] for i in range(n + 1)))

    def cost(self, weights: Sequence[int]) -> int:
        """Return a lower bound on the total number of guesses, each candidate's number multiplied by its weight."""
        # Any k candidates together need at least least[k] guesses. So the weighted total is lowest if heavier
        # candidates need fewer guesses: the k-th heaviest needs least[k] - least[k - 1].
        heaviest_first = sorted(weights, reverse=True)
        steps = [more - fewer for fewer, more in pairwise(self.least)]
        return min(sum(map(int.__mul__, heaviest_first, steps)), IMPOSSIBLE)


def reach(own: int, other: int, guesses: int) -> int:
    """Return an upper bound on how many candidates `guesses` guesses can find. `Bounds` explains `own` and `other`."""
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

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the policy's guess after a history, as an index in `game.guesses`."""
        return self.best_within(_Search(game, self), history, candidates)

    def answer(
        self, game: Game, history: History, candidates: Sequence[str]
    ) -> tuple[int | None, int]:
        """Return the same guess as `choose`, found by a faster search."""
        search = _QuickSearch(game, self, history, candidates)
        return None, self.best_within(search, history, candidates)

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
        for guess in self.ranking(state):
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
