"""The interface of every policy; `registry` lists the kinds, each in a module of its own.

A policy is a value: a name and options, as in the header of a book, and its definition in plain
Python, which is slow, obvious, and the reference for every faster path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from guessbook.book.errors import UsageError, quote
from guessbook.book.games.game import Game, History
from guessbook.policy.text import notation

if TYPE_CHECKING:
    from guessbook.policy.one_step import OneStep


class Policy(Protocol):
    """A rule that picks a guess.

    Derive a policy of your own from this class: it needs a `name` and `choose`. If it is a named tuple or a frozen
    dataclass instead, with all that is below, its fields are its options, which the header of a book holds.

    These attributes are optional:

    - `is_tabulated`: whether its search needs the table of all feedbacks;
    - `remembers`: whether it stores results for sets of candidates, within `--memory`;
    - `choose_quickly`: finds the guess of `choose` faster, for a live hint in plain Python;
    - `answer`: for a policy that counts the secrets found within some guesses: replaces `choose_quickly` and returns
      the weight of these secrets, and the guess.
    """

    @property
    def name(self) -> str:
        """The name on the command line and in the header."""

    @property
    def rule(self) -> OneStep | None:
        """The one-step policy that this policy builds on: itself if it is one, None without one.

        A policy without one may have `consistent_only`: whether it guesses only candidates.
        """
        return None

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess after a history with these candidates, at least one.

        Args:
            game: the game.
            history: (guess index, feedback number) pairs, in any order.
            candidates: the secrets that fit the history, in the order of `game.secrets`.
        """

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes for a number of candidates."""
        return len(game.guesses) * candidates

    def __str__(self) -> str:
        """Return the policy in the notation for typing, such as `last:skip=1`."""
        return notation(self)

    def __hash__(self) -> int:
        """Return the hash of a value: caches use policies as keys."""
        return hash(self.name)


def checked_guess(game: Game, policy: Policy, chosen: Any) -> int:
    """Return the guess that a policy chose. Raises UsageError if it is no index of a guess."""
    # The integer may be one of numpy.
    if not hasattr(chosen, "__index__") or not 0 <= chosen < len(game.guesses):
        raise UsageError(
            f"policy {policy.name} guesses {quote(chosen)}, expected the index of a guess, 0 to {len(game.guesses) - 1}"
        )
    return int(chosen)
