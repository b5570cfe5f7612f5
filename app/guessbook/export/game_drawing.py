"""How each kind of game is exported: its codes and feedbacks as SVG and HTML, its rules as data."""

from base64 import b64encode
from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from guessbook.book.errors import UsageError, quantity
from guessbook.book.games.codes import Mastermind, describe_symbols, pegs_of
from guessbook.book.games.game import Game, Identification
from guessbook.book.games.presets import KNOWN
from guessbook.book.games.tables import TableGame
from guessbook.book.games.words import WordGame
from guessbook.book.strategy import Strategy
from guessbook.book.summary import secrets_in_words
from guessbook.export import shapes
from guessbook.play.terminal.display import TILES


class Program(NamedTuple):
    """The data of a book that exported programs in C and Python need for its kind of game.

    Attributes:
        texts: the symbols of a code game, or the guessed words or labels of another game.
        guesses: the guess of each node: its number in a code game, else an index in `texts`.
        kind: the kind of game in file names, such as `pegs` in `pegs.h` and `script_pegs.txt`.
        constants: the constants of the Python script. WIDTH, if any, is the number of bytes to
            which each of `texts` is padded.
        rows: the number of entries of `texts` that make a code.
        repeats: whether an entry of `texts` may occur twice in a code.
        answers: the labels of the feedbacks of a table game; empty for other games.
    """

    texts: Sequence[str]
    guesses: Sequence[int]
    kind: str
    constants: dict[str, Any]
    rows: int = 1
    repeats: bool = True
    answers: Sequence[str] = ()


