"""Symmetries of code games: permutations of the positions and of the symbols, which change no feedback."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeGuard

from guessbook.book.games.game import Game

# Default limit on the symbols that a search for a permutation compares, about 20 ms of work. Without a limit, the time
# would grow with the factorial of the number of positions.
MAX_STEPS = 60_000

# A column holds the symbols at one position of all guesses in a history, in the order of the guesses.
Column = tuple[int, ...]


class Exchangeable(Game, Protocol):
    """A game whose rules treat all symbols and all positions alike, such as `Mastermind`."""

    pegs: int
    colors: int
    symbols: str
    repeats: bool

    def digits(self, index: int) -> list[int]:
        """Return the code at `index` as numbers: each symbol becomes its index in `symbols`."""


def has_symmetry(game: Game) -> TypeGuard[Exchangeable]:
    """Return whether permutations of the positions and symbols of a game change no feedback."""
    return hasattr(game, "digits")


class SearchBudget:
    """A limit on the number of symbols that a search for a permutation may compare."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Subtract a number of compared symbols from the budget. Raises BudgetExceededError if too few are left."""
        self.left -= steps
        if self.left < 0:
            raise BudgetExceededError


class BudgetExceededError(Exception):
    """A search for a permutation that exceeds its budget."""


class Permutation(NamedTuple):
    """A permutation of positions and symbols that maps the codes in the tree to the player's codes.

    Attributes:
        positions: entry p is the player's position for position p in the tree.
        symbols: entry s is the player's symbol for symbol s in the tree. Symbols are indices in `game.symbols`.
    """

    positions: list[int]
    symbols: list[int]

    def apply(self, digits: Sequence[int]) -> list[int]:
        """Return the player's code for a code in the tree. In both codes, symbols are indices in `game.symbols`."""
        code = [0] * len(digits)
        for position, digit in zip(self.positions, digits, strict=True):
            code[position] = self.symbols[digit]
        return code


def find_permutation(
    theirs: list[Column], ours: list[Column], colors: int, effort: SearchBudget
) -> Permutation | None:
    """Return a permutation that maps the columns `theirs` (see `Column`) to the columns `ours`; None if there is none.

    Raises BudgetExceededError if the search exceeds the budget `effort`.
    """
    found = _assign(theirs, ours, [], {}, effort)
    if found is None:
        return None
    positions, forward = found
    # Symbols that `theirs` lacks map to the unused symbols in ascending order.
    unused = iter(sorted({*range(colors)} - {*forward.values()}))
    return Permutation(
        positions, [forward[s] if s in forward else next(unused) for s in range(colors)]
    )


def _assign(
    theirs: list[Column],
    ours: list[Column],
    positions: list[int],
    forward: dict[int, int],
    effort: SearchBudget,
) -> tuple[list[int], dict[int, int]] | None:
    """Extend `positions` and the map of symbols `forward`, so that they map the columns `theirs` to the columns `ours`.

    `Column` explains the columns. Return the extended list and map; None if no extension maps all columns.
    """
    if len(positions) == len(theirs):
        return positions, forward
    column = theirs[len(positions)]
    failed: list[Column] = []
    for position, target in enumerate(ours):
        effort.spend(1)
        if position in positions or target in failed:
            continue
        effort.spend(len(column))
        known = extend(forward, column, target)
        if known is not None:
            found = _assign(theirs, ours, [*positions, position], known, effort)
            if found:
                return found
        failed.append(target)  # an equal target would fail as well
    return None


def extend(forward: dict[int, int], column: Column, target: Column) -> dict[int, int] | None:
    """Return a one-to-one map of symbols that contains `forward` and maps `column` to `target`; None if none exists."""
    known = forward.copy()
    for theirs, ours in zip(column, target, strict=True):
        if known.setdefault(theirs, ours) != ours:
            return None
    return known if len({*known.values()}) == len(known) else None
