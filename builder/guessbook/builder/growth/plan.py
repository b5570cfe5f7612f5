"""The plan of a build: its goal, and the guesses that are known before the tree is built."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from guessbook.book.games.game import Game
from guessbook.book.tree import Tree, total_of
from guessbook.builder.executors.context import Context
from guessbook.builder.limits import MEMORY
from guessbook.policy.policy import Policy


class Goal(NamedTuple):
    """The goal of a build, and the condition on which a search may stop.

    Attributes:
        first_guess: the index of the first guess; None if the policy chooses it.
        memory: bytes that what is remembered of sets may take, in each process.
        gap: the part of the best cost by which the proven bound may be lower at the end.
    """

    game: Game
    policy: Policy
    first_guess: int | None
    memory: int = MEMORY
    gap: float = 0.0


def total_guesses(tree: Tree) -> int:
    """Return the total guesses of a tree over all secrets, multiplied by their weights."""
    return total_of(tree.weight_distribution)


class Plan(NamedTuple):
    """The result of a search from the root.

    Attributes:
        context: the policy that grows the tree, with its caches.
        guesses: the guesses of the nodes that were searched, by the path to the node.
        cost: the cost of the tree; None while it is unknown.
        measure: returns the cost of a tree.
        claims: what was proven of all strategies, as the header of a book has it, if that is less
            than that the tree is the best.
    """

    context: Context
    guesses: Mapping[tuple[int, ...], int]
    cost: int | None = None
    measure: Callable[[Tree], int] = total_guesses
    claims: Mapping[str, int] = MappingProxyType({})


def first_guesses(goal: Goal) -> dict[tuple[int, ...], int]:
    """Return the guesses that were asked for, by the path to the node: the opening, or none."""
    return {} if goal.first_guess is None else {(): goal.first_guess}


def usual_plan(goal: Goal) -> Plan:
    """Return the plan of a policy that is asked at each node."""
    context = Context(goal.game, goal.policy, goal.memory)
    return Plan(context, first_guesses(goal))
