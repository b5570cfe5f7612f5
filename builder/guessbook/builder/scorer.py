"""What the growth of a tree needs of a game and a policy: the guesses for a level, and the feedbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from guessbook.book.errors import InvalidGameError
from guessbook.book.mastermind import Mastermind

if TYPE_CHECKING:
    from guessbook.book.game import Game
    from guessbook.builder.arrays import Integers, Integers2D
    from guessbook.builder.policy import Policy

__all__ = ["Scorer", "scorer_of"]


class Scorer(Protocol):
    """A game and a policy, ready to grow trees. Candidates are indices in `game.secrets`."""

    @property
    def game(self) -> Game:
        """The game."""

    def choose(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, Integers]:
        """The policy's guess for each node of a level.

        Args:
            candidates: uint32, the indices of the nodes' candidates, one node after the other,
                ascending in each.
            starts: int64[nodes + 1], where each node's begin, and the end of the last.
            paths: uint32[nodes, depth], the indices of the guesses that lead to each node.

        Returns:
            uint32[nodes], the index of each node's guess, and int64[nodes], how many guesses were
            scored to find it.
        """

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """The feedback number of each candidate to its node's guess."""


def scorer_of(game: Game, policy: Policy) -> Scorer:
    """The scorer of a game and a policy; kept for the next task of the same build.

    Raises:
        InvalidGameError: there is no builder for this kind of game.
    """
    if isinstance(game, Mastermind):
        from guessbook.builder.codes import code_scorer

        return code_scorer(game, policy)
    raise InvalidGameError(f"there is no builder for {game.name}")
