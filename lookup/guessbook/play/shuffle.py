"""The shuffle: a policy seen through a random symmetry of its game.

Exchanging positions, or symbols, changes no feedback. So a policy that is played through a fixed
permutation needs as many guesses for the image of a secret as it needs for the secret itself: its
openings become unpredictable, and its strength stays the same.
"""

from typing import NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.games.game import Game
from guessbook.book.games.symmetry import has_symmetry
from guessbook.play.codemaker import seeded


class Shuffle(NamedTuple):
    """A permutation of the positions and of the symbols of a code game.

    >>> Shuffle("RYGB", (1, 0, 2), "GYRB").there("RRY")
    'GGY'
    >>> Shuffle("RYGB", (2, 0, 1), "GYRB").back(Shuffle("RYGB", (2, 0, 1), "GYRB").there("RBY"))
    'RBY'

    Attributes:
        symbols: the symbols of the game.
        positions: position p of an image comes from position positions[p] of the code.
        images: the image of each symbol, in the order of `symbols`.
    """

    symbols: str
    positions: tuple[int, ...]
    images: str

    def there(self, code: str) -> str:
        """Return the image of a code under the permutation."""
        moved = "".join([code[position] for position in self.positions])
        return moved.translate(str.maketrans(self.symbols, self.images))

    def back(self, image: str) -> str:
        """Return the code that has this image."""
        moved = image.translate(str.maketrans(self.images, self.symbols))
        code = [""] * len(moved)
        for symbol, position in zip(moved, self.positions, strict=True):
            code[position] = symbol
        return "".join(code)


def random_shuffle(game: Game, random_seed: int | None = None) -> Shuffle:
    """Return a random symmetry of a code game, another one each time if there is no seed.

    Raises:
        UsageError: the game has no symmetry, such as one of words, which would not stay words.
    """
    if not has_symmetry(game):
        raise UsageError(
            f"found {game.name}, expected a game of codes: no other can be shuffled, because an "
            "exchange of symbols does not make words of words"
        )
    chance = seeded(random_seed)
    positions = chance.sample(range(game.pegs), game.pegs)
    return Shuffle(
        game.symbols, tuple(positions), "".join(chance.sample(game.symbols, game.colors))
    )
