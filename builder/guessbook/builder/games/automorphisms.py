"""Automorphisms: the symmetries of a game of any kind, computed from its table of feedbacks.

An automorphism permutes secrets and guesses so that cells map to cells, and secrets to secrets of equal weight. Every
automorphism is a product of a few of them, the generators. The search for generators follows McKay's search for
symmetries of graphs (1981). It refines hashes of secrets and guesses; they are called hash colors, and are not colors
of pegs.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Integers, Integers2D, weight_table
from guessbook.builder.games.permutations import NAMED, number_cells, orbits, refine, stabilizer
from guessbook.builder.games.scoring import scorer_of
from guessbook.policy.one_step import policy_named

# A table with more (guess, secret) pairs than this is not searched for symmetries.
MAX_PAIRS = 1 << 26
# The search ends after its refinements have processed this number of (guess, secret) pairs, which takes some seconds.
MAX_WORK = 1 << 30


class Symmetries(NamedTuple):
    """The cell number of each secret for each guess, and generators of automorphisms; some generators may be absent."""

    # uint[rows, secrets], the cell number of each secret; guesses with equal cells share a row.
    table: Integers2D
    rows: Integers  # int64[guesses], the row of each guess in `table`
    first: (
        Integers  # uint32[rows], for each row of `table` the lowest index of its guesses, ascending
    )
    # uint32[m, rows + secrets], one automorphism per row: the images of the rows of `table`, then of the secrets.
    generators: Integers2D


@lru_cache(maxsize=2)
def symmetries_of(game: Game) -> Symmetries:
    """Return a game's symmetries; only the identity if the game has more than `MAX_PAIRS` (guess, secret) pairs."""
    guesses, secrets = (np.arange(len(of), dtype=np.uint32) for of in (game.guesses, game.secrets))
    if len(guesses) * len(secrets) > MAX_PAIRS:
        none = np.zeros((0, len(guesses)), np.uint32)
        return Symmetries(none, guesses.astype(np.int64), guesses, none)
    table = scorer_of(game, policy_named("entropy")).table(guesses, secrets)
    cells = number_cells(table, game.solved)
    numbers: dict[bytes, int] = {}
    rows = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in cells])
    _, first = np.unique(rows, return_index=True)
    cells = np.ascontiguousarray(cells[first])
    found = Finder(cells, weight_table(game)).generators()
    # If the search found no generators, the table is not used later, so its memory is freed.
    return Symmetries(cells if len(found) else cells[:0], rows, first.astype(np.uint32), found)


def inequivalent(game: Game, candidates: Integers, path: Integers) -> Integers:
    """Return the lowest index of each set of guesses that known symmetries map to each other after `path`: uint32."""
    known = symmetries_of(game)
    if not len(known.generators):
        return known.first
    history = tuple(
        (row, tuple(np.unique(known.table[row, candidates]).tolist()))
        for row in known.rows[path].tolist()
    )
    lowest = orbits(history_stabilizer(game, history), len(known.first))
    some: Integers = known.first[lowest == np.arange(len(known.first))]
    return some


# Neighbouring nodes share all but the last guess of their history, so the cache saves most of the recursion.
@lru_cache(maxsize=32)
def history_stabilizer(game: Game, history: tuple[tuple[int, tuple[int, ...]], ...]) -> Integers2D:
    """Return generators of the automorphisms that map each past guess, and its cells with candidates, to themselves.

    `history` has a pair for each past guess: its row in `Symmetries.table`, and the numbers of these cells.
    """
    table, _, _, generators = symmetries_of(game)
    if history:
        *earlier, (row, some) = history
        generators = history_stabilizer(game, tuple(earlier))
        generators = stabilizer(generators, row, np.arange(len(table)))
        cells = np.concatenate([np.full(len(table), -1), table[row]])
        for cell in some:
            generators = stabilizer(generators, int(np.argmax(cells == cell)), cells)
    return generators


