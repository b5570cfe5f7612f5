"""The context of a build: the book to build, and the workers and the checkpoint that build it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.games.game import Game
from guessbook.builder.limits import DEFAULTS, MEMORY, Resources
from guessbook.builder.progress import Progress
from guessbook.policy.policy import Policy
from guessbook.policy.registry import header

if TYPE_CHECKING:
    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.scheduler import Workers


def policy_header(game: Game, policy: Policy, first_guess: int | None) -> dict[str, Any]:
    """Return a policy and a first guess as the header of a book stores them."""
    found: dict[str, Any] = header(policy)
    if first_guess is not None:
        found["first_guess"] = game.guesses[first_guess]
    return found


class BuildContext(NamedTuple):
    """What a build needs to know.

    Attributes:
        first_guess: the index of the first guess; None if the policy chooses it.
        report: called with the progress of the build; None if nobody wants to know.
    """

    game: Game
    policy: Policy
    first_guess: int | None
    workers: Workers
    resources: Resources = DEFAULTS
    report: Callable[[Progress], None] | None = None
    checkpoint: Checkpoint | None = None

    @property
    def memory(self) -> int:
        """The limit in bytes for the tables of a search, in each process of a machine."""
        return (self.resources.memory or MEMORY) // self.workers.processes

    def header(self) -> dict[str, Any]:
        """Return the policy and the first guess as the header of the book stores them."""
        return policy_header(self.game, self.policy, self.first_guess)
