"""Equivalent guesses: those that a symmetry of the history carries onto each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.enumeration import code_index
from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import (
    Effort,
    TooLongError,
    find_permutation,
    has_symmetry,
)

# As in `orbits`, which needs numpy.
MAX_PERMUTED_PEGS = 7


def representatives(
    game: Mastermind, history: History, candidates: Sequence[str], indices: Sequence[int] | None
) -> list[int]:
    """The guesses of a code game that no symmetry carries onto a lower one: see `orbits`."""
    colors, repeats = game.colors, game.repeats
    past = [game.digits(guess) for guess, _ in history]
    used = {digit for code in past for digit in code}
    held = held_symbols(game, candidates)
    absent = [c for c in range(colors) if c not in held]
    free = [c for c in range(colors) if c in held and c not in used]
    places = range(game.pegs)
    columns = list(zip(*past, strict=True)) or [()] * game.pegs
    # Symmetries that do the same to the symbols of the history share a number.
    symmetries: list[tuple[tuple[int, ...], dict[int, int], int]] = []
    numbers: dict[frozenset[tuple[int, int]], int] = {}
    for order in permutations(places) if game.pegs <= MAX_PERMUTED_PEGS else [tuple(places)]:
        images: dict[int, int] = {}
        moved = {(columns[q], column) for q, column in zip(order, columns, strict=True)}
        cells = (cell for both in moved for cell in zip(*both, strict=True))
        if all(images.setdefault(a, b) == b for a, b in cells) and len(set(images.values())) == len(
            images
        ):
            number = numbers.setdefault(frozenset(images.items()), len(numbers))
            symmetries.append((order, images, number))

    def image(moved: list[int], images: dict[int, int]) -> list[int]:
        """The lowest code that exchanges of alike symbols make of one whose pegs have moved."""
        met: dict[int, int] = {}
        result = []
        for c in moved:
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

    def is_lowest(code: list[int]) -> bool:
        """Whether no symmetry makes a lower code."""
        seen = set()
        # The identity comes first: most codes have a lower image by an exchange of symbols alone.
        for order, images, number in symmetries:
            moved = [code[q] for q in order]
            key = (number, *moved)
            if key not in seen:
                seen.add(key)
                if image(moved, images) < code:
                    return False
        return True

    every = range(len(game.guesses)) if indices is None else indices
    return [index for index in every if is_lowest(game.digits(index))]


def leading(game: Mastermind, history: History, candidates: Sequence[str]) -> Iterator[int]:
    """The guesses, ascending, that no exchange of alike symbols makes lower.

    Alike are the symbols that no candidate has, and those that no guess so far has: each needs
    the one before it earlier in the code.
    """
    held = held_symbols(game, candidates)
    used = {symbol for guess, _ in history for symbol in game.guesses[guess]}
    needs: dict[int, int] = {}
    last: dict[bool, int] = {}
    for rank, symbol in enumerate(game.symbols):
        absent = rank not in held
        if absent or symbol not in used:
            if absent in last:
                needs[rank] = last[absent]
            last[absent] = rank

    def extended(code: list[int]) -> Iterator[int]:
        if len(code) == game.pegs:
            yield code_index(code, game.colors, game.repeats)
            return
        for rank in range(game.colors):
            fits = rank not in needs or needs[rank] in code
            if fits and (game.repeats or rank not in code):
                yield from extended([*code, rank])

    return extended([])


def held_symbols(game: Mastermind, candidates: Sequence[str]) -> set[int]:
    """The ranks of the symbols that some candidate has."""
    held = set().union(*candidates)
    return {rank for rank, symbol in enumerate(game.symbols) if symbol in held}


def carried(
    game: Game,
    history: History,
    candidates: Sequence[str],
    first: Sequence[int],
    second: Sequence[int],
) -> bool:
    """Whether one symmetry carries each guess onto the one in the same place of the other list.

    It has to keep the history. Symbols that no candidate has are interchangeable. One that is not
    found with the usual `Effort` counts as none.
    """
    if not has_symmetry(game):
        return list(first) == list(second)
    held = held_symbols(game, candidates)
    absent = game.colors

    def told(guess: int) -> list[int]:
        return [digit if digit in held else absent for digit in game.digits(guess)]

    past = [game.digits(guess) for guess, _ in history]
    # In front a column of the mark for "absent", which so has to stay what it is.
    rows = [[[absent, *code] for code in [*past, *map(told, made)]] for made in (first, second)]
    columns = [list(zip(*codes, strict=True)) for codes in rows]
    try:
        found = find_permutation(columns[0], columns[1], absent + 1, Effort())
    except TooLongError:
        return False
    return found is not None and found.positions[0] == 0


def openings(game: Mastermind) -> list[int]:
    """The indices of the first guesses of a game that are not equivalent to a lower one, ascending.

    Two codes are equivalent if their symbols occur equally often; the lowest of them has its most
    frequent symbol first, and that is symbol 0.

    >>> game = Mastermind(4, 6)
    >>> [game.guesses[opening] for opening in openings(game)]
    ['RRRR', 'RRRY', 'RRYY', 'RRYG', 'RYGB']
    """
    if not game.repeats:
        return [0]
    found = []
    for shape in shapes(game.pegs, game.colors, game.pegs):
        index = 0
        for symbol, times in enumerate(shape):
            for _ in range(times):
                index = index * game.colors + symbol
        found.append(index)
    return found


def shapes(pegs: int, colors: int, most: int) -> Iterator[tuple[int, ...]]:
    """How often the symbols of a code may occur: the partitions of its pegs, the largest first.

    >>> list(shapes(4, 3, 4))
    [(4,), (3, 1), (2, 2), (2, 1, 1)]

    Args:
        pegs: the sum of the parts.
        colors: at most so many parts.
        most: the largest part.
    """
    if not pegs:
        yield ()
    elif colors:
        for part in range(min(pegs, most), 0, -1):
            for rest in shapes(pegs - part, colors - 1, part):
                yield part, *rest
