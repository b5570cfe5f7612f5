"""On-book by symmetry: a history that becomes a path when positions and symbols are permuted.

Exchanging positions, or symbols, changes no feedback. So whatever the book knows about a path, it
knows about every history that a permutation carries onto that path. Only code games have this
symmetry: the words of a word game do not stay words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.games.codes import Mastermind, code_digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.book import Book
    from guessbook.book.games.game import History

__all__ = ["Permutation", "carry", "find_permutation"]

# A column is what one position holds in the guesses of a history, in their order.
Column = tuple[int, ...]


class Permutation(NamedTuple):
    """How the codes of a path become the player's codes.

    Attributes:
        positions: positions[q] is the player's position for position q of the path.
        symbols: symbols[s] is the rank of the player's symbol for symbol s of the path.
    """

    positions: list[int]
    symbols: list[int]

    def apply(self, digits: Sequence[int]) -> list[int]:
        """The player's code for a code of the path, both as ranks of symbols."""
        code = [0] * len(digits)
        for position, digit in zip(self.positions, digits, strict=True):
            code[position] = self.symbols[digit]
        return code


def carry(book: Book, history: History) -> tuple[int, str] | None:
    """A node whose path is the history in other symbols and positions, and its guess in ours.

    The result is a function of the history as a set. None if no permutation carries the history
    onto a path, or if the game has no such symmetry.
    """
    if not isinstance(book.game, Mastermind):
        return None
    search = _Search(book, book.game, sorted(history))
    found = search.descend(0, [], [])
    if found is None:
        return None
    node, permutation = found
    symbols = book.game.symbols
    code = permutation.apply(search.digits(book.tree.guess[node]))
    return node, "".join([symbols[digit] for digit in code])


class _Search:
    """A depth-first search for a path of the tree that fits the history entry by entry."""

    def __init__(self, book: Book, game: Mastermind, history: History) -> None:
        self.tree = book.tree
        self.game = game
        self.entries = [(self.digits(guess), feedback) for guess, feedback in history]
        self.shapes = [shape(digits) for digits, _ in self.entries]

    def digits(self, guess: int) -> list[int]:
        game = self.game
        return code_digits(guess, game.pegs, game.colors, game.repeats)

    def descend(
        self, node: int, used: list[int], path: list[list[int]]
    ) -> tuple[int, Permutation] | None:
        """The node at the end of a path that fits, and the permutation.

        Args:
            node: where the path has come to.
            used: the entries that the path has consumed, by number, in its order.
            path: its guesses.
        """
        permutation: Permutation | None = None
        if len(used) == len(self.entries):
            permutation = self._permutation(used, path)
            return (node, permutation) if permutation else None
        guess = self.digits(self.tree.guess[node])
        wanted = shape(guess)
        for number, (_, feedback) in enumerate(self.entries):
            if number in used or self.shapes[number] != wanted:
                continue
            child = self.tree.child(node, feedback)
            if child < 0:
                continue
            # One entry of the right shape always fits; from the second on it must be proved.
            if used and self._permutation([*used, number], [*path, guess]) is None:
                continue
            found = self.descend(child, [*used, number], [*path, guess])
            if found:
                return found
        return None

    def _permutation(self, used: list[int], path: list[list[int]]) -> Permutation | None:
        codes = [self.entries[number][0] for number in used]
        positions = range(self.game.pegs)
        ours = [tuple([code[p] for code in codes]) for p in positions]
        theirs = [tuple([code[p] for code in path]) for p in positions]
        return find_permutation(theirs, ours, self.game.colors)


def shape(digits: Sequence[int]) -> list[int]:
    """How often each symbol of a code occurs, in order: what no permutation changes.

    >>> shape([3, 0, 3, 5])
    [1, 1, 2, 2]
    """
    return sorted([digits.count(digit) for digit in digits])


def find_permutation(theirs: list[Column], ours: list[Column], colors: int) -> Permutation | None:
    """A permutation that carries the columns of one history onto those of another.

    Symbols that occur in neither are mapped in order, the lowest to the lowest.
    """
    positions: list[int] = []
    forward: dict[int, int] = {}
    if not _assign(theirs, ours, positions, forward):
        return None
    taken = set(forward.values())
    rest = (symbol for symbol in range(colors) if symbol not in taken)
    symbols = [forward[s] if s in forward else next(rest) for s in range(colors)]
    return Permutation(positions, symbols)


def _assign(
    theirs: list[Column], ours: list[Column], positions: list[int], forward: dict[int, int]
) -> bool:
    """Give each of their columns one of ours, extending `positions` and `forward`, or neither."""
    if len(positions) == len(theirs):
        return True
    column = theirs[len(positions)]
    failed: list[Column] = []
    for position, target in enumerate(ours):
        if position in positions or target in failed:
            continue
        added = _extend(forward, column, target)
        if added is not None:
            positions.append(position)
            if _assign(theirs, ours, positions, forward):
                return True
            positions.pop()
            for symbol in added:
                del forward[symbol]
        failed.append(target)  # an equal column would fail in the same way
    return False


def _extend(forward: dict[int, int], column: Column, target: Column) -> list[int] | None:
    """Let `forward` carry `column` onto `target`: the symbols it learned, or None if it cannot."""
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
