"""How a game is drawn in a terminal.

A `Display` draws codes and feedbacks and describes the game in sentences: `PegDisplay` draws pegs
for code games, `TileDisplay` draws tiles for word games. A `Screen` prints, in colour or plain
text.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from textwrap import wrap

from guessbook.book.errors import quantity
from guessbook.book.games.codes import OTHER, Mastermind, describe_symbols, pegs_of
from guessbook.book.games.game import Game, History
from guessbook.book.games.words import WordGame, alphabet

# A part of a line: a string and its style, such as "bold".
Part = tuple[str, str]

# A sentence lists at most this number of feedbacks.
LISTED_FEEDBACKS = 8


class Display:
    """The display for games of any kind, which shows codes and feedbacks as plain text."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def code(self, screen: Screen, guess: str, feedback: int | None = None) -> list[Part]:
        """Return the drawing of a code. Subclasses may colour the code by the feedback."""
        return [(self.game.display_name(guess), "bold")]

    def drawings(self, screen: Screen, guess: str) -> list[list[Part]]:
        """Return drawings of a code, the widest first; a tree uses the first one that fits."""
        return [[(self.game.display_name(guess), "bold")]]

    def marks(self, screen: Screen, feedback: int) -> list[Part]:
        """Return the drawing of a feedback that precedes its text; empty by default."""
        return []

    def share_line(self, feedback: int, ascii_only: bool = False) -> str:
        """Return a feedback as one line of the text that a player shares after a game."""
        return self.game.format_feedback(feedback)

    def draw_symbols(self, screen: Screen, history: History, candidates: Sequence[str]) -> None:
        """Draw the symbols that are found or ruled out. By default, draw nothing."""

    def rules(self, the: str = "the") -> str:
        """Return the rules of the game, in two sentences; with several secrets, `the` is "each"."""
        return f"Find {the} secret, one of {len(self.game.secrets):,}. {self.example()}"

    def example(self) -> str:
        """Return a sentence with an example guess and its possible feedbacks."""
        guess = self.game.display_name(self.game.guesses[len(self.game.guesses) // 3])
        return f"A guess, such as {guess}, is answered {self.meaning()}."

    def feedback_help(self, symbols: bool = True) -> str:
        """Return a sentence that says how to type a feedback.

        `symbols` allows characters that are not ASCII.
        """
        return f"Feedback is {self.meaning()}."

    def meaning(self) -> str:
        """Return a phrase with the first 8 feedbacks, and the feedback that means "solved"."""
        game = self.game
        possible = filter(game.is_possible, range(game.feedbacks))
        names = [game.format_feedback(n) for n in islice(possible, LISTED_FEEDBACKS + 1)]
        if len(names) > LISTED_FEEDBACKS:
            names[LISTED_FEEDBACKS:] = ["..."]
        last = game.format_feedback(game.solved)
        return f"{', '.join(names)}; {last} says that it is the secret"


# A terminal with fewer columns is narrow: its lines are shorter.
NARROW = 60
# The number of codes that `list` prints by default.
LISTED_CODES = 60


class Screen:
    """The screen on which a game is drawn: a terminal, or plain text in a pipe.

    Attributes:
        color: whether the output has colours.
        symbols: whether the output can show pegs and squares.
        width: the width in columns.
    """

    def __init__(self) -> None:
        from rich.console import Console

        self.width = terminal_width()
        # On a narrow screen, codes have no spaces between their symbols.
        self.narrow = self.width < NARROW
        # rich reads NO_COLOR and TERM. For TERM=dumb, it ignores the width unless a height is
        # given, too. The height has no effect here.
        self._console = Console(
            highlight=False, markup=False, emoji=False, width=self.width, height=25
        )
        dumb = os.environ.get("TERM") == "dumb"
        self.color = self._console.is_terminal and not self._console.no_color and not dumb
        self.symbols = can_show("●○·🟩")

    def say(self, text: str = "", style: str = "") -> None:
        """Print `text`, wrapped between words at the width of the screen."""
        from rich.text import Text

        for line in Text(text, style if self.color else "").wrap(self._console, self.width):
            line.rstrip()
            self._console.print(line)

    def two_columns(self, items: Sequence[tuple[str, str]]) -> None:
        """Print names, such as commands, and their meanings in two columns.

        Long meanings are wrapped.
        """
        wide = max(len(name) for name, _ in items) + 2
        for name, meaning in items:
            for part in wrap(meaning, max(12, self.width - wide)):
                self.say(f"{name:<{wide}}{part}")
                name = ""

    def draw(self, parts: Iterable[Part]) -> None:
        """Print strings, each in its own style, as one line. In a pipe, the line is not wrapped."""
        from rich.text import Text

        line = Text.assemble(*[(text, style if self.color else "") for text, style in parts])
        self._console.print(line, soft_wrap=not self._console.is_terminal)

    def row(self, game: Game, number: int, guess: str, feedback: str, note: str = "") -> None:
        """Print a guess with its feedback, such as `  1  R Y G B  ●○··  1,1   252 left`."""
        display, found = display_of(game), game.parse_feedback(feedback)
        line: list[Part] = [(f"{number:>2} " if self.narrow else f"{number:>3}  ", "")]
        line += display.code(self, guess, found)
        answer = [*display.marks(self, found), (f"  {feedback}", "dim")]
        if note:
            answer.append((("  " if self.narrow else "   ") + note, ""))
        if width_of([*line, *answer]) <= self.width:
            self.draw([*line, *answer])
            return
        # The line is too wide, so the feedback is below the code.
        self.draw(line)
        below: list[Part] = []
        for text, style in answer:
            part = (" " + text.strip(), style)
            if below and width_of([*below, part]) > self.width:
                self.draw(below)
                below = []
            below.append(part if below else (" " + part[0], style))
        self.draw(below)

    def list_candidates(self, codes: Sequence[str], limit: int | None = LISTED_CODES) -> None:
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


def width_of(parts: Sequence[Part]) -> int:
    """Return the width of `parts` in columns of the terminal; a square takes two columns."""
    from rich.cells import cell_len

    return sum(cell_len(text) for text, _ in parts)


def terminal_width() -> int:
    """Return the width of the terminal in columns: $COLUMNS, else its real width, else 80."""
    return shutil.get_terminal_size().columns


def can_show(text: str) -> bool:
    """Return whether stdout can encode all characters of a string."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


# The columns beside the pegs of a row: for its number, the feedback and the candidates.
TEXT_COLUMNS = 30


class PegDisplay(Display):
    """The display of a code game: codes as named pegs, feedback as small pegs and two numbers."""

    game: Mastermind

    def code(self, screen: Screen, guess: str, feedback: int | None = None) -> list[Part]:
        """Return a guess as pegs side by side, each with its symbol."""
        return self.pegs(screen, guess)

    def drawings(self, screen: Screen, guess: str) -> list[list[Part]]:
        """Return two drawings of a code: pegs, and the symbols without spaces."""
        return [self.pegs(screen, guess), [(guess, "")]]

    def marks(self, screen: Screen, feedback: int) -> list[Part]:
        """Return a feedback as black and white pegs, drawn before its numbers."""
        return [("  " + self.share_line(feedback, not screen.symbols), "bold")]

    def share_line(self, feedback: int, ascii_only: bool = False) -> str:
        """Return a feedback as black pegs, white pegs and dots: `●○··`, or in ASCII `BW..`."""
        black, white = self.game.plain_feedback(feedback)
        marks = "BW." if ascii_only else "●○·"
        return marks[0] * black + marks[1] * white + marks[2] * (self.game.pegs - black - white)

    def draw_symbols(self, screen: Screen, history: History, candidates: Sequence[str]) -> None:
        """Draw three rows of symbols: those in every candidate, in some, and in none."""
        every, held = set(self.game.symbols), [set(code) for code in candidates]
        certain, some = every.intersection(*held), set().union(*held)
        each = max(1, (screen.width - 9) // (self.wide(screen, 1) + 2))
        rows = {"in it": certain, "open": some - certain, "out": every - some}
        for name, found in rows.items():
            symbols = "".join(s for s in self.game.symbols if s in found)
            for begin in range(0, len(symbols), each):
                head = f"{'' if begin else name:>7}  "
                screen.draw([(head, "dim"), *self.pegs(screen, symbols[begin : begin + each])])

    def rules(self, the: str = "the") -> str:
        """Return two sentences that explain the codes and the feedback of the game."""
        game = self.game
        again = "symbols may repeat" if game.repeats else "no symbol occurs twice"
        symbols = (
            describe_symbols(game.symbols, game.names) if game.names else " ".join(game.symbols)
        )
        return f"Find {the} secret: {game.pegs} of {symbols}, {again}. {self.example()}"

    def meaning(self) -> str:
        """Return the meaning of a feedback's numbers: black and white pegs, or bulls and cows.

        >>> PegDisplay(Mastermind(3, 10, repeats=False)).meaning()
        'bulls,cows: 1,2 means 1 symbol in its place and 2 elsewhere'
        """
        names = "black,white" if self.game.repeats else "bulls,cows"
        white = 2 if self.game.pegs > 2 else 0
        return f"{names}: 1,{white} means 1 symbol in its place and {white} elsewhere"

    def pegs(self, screen: Screen, symbols: str) -> list[Part]:
        """Return symbols as a row of pegs, with their names if these are not too wide."""
        game = self.game
        wide = self.wide(screen, len(symbols))
        names = game.names if wide > 1 else game.symbols
        said = {s: f"{name:<{wide}}" for s, name in zip(game.symbols, names, strict=True)}
        if not screen.color:
            return [(" ".join([said[s] for s in symbols]), "")]
        pad = "" if screen.narrow else " "
        drawn = pegs_of(game.symbols, game.names)
        pegs = [(said[s], drawn.get(s, OTHER)) for s in symbols]
        return [(f"{pad}{name} ", f"bold {peg.ink} on {peg.color}") for name, peg in pegs]

    def wide(self, screen: Screen, pegs: int) -> int:
        """Return the width of a peg in a row: that of the longest name if all fit, else 1."""
        longest = max(map(len, self.game.names), default=1)
        return longest if pegs * (longest + 2) <= screen.width - TEXT_COLUMNS else 1


# Styles of letters that are absent, present elsewhere, or in place.
TILES = ("bold white on #5d6d7e", "bold black on #f4d03f", "bold black on #58d68d")
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class TileDisplay(Display):
    """The display of a word game: coloured tiles, feedback as squares, and a keyboard."""

    game: WordGame

    def code(self, screen: Screen, guess: str, feedback: int | None = None) -> list[Part]:
        """Return a guess as coloured tiles; if there is no feedback or colour, as letters."""
        letters = upper(guess)
        if not screen.color or feedback is None:
            return [(" ".join(letters), "bold")]
        pad = "" if screen.narrow else " "
        tiles = zip(letters, self.game.format_feedback(feedback), strict=True)
        return [(f"{pad}{letter} ", TILES[int(state)]) for letter, state in tiles]

    def marks(self, screen: Screen, feedback: int) -> list[Part]:
        """Return a feedback as squares; empty if the screen has colours or cannot show squares."""
        drawn = screen.symbols and not screen.color
        return [("  " + self.share_line(feedback), "")] if drawn else []

    def share_line(self, feedback: int, ascii_only: bool = False) -> str:
        """Return a feedback as squares, or as digits if `ascii_only`."""
        game = self.game
        return game.format_feedback(feedback) if ascii_only else game.format_squares(feedback)

    def draw_symbols(self, screen: Screen, history: History, candidates: Sequence[str]) -> None:
        """Draw a keyboard with the state of each letter; without colour, lists of letters."""
        # The highest mark of each letter so far: 0 absent, 1 elsewhere, 2 in place.
        states: dict[str, int] = {}
        for guess, feedback in history:
            marks = self.game.format_feedback(feedback)
            for letter, mark in zip(self.game.guesses[guess], marks, strict=True):
                states[letter] = max(states.get(letter, 0), int(mark))
        if not screen.color:
            for best, name in ((2, "in place"), (1, "elsewhere"), (0, "not in it")):
                letters = " ".join(sorted(upper(k) for k, s in states.items() if s == best))
                if letters:
                    screen.say(f"{name:>11}  {letters}")
            return
        styles = {None: "bold", 0: "dim", 1: TILES[1], 2: TILES[2]}
        gone = "·" if screen.symbols else "."
        for row, keys in enumerate(keyboard_rows(self.game)):
            line: list[Part] = [(" " * (2 + (row if keys in KEYS else 0)), "")]
            for key in keys:
                state = states.get(key)
                line.append((f"{gone if state == 0 else upper(key)} ", styles[state]))
            screen.draw(line)

    def rules(self, the: str = "the") -> str:
        """Return two sentences that explain the words and the feedback of the game."""
        return (
            f"Find {the} secret word of {self.game.length} letters. A guess is answered with a digit "
            "for each letter: 2 in its place, 1 elsewhere in the word, 0 not in it."
        )

    def feedback_help(self, symbols: bool = True) -> str:
        """Return a sentence that says how to type a feedback: as digits, squares or letters."""
        squares = "⬛🟨🟩, or " if symbols else ""
        return (
            "Feedback is a digit for each letter: 2 in its place, 1 elsewhere in the word, "
            f"0 not in it (or {squares}b, y, g)."
        )


def keyboard_rows(game: Game) -> list[str]:
    """Return the rows of a keyboard: QWERTY if the words have letters from a to z, then the rest.

    >>> from guessbook.book.games.words import WordGame
    >>> keyboard_rows(WordGame(["кошка", "мышка"])), keyboard_rows(WordGame(["façade"]))[2:]
    (['акмошы'], ['zxcvbnm', 'ç'])
    """
    letters = alphabet(game.guesses)
    latin = set("".join(KEYS))
    others = "".join([letter for letter in letters if letter not in latin])
    rows = [others[k : k + 10] for k in range(0, len(others), 10)]
    return [*KEYS, *rows] if latin & set(letters) else rows


def upper(word: str) -> str:
    """Return a word in capitals.

    A letter whose capital form has several letters, such as `ß`, is unchanged.

    >>> upper("straße")
    'STRAßE'
    """
    return "".join([c.upper() if len(c.upper()) == 1 else c for c in word])


class TestDisplay(Display):
    """The display for tables whose tests are asked until the outcome is known."""

    def feedback_help(self, symbols: bool = True) -> str:
        """Return a sentence that says how to type an answer; `symbols` has no effect here."""
        return "Type the answer to each test, or `don't know`."


# The class for each kind of game; `Display` serves all others.
DISPLAYS: dict[str, type[Display]] = {
    "mastermind": PegDisplay,
    "words": TileDisplay,
    "identification": TestDisplay,
}


def display_of(game: Game) -> Display:
    return DISPLAYS.get(game.kind, Display)(game)
