"""The class `Form`, which draws and exports games; a kind of game may have its own subclass."""

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
    """The data of a book that exported programs in C and Python need for its kind of game.

    Attributes:
        texts: the symbols of a code game, or the guessed words or labels of another game.
        guesses: the guess of each node: the number of a code in a code game, else an index in `texts`.
        rows: the number of texts in a code.
        repeats: whether a text may occur twice in a code.
        rules: the name of the kind of game in file names, such as `pegs` in `pegs.h` and `script_pegs.txt`.
        constants: the constants of the Python script. If present, WIDTH is the number of bytes of a text.
        answers: the texts of the feedbacks of a table game; empty for other games.
    """

    texts: Sequence[str]
    guesses: Sequence[int]
    rows: int
    repeats: bool
    rules: str
    constants: dict[str, Any]
    answers: Sequence[str] = ()


class Form:
    """The drawing and export of games whose codes and feedbacks are shown as text. Sizes are in pixels."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def definitions(self) -> str:
        """Return SVG definitions of pegs, for drawings of codes; empty for games without pegs."""
        return ""

    def code_width(self, size: float) -> float:
        """Return the width of a drawn code whose pegs or letters are `size` high."""
        return widest(self.game)[0] * size

    def code(self, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
        """Return SVG for a code with its left edge at x and its middle at y; `fill` is the colour of letters."""
        middle = x + self.code_width(size) / 2
        return shapes.letters(called(self.game, guess), middle, y, size, fill)

    def feedback_width(self, size: float) -> float:
        """Return the width of a drawn feedback whose tiles or text are `size` high."""
        return widest(self.game)[1] * size

    def feedback(self, number: int, x: float, y: float, size: float, fill: str = "") -> str:
        """Return SVG for a feedback with its left edge at x and its middle at y; `fill` is the colour of text."""
        middle = x + self.feedback_width(size) / 2
        return shapes.numbers(self.game.format_feedback(number), middle, y, size, fill)

    def marks_width(self) -> float:
        """Return the width of the black and white pegs that are drawn beside a feedback; 0 for games without pegs."""
        return 0.0

    def marks(self, number: int, x: float, y: float) -> str:
        """Return SVG for the black and white pegs of a feedback, the first centred at (x, y); empty without pegs."""
        return ""

    def booklet_code(self, guess: str) -> str:
        """Return HTML for a code in a booklet."""
        return f'<b class="label">{escape(called(self.game, guess))}</b>'

    def printed_feedback(self, number: int) -> str:
        """Return HTML for a feedback in a booklet."""
        return escape(self.game.format_feedback(number))

    def printed_style(self) -> str:
        """Return the CSS for the codes and feedbacks in a booklet."""
        return ""

    def place(self, number: int) -> tuple[int, ...]:
        """Return the sort key of a feedback. Booklets list the feedbacks to a guess in the order of this key."""
        return (number,)

    def legend(self) -> str:
        """Return HTML with each peg and its name, for a booklet; empty for games without pegs."""
        return ""

    def program(self, book: Strategy) -> Program:
        """Return the data of a book for exports to C and Python."""
        raise UsageError(
            f"found the game {book.game.name}, which cannot be exported as C or Python, "
            "expected a game of codes, words or tables; export it as json"
        )

    def json_rules(self) -> dict[str, Any]:
        """Return the rules for the JSON export: the game as in the header of a book, without binary values."""
        header = self.game.header()
        return {key: value for key, value in header.items() if not isinstance(value, bytes)}

    def page_game(self) -> dict[str, Any]:
        """Return the game as data for the HTML page."""
        raise UsageError(
            f"found the game {self.game.name}, which cannot be exported as html, "
            "expected a game of codes, words or tables; export it as json"
        )

    def rules(self) -> str:
        """Return the rules of the game in one or two sentences."""
        guesses, secrets = len(self.game.guesses), len(self.game.secrets)
        return f"{guesses:,} codes may be guessed, {secrets:,} may be the secret."

    def note(self) -> str:
        """Return a note on the published results for the game; empty if they need no explanation."""
        return ""


def form_of(game: Game) -> Form:
    """Return the `Form` of a game, an instance of the class for its kind of game."""
    form: Form = companion(game, "form").Form(game)
    return form


def listed_weights(game: Game) -> dict[str, list[int]]:
    """Return the weights of the secrets under the key `weights`; an empty dict if secrets have no weights."""
    weights = secret_weights(game)
    return {} if weights is None else {"weights": list(weights)}


def listed_program(
    book: Strategy, rules: str, constants: dict[str, Any], answers: Sequence[str] = ()
) -> Program:
    """Return the data of a book for exports to C and Python; its `texts` list the different guesses of the tree."""
    used = sorted(set(book.tree.guess))
    places = {guess: place for place, guess in enumerate(used)}
    texts = [book.game.guesses[guess] for guess in used]
    # The script finds a text by its index, because all texts are padded to WIDTH bytes.
    constants = {**constants, "WIDTH": max(len(text.encode()) for text in texts)}
    guesses = [places[guess] for guess in book.tree.guess]
    return Program(texts, guesses, 1, True, rules, constants, answers)


@lru_cache(maxsize=1)  # Pictures call `widest` for every code, so the result is cached.
def widest(game: Game) -> tuple[float, float]:
    """Return the widths of the widest guess and the widest feedback, as multiples of the text height."""
    given = (game.format_feedback(f) for f in range(game.feedbacks) if game.gives(f))
    read = (called(game, guess) for guess in game.guesses)
    widths = [max(shapes.text_width(text, 1) for text in texts) for texts in (read, given)]
    return widths[0], widths[1]
