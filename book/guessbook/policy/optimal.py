"""The policy `optimal`: the fewest guesses in total over all secrets; its search is the proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of
from guessbook.policy.one_step import OneStep
from guessbook.policy.ranking import cells_of, ranked

# More than any strategy costs: there is none.
IMPOSSIBLE = 1 << 40


class Optimal(NamedTuple):
    """The strategy with the fewest guesses in total (for Mastermind: Koyama and Lai 1993).

    Of the guesses that lead to the fewest, the one that the base ranks first: its score, then a
    candidate, then the lowest index. So the choice is a function of the candidates, of the options,
    and in hard mode or with a width of the history.

    Attributes:
        base: the one-step policy that ranks the guesses.
        width: look at so many guesses of each node only, the best-ranked ones; at all if None. Then
            the result is an upper bound and no optimum.
        max_guesses: the fewest among the strategies that need no more guesses for any secret. After
            a history from which no strategy does, this is left out.
    """

    base: OneStep
    width: int | None = None
    max_guesses: int | None = None
    name: str = "optimal"

    @property
    def rule(self) -> OneStep:
        """The one-step policy."""
        return self.base

    def left(self, guesses: int) -> int | None:
        """How many more guesses there may be after so many; None for any number."""
        return None if self.max_guesses is None else max(0, self.max_guesses - guesses)

    @property
    def remembers(self) -> bool:
        """Whether a build remembers what it has found out about sets of candidates."""
        return True

    @property
    def is_tabulated(self) -> bool:
        """Whether a build reads feedbacks from a table of all of them."""
        return self.width is None

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        left = self.left(len(dict(history)))
        search = _Search(game, self)
        cost, guess = search.best(history, candidates, left)
        return guess if cost < IMPOSSIBLE else search.best(history, candidates, None)[1]

    def work(self, game: Game, candidates: int) -> int:
        """See `Policy.work`."""
        tried = min(self.width or len(game.guesses), len(game.guesses))
        # A guess that is tried is searched to its end.
        return len(game.guesses) * candidates * (1 + tried * min(candidates, 100) // 2)


class _Search:
    """The costs of all histories that come up, each found once."""

    def __init__(self, game: Game, policy: Optimal) -> None:
        self.game = game
        self.policy = policy
        self.known: dict[tuple[frozenset[tuple[int, int]], int | None], tuple[int, int]] = {}

    def best(
        self, history: History, candidates: Sequence[str], left: int | None
    ) -> tuple[int, int]:
        """The cost after a history with so many guesses left, and the guess (-1 if there is none).

        The cost is the guesses for all candidates together, those for each as often as its weight
        says, or IMPOSSIBLE.
        """
        key = frozenset(history), left
        if key not in self.known:
            base, width = self.policy.base, self.policy.width
            every = width or len(self.game.guesses)
            # In hard mode two guesses with the same cells may allow other guesses below them.
            alike = base.hard_mode and width is None
            costs = [
                (self.cost(history, candidates, guess, left), guess)
                for guess in ranked(self.game, base, history, candidates, every, alike)
            ]
            # Of equals the one that is ranked first.
            self.known[key] = min(costs, key=lambda found: found[0])
        return self.known[key]

    def cost(
        self, history: History, candidates: Sequence[str], guess: int, left: int | None
    ) -> int:
        """The cost of a guess, played on in the best way."""
        if left is not None and left < 1:
            return IMPOSSIBLE
        cells, _ = cells_of(self.game, history, candidates, guess)
        total = weight_of(self.game, candidates)
        for past, cell in cells:
            if len(cell) == len(candidates):
                return IMPOSSIBLE  # nothing is learned, which never helps
            total += self.best(past, cell, left if left is None else left - 1)[0]
        return min(total, IMPOSSIBLE)
