"""Sharing a game: its feedbacks as a grid of pegs or squares, and nothing of its codes."""

from __future__ import annotations

from guessbook.book.facts import counted
from guessbook.book.games.game import Game, History
from guessbook.play.look import look_of


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
    rows = [look_of(game).shared(feedback, ascii_only) for _, feedback in history]
    return "\n".join([title, "", *rows])
