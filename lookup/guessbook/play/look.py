"""The look: what differs between kinds of games in a terminal and in words about one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from guessbook.book.games.registry import companion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import Game, History
    from guessbook.play.terminal.drawing import Screen

__all__ = ["Look", "Part", "look_of"]

# A text, and the style in which it is drawn.
Part = tuple[str, str]


class Look(Protocol):
    """How a kind of game looks: the functions of a module, which needs rich only to draw."""

    def code(
        self, screen: Screen, game: Game, guess: str, feedback: int | None = None
    ) -> list[Part]:
        """A code as it is drawn, where it can be with the feedback that it got."""

    def forms(self, screen: Screen, game: Game, guess: str) -> list[list[Part]]:
        """A code as an outline draws it: first the best form, at last the shortest."""

    def marks(self, screen: Screen, game: Game, feedback: int) -> list[Part]:
        """A feedback as it is drawn after its code; nothing if the code or its number says it."""

    def shared(self, game: Game, feedback: int, ascii_only: bool = False) -> str:
        """A feedback as a row of the grid that players share."""

    def known(
        self, screen: Screen, game: Game, history: History, candidates: Sequence[str]
    ) -> None:
        """Draw what is known of each symbol."""

    def rules(self, game: Game) -> str:
        """The rules, in two sentences."""

    def feedback_help(self, game: Game, symbols: bool = True) -> str:
        """How to type a feedback, in a sentence; with squares if the screen can show them."""


def look_of(game: Game) -> Look:
    """The look of a game's kind."""
    return cast("Look", companion(game, "look"))