class GameDrawing:
    """The drawing and export of games whose codes and feedbacks are shown as text.

    Sizes and places are in pixels. A drawing has its left edge at x and is centred vertically at y.
    """

    # A note on the published results for the game.
    note = ""

    def __init__(self, game: Game) -> None:
        self.game = game

    def definitions(self) -> str:
        """Return SVG definitions of pegs, for drawings of codes; empty for games without pegs."""
        return ""

    def code_width(self, size: float) -> float:
        """Return the width of a drawn code whose pegs or letters are `size` high."""
        return self._widest[0] * size

    def code(self, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
        """Return SVG for a code; `fill` is the colour of its letters."""
        middle = x + self.code_width(size) / 2
        return shapes.letters(self.game.display_name(guess), middle, y, size, fill)

    def feedback_width(self, size: float) -> float:
        """Return the width of a drawn feedback whose tiles or text are `size` high."""
        return self._widest[1] * size

    def feedback(self, number: int, x: float, y: float, size: float, fill: str = "") -> str:
        """Return SVG for a feedback; `fill` is the colour of its text."""
        middle = x + self.feedback_width(size) / 2
        return shapes.numbers(self.game.format_feedback(number), middle, y, size, fill)

    @cached_property
    def _widest(self) -> tuple[float, float]:
        """The widths of the widest guess and the widest feedback, as multiples of their height."""
        game = self.game
        codes = (game.display_name(guess) for guess in game.guesses)
        given = (game.format_feedback(n) for n in range(game.feedbacks) if game.is_possible(n))
        widths = [max(shapes.text_width(text, 1) for text in texts) for texts in (codes, given)]
        return widths[0], widths[1]

    def marks_width(self) -> float:
        """Return the width of the pegs that are drawn beside a feedback; 0 if there are none."""
        return 0.0

    def marks(self, number: int, x: float, y: float) -> str:
        """Return SVG for the black and white pegs of a feedback, the first centred at (x, y)."""
        return ""

    def booklet_code(self, guess: str) -> str:
        """Return HTML for a code in a booklet."""
        return f'<b class="label">{escape(self.game.display_name(guess))}</b>'

    def booklet_feedback(self, number: int) -> str:
        """Return HTML for a feedback in a booklet."""
        return escape(self.game.format_feedback(number))

    def booklet_order(self, number: int) -> tuple[int, ...]:
        """Return the key by which a booklet sorts the feedbacks to a guess."""
        return (number,)

    def booklet_style(self) -> str:
        """Return the CSS for the codes and feedbacks in a booklet."""
        return ""

    def legend(self) -> str:
        """Return HTML with each peg and its name, for a booklet; empty for games without pegs."""
        return ""

    def program(self, book: Strategy) -> Program:
        """Return the data of a book for exports to C and Python."""
        raise self._cannot_be("C or Python")

    def json_rules(self) -> dict[str, Any]:
        """Return the game for JSON: as in the header of a book, without binary values."""
        header = self.game.header()
        return {key: value for key, value in header.items() if not isinstance(value, bytes)}

    def page_game(self) -> dict[str, Any]:
        """Return the game as data for the HTML page."""
        raise self._cannot_be("html")

    def _cannot_be(self, what: str) -> UsageError:
        return UsageError(
            f"{self.game.name} cannot be exported as {what}, "
            "as only games of codes, words and tables can; export it as json"
        )

    def title(self) -> str:
        """Return the title of the game: the name of its preset, else the plain title."""
        game = self.game
        presets = [preset for preset in KNOWN if preset.secrets == len(game.secrets)]
        names = [preset.name for preset in presets if preset.game() == game]
        return names[0].replace("-", " ").capitalize() if names else self.plain_title()

    def plain_title(self) -> str:
        """Return the title of a game without a preset."""
        return f"Which of {len(self.game.secrets):,} secrets?"

    def rules(self) -> str:
        """Return the rules of the game in one or two sentences."""
        guesses, secrets = len(self.game.guesses), len(self.game.secrets)
        return f"{guesses:,} codes may be guessed, {secrets:,} may be the secret."


def drawing_of(game: Game) -> GameDrawing:
    """Return the drawing of a game, from the class for its kind."""
    drawing: GameDrawing = DRAWINGS.get(game.kind, GameDrawing)(game)
    return drawing


def listed_weights(game: Game) -> dict[str, list[int]]:
    """Return a dict with the weights of the secrets; it is empty if secrets have no weights."""
    weights = game.weights
    return {} if weights is None else {"weights": list(weights)}


def listed_program(
    book: Strategy, kind: str, constants: dict[str, Any], answers: Sequence[str] = ()
) -> Program:
    """Return the data of a book for C and Python, with each guess of its tree listed once."""
    used = sorted(set(book.tree.guess))
    places = {guess: place for place, guess in enumerate(used)}
    texts = [book.game.guesses[guess] for guess in used]
    # All texts are padded to WIDTH bytes, so that the script finds a text by its index.
    constants = {**constants, "WIDTH": max(len(text.encode()) for text in texts)}
    guesses = [places[guess] for guess in book.tree.guess]
    return Program(texts, guesses, kind, constants, answers=answers)


class CodeDrawing(GameDrawing):
    """The drawing of a code game: codes as coloured pegs or letters, feedbacks as two numbers."""

    game: Mastermind

    def __init__(self, game: Mastermind) -> None:
        super().__init__(game)
        # Empty if codes are drawn as letters.
        self.pegs = pegs_of(game.symbols, game.names)

    def definitions(self) -> str:
        """Return SVG definitions of a peg of radius 1 for each symbol."""
        drawn = [
            f'<g id="peg-{ord(symbol)}"><circle r=".92" fill="{peg.color}" class="peg" '
            f'stroke-width=".1"/><text y=".42" font-size="1.2" font-weight="700" '
            f'text-anchor="middle" fill="{peg.ink}">{escape(symbol)}</text></g>'
            for symbol, peg in self.pegs.items()
        ]
        return f"<defs>{''.join(drawn)}</defs>" if drawn else ""

    def code_width(self, size: float) -> float:
        if self.pegs:
            return 1.04 * size * self.game.length
        return shapes.letter_width(self.game.symbols, size) * self.game.length

    def code(self, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
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
        black, white = self.game.plain_feedback(number)
        looks = ['r="3.6" class="ink"'] * black + ['r="3" class="white"'] * white
        return "".join(
            [
                f'<circle cx="{shapes.short(x + 9 * k)}" cy="{shapes.short(y)}" {look}/>'
                for k, look in enumerate(looks)
            ]
        )

    def booklet_code(self, guess: str) -> str:
        """Return HTML for a code in a booklet, as pegs or as letters."""
        if not self.pegs:
            return f'<span class="code">{escape(guess)}</span>'
        return f'<span class="pegs">{"".join(map(self._peg, guess))}</span>'

    def _peg(self, symbol: str) -> str:
        return f'<i class="s{self.game.symbols.index(symbol)}">{escape(symbol)}</i>'

    def booklet_feedback(self, number: int) -> str:
        """Return HTML for a feedback in a booklet: two numbers, then black and white pegs."""
        black, white = self.game.plain_feedback(number)
        pins = '<i class="black"></i>' * black + '<i class="white"></i>' * white
        return f'{black},{white} <span class="pins">{pins}</span>'

    def booklet_order(self, number: int) -> tuple[int, ...]:
        """Return the number of black pegs, then of white pegs."""
        return self.game.plain_feedback(number)

    def booklet_style(self) -> str:
        """Return CSS with the colours of the pegs in a booklet."""
        pegs = enumerate(self.pegs.values())
        return "".join([f".s{k}{{background:{peg.color};color:{peg.ink}}}" for k, peg in pegs])

    def legend(self) -> str:
        named = [
            f"<span>{self._peg(symbol)} {escape(peg.name or symbol)}</span>"
            for symbol, peg in self.pegs.items()
        ]
        return f'<p class="legend pegs">{"".join(named)}</p>' if named else ""

    def program(self, book: Strategy) -> Program:
        """Return the symbols of the game, and each guess as a number."""
        game = self.game
        constants = {
            "LENGTH": game.length,
            "SYMBOLS": game.symbols,
            "REPEATS": game.repeats,
            "CODES": len(game.guesses),
            "GIVEN": [number for number in range(game.feedbacks) if game.is_possible(number)],
        }
        guesses = book.tree.guess
        return Program(game.symbols, guesses, "pegs", constants, game.length, game.repeats)

    def page_game(self) -> dict[str, Any]:
        """Return the header of the game, and the name and colours of each peg."""
        return {**self.game.header(), "drawn": self.pegs}

    def title(self) -> str:
        """Return the name of the game with its size."""
        game = self.game
        name, places, kinds = "Mastermind", "peg", "colour"
        if not game.repeats:
            name, places, kinds = "Bulls and Cows", "place", "symbol"
        return f"{name}, {quantity(game.pegs, places)}, {quantity(game.colors, kinds)}"

    def rules(self) -> str:
        """Return a sentence on codes and one on feedbacks."""
        game = self.game
        may = "may repeat" if game.repeats else "are all different"
        symbols = " ".join(game.symbols)
        if game.names:
            symbols = describe_symbols(game.symbols, game.names)
        return (
            f"A code has {game.pegs} of the {game.colors} symbols {symbols}, "
            f"which {may}. Feedback counts symbols in their place, then symbols elsewhere."
        )


class TableDrawing(GameDrawing):
    """The drawing of a table game, whose codes and answers are labels."""

    game: TableGame

    def program(self, book: Strategy) -> Program:
        """Return the labels of the guesses and answers."""
        answers = self.game.answers
        # No test has the last answer, which means "found".
        known = list(answers if self.game.identification is None else answers[:-1])
        return listed_program(book, "labels", {"ANSWERS": known}, answers)

    def json_rules(self) -> dict[str, Any]:
        """Return the game for JSON: its labels, and its table with answers as indices."""
        game = self.game
        return super().json_rules() | {
            "guesses": list(game.guesses),
            "secrets": list(game.secrets),
            "answers": list(game.answers),
            "table": [list(game.row(guess)) for guess in range(game.given)],
            **listed_weights(game),
        }

    def page_game(self) -> dict[str, Any]:
        """Return the header, but with secrets as guess indices and the table in base64."""
        header, game = self.game.header(), self.game
        secrets = [game.places[label] for label in game.secrets]
        table = b64encode(header["table"]).decode()
        return header | {"secrets": secrets, "table": table} | listed_weights(game)

    def rules(self) -> str:
        """Return the numbers of guesses and secrets, with a note on guesses that the game added."""
        game = self.game
        note = f" {game.note[0].upper()}{game.note[1:]}." if game.note else ""
        return f"{len(game.guesses):,} guesses, {len(game.secrets):,} secrets.{note}"


class IdentificationDrawing(TableDrawing):
    """The drawing of a table whose tests are asked until the outcome is known."""

    @property
    def _known(self) -> Identification:
        assert self.game.identification is not None
        return self.game.identification

    def json_rules(self) -> dict[str, Any]:
        """Return the game for JSON: its table, the thing and outcome of each secret, the costs."""
        game, known = self.game, self._known
        rules = super().json_rules()
        del rules["tests"]
        return rules | {
            "guesses": list(game.guesses[: game.given]),
            "things": list(known.things),
            "outcomes": [known.outcomes[outcome] for outcome in known.outcome_of],
            "costs": [known.shown(cost) for cost in known.costs],
        }

    def page_game(self) -> dict[str, Any]:
        """Return the header with tests as guesses, and each secret as the number of its column."""
        header, known = self.game.header(), self._known
        return {
            "type": header["type"],
            "guesses": header["tests"],
            "given": self.game.given,
            "secrets": list(range(len(known.things))),
            "answers": header["answers"],
            "table": b64encode(header["table"]).decode(),
            "things": header["things"],
            "outcomes": header["outcomes"],
            "outcome": known.outcome_of,
            "costs": known.costs,
            "unit": float(known.unit),
            **listed_weights(self.game),
        }

    def plain_title(self) -> str:
        """Return a title with the number of outcomes."""
        return f"Which of {quantity(len(self._known.outcomes), 'outcome')}?"

    def rules(self) -> str:
        """Return the numbers of tests, things and outcomes."""
        tests, outcomes = quantity(self.game.given, "test"), len(self._known.outcomes)
        return f"{tests}, {secrets_in_words(self.game)}, {quantity(outcomes, 'outcome')}."


# The text colour and the background colour of each tile, as in the terminal.
COLORS = [style.split()[1::2] for style in TILES]


class WordDrawing(GameDrawing):
    """The drawing of a word game: codes as letters, feedbacks as coloured tiles."""

    game: WordGame
    note = (
        "The published totals are for the original lists of 2,315 and 12,972 "
        "words; only the numbers of words were compared."
    )

    def code_width(self, size: float) -> float:
        """Return the width of a word, estimated from the letters of the first 100 words."""
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
                f'<rect x="{shapes.short(left)}" y="{top}" width="{side}" height="{side}" '
                f'rx="{radius}" fill="{tile}"/>'
            )
            if size >= 9:
                place = left + 0.45 * size, y - 0.05 * size
                drawn.append(shapes.text(*place, mark, 0.75 * size, fill=ink, text_anchor="middle"))
        return "".join(drawn)

    def booklet_code(self, guess: str) -> str:
        return f'<span class="code">{escape(guess)}</span>'

    def booklet_feedback(self, number: int) -> str:
        """Return HTML for a feedback in a booklet, as tiles with digits."""
        tiles = [f'<i class="t{mark}">{mark}</i>' for mark in self.game.format_feedback(number)]
        return f'<span class="tiles">{"".join(tiles)}</span>'

    def booklet_style(self) -> str:
        """Return CSS with the colours of the tiles in a booklet."""
        drawn = enumerate(COLORS)
        return "".join([f".t{k}{{background:{tile};color:{ink}}}" for k, (ink, tile) in drawn])

    def program(self, book: Strategy) -> Program:
        """Return the words that are guessed in the tree."""
        constants = {
            "LENGTH": self.game.length,
            "STRICT": self.game.scoring == "standard",
            "MARKS": ("0⬛⬜b", "1🟨🟦y", "2🟩🟧g"),
        }
        return listed_program(book, "tiles", constants)

    def json_rules(self) -> dict[str, Any]:
        """Return the game for JSON: as in a book's header, with lists of words and weights."""
        game = self.game
        words = {"guesses": list(game.guesses), "secrets": list(game.secrets)}
        return game.header() | words | listed_weights(game)

    def page_game(self) -> dict[str, Any]:
        """Return the header, but with the secrets as indices of guesses."""
        header = self.game.header()
        bits = header["secrets"]
        secrets = [i for i in range(8 * len(bits)) if bits[i // 8] >> i % 8 & 1]
        return header | {"secrets": secrets} | listed_weights(self.game)

    def plain_title(self) -> str:
        """Return "Wordle" for words of 5 letters with its scoring, else a title with the length."""
        usual = self.game.length == 5 and self.game.scoring == "standard"
        return "Wordle" if usual else f"Words of {quantity(self.game.length, 'letter')}"

    def rules(self) -> str:
        """Return a sentence on the length of words and the numbers of guesses and secrets."""
        game = self.game
        scoring = ", scored loosely" if game.scoring == "loose" else ""
        weighted = "" if game.weights is None else ", some more likely than others"
        return (
            f"A code is a word of {game.length} letters: {len(game.guesses):,} may be guessed, "
            f"{len(game.secrets):,} may be the secret{weighted}{scoring}."
        )


# The class for each kind of game; `GameDrawing` serves all others.
DRAWINGS: dict[str, type[GameDrawing]] = {
    "mastermind": CodeDrawing,
    "words": WordDrawing,
    "table": TableDrawing,
    "identification": IdentificationDrawing,
}
