"""The form of a game: how it is drawn and exported. Kinds of games make their own of this one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.games.game import Game, called
from guessbook.book.games.registry import companion
from guessbook.book.games.weights import secret_weights
from guessbook.book.strategy import Strategy
from guessbook.export.pictures import ink


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
        answers: the feedbacks as texts, by their numbers, where these are in a table.
    """

    texts: Sequence[str]
    guesses: Sequence[int]
    rows: int
    repeats: bool
    header: str
    script: str
    constants: dict[str, Any]
    answers: Sequence[str] = ()


class Form:
    """The plain form, for any game: its labels as texts. Sizes are in pixels.

    Attributes:
        printed_size: of codes in a booklet.
    """

    printed_size = 13.0

    def __init__(self, game: Game) -> None:
        self.game = game

    def definitions(self) -> str:
        """What `code` needs once in an SVG document."""
        return ""

    def code_width(self, size: float) -> float:
        """How wide a code is; pegs have the diameter `size`, letters that height."""
        return widest(self.game)[0] * size

    def code(self, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
        """A code from x on, its middle at height y; letters are in the colour `fill`."""
        return ink.letters(called(self.game, guess), x + self.code_width(size) / 2, y, size, fill)

    def feedback_width(self, size: float) -> float:
        """How wide a feedback is: tiles of that size, or a text of that height."""
        return widest(self.game)[1] * size

    def feedback(self, number: int, x: float, y: float, size: float, fill: str = "") -> str:
        """A feedback from x on, its middle at height y; a text is in the colour `fill`."""
        middle = x + self.feedback_width(size) / 2
        return ink.numbers(self.game.format_feedback(number), middle, y, size, fill)

    def marks_width(self) -> float:
        """How wide the marks are that follow a feedback; 0 if there are none."""
        return 0.0

    def marks(self, number: int, x: float, y: float) -> str:
        """The marks of a feedback from x on."""
        return ""

    def printed(self, guess: str) -> str:
        """A code in a booklet, as HTML."""
        return f'<b class="label">{escape(called(self.game, guess))}</b>'

    def printed_feedback(self, number: int) -> str:
        """A feedback in a booklet, as HTML."""
        return escape(self.game.format_feedback(number))

    def printed_style(self) -> str:
        """The CSS that these two need beside that of all booklets."""
        return ""

    def place(self, number: int) -> tuple[int, ...]:
        """Where a feedback stands among others in a booklet."""
        return (number,)

    def legend(self) -> str:
        """What the symbols of a booklet are called, as HTML; nothing if they are no pegs."""
        return ""

    def program(self, book: Strategy) -> Program:
        """The codes of a book for C and Python. Raises UsageError if these do not know the game."""
        raise UsageError(
            f"{book.game.name} cannot be exported as C or Python: "
            "these know codes and words only; export it as json"
        )

    def json_rules(self) -> dict[str, Any]:
        """The game as plain data for JSON: what the book's header has of texts and numbers."""
        header = self.game.header()
        return {key: value for key, value in header.items() if not isinstance(value, bytes)}

    def page_game(self) -> dict[str, Any]:
        """The game as a page reads it. Raises UsageError if that does not know the game."""
        raise UsageError(
            f"{self.game.name} cannot be exported as a page: "
            "it knows codes and words only; export it as json"
        )

    def rules(self) -> str:
        """The rules, in a sentence or two."""
        guesses, secrets = len(self.game.guesses), len(self.game.secrets)
        return f"{guesses:,} codes may be guessed, {secrets:,} may be the secret."

    def note(self) -> str:
        """What to know about published results for such games; nothing if they need no note."""
        return ""


def form_of(game: Game) -> Form:
    """The form of a game, as its kind has it."""
    form: Form = companion(game, "form").Form(game)
    return form


def listed_weights(game: Game) -> dict[str, list[int]]:
    """How much each secret counts, for JSON; nothing where secrets have no weights."""
    weights = secret_weights(game)
    return {} if weights is None else {"weights": list(weights)}


def guessed(book: Strategy) -> tuple[list[str], list[int]]:
    """The codes that the tree of a book guesses, in their order, and for each node which of them.

    Of the others a walk needs none.
    """
    used = sorted(set(book.tree.guess))
    places = {guess: place for place, guess in enumerate(used)}
    codes = [book.game.guesses[guess] for guess in used]
    return codes, [places[guess] for guess in book.tree.guess]


@lru_cache(maxsize=1)  # a picture asks for every code
def widest(game: Game) -> tuple[float, float]:
    """The widths of the widest guess and feedback, of height 1."""
    given = (game.format_feedback(f) for f in range(game.feedbacks) if game.gives(f))
    read = (called(game, guess) for guess in game.guesses)
    widths = [max(ink.text_width(text, 1) for text in texts) for texts in (read, given)]
    return widths[0], widths[1]
