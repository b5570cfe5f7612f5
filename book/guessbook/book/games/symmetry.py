"""Symmetry: exchanging positions, or symbols, changes no feedback of a code game.

A game has it if it has the attributes of `Exchangeable`. Word games have none: an exchange would
turn words into texts that are no words.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeGuard

from guessbook.book.games.game import Game

# The most symbols that a search for a permutation may compare; see `SearchBudget`.
MAX_STEPS = 60_000

# A column holds the symbols at one position in the guesses of a history, in order.
Column = tuple[int, ...]


class Exchangeable(Game, Protocol):
    """A game whose codes may have any symbol at any position, and whose rules treat them all alike.

    Attributes:
        pegs: the positions of a code.
        colors: the number of symbols.
        symbols: the symbols, in the order of the codes.
        repeats: whether a code may have a symbol more than once.
    """

    pegs: int
    colors: int
    symbols: str
    repeats: bool

    def digits(self, index: int) -> list[int]:
        """Return the ranks of the symbols of a code."""


def has_symmetry(game: Game) -> TypeGuard[Exchangeable]:
    """Return whether positions and symbols of a game can be exchanged."""
    return hasattr(game, "digits")


class SearchBudget:
    """The budget of a search for a permutation, which could otherwise take years: it is factorial.

    That is the number of symbols that may be compared; the default takes a fiftieth of a second.
    """

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Count compared symbols. Raises TooLongError when the budget is exceeded."""
        self.left -= steps
        if self.left < 0:
            raise BudgetExceededError


class BudgetExceededError(Exception):
    """The search exceeded its budget; the function that sets the budget catches it."""


class Permutation(NamedTuple):
    """A permutation that turns the codes of a path in the book into the player's codes.

    Attributes:
        positions: positions[q] is the player's position for position q of the path.
        symbols: symbols[s] is the rank of the player's symbol for symbol s of the path.
    """

    positions: list[int]
    symbols: list[int]

    def apply(self, digits: Sequence[int]) -> list[int]:
        """Return the player's code for a code of the path, both as ranks of symbols."""
        code = [0] * len(digits)
        for position, digit in zip(self.positions, digits, strict=True):
            code[position] = self.symbols[digit]
        return code


def find_permutation(
    theirs: list[Column], ours: list[Column], colors: int, effort: SearchBudget
) -> Permutation | None:
    """Return a permutation that maps the columns of one history to those of another, or None.

    Symbols that occur in neither are mapped in ascending order. Raises TooLongError.
    """
    positions: list[int] = []
    forward: dict[int, int] = {}
    if not _assign(theirs, ours, positions, forward, effort):
        return None
    taken = set(forward.values())
    rest = (symbol for symbol in range(colors) if symbol not in taken)
    symbols = [forward[s] if s in forward else next(rest) for s in range(colors)]
    return Permutation(positions, symbols)


def _assign(
    theirs: list[Column],
    ours: list[Column],
    positions: list[int],
    forward: dict[int, int],
    effort: SearchBudget,
) -> bool:
    """Map each of their columns to one of ours and extend the arguments, or change nothing."""
    if len(positions) == len(theirs):
        return True
    column = theirs[len(positions)]
    failed: list[Column] = []
    for position, target in enumerate(ours):
        effort.spend(1)
        if position in positions or target in failed:
            continue
        effort.spend(len(column))
        added = extend(forward, column, target)
        if added is not None:
            positions.append(position)
            if _assign(theirs, ours, positions, forward, effort):
                return True
            positions.pop()
            for symbol in added:
                del forward[symbol]
        failed.append(target)  # an equal column would fail in the same way
    return False


def extend(forward: dict[int, int], column: Column, target: Column) -> list[int] | None:
    """Let `forward` map `column` to `target`; return the symbols added, or None if it cannot."""
    added: list[int] = []
    for theirs, ours in zip(column, target, strict=True):
        known = forward.get(theirs)
        if known is None and ours not in forward.values():
            forward[theirs] = ours
            added.append(theirs)
        elif known != ours:
            for symbol in added:
                del forward[symbol]
            return None
    return added
