"""Games that several test modules play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book import Mastermind, WordGame

if TYPE_CHECKING:
    from guessbook.book import Game

WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet", "tiger", "eerie"]
LONG = ["abcdefghijkl", "abcdefghijlk", "mlkjihgfedcb"]

# The last two words may be guessed and are never the secret.
WORD_GAME = WordGame(WORDS[:8], WORDS)
SMALL = Mastermind(3, 4)
KINDS: dict[str, Game] = {
    "codes": SMALL,
    "without repeats": Mastermind(3, 5, repeats=False),
    "words": WORD_GAME,
}
