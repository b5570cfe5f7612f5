"""The display of code games: coloured pegs, a palette, and black and white marks."""

from collections.abc import Sequence

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import History
from guessbook.book.games.symbols import OTHER, describe_symbols, pegs_of
from guessbook.play import display
from guessbook.play.display import Canvas, Part

# Columns beside a row of pegs: its number, its feedback, the candidates left.
BESIDE = 30


class Display(display.Display):
    """Pegs, each with its symbol; a feedback as marks and as two numbers."""

    game: Mastermind

    def code(self, screen: Canvas, guess: str, feedback: int | None = None) -> list[Part]:
        """Return pegs side by side, each with its symbol."""
        return self.pegs(screen, guess)

    def forms(self, screen: Canvas, guess: str) -> list[list[Part]]:
        """Return two forms of a code: pegs, or the symbols without spaces."""
        return [self.pegs(screen, guess), [(guess, "")]]

    def marks(self, screen: Canvas, feedback: int) -> list[Part]:
        """Return black and white pegs, to be drawn before their numbers."""
        return [("  " + self.shared(feedback, not screen.symbols), "bold")]

    def shared(self, feedback: int, ascii_only: bool = False) -> str:
        """Return black pegs, white pegs, and dots for the rest: `●○··`, or `BW..`."""
        black, white = self.game.plain_feedback(feedback)
        marks = "BW." if ascii_only else "●○·"
        return marks[0] * black + marks[1] * white + marks[2] * (self.game.pegs - black - white)

    def known(self, screen: Canvas, history: History, candidates: Sequence[str]) -> None:
        """Draw three rows: the symbols in every candidate, in some candidates, and in none."""
        held = [set(code) for code in candidates]
        every = self.game.symbols
        certain = "".join(s for s in every if all(s in code for code in held))
        out = "".join(s for s in every if not any(s in code for code in held))
        opened = "".join(s for s in every if s not in certain and s not in out)
        for name, symbols in (("in it", certain), ("open", opened), ("out", out)):
            each = max(1, (screen.width - 9) // (self.wide(screen, 1) + 2))
            for begin in range(0, len(symbols), each):
                head = f"{'' if begin else name:>7}  "
                screen.draw([(head, "dim"), *self.pegs(screen, symbols[begin : begin + each])])

    def rules(self) -> str:
        """Explain a code and a feedback in two sentences."""
        again = "symbols may repeat" if self.game.repeats else "no symbol occurs twice"
        named = describe_symbols(self.game.symbols, self.game.names) if self.game.names else ""
        what = f"{self.game.pegs} of {named or ' '.join(self.game.symbols)}, {again}"
        return f"Find the secret: {what}. {self.example()}"

    def meaning(self) -> str:
        """Return the meaning of the two numbers: black and white pegs, or bulls and cows.

        >>> from guessbook.book import Mastermind
        >>> Display(Mastermind(3, 10, repeats=False)).meaning()
        'bulls,cows: 1,2 means 1 symbol in its place and 2 elsewhere'
        """
        if self.game.pegs < 3:
            example = "1,0 means 1 symbol in its place and 0 elsewhere"
        else:
            example = "1,2 means 1 symbol in its place and 2 elsewhere"
        return f"{'black,white' if self.game.repeats else 'bulls,cows'}: {example}"

    def pegs(self, screen: Canvas, symbols: str) -> list[Part]:
        """Return symbols as pegs, with their letters or, if they fit, their names.

        So nobody has to tell colours apart.
        """
        game = self.game
        wide = self.wide(screen, len(symbols))
        names = game.names if wide > 1 else game.symbols
        said = {s: f"{name:<{wide}}" for s, name in zip(game.symbols, names, strict=True)}
        if not screen.colour:
            return [(" ".join([said[s] for s in symbols]), "")]
        pad = "" if screen.narrow else " "
        drawn = pegs_of(game.symbols, game.names)
        styles = {s: drawn.get(s, OTHER) for s in symbols}
        return [(f"{pad}{said[s]} ", f"bold {styles[s].ink} on {styles[s].color}") for s in symbols]

    def wide(self, screen: Canvas, pegs: int) -> int:
        """Return the columns of a symbol in a row of `pegs`: the longest name, if there is room."""
        longest = max(map(len, self.game.names), default=1)
        return longest if pegs * (longest + 2) <= screen.width - BESIDE else 1
