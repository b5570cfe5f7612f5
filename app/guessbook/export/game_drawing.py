"""How each kind of game looks in exports: its codes and feedbacks as SVG and HTML, its rules as data."""

from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.games.codes import Mastermind, describe_symbols, pegs_of
from guessbook.book.games.game import Game
from guessbook.book.games.tables import TableGame
from guessbook.book.games.weights import secret_weights
from guessbook.book.games.words import WordGame
from guessbook.book.strategy import Strategy
from guessbook.export import shapes
from guessbook.play.terminal.display import TILES


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


class GameDrawing:
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
        return shapes.letters(self.game.display_name(guess), middle, y, size, fill)

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
        return f'<b class="label">{escape(self.game.display_name(guess))}</b>'

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


def drawing_of(game: Game) -> GameDrawing:
    """Return the `GameDrawing` of a game, an instance of the class for its kind of game."""
    drawing: GameDrawing = DRAWINGS.get(game.kind, GameDrawing)(game)
    return drawing


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
    given = (game.format_feedback(f) for f in range(game.feedbacks) if game.is_possible(f))
    read = (game.display_name(guess) for guess in game.guesses)
    widths = [max(shapes.text_width(text, 1) for text in texts) for texts in (read, given)]
    return widths[0], widths[1]


class CodeDrawing(GameDrawing):
    """The drawing and export of a code game: codes as coloured pegs or letters, feedbacks as two numbers."""

    game: Mastermind

    def __init__(self, game: Mastermind) -> None:
        super().__init__(game)
        self.pegs = pegs_of(game.symbols, game.names)

    def definitions(self) -> str:
        """Return SVG definitions of a peg of radius 1 for each symbol; empty if codes are drawn as letters."""
        drawn = [
            f'<g id="peg-{ord(symbol)}"><circle r=".92" fill="{peg.color}" class="peg" '
            f'stroke-width=".1"/><text y=".42" font-size="1.2" font-weight="700" '
            f'text-anchor="middle" fill="{peg.ink}">{escape(symbol)}</text></g>'
            for symbol, peg in self.pegs.items()
        ]
        return f"<defs>{''.join(drawn)}</defs>" if drawn else ""

    def code_width(self, size: float) -> float:
        """Return the width of a code that is drawn as pegs or letters of height `size`."""
        if self.pegs:
            return 1.04 * size * self.game.length
        return shapes.letter_width(self.game.symbols, size) * self.game.length

    def code(self, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
        """Return SVG for a code with its left edge at x and its middle at y, as pegs or as letters of colour `fill`."""
        if not self.pegs:
            # Names of symbols would be too wide for a picture, so the letters are drawn.
            return shapes.letters(guess, x + self.code_width(size) / 2, y, size, fill)
        uses = [
            f'<use href="#peg-{ord(symbol)}" x="{shapes.short(2.08 * (k + 0.5))}"/>'
            for k, symbol in enumerate(guess)
        ]
        place = f"translate({shapes.short(x)} {shapes.short(y)}) scale({shapes.short(size / 2)})"
        return f'<g transform="{place}">{"".join(uses)}</g>'

    def feedback_width(self, size: float) -> float:
        """Return the width of a feedback that is drawn as two numbers of height `size`."""
        return 0.6 * size * len(self.game.format_feedback(self.game.solved))

    def marks_width(self) -> float:
        """Return the largest width of a feedback that is drawn as black and white pegs."""
        return 9.0 * self.game.pegs + 8

    def marks(self, number: int, x: float, y: float) -> str:
        """Return SVG for the black and white pegs of a feedback, the first centred at (x, y)."""
        black, white = self.game.plain_feedback(number)
        looks = ['r="3.6" class="ink"'] * black + ['r="3" class="white"'] * white
        marks = [(shapes.short(x + 9 * k), look) for k, look in enumerate(looks)]
        return "".join([f'<circle cx="{at}" cy="{shapes.short(y)}" {look}/>' for at, look in marks])

    def booklet_code(self, guess: str) -> str:
        """Return HTML for a code in a booklet, as pegs or as letters."""
        if not self.pegs:
            return f'<span class="code">{escape(guess)}</span>'
        return f'<span class="pegs">{"".join(map(self._peg, guess))}</span>'

    def _peg(self, symbol: str) -> str:
        return f'<i class="s{self.game.symbols.index(symbol)}">{escape(symbol)}</i>'

    def printed_feedback(self, number: int) -> str:
        """Return HTML for a feedback in a booklet: two numbers, then black and white pegs."""
        black, white = self.game.plain_feedback(number)
        pins = '<i class="black"></i>' * black + '<i class="white"></i>' * white
        return f'{black},{white} <span class="pins">{pins}</span>'

    def printed_style(self) -> str:
        """Return CSS with the colours of the pegs in a booklet."""
        pegs = enumerate(self.pegs.values())
        return "".join([f".s{k}{{background:{peg.color};color:{peg.ink}}}" for k, peg in pegs])

    def place(self, number: int) -> tuple[int, ...]:
        """Return the sort key of a feedback: its number of black pegs, then its number of white pegs."""
        return self.game.plain_feedback(number)

    def legend(self) -> str:
        """Return HTML with each peg and its name, for a booklet; empty if codes are drawn as letters."""
        named = [
            f"<span>{self._peg(symbol)} {escape(peg.name or symbol)}</span>"
            for symbol, peg in self.pegs.items()
        ]
        return f'<p class="legend pegs">{"".join(named)}</p>' if named else ""

    def program(self, book: Strategy) -> Program:
        """Return the data of a book for exports to C and Python, with the game's symbols and each guess as a number."""
        game = self.game
        constants = {
            "LENGTH": game.length,
            "SYMBOLS": game.symbols,
            "REPEATS": game.repeats,
            "CODES": len(game.guesses),
            "GIVEN": [number for number in range(game.feedbacks) if game.is_possible(number)],
        }
        guesses = book.tree.guess
        return Program(game.symbols, guesses, game.length, game.repeats, "pegs", constants)

    def page_game(self) -> dict[str, Any]:
        """Return the game as data for the HTML page: its header, plus the name and colours of each peg."""
        return {**self.game.header(), "drawn": self.pegs}

    def rules(self) -> str:
        """Return the rules of the game in two sentences, on codes and on feedbacks."""
        game = self.game
        may = "may repeat" if game.repeats else "are all different"
        symbols = (
            describe_symbols(game.symbols, game.names) if game.names else " ".join(game.symbols)
        )
        return (
            f"A code has {game.pegs} of the {game.colors} symbols {symbols}, "
            f"which {may}. Feedback counts symbols in their place, then symbols elsewhere."
        )


class TableDrawing(GameDrawing):
    """The drawing and export of a table game, whose codes and answers are labels."""

    game: TableGame

    def program(self, book: Strategy) -> Program:
        """Return the data of a book for exports to C and Python, with the labels of its guesses and answers."""
        answers = self.game.answers
        return listed_program(book, "labels", {"ANSWERS": list(answers)}, answers)

    def json_rules(self) -> dict[str, Any]:
        """Return the rules of the game for the JSON export: its labels, and its table with answers as indices."""
        game = self.game
        return super().json_rules() | {
            "guesses": list(game.guesses),
            "secrets": list(game.secrets),
            "answers": list(game.answers),
            "table": [list(game.row(guess)) for guess in range(game.given)],
            **listed_weights(game),
        }

    def page_game(self) -> dict[str, Any]:
        """Return the game for the HTML page: its header, but with secrets as guess indices and the table in base64."""
        header, game = self.game.header(), self.game
        secrets = [game.places[label] for label in game.secrets]
        table = b64encode(header["table"]).decode()
        return header | {"secrets": secrets, "table": table} | listed_weights(game)

    def rules(self) -> str:
        """Return sentences with the numbers of guesses and secrets. They say how many guesses the game added."""
        game = self.game
        note = f" {game.note[0].upper()}{game.note[1:]}." if game.note else ""
        return f"{len(game.guesses):,} guesses, {len(game.secrets):,} secrets.{note}"


# The text colour and the background colour of each tile, as in the terminal.
COLORS = [style.split()[1::2] for style in TILES]


class WordDrawing(GameDrawing):
    """The drawing and export of a word game: codes as letters, feedbacks as coloured tiles."""

    game: WordGame

    def code_width(self, size: float) -> float:
        """Return the width of a word whose letters are `size` high, estimated from the first 100 words."""
        return shapes.letter_width("".join(self.game.guesses[:100]), size) * self.game.length

    def feedback_width(self, size: float) -> float:
        """Return the width of a feedback: one tile of width `size` for each letter."""
        return size * self.game.length

    def feedback(self, number: int, x: float, y: float, size: float, fill: str = "") -> str:
        """Return SVG for a feedback as tiles, with digits if tiles are at least 9 pixels wide."""
        drawn = []
        top, side, radius = (shapes.short(n) for n in (y - size / 2, 0.9 * size, size / 8))
        for k, mark in enumerate(self.game.format_feedback(number)):
            ink, tile = COLORS[int(mark)]
            left = x + k * size
            drawn.append(
                f'<rect x="{shapes.short(left)}" y="{top}" width="{side}" height="{side}" rx="{radius}" fill="{tile}"/>'
            )
            if size >= 9:
                place = left + 0.45 * size, y - 0.05 * size
                drawn.append(shapes.text(*place, mark, 0.75 * size, fill=ink, text_anchor="middle"))
        return "".join(drawn)

    def booklet_code(self, guess: str) -> str:
        """Return HTML for a word in a booklet."""
        return f'<span class="code">{escape(guess)}</span>'

    def printed_feedback(self, number: int) -> str:
        """Return HTML for a feedback in a booklet, as tiles with digits."""
        tiles = [f'<i class="t{mark}">{mark}</i>' for mark in self.game.format_feedback(number)]
        return f'<span class="tiles">{"".join(tiles)}</span>'

    def printed_style(self) -> str:
        """Return CSS with the colours of the tiles in a booklet."""
        drawn = enumerate(COLORS)
        return "".join([f".t{k}{{background:{tile};color:{ink}}}" for k, (ink, tile) in drawn])

    def program(self, book: Strategy) -> Program:
        """Return the codes of a book for exports to C and Python: the words that are guessed in its tree."""
        constants = {
            "LENGTH": self.game.length,
            "STRICT": self.game.scoring == "standard",
            "MARKS": ("0⬛⬜b", "1🟨🟦y", "2🟩🟧g"),
        }
        return listed_program(book, "tiles", constants)

    def json_rules(self) -> dict[str, Any]:
        """Return the rules for the JSON export: the game as in a book's header, with lists of words and weights."""
        game = self.game
        words = {"guesses": list(game.guesses), "secrets": list(game.secrets)}
        return game.header() | words | listed_weights(game)

    def page_game(self) -> dict[str, Any]:
        """Return the game as data for the HTML page: as in a book's header, with the secrets as indices of guesses."""
        header = self.game.header()
        bits = header["secrets"]
        secrets = [i for i in range(8 * len(bits)) if bits[i // 8] >> i % 8 & 1]
        return header | {"secrets": secrets} | listed_weights(self.game)

    def rules(self) -> str:
        """Return a sentence on the length of words and the numbers of guesses and secrets."""
        game = self.game
        scoring = ", scored loosely" if game.scoring == "loose" else ""
        weighted = "" if game.weights is None else ", some more likely than others"
        return (
            f"A code is a word of {game.length} letters: {len(game.guesses):,} may be guessed, "
            f"{len(game.secrets):,} may be the secret{weighted}{scoring}."
        )

    def note(self) -> str:
        """Return a note: the published results are for the same numbers of words, but maybe for other words."""
        return (
            "The published totals are for the original lists of 2,315 and 12,972 "
            "words; only the numbers of words were compared."
        )


# The class for each kind of game; `GameDrawing` serves all others.
DRAWINGS: dict[str, type[GameDrawing]] = {
    "mastermind": CodeDrawing,
    "words": WordDrawing,
    "table": TableDrawing,
}
