"""Symmetry in plain Python: the guesses of a code game that stand for those equivalent to them."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from guessbook.book.games.codes import Mastermind, code_digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import History

__all__ = ["representatives"]

# As in `orbits`, which needs numpy.
MAX_PERMUTED_PEGS = 7


def representatives(
    game: Mastermind, history: History, candidates: Sequence[str], indices: list[int] | None
) -> list[int]:
    """The guesses of a code game that no symmetry carries onto a lower one: see `orbits`."""
    colors, repeats = game.colors, game.repeats
    past = [code_digits(guess, game.pegs, colors, repeats) for guess, _ in history]
    used = {digit for code in past for digit in code}
    held = {game.symbols.index(symbol) for code in candidates for symbol in code}
    absent = [c for c in range(colors) if c not in held]
    free = [c for c in range(colors) if c in held and c not in used]
    symmetries = []
    places = range(game.pegs)
    for order in permutations(places) if game.pegs <= MAX_PERMUTED_PEGS else [tuple(places)]:
        images: dict[int, int] = {}
        moved = [(code[order[p]], code[p]) for code in past for p in places]
        if all(images.setdefault(a, b) == b for a, b in moved) and len(set(images.values())) == len(
            images
        ):
            symmetries.append((order, images))

    def image(code: list[int], order: tuple[int, ...], images: dict[int, int]) -> list[int]:
        """The lowest code that a symmetry, and any exchange of alike symbols, makes of a code."""
        met: dict[int, int] = {}
        result = []
        for p in places:
            c = code[order[p]]
            group = absent if c in absent else free if c in free else None
            if group is None:
                result.append(images[c])
            elif group is absent and repeats:
                result.append(absent[0])
            else:
                if c not in met:
                    met[c] = group[sum(other in group for other in met)]
                result.append(met[c])
        return result

    lowest = []
    for index in range(len(game.guesses)) if indices is None else indices:
        code = code_digits(index, game.pegs, colors, repeats)
        # The identity comes first: most codes have a lower image by an exchange of symbols alone.
        if all(image(code, order, images) >= code for order, images in symmetries):
            lowest.append(index)
    return lowest
