"""The form of word games: words, and tiles for their feedback."""

from html import escape
from typing import Any

from guessbook.book.games.words import WordGame
from guessbook.book.strategy import Strategy
from guessbook.export import form
from guessbook.export.form import Program, listed_program, listed_weights
from guessbook.export.pictures import shapes
from guessbook.play.terminal.tiles import TILES

# The ink and the colour of each tile.
COLORS = [style.split()[1::2] for style in TILES]


class Form(form.Form):
    """The form of word games: words, and tiles for their feedback."""

    game: WordGame

    def code_width(self, size: float) -> float:
        """Return the width of the letters; the first 100 words show which alphabet it is."""
        return shapes.letter_width("".join(self.game.guesses[:100]), size) * self.game.length

    def feedback_width(self, size: float) -> float:
        """Return the width of a tile for each letter."""
        return size * self.game.length

    def feedback(self, number: int, x: float, y: float, size: float, fill: str = "") -> str:
        """Draw tiles, with their digits if they are large enough."""
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

    def printed(self, guess: str) -> str:
        """Return letters, as HTML."""
        return f'<span class="code">{escape(guess)}</span>'

    def printed_feedback(self, number: int) -> str:
        """Return tiles with their digits, as HTML."""
        tiles = [f'<i class="t{mark}">{mark}</i>' for mark in self.game.format_feedback(number)]
        return f'<span class="tiles">{"".join(tiles)}</span>'

    def printed_style(self) -> str:
        """Return the colours of the tiles, as CSS."""
        drawn = enumerate(COLORS)
        return "".join([f".t{k}{{background:{tile};color:{ink}}}" for k, (ink, tile) in drawn])

    def program(self, book: Strategy) -> Program:
        """Return the codes of a book, which are words."""
        constants = {
            "LENGTH": self.game.length,
            "STRICT": self.game.scoring == "standard",
            "MARKS": ("0⬛⬜b", "1🟨🟦y", "2🟩🟧g"),
        }
        return listed_program(book, "tiles", constants)

    def json_rules(self) -> dict[str, Any]:
        """Return the header of the book, with lists of words instead of one string and bits."""
        game = self.game
        words = {"guesses": list(game.guesses), "secrets": list(game.secrets)}
        return game.header() | words | listed_weights(game)

    def page_game(self) -> dict[str, Any]:
        """Return the header of the book, with the indices of the secrets among the guesses."""
        header = self.game.header()
        bits = header["secrets"]
        secrets = [i for i in range(8 * len(bits)) if bits[i // 8] >> i % 8 & 1]
        return header | {"secrets": secrets} | listed_weights(self.game)

    def rules(self) -> str:
        """Define a code, and return the numbers of guesses and secrets."""
        game = self.game
        scoring = ", scored loosely" if game.scoring == "loose" else ""
        weighted = "" if game.weights is None else ", some more likely than others"
        return (
            f"A code is a word of {game.length} letters: {len(game.guesses):,} may be guessed, "
            f"{len(game.secrets):,} may be the secret{weighted}{scoring}."
        )

    def note(self) -> str:
        """Return the note that other lists may be as long as the published ones."""
        return (
            "The published totals are for the original lists of 2,315 and 12,972 "
            "words; only the numbers of words were compared."
        )
