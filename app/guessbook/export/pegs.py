"""The drawing and export of code games: codes as coloured pegs or letters, feedbacks as two numbers."""

from html import escape
from typing import Any

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.symbols import describe_symbols, pegs_of
from guessbook.book.strategy import Strategy
from guessbook.export import form
from guessbook.export.form import Program
from guessbook.export.pictures import shapes


class Form(form.Form):
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
            "GIVEN": [number for number in range(game.feedbacks) if game.gives(number)],
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
