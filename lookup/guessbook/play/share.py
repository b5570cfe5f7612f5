"""Sharing a game: its feedbacks as a grid of pegs or squares, and nothing of its codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.games.codes import Mastermind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from guessbook.book.games.game import Game, History

__all__ = ["counted", "pegs", "row", "share"]


def share(game: Game, history: History, ascii_only: bool = False) -> str:
    """The grid of a game: a title, an empty line, and a row for each feedback.

    >>> from guessbook.book import Mastermind, parse_history
    >>> game = Mastermind(4, 6)
    >>> print(share(game, parse_history(game, "RYGB=1,1 RGOP=4,0")))
    Guessbook mastermind-4x6 2 guesses
    <BLANKLINE>
    ●○··
    ●●●●

    Args:
        game: the game.
        history: its guesses, in their order.
        ascii_only: write pegs as B, W and `.`, and squares as digits.
    """
    solved = any(feedback == game.solved for _, feedback in history)
    count = counted(len(history))
    title = f"Guessbook {game.name} {count if solved else f'{count}, not solved'}"
    return "\n".join([title, "", *rows(game, [f for _, f in history], ascii_only)])


def counted(guesses: int) -> str:
    """A number of guesses in words: `1 guess`, `2 guesses`."""
    return f"{guesses:,} guess{'es' if guesses != 1 else ''}"


def rows(game: Game, feedbacks: Iterable[int], ascii_only: bool = False) -> list[str]:
    """A row of pegs or squares for each feedback number."""
    return [row(game, feedback, ascii_only) for feedback in feedbacks]


def row(game: Game, feedback: int, ascii_only: bool = False) -> str:
    """One feedback as pegs or squares."""
    if isinstance(game, Mastermind):
        return pegs(game, feedback, ascii_only)
    from guessbook.book.games.words import WordGame

    if isinstance(game, WordGame) and not ascii_only:
        return game.format_squares(feedback)
    return game.format_feedback(feedback)


def pegs(game: Mastermind, feedback: int, ascii_only: bool = False) -> str:
    """Black pegs, white pegs, and dots for the rest: `●○··`, or `BW..`."""
    black, white = game.pair(feedback)
    marks = "BW." if ascii_only else "●○·"
    return marks[0] * black + marks[1] * white + marks[2] * (game.pegs - black - white)
