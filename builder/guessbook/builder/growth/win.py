"""The plan of a build that finds the most secrets within some guesses: its best opening."""

from collections.abc import Callable
from typing import cast

from guessbook.book.games.weights import total_weight
from guessbook.book.tree import Tree
from guessbook.builder.checkpoint import Checkpoint
from guessbook.builder.executors.workers import Workers
from guessbook.builder.growth import optimum
from guessbook.builder.growth.optimum import OptimumSearch
from guessbook.builder.growth.plan import Goal, Plan
from guessbook.builder.growth.progress import Progress
from guessbook.policy.win import Win

# The width of the strategy that plays where the search ends at its gap.
WIDTH = 2


class WinSearch(OptimumSearch):
    """The search for the opening that misses the least weight within some guesses."""

    @property
    def rule(self) -> Win:
        """The policy."""
        return cast(Win, self.goal.policy)

    def shown_cost(self, cost: int) -> int:
        """Return the weight that is found."""
        return max(total_weight(self.goal.game) - cost, 0)

    def measure(self, tree: Tree) -> int:
        """Return the weight that a strategy misses."""
        return sum(tree.weight_distribution[self.rule.within :])

    def fallback(self) -> Win:
        """Return the policy that plays where the search ends at its gap."""
        return self.rule._replace(width=WIDTH)

    def claims(self, bound: int) -> dict[str, int]:
        """Return the most that any strategy finds, as the header of a book has it."""
        return {"found_at_most": self.shown_cost(bound)}


def plan(
    workers: Workers,
    goal: Goal,
    report: Callable[[Progress], None],
    checkpoint: Checkpoint | None = None,
) -> Plan:
    """Return the opening of the strategy that finds the most, see `growth.optimum.plan`."""
    return optimum.plan(workers, goal, report, checkpoint, WinSearch)
