"""The display of code games: coloured pegs, a palette, and black and white marks."""

from collections.abc import Sequence

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import History
from guessbook.book.games.symbols import OTHER, describe_symbols, pegs_of
from guessbook.play import display
from guessbook.play.display import Canvas, Part

# The columns for the texts beside the pegs of a row: row number, feedback, number of candidates.
BESIDE = 30


class Display(display.Display):
    """The display of a code game: pegs with their symbols; feedback as small pegs and as two numbers, such as `1,2`."""

    game: Mastermind

    def code(self, screen: Canvas, guess: str, feedback: int | None = None) -> list[Part]:
        """Return a guess as pegs side by side, each with its symbol."""
        return self.pegs(screen, guess)

    def forms(self, screen: Canvas, guess: str) -> list[list[Part]]:
        """Return two drawings of a code: pegs, and the symbols without spaces."""
        return [self.pegs(screen, guess), [(guess, "")]]

    def marks(self, screen: Canvas, feedback: int) -> list[Part]:
        """Return a feedback as black and white pegs, which the screen shows before the numbers, such as `1,2`."""
        return [("  " + self.share_line(feedback, not screen.symbols), "bold")]

    def share_line(self, feedback: int, ascii_only: bool = False) -> str:
        """Return a feedback as black pegs, white pegs, and dots for the other pegs: `●○··`, or in ASCII `BW..`."""
        black, white = self.game.plain_feedback(feedback)
        marks = "BW." if ascii_only else "●○·"
        return marks[0] * black + marks[1] * white + marks[2] * (self.game.pegs - black - white)

    def draw_symbols(self, screen: Canvas, history: History, candidates: Sequence[str]) -> None:
        """Draw three rows of symbols: symbols in every candidate, in only some candidates, and in no candidate."""
        every, held = set(self.game.symbols), [set(code) for code in candidates]
        certain, some = every.intersection(*held), set().union(*held)
        each = max(1, (screen.width - 9) // (self.wide(screen, 1) + 2))
        rows = {"in it": certain, "open": some - certain, "out": every - some}
        for name, found in rows.items():
            symbols = "".join(s for s in self.game.symbols if s in found)
            for begin in range(0, len(symbols), each):
                head = f"{'' if begin else name:>7}  "
                screen.draw([(head, "dim"), *self.pegs(screen, symbols[begin : begin + each])])

    def rules(self) -> str:
        """Return two sentences that explain the codes and the feedback of the game."""
        game = self.game
        again = "symbols may repeat" if game.repeats else "no symbol occurs twice"
        symbols = (
            describe_symbols(game.symbols, game.names) if game.names else " ".join(game.symbols)
        )
        return f"Find the secret: {game.pegs} of {symbols}, {again}. {self.example()}"

    def meaning(self) -> str:
        """Return the meaning of the two numbers of a feedback: black and white pegs, or bulls and cows.

        >>> Display(Mastermind(3, 10, repeats=False)).meaning()
        'bulls,cows: 1,2 means 1 symbol in its place and 2 elsewhere'
        """
        names = "black,white" if self.game.repeats else "bulls,cows"
        white = 2 if self.game.pegs > 2 else 0
        return f"{names}: 1,{white} means 1 symbol in its place and {white} elsewhere"

    def pegs(self, screen: Canvas, symbols: str) -> list[Part]:
        """Return symbols as a row of pegs. Each peg has the name of its symbol, or the symbol if names are too wide."""
        game = self.game
        wide = self.wide(screen, len(symbols))
        names = game.names if wide > 1 else game.symbols
        said = {s: f"{name:<{wide}}" for s, name in zip(game.symbols, names, strict=True)}
        if not screen.colour:
            return [(" ".join([said[s] for s in symbols]), "")]
        pad = "" if screen.narrow else " "
        drawn = pegs_of(game.symbols, game.names)
        pegs = [(said[s], drawn.get(s, OTHER)) for s in symbols]
        return [(f"{pad}{name} ", f"bold {peg.ink} on {peg.color}") for name, peg in pegs]

    def wide(self, screen: Canvas, pegs: int) -> int:
        """Return the width of each peg in a row of `pegs` pegs: the length of the longest name if all fit, else 1."""
        longest = max(map(len, self.game.names), default=1)
        return longest if pegs * (longest + 2) <= screen.width - BESIDE else 1
