"""The look of code games: coloured pegs, a palette, and black and white marks."""

from __future__ import annotations

from collections.abc import Sequence

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import History
from guessbook.play import look
from guessbook.play.look import Canvas, Part

# Letters stay on the pegs, so that nobody has to tell colours apart.
PEGS = {
    "R": "bold white on #c0392b",
    "Y": "bold black on #f4d03f",
    "G": "bold black on #58d68d",
    "B": "bold white on #2e6fd8",
    "O": "bold black on #f39c12",
    "P": "bold white on #8e44ad",
    "W": "bold black on #f2f3f4",
    "K": "bold white on #1c2833",
}
OTHER_PEG = "bold black on #bdc3c7"


class Look(look.Look):
    """Pegs, each with its symbol; a feedback as marks and as two numbers."""

    game: Mastermind

    def code(self, screen: Canvas, guess: str, feedback: int | None = None) -> list[Part]:
        """Pegs side by side, each with its symbol."""
        return pegs(screen, guess)

    def forms(self, screen: Canvas, guess: str) -> list[list[Part]]:
        """Pegs, or the symbols without spaces."""
        return [pegs(screen, guess), [(guess, "")]]

    def marks(self, screen: Canvas, feedback: int) -> list[Part]:
        """Black and white pegs, before their numbers."""
        return [("  " + self.shared(feedback, not screen.symbols), "bold")]

    def shared(self, feedback: int, ascii_only: bool = False) -> str:
        """Black pegs, white pegs, and dots for the rest: `●○··`, or `BW..`."""
        black, white = self.game.plain_feedback(feedback)
        marks = "BW." if ascii_only else "●○·"
        return marks[0] * black + marks[1] * white + marks[2] * (self.game.pegs - black - white)

    def known(self, screen: Canvas, history: History, candidates: Sequence[str]) -> None:
        """A palette: the symbols that every candidate has, some, none."""
        held = [set(code) for code in candidates]
        every = self.game.symbols
        certain = "".join(s for s in every if all(s in code for code in held))
        out = "".join(s for s in every if not any(s in code for code in held))
        opened = "".join(s for s in every if s not in certain and s not in out)
        for name, symbols in (("in it", certain), ("open", opened), ("out", out)):
            each = max(1, (screen.width - 9) // 3)
            for begin in range(0, len(symbols), each):
                head = f"{'' if begin else name:>7}  "
                screen.draw([(head, "dim"), *pegs(screen, symbols[begin : begin + each])])

    def rules(self) -> str:
        """What a code is, and what a feedback means."""
        again = "symbols may repeat" if self.game.repeats else "no symbol occurs twice"
        what = f"{self.game.pegs} of {' '.join(self.game.symbols)}, {again}"
        return f"Find the secret: {what}. {self.example()}"

    def meaning(self) -> str:
        """What two numbers mean, in the words of the game: black and white pegs, or bulls, cows.

        >>> from guessbook.book import Mastermind
        >>> Look(Mastermind(3, 10, repeats=False)).meaning()
        'bulls,cows: 1,2 means 1 symbol in its place and 2 elsewhere'
        """
        if self.game.pegs < 3:
            example = "1,0 means 1 symbol in its place and 0 elsewhere"
        else:
            example = "1,2 means 1 symbol in its place and 2 elsewhere"
        return f"{'black,white' if self.game.repeats else 'bulls,cows'}: {example}"


def pegs(screen: Canvas, symbols: str) -> list[Part]:
    """Any symbols as pegs."""
    if not screen.colour:
        return [(" ".join(symbols), "")]
    pad = "" if screen.narrow else " "
    return [(f"{pad}{s} ", PEGS.get(s, OTHER_PEG)) for s in symbols]
