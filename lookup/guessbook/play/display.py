"""The display of a game in a terminal and in sentences; kinds of games have subclasses."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol

from guessbook.book.games.game import Game, History, called
from guessbook.book.games.registry import companion

# A text, and the style in which it is drawn.
Part = tuple[str, str]

# Feedbacks that are named in a sentence.
NAMED = 8


class Canvas(Protocol):
    """The surface that a display draws on, such as the screen of a terminal."""

    colour: bool
    symbols: bool  # whether it can show pegs and squares
    width: int  # in columns

    @property
    def narrow(self) -> bool:
        """Whether there is little room."""

    def say(self, text: str = "", style: str = "") -> None:
        """Write a line of text."""

    def draw(self, parts: Iterable[Part]) -> None:
        """Draw a line of parts, each in its style."""


class Display:
    """The plain display, for any game: it shows labels unchanged."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def code(self, screen: Canvas, guess: str, feedback: int | None = None) -> list[Part]:
        """Return the drawing of a code, with its feedback if the drawing can show it."""
        return [(called(self.game, guess), "bold")]

    def forms(self, screen: Canvas, guess: str) -> list[list[Part]]:
        """Return the forms of a code for an outline: the best first, the shortest last."""
        return [[(called(self.game, guess), "bold")]]

    def marks(self, screen: Canvas, feedback: int) -> list[Part]:
        """Return the drawing of a feedback behind its code; empty if it is not needed."""
        return []

    def shared(self, feedback: int, ascii_only: bool = False) -> str:
        """Return a feedback as a row of the grid that players share."""
        return self.game.format_feedback(feedback)

    def known(self, screen: Canvas, history: History, candidates: Sequence[str]) -> None:
        """Draw the symbols that are ruled out or found; the plain display draws nothing."""

    def rules(self) -> str:
        """Return the rules, in two sentences."""
        return f"Find the secret, one of {len(self.game.secrets):,}. {self.example()}"

    def example(self) -> str:
        """Return an example guess, and the meaning of a feedback to it."""
        guess = called(self.game, self.game.guesses[len(self.game.guesses) // 3])
        return f"A guess, such as {guess}, is answered {self.meaning()}."

    def feedback_help(self, symbols: bool = True) -> str:
        """Explain in a sentence how to type a feedback, with squares if the screen has them."""
        return f"Feedback is {self.meaning()}."

    def meaning(self) -> str:
        """Return the meaning of the first feedbacks, and of the one that ends the game."""
        game = self.game
        given = (number for number in range(game.feedbacks) if game.gives(number))
        names = [game.format_feedback(number) for number in islice(given, NAMED + 1)]
        names[NAMED:] = ["..."] * (len(names) > NAMED)
        last = game.format_feedback(game.solved)
        return f"{', '.join(names)}; {last} says that it is the secret"


def display_of(game: Game) -> Display:
    """Return the display of a game, of the class that its kind names."""
    display: Display = companion(game, "display").Display(game)
    return display
