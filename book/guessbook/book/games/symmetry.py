"""Symmetries of code games: a permutation of the positions or of the symbols changes no feedback.

Word games have no symmetries: a permutation would turn words into texts that are no words of the game.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeGuard

from guessbook.book.games.game import Game

# A search for a permutation may compare this number of symbols by default, which takes 20 ms.
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
        """Return the rank in `symbols` of each symbol in the code at `index`."""


def has_symmetry(game: Game) -> TypeGuard[Exchangeable]:
    """Return whether positions and symbols of a game can be permuted without a change of feedback."""
    return hasattr(game, "digits")


class SearchBudget:
    """A limit on the number of symbols that a search for a permutation may compare.

    Without the limit the time would grow with the factorial of the number of positions.
    """

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Subtract compared symbols from the budget. Raises BudgetExceededError when the budget is exceeded."""
        self.left -= steps
        if self.left < 0:
            raise BudgetExceededError


class BudgetExceededError(Exception):
    """A search exceeded its budget. The function that sets the budget catches the error."""


class Permutation(NamedTuple):
    """A permutation of positions and symbols that maps the codes of a path in the tree to the player's codes.

    Attributes:
        positions: positions[q] is the player's position for position q of the path.
        symbols: symbols[s] is the rank of the player's symbol for symbol s of the path.
    """

    positions: list[int]
    symbols: list[int]

    def apply(self, digits: Sequence[int]) -> list[int]:
        """Return the player's code for a code of the path; a code is a sequence of ranks of symbols."""
        code = [0] * len(digits)
        for position, digit in zip(self.positions, digits, strict=True):
            code[position] = self.symbols[digit]
        return code


def find_permutation(theirs: list[Column], ours: list[Column], colors: int, effort: SearchBudget) -> Permutation | None:
    """Return a permutation that maps the columns `theirs` to the columns `ours`; None if there is none.

    Symbols that `theirs` lacks map to unused symbols in ascending order. Raises BudgetExceededError beyond `effort`.
    """
    found = _assign(theirs, ours, [], {}, effort)
    if found is None:
        return None
    positions, forward = found
    unused = iter(sorted({*range(colors)} - {*forward.values()}))
    return Permutation(positions, [forward[s] if s in forward else next(unused) for s in range(colors)])


def _assign(
    theirs: list[Column], ours: list[Column], positions: list[int], forward: dict[int, int], effort: SearchBudget
) -> tuple[list[int], dict[int, int]] | None:
    """Return `positions` and the map of symbols `forward`, extended to all columns `theirs`; None if impossible."""
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
        failed.append(target)  # An equal column would fail as well.
    return None


def extend(forward: dict[int, int], column: Column, target: Column) -> dict[int, int] | None:
    """Return the map of symbols `forward`, extended to map `column` to `target`; None if not one-to-one."""
    known = forward.copy()
    for theirs, ours in zip(column, target, strict=True):
        if known.setdefault(theirs, ours) != ours:
            return None
    return known if len({*known.values()}) == len(known) else None
