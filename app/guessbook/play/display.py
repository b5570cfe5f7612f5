"""The class `Display`, which draws the codes and feedbacks of a game and describes the game in sentences."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol

from guessbook.book.games.game import Game, History, called
from guessbook.book.games.registry import companion

# A part of a line: a text and its style, such as "bold".
Part = tuple[str, str]

# A sentence lists at most this number of feedbacks.
NAMED = 8


class Canvas(Protocol):
    """The surface that a display draws on, such as the screen of a terminal."""

    colour: bool
    symbols: bool  # Whether the canvas can show pegs and squares, which are not ASCII.
    width: int  # The width in columns of text.

    @property
    def narrow(self) -> bool:
        """Whether the canvas has few columns, so that drawings must be compact."""

    def say(self, text: str = "", style: str = "") -> None:
        """Write a line of text."""

    def draw(self, parts: Iterable[Part]) -> None:
        """Draw a line that consists of `parts`, each in its own style."""


class Display:
    """The display for games of any kind, which shows codes and feedbacks as plain text."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def code(self, screen: Canvas, guess: str, feedback: int | None = None) -> list[Part]:
        """Return the drawing of a code. Subclasses may colour the code by the feedback."""
        return [(called(self.game, guess), "bold")]

    def forms(self, screen: Canvas, guess: str) -> list[list[Part]]:
        """Return drawings of a code, the widest first. A line of a drawn tree contains the first drawing that fits."""
        return [[(called(self.game, guess), "bold")]]

    def marks(self, screen: Canvas, feedback: int) -> list[Part]:
        """Return the drawing of a feedback, such as pegs, to show before the text of the feedback. Default: empty."""
        return []

    def share_line(self, feedback: int, ascii_only: bool = False) -> str:
        """Return a feedback as one line of the text that a player shares after a game."""
        return self.game.format_feedback(feedback)

    def draw_symbols(self, screen: Canvas, history: History, candidates: Sequence[str]) -> None:
        """Draw the symbols that are found or ruled out. By default, draw nothing."""

    def rules(self) -> str:
        """Return the rules of the game, in two sentences."""
        return f"Find the secret, one of {len(self.game.secrets):,}. {self.example()}"

    def example(self) -> str:
        """Return a sentence with an example guess and its possible feedbacks."""
        guess = called(self.game, self.game.guesses[len(self.game.guesses) // 3])
        return f"A guess, such as {guess}, is answered {self.meaning()}."

    def feedback_help(self, symbols: bool = True) -> str:
        """Return a sentence that says how to type a feedback; `symbols` allows characters that are not ASCII."""
        return f"Feedback is {self.meaning()}."

    def meaning(self) -> str:
        """Return a text that lists the first 8 feedbacks of the game, and then the feedback that means "solved"."""
        game = self.game
        given = (number for number in range(game.feedbacks) if game.gives(number))
        names = [game.format_feedback(number) for number in islice(given, NAMED + 1)]
        names[NAMED:] = ["..."] * (len(names) > NAMED)
        last = game.format_feedback(game.solved)
        return f"{', '.join(names)}; {last} says that it is the secret"


def display_of(game: Game) -> Display:
    """Return a display of a game; each kind of game, such as word games, has its own class `Display`."""
    display: Display = companion(game, "display").Display(game)
    return display
