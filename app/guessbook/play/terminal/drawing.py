"""The drawing of a game in a terminal, in colour or in plain text."""

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from textwrap import wrap

from guessbook.book.errors import quantity
from guessbook.book.games.game import Game
from guessbook.play.display import Part, display_of

# A terminal with fewer columns than this number is narrow: its lines are shorter.
NARROW = 60
# The number of codes that `list` prints by default.
LISTED = 60


class Screen:
    """The screen on which a game is drawn: a terminal, or plain text in a pipe.

    Attributes:
        colour: whether the output has colours.
        symbols: whether the output can show pegs and squares.
        width: the width in columns.
    """

    def __init__(self) -> None:
        from rich.console import Console

        self.width = columns_wide()
        # On a narrow screen, codes have no spaces between their symbols.
        self.narrow = self.width < NARROW
        # rich reads NO_COLOR and TERM. For TERM=dumb, it ignores the width unless a height is given, too.
        # The height has no effect here.
        self._console = Console(
            highlight=False, markup=False, emoji=False, width=self.width, height=25
        )
        dumb = os.environ.get("TERM") == "dumb"
        self.colour = self._console.is_terminal and not self._console.no_color and not dumb
        self.symbols = can_show("●○·🟩")

    def say(self, text: str = "", style: str = "") -> None:
        """Print a text, wrapped between words at the width of the screen."""
        from rich.text import Text

        for line in Text(text, style if self.colour else "").wrap(self._console, self.width):
            line.rstrip()
            self._console.print(line)

    def items(self, items: Sequence[tuple[str, str]]) -> None:
        """Print names, such as commands, and their meanings in two columns. Long meanings are wrapped."""
        wide = max(len(name) for name, _ in items) + 2
        for name, meaning in items:
            for part in wrap(meaning, max(12, self.width - wide)):
                self.say(f"{name:<{wide}}{part}")
                name = ""

    def draw(self, parts: Iterable[Part]) -> None:
        """Print texts, each in its own style, as one line. In a pipe, the line is not wrapped."""
        from rich.text import Text

        line = Text.assemble(*[(text, style if self.colour else "") for text, style in parts])
        self._console.print(line, soft_wrap=not self._console.is_terminal)

    def row(self, game: Game, number: int, guess: str, feedback: str, note: str = "") -> None:
        """Print a guess with its feedback, such as ` 1  R Y G B  ●○··  1,1  252 left`."""
        display, found = display_of(game), game.parse_feedback(feedback)
        line: list[Part] = [(f"{number:>2} " if self.narrow else f"{number:>3}  ", "")]
        line += display.code(self, guess, found)
        answer = [*display.marks(self, found), (f"  {feedback}", "dim")]
        if note:
            answer.append((("  " if self.narrow else "   ") + note, ""))
        if cells_of([*line, *answer]) <= self.width:
            self.draw([*line, *answer])
            return
        # The line is too wide, so the feedback is below the code.
        self.draw(line)
        below: list[Part] = []
        for text, style in answer:
            if below and cells_of([*below, (" " + text.strip(), style)]) > self.width:
                self.draw(below)
                below = []
            below.append(((" " if below else "  ") + text.strip(), style))
        self.draw(below)

    def possible(self, codes: Sequence[str], limit: int | None = LISTED) -> None:
        """Print the number of possible codes, and the first `limit` of them in columns."""
        if not codes:
            self.say("Nothing is possible: no code fits all answers.")
            return
        self.say(f"{len(codes):,} possible:")
        shown = codes[:limit]
        wide = max(map(len, shown)) + 2
        each = max(1, (self.width - 2) // wide)
        for begin in range(0, len(shown), each):
            line = "".join(code.ljust(wide) for code in shown[begin : begin + each])
            self.say("  " + line.rstrip())
        if len(codes) > len(shown):
            self.say(f"  and {len(codes) - len(shown):,} more")

    def show_solved(self, secret: str, guesses: int) -> None:
        """Print that the secret is found, and in how many guesses."""
        self.say(f"{secret} is the secret. Solved in {quantity(guesses)}.", "bold")


def cells_of(parts: Sequence[Part]) -> int:
    """Return the total width of `parts` in columns of the terminal. A square is two columns wide."""
    from rich.cells import cell_len

    return sum(cell_len(text) for text, _ in parts)


def columns_wide() -> int:
    """Return the width of the terminal in columns: $COLUMNS if set, else the real width if known, else 80."""
    return shutil.get_terminal_size().columns


def can_show(text: str) -> bool:
    """Return whether stdout can encode all characters of a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
