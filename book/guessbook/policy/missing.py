"""The policy of a book that cannot be computed here, as of a package that is not installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from guessbook.book.errors import UsageError
from guessbook.book.file.container import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.policy.one_step import POLICIES, OneStep


class MissingPolicy(NamedTuple):
    """A policy of which only its header is known; the tree of its book needs no more.

    Attributes:
        name: as the header has it.
        options: the other entries of the header, in their order.
        reason: why it cannot be computed: what was found.
    """

    name: str
    options: tuple[tuple[str, object], ...]
    reason: str

    @property
    def rule(self) -> OneStep:
        """What ranks guesses instead: `entropy`, with the limits that the header states."""
        said: dict[str, Any] = dict(self.options)
        limits: dict[str, Any] = {name: said.get(name) is True for name in LIMITS}
        return POLICIES["entropy"]._replace(**limits)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> NoReturn:
        """Raise UsageError: what to install is not known."""
        raise UsageError(f"{self.reason}; hints off the book need it")

    def work(self, game: Game, candidates: int) -> int:
        """No work: `choose` refuses at once."""
        return 0
