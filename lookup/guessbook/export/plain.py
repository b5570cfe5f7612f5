"""The form of any other game: its labels as texts; programs and pages do not know it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from guessbook.book.errors import UsageError
from guessbook.export.pictures import ink

if TYPE_CHECKING:
    from collections.abc import Hashable

    from guessbook.book.book import Book
    from guessbook.book.games.game import Game
    from guessbook.export.form import Program

__all__ = [
    "code",
    "code_width",
    "definitions",
    "feedback",
    "feedback_width",
    "json_game",
    "marks",
    "marks_width",
    "note",
    "page_game",
    "program",
    "rules",
]


def definitions(game: Game) -> str:
    """Nothing."""
    return ""


def code_width(game: Game, size: float) -> float:
    """That of the longest label."""
    return widest(cast("Hashable", game))[0] * size


def code(game: Game, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
    """The label."""
    return ink.letters(guess, x + code_width(game, size) / 2, y, size, fill)


def feedback_width(game: Game, size: float) -> float:
    """That of the longest feedback."""
    return widest(cast("Hashable", game))[1] * size


def feedback(game: Game, number: int, x: float, y: float, size: float, fill: str = "") -> str:
    """The feedback as people write it."""
    middle = x + feedback_width(game, size) / 2
    return ink.numbers(game.format_feedback(number), middle, y, size, fill)


@lru_cache(maxsize=1)  # a picture asks for every code
def widest(game: Any) -> tuple[float, float]:
    """The widths of the widest guess and feedback, of height 1."""
    given = (game.format_feedback(f) for f in range(game.feedbacks) if game.gives(f))
    widths = [max(ink.text_width(text, 1) for text in texts) for texts in (game.guesses, given)]
    return widths[0], widths[1]


def marks_width(game: Game) -> float:
    """None."""
    return 0.0


def marks(game: Game, number: int, x: float, y: float) -> str:
    """None."""
    return ""


def program(book: Book) -> Program:
    """Raises UsageError: the rules of such a game are not known in C or Python."""
    raise UsageError(
        f"{book.game.name} cannot be exported as C or Python: "
        "these know codes and words only; use --to json"
    )


def json_game(game: Game) -> dict[str, Any]:
    """What the book's header has of texts and numbers."""
    return {key: value for key, value in game.header().items() if not isinstance(value, bytes)}


def page_game(game: Game) -> dict[str, Any]:
    """Raises UsageError: the rules of such a game are not known to the page."""
    raise UsageError(
        f"{game.name} cannot be exported as a page: it knows codes and words only; use --to json"
    )


def rules(game: Game) -> str:
    """How many codes there are."""
    return f"{len(game.guesses):,} codes may be guessed, {len(game.secrets):,} may be the secret."


def note(game: Game) -> str:
    """None."""
    return ""
