"""The look of code games: coloured pegs, a palette, and black and white marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.codes import Mastermind
    from guessbook.book.games.game import History
    from guessbook.play.look import Part
    from guessbook.play.terminal.drawing import Screen

__all__ = [
    "OTHER_PEG",
    "PEGS",
    "code",
    "feedback_help",
    "forms",
    "known",
    "marks",
    "rules",
    "shared",
]

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


def code(screen: Screen, game: Mastermind, guess: str, feedback: int | None = None) -> list[Part]:
    """Pegs side by side, each with its symbol."""
    return pegs(screen, guess)


def pegs(screen: Screen, symbols: str) -> list[Part]:
    """Any symbols as pegs."""
    if not screen.colour:
        return [(" ".join(symbols), "")]
    pad = "" if screen.narrow else " "
    return [(f"{pad}{s} ", PEGS.get(s, OTHER_PEG)) for s in symbols]


def forms(screen: Screen, game: Mastermind, guess: str) -> list[list[Part]]:
    """Pegs, or the symbols without spaces."""
    return [pegs(screen, guess), [(guess, "")]]


def marks(screen: Screen, game: Mastermind, feedback: int) -> list[Part]:
    """Black and white pegs, before their numbers."""
    return [("  " + shared(game, feedback, not screen.symbols), "bold")]


def shared(game: Mastermind, feedback: int, ascii_only: bool = False) -> str:
    """Black pegs, white pegs, and dots for the rest: `●○··`, or `BW..`."""
    black, white = game.pair(feedback)
    marks = "BW." if ascii_only else "●○·"
    return marks[0] * black + marks[1] * white + marks[2] * (game.pegs - black - white)


def known(screen: Screen, game: Mastermind, history: History, candidates: Sequence[str]) -> None:
    """A palette: the symbols that every candidate has, some, none."""
    held = [set(code) for code in candidates]
    certain = "".join(s for s in game.symbols if all(s in code for code in held))
    out = "".join(s for s in game.symbols if not any(s in code for code in held))
    opened = "".join(s for s in game.symbols if s not in certain and s not in out)
    for name, symbols in (("in it", certain), ("open", opened), ("out", out)):
        each = max(1, (screen.width - 9) // 3)
        for begin in range(0, len(symbols), each):
            head = f"{'' if begin else name:>7}  "
            screen.draw([(head, "dim"), *pegs(screen, symbols[begin : begin + each])])


def rules(game: Mastermind) -> str:
    """What a code is, and what a feedback means."""
    again = "symbols may repeat" if game.repeats else "no symbol occurs twice"
    return (
        f"Find the secret: {game.pegs} of {' '.join(game.symbols)}, {again}. A guess, such as "
        f"{game.guesses[len(game.guesses) // 3]}, is answered {meaning(game)}."
    )


def feedback_help(game: Mastermind, symbols: bool = True) -> str:
    """Two numbers, with an example."""
    return f"Feedback is {meaning(game)}."


def meaning(game: Mastermind) -> str:
    """What two numbers mean, in the words of the game: black pegs and white ones, or bulls, cows.

    >>> from guessbook.book import Mastermind
    >>> meaning(Mastermind(3, 10, repeats=False))
    'bulls,cows: 1,2 means 1 symbol in its place and 2 elsewhere'
    """
    if game.pegs < 3:
        example = "1,0 means 1 symbol in its place and 0 elsewhere"
    else:
        example = "1,2 means 1 symbol in its place and 2 elsewhere"
    return f"{'black,white' if game.repeats else 'bulls,cows'}: {example}"
