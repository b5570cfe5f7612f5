"""What the house asks of every policy; its kinds are in modules of their own, listed in `registry`.

A policy is a value: a name and options, as they stand in the header of a book, and its definition
in plain Python, which is slow, obvious, and what every faster path is tested against.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from guessbook.book.errors import UsageError, shown
from guessbook.book.games.game import Game, History
from guessbook.policy.text import notation

if TYPE_CHECKING:
    from guessbook.policy.one_step import OneStep


class Policy(Protocol):
    """A rule that picks a guess. Its options are attributes of the same names.

    Derive a policy of your own from this class: it needs a `name` and `choose`. If it is a named
    tuple or a frozen dataclass instead, with all that is below, its fields are its options, which
    stand in the header of a book.

    One may also say that its search needs the table of all feedbacks, `is_tabulated`, and that it
    keeps what it finds of sets of candidates, within `--memory`: `remembers`. And one whose
    definition takes long may have `choose_quickly`, which finds the same guess: a live hint asks
    that in plain Python. One that counts what it finds within some guesses has `answer` instead:
    how much that is, and the guess.
    """

    @property
    def name(self) -> str:
        """As the command line and the header have it."""

    @property
    def rule(self) -> OneStep | None:
        """The one-step policy that it builds on; itself if it is one, None if there is none.

        One without may say that it guesses only what may be the secret: `consistent_only`.
        """
        return None

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """The index of the guess after a history with these candidates, at least one.

        Args:
            game: the game.
            history: (guess index, feedback number) pairs, in any order.
            candidates: the secrets that fit the history, in the order of `game.secrets`.
        """

    def work(self, game: Game, candidates: int) -> int:
        """Roughly how many feedbacks `choose` computes for so many candidates."""
        return len(game.guesses) * candidates

    def __str__(self) -> str:
        """The policy as it is typed, such as `last:skip=1`."""
        return notation(self)

    def __hash__(self) -> int:
        """A policy is a value: what is made of it is kept for the next task."""
        return hash(self.name)


def checked_guess(game: Game, policy: Policy, chosen: Any) -> int:
    """Return the guess that a policy chose. Raises UsageError if it is no index of a guess."""
    # numpy has integers of its own.
    if not hasattr(chosen, "__index__") or not 0 <= chosen < len(game.guesses):
        raise UsageError(
            f"policy {policy.name} guesses {shown(chosen)}, expected the index of a guess, "
            f"0 to {len(game.guesses) - 1}"
        )
    return int(chosen)
