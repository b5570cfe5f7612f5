"""The rows of a session: guesses and their feedbacks in the order in which they were made."""

from __future__ import annotations

from typing import NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.games.game import Game, parse_history


class Row(NamedTuple):
    """One guess of a session and its feedback.

    Attributes:
        guess: the code.
        feedback: as people write it.
        aside: whether it is set aside: kept, but not believed.
    """

    guess: str
    feedback: str
    aside: bool = False


def rows_of(game: Game, history: object) -> list[Row]:
    """The rows of a history, in its order.

    Entry by entry: for a hint a history is a set, but a guess that is made twice is two rows.
    """
    entries = history.split() if isinstance(history, str) else history
    if not hasattr(entries, "__iter__"):
        parse_history(game, entries)  # says what is wrong with it
    rows = []
    for entry in entries:  # type: ignore[attr-defined]
        ((guess, feedback),) = parse_history(game, [entry])
        rows.append(Row(game.guesses[guess], game.format_feedback(feedback)))
    return rows


def check_order(game: Game, history: list[tuple[str, str]], purpose: str) -> None:
    """Raise UsageError if there is no guess, or one after the guess that solved the game."""
    if not history:
        raise UsageError(f"found no guess to {purpose}; give at least one GUESS=FEEDBACK")
    for number, (guess, feedback) in enumerate(history, 1):
        if game.parse_feedback(feedback) == game.solved and number < len(history):
            raise UsageError(
                f"found more guesses after {guess}={feedback}, which solved the game; "
                "give the guesses in their order, that one last"
            )
