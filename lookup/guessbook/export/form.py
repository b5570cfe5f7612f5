"""The form: what differs between kinds of games in pictures, programs, pages and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from guessbook.book.games.registry import companion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.book import Book
    from guessbook.book.games.game import Game

__all__ = ["Form", "Program", "form_of"]


class Program(NamedTuple):
    """How programs write the codes of a book.

    Attributes:
        texts: what codes are made of: symbols, or the words that the tree guesses.
        guesses: the tree's column of guesses; words by their places in `texts`.
        rows: how many texts make a code.
        repeats: whether a text may be in a code twice.
        header: the file with the rules in C.
        script: the file with the rules in Python.
        constants: what that file needs. With a WIDTH (bytes) the texts follow the tree's columns.
    """

    texts: Sequence[str]
    guesses: Sequence[int]
    rows: int
    repeats: bool
    header: str
    script: str
    constants: dict[str, Any]


class Form(Protocol):
    """The form of a kind of game: the functions of a module. Sizes and places are in pixels."""

    def definitions(self, game: Game) -> str:
        """What `code` needs once in an SVG document."""

    def code_width(self, game: Game, size: float) -> float:
        """How wide a code is; pegs have the diameter `size`, letters that height."""

    def code(self, game: Game, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
        """A code from x on, its middle at height y; letters are in the colour `fill`."""

    def feedback_width(self, game: Game, size: float) -> float:
        """How wide a feedback is: tiles of that size, or a text of that height."""

    def feedback(
        self, game: Game, number: int, x: float, y: float, size: float, fill: str = ""
    ) -> str:
        """A feedback from x on, its middle at height y; a text is in the colour `fill`."""

    def marks_width(self, game: Game) -> float:
        """How wide the marks are that follow a feedback; 0 if there are none."""

    def marks(self, game: Game, number: int, x: float, y: float) -> str:
        """The marks of a feedback from x on."""

    def program(self, book: Book) -> Program:
        """The codes of a book for C and Python. Raises UsageError if these do not know the game."""

    def json_game(self, game: Game) -> dict[str, Any]:
        """The game as plain data for JSON."""

    def page_game(self, game: Game) -> dict[str, Any]:
        """The game as a page reads it. Raises UsageError if that does not know the game."""

    def rules(self, game: Game) -> str:
        """The rules, in a sentence or two."""

    def note(self, game: Game) -> str:
        """What to know about published results for such games; nothing if they need no note."""


def form_of(game: Game) -> Form:
    """The form of a game's kind."""
    return cast("Form", companion(game, "form"))