class Choice(NamedTuple):
    """The choice of a secret in the search for automorphisms. Its hash, called its hash color, becomes unique."""

    colors: Integers  # uint64[secrets], the hash color of each secret before `secret` is chosen
    secret: int  # the index of the chosen secret
    after: Integers  # uint64[secrets], the hash color of each secret after the choice and the refinement that follows


class Finder:
    """The search for automorphisms of a table that has the form of `Symmetries.table`."""

    def __init__(self, table: Integers2D, weights: Integers) -> None:
        self.table, self.weights, self.spent = table, weights, 0

    def generators(self) -> Integers2D:
        """Return generators of the automorphisms that the search finds, in the form of `Symmetries.generators`."""
        size = len(self.weights)
        colors, guesses = self.refine(self.weights.astype(np.uint64))
        way: list[Choice] = []
        while len(np.unique(colors)) < size and self.spent < MAX_WORK:
            _, first, counts = np.unique(colors, return_index=True, return_counts=True)
            secret = int(first[np.argmin(np.where(counts > 1, counts, size + 1))])
            before = colors
            colors, guesses = self.choose(before, secret)
            way.append(Choice(before, secret, colors))
        found: list[Integers] = []
        # The loop starts at the last choice, as automorphisms found there fix the secrets of all earlier choices.
        for depth, (before, chosen, _) in reversed(list(enumerate(way))):
            tried = {chosen}
            for secret in np.flatnonzero(before == before[chosen]).tolist():
                images = np.array(found, np.int64).reshape(-1, len(guesses) + size)
                alike = orbits(images[:, len(guesses) :] - len(guesses), size)
                if self.spent > MAX_WORK or alike[secret] in alike[list(tried)]:
                    continue
                automorphism = self.automorphism(way[depth:], secret, guesses)
                if automorphism is None:
                    tried.add(secret)
                else:
                    found.append(automorphism)
        return np.array(found, np.uint32).reshape(-1, len(guesses) + size)

    def automorphism(self, way: list[Choice], secret: int, guesses: Integers) -> Integers | None:
        """Return an automorphism that maps the secret chosen in `way[0]` to `secret`; None if the search finds none.

        `way` has choices of secrets in the order in which the search made them. After the last choice, the hash colors
        of all secrets differ, and `guesses` has the hash colors of the guesses.
        """
        colors = way[0].colors
        for turn, (before, chosen, after) in enumerate(way):
            if turn:
                secret = int(np.argmax(colors == before[chosen]))
            colors, others = self.choose(colors, secret)
            if not np.array_equal(np.sort(colors), np.sort(after)):
                return None
        image, moved = np.empty_like(self.weights), np.empty(len(guesses), np.int64)
        image[np.argsort(way[-1].after)] = np.argsort(colors)
        moved[np.argsort(guesses)] = np.argsort(others)
        # Equal hash colors do not prove an automorphism, so the permuted weights and cells are compared, too.
        if not np.array_equal(self.weights[image], self.weights):
            return None
        if not np.array_equal(number_cells(self.table[moved][:, image], 0), self.table):
            return None
        return np.concatenate([moved, len(moved) + image])

    def choose(self, colors: Integers, secret: int) -> tuple[Integers, Integers]:
        """Give one secret a unique hash color, refine all hash colors, and return those of secrets and of guesses."""
        colors = colors.copy()
        colors[secret] ^= NAMED
        return self.refine(colors)

    def refine(self, colors: Integers) -> tuple[Integers, Integers]:
        """Refine hash colors until the secrets get no more distinct ones. Return those of secrets and of guesses."""
        colors, guesses = colors.copy(), np.zeros(len(self.table), np.uint64)
        known, count = 0, len(np.unique(colors))
        while known < count:
            refine(self.table, guesses, colors)
            self.spent += self.table.size
            known, count = count, len(np.unique(colors))
        return colors, guesses
