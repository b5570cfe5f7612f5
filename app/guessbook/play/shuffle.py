"""Random permutations of positions and symbols. A policy with permuted guesses stays equally good."""

from typing import NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.games.game import Game
from guessbook.book.games.symmetry import has_symmetry
from guessbook.play.codemaker import random_generator


class Shuffle(NamedTuple):
    """A permutation of the positions and symbols of a code game.

    >>> shuffle = Shuffle("RYGB", (2, 0, 1), "GYRB")
    >>> shuffle.there("RBY"), shuffle.back("YGB")
    ('YGB', 'RBY')

    `there` maps a code to its image in two steps. First, position p gets the symbol at `positions[p]` of the code. Then
    `images[k]` replaces the symbol `symbols[k]`.
    """

    symbols: str
    positions: tuple[int, ...]
    images: str

    def there(self, code: str) -> str:
        """Return the image of a code under the permutation."""
        moved = "".join([code[position] for position in self.positions])
        return moved.translate(str.maketrans(self.symbols, self.images))

    def back(self, image: str) -> str:
        """Return the code that `there` maps to `image`."""
        moved = image.translate(str.maketrans(self.images, self.symbols))
        return "".join([symbol for _, symbol in sorted(zip(self.positions, moved, strict=True))])


def random_shuffle(game: Game, random_seed: int | None = None) -> Shuffle:
    """Return a random shuffle for a code game."""
    if not has_symmetry(game):
        raise UsageError(
            f"found {game.name}, expected a game of codes, such as mastermind-4x6; "
            "play this game without a shuffle: only codes remain valid after an exchange of symbols"
        )
    chance = random_generator(random_seed)
    positions = tuple(chance.sample(range(game.pegs), game.pegs))
    return Shuffle(game.symbols, positions, "".join(chance.sample(game.symbols, game.colors)))
