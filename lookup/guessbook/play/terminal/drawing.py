"""Drawing a game in a terminal: pegs and tiles in colour, and plain text where there is none."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from guessbook.book.games.codes import Mastermind
from guessbook.play.share import counted
from guessbook.play.share import row as marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from guessbook.book.games.game import Game, History

__all__ = ["Screen", "columns_wide", "keyboard", "lenient"]

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
# Absent, present elsewhere, in place.
TILES = ("bold white on #5d6d7e", "bold black on #f4d03f", "bold black on #58d68d")

KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
NARROW = 60
LISTED = 60

Part = tuple[str, str]


class Screen:
    """Where a game is drawn: a terminal, or plain text in a pipe.

    Attributes:
        colour: whether there is colour.
        symbols: whether the output can show pegs and squares.
        width: columns.
    """

    def __init__(self) -> None:
        from rich.console import Console

        lenient()
        self.width = columns_wide()
        # It knows the terminal's own wishes, NO_COLOR and TERM. For TERM=dumb it would take 80
        # columns if it were not told both its width and a height, which nothing here depends on.
        self._console = Console(
            highlight=False, markup=False, emoji=False, width=self.width, height=25
        )
        dumb = os.environ.get("TERM") == "dumb"
        self.colour = self._console.is_terminal and not self._console.no_color and not dumb
        self.symbols = can_show("●○·🟩", sys.stdout.encoding)

    def say(self, text: str = "", style: str = "") -> None:
        """A line of text, wrapped between words at the width: 80 columns in a pipe."""
        from rich.text import Text

        for line in Text(text, style if self.colour else "").wrap(self._console, self.width):
            line.rstrip()
            self._console.print(line)

    def items(self, items: Iterable[tuple[str, str]]) -> None:
        """Names, and beside each what it means, wrapped within its own column."""
        from textwrap import wrap

        items = list(items)
        wide = max(len(name) for name, _ in items) + 2
        for name, meaning in items:
            for part in wrap(meaning, max(12, self.width - wide)):
                self.say(f"{name:<{wide}}{part}")
                name = ""

    def draw(self, parts: Iterable[Part]) -> None:
        """A line of parts, each in its style."""
        from rich.text import Text

        line = Text.assemble(*[(text, style if self.colour else "") for text, style in parts])
        self._console.print(line, soft_wrap=self._endless)

    @property
    def _endless(self) -> bool:
        """Whether what is drawn has no end: in a pipe a row stays a line."""
        return not self._console.is_terminal

    def row(self, game: Game, number: int, guess: str, feedback: str, note: str = "") -> None:
        """One guess with its feedback: ` 1  R Y G B  ●○··  1,1  252 left`."""
        tight = self.width < NARROW
        found = game.parse_feedback(feedback)
        line: list[Part] = [(f"{number:>2} " if tight else f"{number:>3}  ", "")]
        line += self.code(game, guess, found)
        answer: list[Part] = []
        if isinstance(game, Mastermind):
            answer.append(("  " + marks(game, found, not self.symbols), "bold"))
        elif self.symbols and not self.colour:
            answer.append(("  " + marks(game, found), ""))
        answer.append((f"  {feedback}", "dim"))
        if note:
            answer.append((("  " if tight else "   ") + note, ""))
        if cells_of([*line, *answer]) <= self.width:
            self.draw([*line, *answer])
            return
        # A long code in a narrow terminal: what it was answered comes below it, as it fits.
        self.draw(line)
        below: list[Part] = []
        for text, style in answer:
            part = (" " * (2 - bool(below)) + text.strip(), style)
            if below and cells_of([*below, part]) > self.width:
                self.draw(below)
                below = [("  " + text.strip(), style)]
            else:
                below.append(part)
        self.draw(below)

    def code(self, game: Game, guess: str, feedback: int | None = None) -> list[Part]:
        """A code as pegs or, with the feedback that it got, as tiles."""
        if isinstance(game, Mastermind):
            return self.pegs(guess)
        states = [0] * len(guess)
        if feedback is not None:
            states = [int(mark) for mark in game.format_feedback(feedback)]
        return self.tiles(upper(guess), states if feedback is not None else None)

    def pegs(self, symbols: str) -> list[Part]:
        """Pegs side by side, each with its symbol."""
        if not self.colour:
            return [(" ".join(symbols), "")]
        pad = "" if self.width < NARROW else " "
        return [(f"{pad}{s} ", PEGS.get(s, OTHER_PEG)) for s in symbols]

    def tiles(self, letters: str, states: Sequence[int] | None) -> list[Part]:
        """Tiles side by side; without states as plain letters."""
        if not self.colour or states is None:
            return [(" ".join(letters), "bold")]
        pad = "" if self.width < NARROW else " "
        return [
            (f"{pad}{letter} ", TILES[state]) for letter, state in zip(letters, states, strict=True)
        ]

    def known(self, game: Game, history: History, candidates: Sequence[str]) -> None:
        """What is known of each symbol: a palette of pegs, or a keyboard of letters."""
        if isinstance(game, Mastermind):
            self._palette(game, candidates)
        else:
            self._keyboard(game, history)

    def _palette(self, game: Mastermind, candidates: Sequence[str]) -> None:
        held = [set(code) for code in candidates]
        certain = "".join(s for s in game.symbols if all(s in code for code in held))
        out = "".join(s for s in game.symbols if not any(s in code for code in held))
        opened = "".join(s for s in game.symbols if s not in certain and s not in out)
        for name, symbols in (("in it", certain), ("open", opened), ("out", out)):
            each = max(1, (self.width - 9) // 3)
            for begin in range(0, len(symbols), each):
                head = f"{'' if begin else name:>7}  "
                self.draw([(head, "dim"), *self.pegs(symbols[begin : begin + each])])

    def _keyboard(self, game: Game, history: History) -> None:
        states = keyboard(game, history)
        if self.colour:
            for indent, keys in enumerate(rows_of(game)):
                line: list[Part] = [(" " * (indent + 2), "")]
                for key in keys:
                    state = states.get(key)
                    style = "bold" if state is None else "dim" if state == 0 else TILES[state]
                    gone = "·" if self.symbols else "."
                    line.append((f"{gone if state == 0 else upper(key)} ", style))
                self.draw(line)
            return
        names = ((2, "in place"), (1, "elsewhere"), (0, "not in it"))
        for state, name in names:
            letters = " ".join(sorted(upper(k) for k, s in states.items() if s == state))
            if letters:
                self.say(f"{name:>11}  {letters}")

    def possible(self, codes: Sequence[str]) -> None:
        """How many codes are possible, and the first of them."""
        if not codes:
            self.say("Nothing is possible: no code fits all answers.")
            return
        self.say(f"{len(codes):,} possible:")
        self.columns(codes, LISTED)

    def solved(self, secret: str, guesses: int) -> None:
        """The secret is found."""
        self.say(f"{secret} is the secret. Solved in {counted(guesses)}.", "bold")

    def columns(self, codes: Sequence[str], limit: int) -> None:
        """Codes side by side, as many as fit a line; at most `limit` of them."""
        shown = codes[:limit]
        wide = max(len(code) for code in shown) + 2
        each = max(1, (self.width - 2) // wide)
        for begin in range(0, len(shown), each):
            line = "".join(code.ljust(wide) for code in shown[begin : begin + each])
            self.say("  " + line.rstrip())
        if len(codes) > limit:
            self.say(f"  and {len(codes) - limit:,} more")

    def bars(self, counts: Sequence[int]) -> None:
        """A bar chart of how many secrets the 1st, 2nd, ... guess solved."""
        room = min(40, self.width - 16)
        most = max(counts)
        block = "█" if self.symbols else "#"
        for depth, count in enumerate(counts, 1):
            bar = block * (round(room * count / most) or (1 if count else 0))
            self.draw([(f"{depth:>4}  {count:>7,}  ", ""), (bar, "green")])


def keyboard(game: Game, history: History) -> dict[str, int]:
    """What the feedbacks of a word game say of each letter: 2 in place, 1 elsewhere, 0 absent.

    >>> from guessbook.book import WordGame, parse_history
    >>> game = WordGame(["light", "eight", "night"])
    >>> keyboard(game, parse_history(game, "light=02222"))
    {'l': 0, 'i': 2, 'g': 2, 'h': 2, 't': 2}
    """
    states: dict[str, int] = {}
    for guess, feedback in history:
        for letter, mark in zip(game.guesses[guess], game.format_feedback(feedback), strict=True):
            states[letter] = max(states.get(letter, 0), int(mark))
    return states


def rows_of(game: Game) -> list[str]:
    """The keys of a keyboard: those of a typewriter, and the other letters of the words below."""
    letters = set().union(*game.guesses)
    known = set("".join(KEYS))
    others = sorted(letters - known)
    return [*KEYS, *["".join(others[k : k + 10]) for k in range(0, len(others), 10)]]


def upper(word: str) -> str:
    """A word in capitals, letter by letter: `ß`, whose capital is two letters, stays as it is.

    >>> upper("straße")
    'STRAßE'
    """
    return "".join([c.upper() if len(c.upper()) == 1 else c for c in word])


def cells_of(parts: Sequence[Part]) -> int:
    """The columns that parts of a line take; a square takes two."""
    from rich.cells import cell_len

    return sum(cell_len(text) for text, _ in parts)


def columns_wide() -> int:
    """The columns of the terminal: COLUMNS, else its own, else 80."""
    import shutil

    return shutil.get_terminal_size().columns


def lenient() -> None:
    """Let input and output carry on with `?` where their encoding does not know a character."""
    for stream in (sys.stdin, sys.stdout):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def can_show(text: str, encoding: str | None) -> bool:
    """Whether an output of that encoding can show a text."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
