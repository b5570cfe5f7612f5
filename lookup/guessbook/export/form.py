"""The form of a game: how it is drawn and exported. Kinds of games derive theirs from this one."""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.games.game import Game, called
from guessbook.book.games.registry import companion
from guessbook.book.games.weights import secret_weights
from guessbook.book.strategy import Strategy
from guessbook.export.pictures import shapes


class Program(NamedTuple):
    """The codes of a book as exported programs need them.

    Attributes:
        texts: the parts of codes: symbols, or the words that the tree guesses.
        guesses: the tree's column of guesses; words by their places in `texts`.
        rows: the number of texts in a code.
        repeats: whether a text may occur twice in a code.
        rules: the files with the rules, as in `pegs.h` and `script_pegs.txt`.
        constants: the constants of the script. If it has WIDTH, in bytes, the texts follow the tree's columns.
        answers: the feedbacks as texts, by their numbers, for games with a table.
    """

    texts: Sequence[str]
    guesses: Sequence[int]
    rows: int
    repeats: bool
    rules: str
    constants: dict[str, Any]
    answers: Sequence[str] = ()


class Form:
    """The plain form of any game, which shows its labels as texts. Sizes are in pixels."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def definitions(self) -> str:
        """Return the SVG definitions that `code` refers to."""
        return ""

    def code_width(self, size: float) -> float:
        """Return the width of a code, whose pegs or letters have the height `size`."""
        return widest(self.game)[0] * size

    def code(self, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
        """Draw a code that begins at x, its middle at height y; letters have the colour `fill`."""
        middle = x + self.code_width(size) / 2
        return shapes.letters(called(self.game, guess), middle, y, size, fill)

    def feedback_width(self, size: float) -> float:
        """Return the width of a feedback, whose tiles or text have the height `size`."""
        return widest(self.game)[1] * size

    def feedback(self, number: int, x: float, y: float, size: float, fill: str = "") -> str:
        """Draw a feedback that begins at x, its middle at height y; text has the colour `fill`."""
        middle = x + self.feedback_width(size) / 2
        return shapes.numbers(self.game.format_feedback(number), middle, y, size, fill)

    def marks_width(self) -> float:
        """Return the width of the marks behind a feedback; 0 without marks."""
        return 0.0

    def marks(self, number: int, x: float, y: float) -> str:
        """Draw the marks of a feedback, beginning at x."""
        return ""

    def printed(self, guess: str) -> str:
        """Return a code in a booklet, as HTML."""
        return f'<b class="label">{escape(called(self.game, guess))}</b>'

    def printed_feedback(self, number: int) -> str:
        """Return a feedback in a booklet, as HTML."""
        return escape(self.game.format_feedback(number))

    def printed_style(self) -> str:
        """Return the CSS of codes and feedbacks in a booklet."""
        return ""

    def place(self, number: int) -> tuple[int, ...]:
        """Return the key that orders the feedbacks of a booklet."""
        return (number,)

    def legend(self) -> str:
        """Return the names of the pegs in a booklet, as HTML; empty for games without pegs."""
        return ""

    def program(self, book: Strategy) -> Program:
        """Return the codes of a book for C and Python. Raises UsageError for other games."""
        raise UsageError(
            f"{book.game.name} cannot be exported as C or Python: "
            "these formats support codes and words only; export it as json"
        )

    def json_rules(self) -> dict[str, Any]:
        """Return the game as plain data for JSON: the texts and numbers of the book's header."""
        header = self.game.header()
        return {key: value for key, value in header.items() if not isinstance(value, bytes)}

    def page_game(self) -> dict[str, Any]:
        """Return the game as a page reads it. Raises UsageError for other kinds of games."""
        raise UsageError(
            f"{self.game.name} cannot be exported as a page: it knows codes and words only; export it as json"
        )

    def rules(self) -> str:
        """Return the rules in a sentence or two."""
        guesses, secrets = len(self.game.guesses), len(self.game.secrets)
        return f"{guesses:,} codes may be guessed, {secrets:,} may be the secret."

    def note(self) -> str:
        """Return a note on published results for such games; empty if they need none."""
        return ""


def form_of(game: Game) -> Form:
    """Return the form of a game, by its kind."""
    form: Form = companion(game, "form").Form(game)
    return form


def listed_weights(game: Game) -> dict[str, list[int]]:
    """Return the weights of the secrets as an item for JSON; none where secrets have no weights."""
    weights = secret_weights(game)
    return {} if weights is None else {"weights": list(weights)}


def listed_program(book: Strategy, rules: str, constants: dict[str, Any], answers: Sequence[str] = ()) -> Program:
    """Return the codes of a book whose texts are the guesses of its tree."""
    used = sorted(set(book.tree.guess))
    places = {guess: place for place, guess in enumerate(used)}
    texts = [book.game.guesses[guess] for guess in used]
    # With a common width in bytes, the place of a text follows from its number.
    constants = {**constants, "WIDTH": max(len(text.encode()) for text in texts)}
    guesses = [places[guess] for guess in book.tree.guess]
    return Program(texts, guesses, 1, True, rules, constants, answers)


@lru_cache(maxsize=1)  # pictures call it for every code
def widest(game: Game) -> tuple[float, float]:
    """Return the widths of the widest guess and of the widest feedback, at height 1."""
    given = (game.format_feedback(f) for f in range(game.feedbacks) if game.gives(f))
    read = (called(game, guess) for guess in game.guesses)
    widths = [max(shapes.text_width(text, 1) for text in texts) for texts in (read, given)]
    return widths[0], widths[1]
