"""The drawing and export of word games: codes as letters, feedbacks as coloured tiles."""

from html import escape
from typing import Any

from guessbook.book.games.words import WordGame
from guessbook.book.strategy import Strategy
from guessbook.export import form
from guessbook.export.form import Program, listed_program, listed_weights
from guessbook.export.pictures import shapes
from guessbook.play.terminal.tiles import TILES

# The text colour and the background colour of each tile, as in the terminal.
COLORS = [style.split()[1::2] for style in TILES]


class Form(form.Form):
    """The drawing and export of a word game: codes as letters, feedbacks as coloured tiles."""

    game: WordGame

    def code_width(self, size: float) -> float:
        """Return the width of a word whose letters are `size` high, estimated from the first 100 words."""
        return shapes.letter_width("".join(self.game.guesses[:100]), size) * self.game.length

    def feedback_width(self, size: float) -> float:
        """Return the width of a feedback: one tile of width `size` for each letter."""
        return size * self.game.length

    def feedback(self, number: int, x: float, y: float, size: float, fill: str = "") -> str:
        """Return SVG for a feedback as tiles, with digits if tiles are at least 9 pixels wide."""
        drawn = []
        top, side, radius = (shapes.short(n) for n in (y - size / 2, 0.9 * size, size / 8))
        for k, mark in enumerate(self.game.format_feedback(number)):
            ink, tile = COLORS[int(mark)]
            left = x + k * size
            drawn.append(
                f'<rect x="{shapes.short(left)}" y="{top}" width="{side}" height="{side}" rx="{radius}" fill="{tile}"/>'
            )
            if size >= 9:
                place = left + 0.45 * size, y - 0.05 * size
                drawn.append(shapes.text(*place, mark, 0.75 * size, fill=ink, text_anchor="middle"))
        return "".join(drawn)

    def booklet_code(self, guess: str) -> str:
        """Return HTML for a word in a booklet."""
        return f'<span class="code">{escape(guess)}</span>'

    def printed_feedback(self, number: int) -> str:
        """Return HTML for a feedback in a booklet, as tiles with digits."""
        tiles = [f'<i class="t{mark}">{mark}</i>' for mark in self.game.format_feedback(number)]
        return f'<span class="tiles">{"".join(tiles)}</span>'

    def printed_style(self) -> str:
        """Return CSS with the colours of the tiles in a booklet."""
        drawn = enumerate(COLORS)
        return "".join([f".t{k}{{background:{tile};color:{ink}}}" for k, (ink, tile) in drawn])

    def program(self, book: Strategy) -> Program:
        """Return the codes of a book for exports to C and Python: the words that are guessed in its tree."""
        constants = {
            "LENGTH": self.game.length,
            "STRICT": self.game.scoring == "standard",
            "MARKS": ("0⬛⬜b", "1🟨🟦y", "2🟩🟧g"),
        }
        return listed_program(book, "tiles", constants)

    def json_rules(self) -> dict[str, Any]:
        """Return the rules for the JSON export: the game as in a book's header, with lists of words and weights."""
        game = self.game
        words = {"guesses": list(game.guesses), "secrets": list(game.secrets)}
        return game.header() | words | listed_weights(game)

    def page_game(self) -> dict[str, Any]:
        """Return the game as data for the HTML page: as in a book's header, with the secrets as indices of guesses."""
        header = self.game.header()
        bits = header["secrets"]
        secrets = [i for i in range(8 * len(bits)) if bits[i // 8] >> i % 8 & 1]
        return header | {"secrets": secrets} | listed_weights(self.game)

    def rules(self) -> str:
        """Return a sentence on the length of words and the numbers of guesses and secrets."""
        game = self.game
        scoring = ", scored loosely" if game.scoring == "loose" else ""
        weighted = "" if game.weights is None else ", some more likely than others"
        return (
            f"A code is a word of {game.length} letters: {len(game.guesses):,} may be guessed, "
            f"{len(game.secrets):,} may be the secret{weighted}{scoring}."
        )

    def note(self) -> str:
        """Return a note: the published results are for the same numbers of words, but maybe for other words."""
        return (
            "The published totals are for the original lists of 2,315 and 12,972 "
            "words; only the numbers of words were compared."
        )
