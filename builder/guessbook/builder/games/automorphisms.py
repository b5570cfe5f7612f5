"""Automorphisms: the symmetries of a game of any kind, found in the table of its feedbacks.

An automorphism is a permutation of the secrets and one of the guesses: secrets that get the same
feedback from a guess are carried onto secrets that get the same feedback from its image, the one
that it names onto the one that its image names, and each counts as much as its image. One that
carries the candidates of a history onto themselves carries each guess onto one that splits them
into cells that cost as much. So of guesses that are carried onto each other only the lowest has to
be tried; it is the one that ranks first, too.

They are found as in the programs for graphs (McKay 1981). Secrets have colors, and so have guesses;
both are refined by what they tell of each color of the other side, until nothing changes. Then one
of several secrets of a color gets a color of its own, and so on, until all differ. Where another
choice leads to the same colors, these say what may be carried where. That is compared with the
whole table, and nothing else counts as an automorphism: one that is missed costs time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Integers, Integers2D, weight_table
from guessbook.builder.games.permutations import (
    NAMED,
    is_automorphism,
    numbered,
    orbits,
    refine,
    stabilizer,
)
from guessbook.builder.games.scoring import scorer_of
from guessbook.policy.one_step import policy_named

# Of larger tables (pairs of a guess and a secret) no symmetry is looked for: 64 MiB.
MAX_PAIRS = 1 << 26
# Pairs that the search may go over, in all its rounds: some seconds.
MAX_WORK = 1 << 30


class Symmetries(NamedTuple):
    """What carries the guesses of a game onto each other.

    Attributes:
        table: uint[rows, secrets], the feedbacks of guesses that differ in more than the names of
            feedbacks.
        rows: int64[guesses], the row of each guess.
        first: uint32[rows], the lowest guess of each row, ascending.
        generators: uint32[m, rows + secrets], the rows and behind them the secrets that some
            automorphisms carry each onto; all others are products of these, or were missed.
    """

    table: Integers2D
    rows: Integers
    first: Integers
    generators: Integers2D


@lru_cache(maxsize=2)
def symmetries_of(game: Game) -> Symmetries:
    """The symmetries of a game; none if its table is large."""
    guesses, secrets = (np.arange(len(of), dtype=np.uint32) for of in (game.guesses, game.secrets))
    if len(guesses) * len(secrets) > MAX_PAIRS:
        none = np.zeros((0, len(guesses)), np.uint32)
        return Symmetries(none, guesses.astype(np.int64), guesses, none)
    table = scorer_of(game, policy_named("entropy")).table(guesses, secrets)
    cells = numbered(table, game.solved)
    numbers: dict[bytes, int] = {}
    rows = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in cells])
    _, first = np.unique(rows, return_index=True)
    cells = np.ascontiguousarray(cells[first])
    found = Finder(cells, weight_table(game)).generators()
    # Without symmetries nobody asks for the table.
    return Symmetries(cells[: len(cells) * bool(len(found))], rows, first.astype(np.uint32), found)


def inequivalent(game: Game, candidates: Integers, path: Integers) -> Integers:
    """Of all guesses those that no symmetry of a history carries onto a lower one: uint32.

    The candidates are all secrets that answer the guesses of the path as one of them does.
    """
    known = symmetries_of(game)
    if not len(known.generators):
        return known.first
    history = [
        (row, tuple(np.unique(known.table[row, candidates]).tolist()))
        for row in known.rows[path].tolist()
    ]
    lowest = orbits(fixing(game, tuple(history)), len(known.first))
    some: Integers = known.first[lowest == np.arange(len(known.first))]
    return some


# A tree asks for neighbouring histories, which have all but their last guess in common.
@lru_cache(maxsize=32)
def fixing(game: Game, history: tuple[tuple[int, tuple[int, ...]], ...]) -> Integers2D:
    """Generators of automorphisms that keep a history, perhaps not of all.

    They carry each of its rows onto itself, and so do they some cells of each.
    """
    table, _, _, generators = symmetries_of(game)
    if history:
        *earlier, (row, some) = history
        generators = fixing(game, tuple(earlier))
        generators = stabilizer(generators, row, np.arange(len(table)))
        cells = np.concatenate([np.full(len(table), -1), table[row]])
        for cell in some:
            generators = stabilizer(generators, int(np.argmax(cells == cell)), cells)
    return generators


class Choice(NamedTuple):
    """A choice on the way to colors that all differ.

    Attributes:
        colors: uint64[secrets], before it.
        secret: the one of several of a color that gets a color of its own.
        after: uint64[secrets], what the colors become.
    """

    colors: Integers
    secret: int
    after: Integers


class Finder:
    """The search for the automorphisms of a table: see `Symmetries`."""

    def __init__(self, table: Integers2D, weights: Integers) -> None:
        self.table, self.weights = table, weights
        self.spent = 0

    def generators(self) -> Integers2D:
        """All that are found."""
        size = len(self.weights)
        colors, guesses = self.refined(self.weights.astype(np.uint64))
        way: list[Choice] = []
        while len(np.unique(colors)) < size and self.spent < MAX_WORK:
            _, first, counts = np.unique(colors, return_index=True, return_counts=True)
            secret = int(first[np.argmin(np.where(counts > 1, counts, size + 1))])
            after, guesses = self.chosen(colors, secret)
            way.append(Choice(colors, secret, after))
            colors = after
        found: list[Integers] = []
        # From the last choice up: what is found below fixes all that was chosen before it.
        for depth in range(len(way) - 1, -1, -1):
            before, chosen, _ = way[depth]
            tried = {chosen}
            for secret in np.flatnonzero(before == before[chosen]).tolist():
                images = np.array(found, np.int64).reshape(-1, len(guesses) + size)
                alike = orbits(images[:, len(guesses) :] - len(guesses), size)
                if self.spent > MAX_WORK or alike[secret] in alike[list(tried)]:
                    continue
                carried = self.carried(way[depth:], secret, guesses)
                if carried is None:
                    tried.add(secret)
                else:
                    found.append(carried)
        return np.array(found, np.uint32).reshape(-1, len(guesses) + size)

    def carried(self, way: list[Choice], secret: int, guesses: Integers) -> Integers | None:
        """An automorphism that carries the secret of a choice onto another, and fixes those before.

        As what becomes of each guess and, behind them, of each secret; None if none was found.

        Args:
            way: the choice, and those that follow it.
            secret: the other one.
            guesses: the colors of the guesses at the end of the way.
        """
        colors = way[0].colors
        for turn, (before, chosen, after) in enumerate(way):
            if turn:
                secret = int(np.argmax(colors == before[chosen]))
            colors, others = self.chosen(colors, secret)
            if not np.array_equal(np.sort(colors), np.sort(after)):
                return None
        image, moved = np.empty_like(self.weights), np.empty(len(guesses), np.int64)
        image[np.argsort(way[-1].after)] = np.argsort(colors)
        moved[np.argsort(guesses)] = np.argsort(others)
        alike = np.array_equal(self.weights[image], self.weights)
        if alike and is_automorphism(self.table, moved, image):
            return np.concatenate([moved, len(moved) + image])
        return None

    def chosen(self, colors: Integers, secret: int) -> tuple[Integers, Integers]:
        """What the colors become after a secret gets one of its own."""
        colors = colors.copy()
        colors[secret] ^= NAMED
        return self.refined(colors)

    def refined(self, colors: Integers) -> tuple[Integers, Integers]:
        """What the colors of the secrets become, uint64, and those of the guesses."""
        colors, guesses = colors.copy(), np.zeros(len(self.table), np.uint64)
        known, count = 0, len(np.unique(colors))
        while known < count:
            refine(self.table, guesses, colors)
            self.spent += self.table.size
            known, count = count, len(np.unique(colors))
        return colors, guesses
