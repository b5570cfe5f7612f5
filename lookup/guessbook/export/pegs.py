"""The form of code games: coloured pegs, and numbers of black and white ones."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from guessbook.book.games.codes import COLORS
from guessbook.export.form import Program
from guessbook.export.pictures import ink
from guessbook.play.terminal.pegs import OTHER_PEG, PEGS

if TYPE_CHECKING:
    from guessbook.book.book import Book
    from guessbook.book.games.codes import Mastermind

__all__ = [
    "code",
    "code_width",
    "definitions",
    "feedback",
    "feedback_width",
    "json_game",
    "marks",
    "marks_width",
    "note",
    "page_game",
    "program",
    "rules",
]


def coloured(game: Mastermind) -> bool:
    """Whether the codes are drawn as coloured pegs: the symbols stand for colours."""
    return set(game.symbols) <= set(PEGS) or game.symbols == COLORS[: game.colors]


def definitions(game: Mastermind) -> str:
    """A peg of each colour, of radius 1."""
    if not coloured(game):
        return ""
    drawn = []
    for symbol in game.symbols:
        _, color, _, fill = PEGS.get(symbol, OTHER_PEG).split()
        letter = escape(symbol)
        drawn.append(
            f'<g id="peg-{ord(symbol)}"><circle r=".92" fill="{fill}" class="peg" '
            f'stroke-width=".1"/><text y=".42" font-size="1.2" font-weight="700" '
            f'text-anchor="middle" fill="{color}">{letter}</text></g>'
        )
    return f"<defs>{''.join(drawn)}</defs>"


def code_width(game: Mastermind, size: float) -> float:
    """That of the pegs, or of letters."""
    if coloured(game):
        return 1.04 * size * game.length
    return ink.letter_width(game.symbols, size) * game.length


def code(game: Mastermind, guess: str, x: float, y: float, size: float, fill: str = "") -> str:
    """Pegs, or letters."""
    if not coloured(game):
        return ink.letters(guess, x + code_width(game, size) / 2, y, size, fill)
    uses = [
        f'<use href="#peg-{ord(symbol)}" x="{ink.short(2.08 * (k + 0.5))}"/>'
        for k, symbol in enumerate(guess)
    ]
    place = f"translate({ink.short(x)} {ink.short(y)}) scale({ink.short(size / 2)})"
    return f'<g transform="{place}">{"".join(uses)}</g>'


def feedback_width(game: Mastermind, size: float) -> float:
    """That of two numbers."""
    return 0.6 * size * len(game.format_feedback(game.solved))


def feedback(game: Mastermind, number: int, x: float, y: float, size: float, fill: str = "") -> str:
    """Two numbers: `1,1`."""
    middle = x + feedback_width(game, size) / 2
    return ink.numbers(game.format_feedback(number), middle, y, size, fill)


def marks_width(game: Mastermind) -> float:
    """That of the black and white pegs."""
    return 9.0 * game.pegs + 8


def marks(game: Mastermind, number: int, x: float, y: float) -> str:
    """The black and white pegs."""
    black, white = game.pair(number)
    drawn = []
    for k in range(black + white):
        at = f'cx="{ink.short(x + 9 * k)}" cy="{ink.short(y)}"'
        if k < black:
            drawn.append(f'<circle {at} r="3.6" class="ink"/>')
        else:
            drawn.append(f'<circle {at} r="3" class="white"/>')
    return "".join(drawn)


def program(book: Book) -> Program:
    """Codes are their symbols: a program computes the one of any number."""
    game: Mastermind = book.game  # type: ignore[assignment]
    constants = {
        "LENGTH": game.length,
        "SYMBOLS": game.symbols,
        "REPEATS": game.repeats,
        "CODES": len(game.guesses),
        "LEAST": least(game),
    }
    symbols, guesses = game.symbols, book.tree.guess
    return Program(
        symbols, guesses, game.length, game.repeats, "pegs.h", "script_pegs.txt", constants
    )


def least(game: Mastermind) -> int:
    """The fewest pegs of any feedback: how many symbols two codes share at least."""
    if game.repeats:
        return game.pegs if game.colors == 1 else 0
    return max(0, 2 * game.pegs - game.colors)


def json_game(game: Mastermind) -> dict[str, Any]:
    """As in the book's header."""
    return game.header()


def page_game(game: Mastermind) -> dict[str, Any]:
    """The same."""
    return game.header()


def rules(game: Mastermind) -> str:
    """What a code is, and what the feedback counts."""
    may = "may repeat" if game.repeats else "are all different"
    return (
        f"A code has {game.pegs} of the {game.colors} symbols {' '.join(game.symbols)}, "
        f"which {may}. Feedback counts symbols in their place, then symbols elsewhere."
    )


def note(game: Mastermind) -> str:
    """None: a game of that name is the same everywhere."""
    return ""
