"""The inputs of a build: workers, checkpoint, game, policy, and the guesses that are known in advance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.games.game import Game
from guessbook.book.tree import Tree
from guessbook.builder.limits import MEMORY
from guessbook.builder.progress import Progress
from guessbook.policy.policy import Policy
from guessbook.policy.registry import header

if TYPE_CHECKING:
    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.scheduler import Context, Workers


class Run(NamedTuple):
    """How a build runs: its workers, the function that receives progress reports, its checkpoint, and its task size."""

    workers: Workers
    report: Callable[[Progress], None]
    checkpoint: Checkpoint | None = None
    task_size: int | None = None


class Goal(NamedTuple):
    """The game and the policy of a build, with the options that affect its search.

    Attributes:
        first_guess: the index of the first guess; None if the policy chooses it.
        memory: the limit in bytes for the tables of a search, in each process.
        gap: the search may end when the proven bound is within this fraction of the best known cost.
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
    """The guesses that are known before a tree grows, and the data to check and describe the finished tree.

    Attributes:
        context: the game, and the policy that chooses all other guesses of the tree.
        guesses: the known guess of some nodes. The key is the path to the node: guesses and feedbacks, alternating.
        cost: the cost that `measure` must return for the finished tree; 0 without a search.
        measure: the function that returns the cost of a tree; None without a search.
        claims: the proven bound for the header of the book; empty if the tree is proven optimal, or without a search.
    """

    context: Context
    guesses: Mapping[tuple[int, ...], int]
    cost: int = 0
    measure: Callable[[Tree], int] | None = None
    claims: Mapping[str, int] = MappingProxyType({})
