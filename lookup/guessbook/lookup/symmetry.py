"""Hints by symmetry, from a node whose history can be permuted to the player's history."""

from collections.abc import Sequence
from contextlib import suppress

from guessbook.book.games.game import History, SymmetricGame
from guessbook.book.games.symmetry import (
    BudgetExceededError,
    Permutation,
    SearchBudget,
    find_permutation,
)
from guessbook.book.strategy import Strategy


def equivalent_node(book: Strategy, history: History) -> tuple[int, str] | None:
    """Return a node with an equivalent history, and its permuted guess; None if none is found."""
    game = book.game
    # The tree ends every game within `max_guesses` guesses, so no node has a history of
    # `max_guesses` entries.
    if not isinstance(game, SymmetricGame) or len(history) >= book.stats.max_guesses:
        return None
    search = _Search(book, game, sorted(history))
    with suppress(BudgetExceededError):
        if found := search.descend(0, [], []):
            # Permutations preserve feedbacks, so after `history` the permuted guess is as good as
            # the node's guess.
            node, permutation = found
            code = permutation.apply(game.digits(book.tree.guess[node]))
            return node, "".join([game.symbols[digit] for digit in code])
    return None


class _Search:
    """A depth-first search for a path of the tree that a permutation maps to the history."""

    def __init__(self, book: Strategy, game: SymmetricGame, history: History) -> None:
        self.tree = book.tree
        self.game = game
        self.entries = [(game.digits(guess), feedback) for guess, feedback in history]
        self.shapes = [shape(digits) for digits, _ in self.entries]
        self.effort = SearchBudget()

    def descend(
        self, node: int, used: list[int], path: list[list[int]]
    ) -> tuple[int, Permutation] | None:
        """Return a node and a permutation that maps its history to the player's history.

        Return None if there is no such node.

        Only `node` and the nodes below it are searched. `path` has the guesses that lead to `node`.
        `used` has, for each guess of `path`, the index of the entry of the player's history to
        which it is mapped.
        """
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
            now, made = [*used, number], [*path, guess]
            # Two codes of equal shape always have a permutation that maps one to the other, so the
            # first entry needs no check.
            if child >= 0 and (not used or self._permutation(now, made)):
                found = self.descend(child, now, made)
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
    """Return how often the digit of each position occurs, sorted: [1, 1, 2, 2] for 0, 0, 1, 2."""
    return sorted([digits.count(digit) for digit in digits])
