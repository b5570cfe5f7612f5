"""The display of word games: coloured letters (tiles), coloured squares, and a keyboard."""

from collections.abc import Sequence

from guessbook.book.games.game import Game, History
from guessbook.book.games.vocabulary import alphabet
from guessbook.book.games.words import WordGame
from guessbook.play import display
from guessbook.play.display import Canvas, Part

# Styles of letters that are absent, present elsewhere, or in place.
TILES = ("bold white on #5d6d7e", "bold black on #f4d03f", "bold black on #58d68d")
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class Display(display.Display):
    """The display of a word game: coloured tiles, feedback as squares, and a keyboard."""

    game: WordGame

    def code(self, screen: Canvas, guess: str, feedback: int | None = None) -> list[Part]:
        """Return a guess as coloured tiles, or as plain letters if there is no feedback or no colour."""
        letters = upper(guess)
        if not screen.colour or feedback is None:
            return [(" ".join(letters), "bold")]
        pad = "" if screen.narrow else " "
        tiles = zip(letters, self.game.format_feedback(feedback), strict=True)
        return [(f"{pad}{letter} ", TILES[int(state)]) for letter, state in tiles]

    def marks(self, screen: Canvas, feedback: int) -> list[Part]:
        """Return a feedback as squares; empty if coloured letters show it, or if the terminal cannot show squares."""
        drawn = screen.symbols and not screen.colour
        return [("  " + self.share_line(feedback), "")] if drawn else []

    def share_line(self, feedback: int, ascii_only: bool = False) -> str:
        """Return a feedback as squares, or as digits if `ascii_only`."""
        game = self.game
        return game.format_feedback(feedback) if ascii_only else game.format_squares(feedback)

    def draw_symbols(self, screen: Canvas, history: History, candidates: Sequence[str]) -> None:
        """Draw a keyboard with the state of each letter, or lists of letters if there is no colour."""
        # The highest mark of each letter so far: 0 absent, 1 elsewhere, 2 in place.
        states: dict[str, int] = {}
        for guess, feedback in history:
            marks = self.game.format_feedback(feedback)
            for letter, mark in zip(self.game.guesses[guess], marks, strict=True):
                states[letter] = max(states.get(letter, 0), int(mark))
        if not screen.colour:
            for best, name in ((2, "in place"), (1, "elsewhere"), (0, "not in it")):
                letters = " ".join(sorted(upper(k) for k, s in states.items() if s == best))
                if letters:
                    screen.say(f"{name:>11}  {letters}")
            return
        styles = {None: "bold", 0: "dim", 1: TILES[1], 2: TILES[2]}
        gone = "·" if screen.symbols else "."
        for row, keys in enumerate(rows_of(self.game)):
            line: list[Part] = [(" " * (2 + (row if keys in KEYS else 0)), "")]
            for key in keys:
                state = states.get(key)
                line.append((f"{gone if state == 0 else upper(key)} ", styles[state]))
            screen.draw(line)

    def rules(self) -> str:
        """Return two sentences that explain the words and the feedback of the game."""
        return (
            f"Find the secret word of {self.game.length} letters. A guess is answered with a digit "
            "for each letter: 2 in its place, 1 elsewhere in the word, 0 not in it."
        )

    def feedback_help(self, symbols: bool = True) -> str:
        """Return a sentence that says how to type a feedback: as digits, squares or letters."""
        squares = "⬛🟨🟩, or " if symbols else ""
        return (
            "Feedback is a digit for each letter: 2 in its place, 1 elsewhere in the word, "
            f"0 not in it (or {squares}b, y, g)."
        )


def rows_of(game: Game) -> list[str]:
    """Return the rows of a keyboard: the rows of QWERTY if the words have letters from a to z, then all other letters.

    >>> from guessbook.book import WordGame
    >>> rows_of(WordGame(["кошка", "мышка"])), rows_of(WordGame(["façade"]))[2:]
    (['акмошы'], ['zxcvbnm', 'ç'])
    """
    letters = alphabet(game.guesses)
    latin = set("".join(KEYS))
    others = "".join([letter for letter in letters if letter not in latin])
    rows = [others[k : k + 10] for k in range(0, len(others), 10)]
    return [*KEYS, *rows] if latin & set(letters) else rows


def upper(word: str) -> str:
    """Return a word in capitals. A letter whose capital form has several letters, such as `ß`, is unchanged.

    >>> upper("straße")
    'STRAßE'
    """
    return "".join([c.upper() if len(c.upper()) == 1 else c for c in word])
