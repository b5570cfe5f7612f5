"""The form of word games: words, and tiles for their feedback."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from guessbook.book.strategy import Strategy
from guessbook.export import form
from guessbook.export.form import Program, guessed, listed_weights
from guessbook.export.pictures import ink
from guessbook.play.terminal.tiles import TILES

if TYPE_CHECKING:
    from guessbook.book.games.words import WordGame


class Form(form.Form):
    """Words, and tiles for their feedback."""

    game: WordGame

    def code_width(self, size: float) -> float:
        """That of the letters; the first words show which ones these are."""
        return ink.letter_width("".join(self.game.guesses[:100]), size) * self.game.length

    def feedback_width(self, size: float) -> float:
        """A tile for each letter."""
        return size * self.game.length

    def feedback(self, number: int, x: float, y: float, size: float, fill: str = "") -> str:
        """Tiles, with their digits where they are large enough."""
        drawn = []
        for k, mark in enumerate(self.game.format_feedback(number)):
            _, color, _, tile = TILES[int(mark)].split()
            left = x + k * size
            drawn.append(
                f'<rect x="{ink.short(left)}" y="{ink.short(y - size / 2)}" '
                f'width="{ink.short(0.9 * size)}" height="{ink.short(0.9 * size)}" '
                f'rx="{ink.short(size / 8)}" fill="{tile}"/>'
            )
            if size >= 9:
                middle, height = left + 0.45 * size, y - 0.05 * size
                drawn.append(
                    ink.text(middle, height, mark, 0.75 * size, fill=color, text_anchor="middle")
                )
        return "".join(drawn)

    def printed(self, guess: str) -> str:
        """Letters."""
        return f'<span class="code">{escape(guess)}</span>'

    def printed_feedback(self, number: int) -> str:
        """Tiles with their digits."""
        tiles = [f'<i class="t{mark}">{mark}</i>' for mark in self.game.format_feedback(number)]
        return f'<span class="tiles">{"".join(tiles)}</span>'

    def printed_style(self) -> str:
        """The colour of each tile."""
        drawn = [style.split() for style in TILES]
        rules = [f".t{k}{{background:{on};color:{ink}}}" for k, (_, ink, _, on) in enumerate(drawn)]
        return "".join(rules)

    def program(self, book: Strategy) -> Program:
        """Codes are words."""
        words, guesses = guessed(book)
        constants = {
            "LENGTH": self.game.length,
            "STRICT": self.game.scoring == "standard",
            "MARKS": ("0⬛⬜b", "1🟨🟦y", "2🟩🟧g"),
            # In bytes: of one width, a word is found without looking at those before it.
            "WIDTH": max(len(word.encode()) for word in words),
        }
        return Program(words, guesses, 1, True, "tiles.h", "script_tiles.txt", constants)

    def json_rules(self) -> dict[str, Any]:
        """As in the book's header, with lists of words where that has one string and bits."""
        game = self.game
        words = {"guesses": list(game.guesses), "secrets": list(game.secrets)}
        return game.header() | words | listed_weights(game)

    def page_game(self) -> dict[str, Any]:
        """As in the book's header, with the indices of the secrets among the guesses."""
        header = self.game.header()
        bits = header["secrets"]
        secrets = [i for i in range(8 * len(bits)) if bits[i // 8] >> i % 8 & 1]
        return header | {"secrets": secrets} | listed_weights(self.game)

    def rules(self) -> str:
        """What a code is, and how many there are."""
        game = self.game
        scoring = ", scored loosely" if game.scoring == "loose" else ""
        weighted = "" if game.weights is None else ", some more likely than others"
        return (
            f"A code is a word of {game.length} letters: {len(game.guesses):,} may be guessed, "
            f"{len(game.secrets):,} may be the secret{weighted}{scoring}."
        )

    def note(self) -> str:
        """Other lists may be as long as the published ones."""
        return (
            "The published totals are for the original lists of 2,315 and 12,972 "
            "words; only the numbers of words were compared."
        )
