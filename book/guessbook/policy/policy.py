"""The interface that every policy implements.

The definition of a policy is in plain Python, and every faster implementation must choose the same guesses.
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
    """A rule that picks a guess: derive your own policy from this class, and define `name` and `choose`.

    A policy is an immutable value, such as a named tuple. Its fields are its options.

    These attributes are optional:

    - `is_tabulated`: whether a build needs a table of the feedbacks of all guesses and secrets;
    - `remembers`: whether a build stores results for sets of candidates, within the limit of the option `--memory`;
    - `consistent_only`: whether the policy guesses only candidates; used only if `rule` is None;
    - `choose_quickly`: a faster method with the arguments and results of `choose`, for hints;
    - `answer`: a method with the arguments of `choose`, for a policy with a limit of guesses. The method returns the
      weight of the candidates that are found within the limit, and the guess.
    """

    @property
    def name(self) -> str:
        """The name on the command line and in the header of a book."""

    @property
    def rule(self) -> OneStep | None:
        """The one-step policy that ranks the guesses: this policy itself or its base. If None, `entropy` ranks them."""
        return None

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the policy's guess after a history, as an index in `game.guesses`.

        Args:
            game: the game.
            history: (guess index, feedback number) pairs, in any order.
            candidates: the secrets that fit the history, at least one, in the order of `game.secrets`.
        """

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes for a number of candidates."""
        return len(game.guesses) * candidates

    def __str__(self) -> str:
        """Return the policy in the notation of the command line, such as `last:skip=1`."""
        return notation(self)

    def __hash__(self) -> int:
        """Return the hash of the name, because caches use policies as keys."""
        return hash(self.name)


def checked_guess(game: Game, policy: Policy, chosen: Any) -> int:
    """Return the index that a policy chose, as an `int`. Raises UsageError if no guess has this index."""
    # An integer of numpy is not an `int`, but has `__index__`.
    if not hasattr(chosen, "__index__") or not 0 <= chosen < len(game.guesses):
        raise UsageError(
            f"found guess {quote(chosen)} of policy {policy.name}, expected an index, 0 to {len(game.guesses) - 1}"
        )
    return int(chosen)
