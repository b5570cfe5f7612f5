"""The plan of a build that finds the most secrets within some guesses: its best opening."""

from functools import partial
from typing import cast

from guessbook.book.games.weights import total_weight
from guessbook.book.tree import Tree
from guessbook.builder.growth import optimum
from guessbook.policy.win import Win

# The width of the strategy that plays where the search ends at its gap.
WIDTH = 2


class WinSearch(optimum.OptimumSearch):
    """The search for the opening that misses the least weight within some guesses."""

    def shown_cost(self, cost: int) -> int:
        """Return the weight that is found."""
        return max(total_weight(self.goal.game) - cost, 0)

    def measure(self, tree: Tree) -> int:
        """Return the weight that a strategy misses."""
        return sum(tree.weight_distribution[cast(Win, self.goal.policy).within :])

    def fallback(self) -> Win:
        """Return the policy that plays where the search ends at its gap."""
        return cast(Win, self.goal.policy)._replace(width=WIDTH)

    def claims(self, bound: int) -> dict[str, int]:
        """Return the most that any strategy finds, as the header of a book stores it."""
        return {"found_at_most": self.shown_cost(bound)}


plan = partial(optimum.plan, kind=WinSearch)
