"""The policy of a book that cannot be computed here, such as one of a package not installed."""

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from guessbook.book.errors import UsageError
from guessbook.book.file.container import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.policy.one_step import POLICIES, OneStep


class MissingPolicy(NamedTuple):
    """A policy that is known only from the header of a book; the book's tree needs no more.

    Its options are the other entries of the header, in their order; `reason` says for a message why
    it cannot be computed.
    """

    name: str
    options: tuple[tuple[str, object], ...]
    reason: str

    @property
    def rule(self) -> OneStep:
        """The policy that ranks guesses instead: `entropy`, with the limits in the header."""
        said: dict[str, Any] = dict(self.options)
        limits: dict[str, Any] = {name: said.get(name) is True for name in LIMITS}
        return POLICIES["entropy"]._replace(**limits)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> NoReturn:
        """Raise UsageError, with the reason."""
        raise UsageError(f"{self.reason}; hints off the book need it")

    def work(self, game: Game, candidates: int) -> int:
        """Return 0: `choose` computes nothing."""
        return 0
