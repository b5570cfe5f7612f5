"""The plan of a build: its means, its goal, and the guesses known before the tree grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.games.game import Game
from guessbook.book.tree import Tree
from guessbook.builder.growth.progress import Progress
from guessbook.builder.limits import MEMORY
from guessbook.policy.notation import header
from guessbook.policy.policy import Policy

if TYPE_CHECKING:
    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.executors.context import Context
    from guessbook.builder.executors.scheduler import Workers


class Run(NamedTuple):
    """The means of a build: they run its tasks, report its progress, and store its results."""

    workers: Workers
    report: Callable[[Progress], None]
    checkpoint: Checkpoint | None = None


class Goal(NamedTuple):
    """The goal of a build, and the condition on which a search may stop.

    Attributes:
        first_guess: the index of the first guess; None if the policy chooses it.
        memory: bytes for the tables of a search, in each process.
        gap: the search may end when the proven bound is within this part of the best cost.
    """

    game: Game
    policy: Policy
    first_guess: int | None
    memory: int = MEMORY
    gap: float = 0.0

    def header(self) -> dict[str, Any]:
        """Return the name and the options of the policy, as the header of a book stores them."""
        description: dict[str, Any] = header(self.policy)
        if self.first_guess is not None:
            description["first_guess"] = self.game.guesses[self.first_guess]
        return description


class Plan(NamedTuple):
    """The result of a search from the root.

    Attributes:
        context: the policy that grows the tree, with its caches.
        guesses: the guesses of the nodes that were searched, by the path to the node.
        cost: the cost that `measure` must return for the tree.
        claims: for the header of a book, the proven bounds of a tree that may not be the best.
    """

    context: Context
    guesses: Mapping[tuple[int, ...], int]
    cost: int = 0
    measure: Callable[[Tree], int] | None = None
    claims: Mapping[str, int] = MappingProxyType({})
