"""On-book by symmetry: a history that becomes a path when positions and symbols are permuted.

Exchanging positions, or symbols, changes no feedback. So whatever the book knows about a path, it
knows about every history that a permutation carries onto that path. Only code games have this
symmetry: the words of a word game do not stay words.
"""

from __future__ import annotations

from collections.abc import Sequence

from guessbook.book.games.game import History
from guessbook.book.games.symmetry import (
    Effort,
    Exchangeable,
    Permutation,
    TooLongError,
    find_permutation,
    has_symmetry,
)
from guessbook.book.strategy import Strategy


def carry(book: Strategy, history: History) -> tuple[int, str] | None:
    """A node whose path is the history in other symbols and positions, and its guess in ours.

    The result is a function of the history as a set. None if no permutation carries the history
    onto a path, or none is found with the usual `Effort`, or if the game has no such symmetry.
    """
    game = book.game
    # Where a path ends there is no node.
    if not has_symmetry(game) or len(history) >= book.stats.max_guesses:
        return None
    search = _Search(book, game, sorted(history))
    try:
        found = search.descend(0, [], [])
    except TooLongError:
        return None
    if found is None:
        return None
    node, permutation = found
    code = permutation.apply(game.digits(book.tree.guess[node]))
    return node, "".join([game.symbols[digit] for digit in code])


class _Search:
    """A depth-first search for a path of the tree that fits the history entry by entry."""

    def __init__(self, book: Strategy, game: Exchangeable, history: History) -> None:
        self.tree = book.tree
        self.game = game
        self.entries = [(game.digits(guess), feedback) for guess, feedback in history]
        self.shapes = [shape(digits) for digits, _ in self.entries]
        self.effort = Effort()

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
        guess = self.game.digits(self.tree.guess[node])
        wanted = shape(guess)
        for number, (_, feedback) in enumerate(self.entries):
            self.effort.spend(1)
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
        self.effort.spend(len(codes) * len(positions))
        ours = [tuple([code[p] for code in codes]) for p in positions]
        theirs = [tuple([code[p] for code in path]) for p in positions]
        return find_permutation(theirs, ours, self.game.colors, self.effort)


def shape(digits: Sequence[int]) -> list[int]:
    """How often each symbol of a code occurs, in order: what no permutation changes.

    >>> shape([3, 0, 3, 5])
    [1, 1, 2, 2]
    """
    return sorted([digits.count(digit) for digit in digits])
