"""The look of any other game: its labels as they are."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import Game, History
    from guessbook.play.look import Part
    from guessbook.play.terminal.drawing import Screen

__all__ = ["code", "feedback_help", "forms", "known", "marks", "rules", "shared"]

# Feedbacks that are named in a sentence.
NAMED = 8


def code(screen: Screen, game: Game, guess: str, feedback: int | None = None) -> list[Part]:
    """The label."""
    return [(guess, "bold")]


def forms(screen: Screen, game: Game, guess: str) -> list[list[Part]]:
    """The label as well."""
    return [code(screen, game, guess)]


def marks(screen: Screen, game: Game, feedback: int) -> list[Part]:
    """Nothing: the feedback itself follows."""
    return []


def shared(game: Game, feedback: int, ascii_only: bool = False) -> str:
    """The feedback as people write it."""
    return game.format_feedback(feedback)


def known(screen: Screen, game: Game, history: History, candidates: Sequence[str]) -> None:
    """Nothing: a label has no symbols of which something could be known."""


def rules(game: Game) -> str:
    """How many secrets there are, and what a guess and a feedback look like."""
    return (
        f"Find the secret, one of {len(game.secrets):,}. A guess, such as "
        f"{game.guesses[len(game.guesses) // 3]}, is answered {meaning(game)}."
    )


def feedback_help(game: Game, symbols: bool = True) -> str:
    """The feedbacks that there are."""
    return f"Feedback is {meaning(game)}."


def meaning(game: Game) -> str:
    """The first feedbacks by their names, and the one that ends the game."""
    given = (number for number in range(game.feedbacks) if game.gives(number))
    names = [game.format_feedback(number) for number in islice(given, NAMED + 1)]
    listed = ", ".join([*names[:NAMED], *(["..."] if len(names) > NAMED else [])])
    return f"{listed}; {game.format_feedback(game.solved)} says that it is the secret"
