"""Automorphisms: the symmetries of a game of any kind, computed from its table of feedbacks."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from guessbook.builder.arrays import Integers, Integers2D, weight_table
from guessbook.builder.scoring import EngineScorer

# Random products from a pool of at least POOL permutations generate a stabilizer. The first MIXED
# products only mix the pool. Each of the next DRAWN products enlarges the generated group with
# probability 1/2 or more, until the group is complete.
POOL, MIXED, DRAWN = 10, 50, 20
# The largest number of (guess, secret) pairs that are processed at once. They take some tens of
# megabytes.
BLOCK = 1 << 20
# XOR with this number makes the hash colour of a chosen secret, or of the solved cell, unique.
NAMED = np.uint64(0x9E3779B97F4A7C15)


def mix(words: Any) -> Any:
    """Return a hash of each uint64.

    If two sums of such hashes are equal, their terms are nearly always equal, too.
    """
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def number_cells(table: Integers2D, solved: int) -> Integers2D:
    """Renumber the feedbacks of each row: 0 for `solved`, then 1, 2, ... by first occurrence."""
    cells, size = np.empty(table.shape, np.min_scalar_type(table.shape[1])), table.shape[1]
    # Positions count from 1. The lowest position of each feedback is assigned last, so `first`
    # retains it.
    first = np.empty(int(table.max(initial=solved)) + 1, np.int64)
    for row, answers in zip(cells, table, strict=True):
        first[:] = size + 1
        first[answers[::-1]] = np.arange(size, 0, -1)
        first[solved] = 0
        row[:] = np.argsort(np.argsort(first, kind="stable"))[answers]
    return cells


def refine(table: Integers2D, guesses: Integers, secrets: Integers) -> None:
    """Refine uint64 hashes in place.

    Each guess is rehashed by its cells, then each secret by the cells that contain it.
    """
    told = np.zeros(len(secrets), np.uint64)
    width = int(table.max(initial=0)) + 1
    height = max(BLOCK // len(secrets), 1)
    for begin in range(0, len(table), height):
        rows = table[begin : begin + height]
        places = rows + np.arange(len(rows))[:, None] * width
        cells: Any = np.zeros((len(rows), width), np.uint64)
        np.add.at(cells.reshape(-1), places.ravel(), np.tile(secrets, len(rows)))
        # The solved cell gets a unique hash colour. Other cells, if empty, have hash 0, which
        # changes no sum.
        cells[:, 0] ^= NAMED
        cells = mix(cells)
        colors = mix(guesses[begin : begin + height] + cells.sum(axis=1))
        guesses[begin : begin + height] = colors
        told += mix(cells + colors[:, None]).ravel()[places].sum(axis=0, dtype=np.uint64)
    secrets[:] = mix(secrets + told)


def orbits(generators: Integers2D, size: int) -> Integers:
    """Return the lowest point of the orbit of each of the first `size` points: int64[size]."""
    lowest = np.arange(size)
    while True:
        before = lowest.copy()
        for image in generators:
            to = image[:size].astype(np.int64)
            least = np.minimum(lowest, lowest[to])
            lowest = least.copy()
            lowest[to] = np.minimum(lowest[to], least)
        lowest = lowest[lowest]
        if np.array_equal(lowest, before):
            return lowest


def stabilizer(generators: Integers2D, point: int, blocks: Integers) -> Integers2D:
    """Return generators of the subgroup that maps the block of a point to itself.

    `blocks` is int64[n], the block of each point; every permutation of the group must map blocks to
    blocks. In rare cases, the generators do not generate the whole subgroup.
    """
    if (blocks[generators[:, point]] == blocks[point]).all():
        return generators
    # Each random product of generators (Celler et al. 1995) is multiplied by some of `ways` until
    # it maps the block of `point` to itself (Schreier's lemma).
    ways = ways_back(generators, point, blocks)
    pool = [generators[k % len(generators)] for k in range(max(len(generators), POOL))]
    choices = np.random.default_rng(1).integers(len(pool) - 1, size=(MIXED + DRAWN, 2))
    drawn: dict[bytes, Integers] = {}
    for turn, (one, other) in enumerate(choices.tolist()):
        # `other + (other >= one)` is never `one`.
        pool[one] = pool[other + (other >= one)][pool[one]]
        if turn < MIXED:
            continue
        element = pool[one]
        while blocks[element[point]] != blocks[point]:
            element = ways[int(blocks[element[point]])][element]
        drawn[element.tobytes()] = element
    identity = np.arange(generators.shape[1], dtype=generators.dtype)
    drawn.pop(identity.tobytes(), None)
    return np.array(list(drawn.values()), generators.dtype).reshape(-1, len(identity))


def ways_back(generators: Integers2D, point: int, blocks: Integers) -> dict[int, Integers]:
    """Return a way back to the block of `point` from each block that is reachable from it.

    The dictionary maps a block to the inverse of the last generator on the way to it. The entry of
    the block of `point` itself has no meaning.
    """
    inverses = np.argsort(generators, axis=1)
    ways: dict[int, Integers] = {int(blocks[point]): inverses[0]}
    reached = [point]
    for place in reached:
        for image, inverse in zip(generators, inverses, strict=True):
            new = int(image[place])
            if int(blocks[new]) not in ways:
                # `inverse` maps the new block to the block of `place`, which is one generator
                # closer to `point`.
                ways[int(blocks[new])] = inverse
                reached.append(new)
    return ways


# A table with more (guess, secret) pairs than this is not searched for symmetries.
MAX_PAIRS = 1 << 26
# The search ends after its refinements have processed this number of (guess, secret) pairs, which
# takes some seconds.
MAX_WORK = 1 << 30


class Symmetries(NamedTuple):
    """The cell number of each secret for each guess, and generators of some or all automorphisms.

    Without generators, `table` is empty.
    """

    # uint[rows, secrets], the cell number of each secret; guesses with equal cells share a row.
    table: Integers2D
    rows: Integers  # int64[guesses], the row of each guess in `table`
    # uint32[rows], for each row of `table` the lowest index of its guesses, ascending.
    first: Integers
    # uint32[m, rows + secrets], one automorphism per row: the images of the rows of `table`, then
    # of the secrets.
    generators: Integers2D


@lru_cache(maxsize=2)
def symmetries_of(scorer: EngineScorer) -> Symmetries:
    """Return the symmetries of a scorer's game: only the identity above `MAX_PAIRS` pairs."""
    game = scorer.game
    guesses, secrets = (np.arange(len(of), dtype=np.uint32) for of in (game.guesses, game.secrets))
    if len(guesses) * len(secrets) > MAX_PAIRS:
        none = np.zeros((0, len(guesses)), np.uint32)
        return Symmetries(none, guesses.astype(np.int64), guesses, none)
    table = scorer.table(guesses, secrets)
    cells = number_cells(table, game.solved)
    numbers: dict[bytes, int] = {}
    rows = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in cells])
    _, first = np.unique(rows, return_index=True)
    cells = np.ascontiguousarray(cells[first])
    found = AutomorphismSearch(cells, weight_table(game)).generators()
    # If the search found no generators, the table is not used later, so its memory is freed.
    return Symmetries(cells if len(found) else cells[:0], rows, first.astype(np.uint32), found)


def inequivalent(scorer: EngineScorer, candidates: Integers, path: Integers) -> Integers:
    """Return the lowest of each set of guesses that are equivalent after `path`: uint32."""
    known = symmetries_of(scorer)
    if not len(known.generators):
        return known.first
    history = tuple(
        (row, tuple(np.unique(known.table[row, candidates]).tolist()))
        for row in known.rows[path].tolist()
    )
    lowest = orbits(history_stabilizer(scorer, history), len(known.first))
    some: Integers = known.first[lowest == np.arange(len(known.first))]
    return some


# Neighbouring nodes share all but the last guess of their history, so the cache saves most of the
# recursion.
@lru_cache(maxsize=32)
def history_stabilizer(
    scorer: EngineScorer, history: tuple[tuple[int, tuple[int, ...]], ...]
) -> Integers2D:
    """Return generators of the automorphisms that preserve a history.

    They map each past guess, and its cells with candidates, to themselves.

    `history` has a pair for each past guess: its row in `Symmetries.table`, and the numbers of
    these cells.
    """
    table, _, _, generators = symmetries_of(scorer)
    if history:
        *earlier, (row, some) = history
        generators = history_stabilizer(scorer, tuple(earlier))
        generators = stabilizer(generators, row, np.arange(len(table)))
        cells = np.concatenate([np.full(len(table), -1), table[row]])
        for cell in some:
            generators = stabilizer(generators, int(np.argmax(cells == cell)), cells)
    return generators


class ChosenSecret(NamedTuple):
    """A secret chosen in the search for automorphisms; the choice makes its hash colour unique."""

    colors: Integers  # uint64[secrets], the hash colour of each secret before `secret` is chosen
    secret: int  # the index of the chosen secret
    # uint64[secrets], the hash colour of each secret after the choice and the refinement that
    # follows
    after: Integers


class AutomorphismSearch:
    """The search for automorphisms of a table that has the form of `Symmetries.table`."""

    def __init__(self, table: Integers2D, weights: Integers) -> None:
        self.table, self.weights, self.spent = table, weights, 0

    def generators(self) -> Integers2D:
        """Return generators of the found automorphisms, in the form of `Symmetries.generators`."""
        size = len(self.weights)
        colors, guesses = self.refine(self.weights.astype(np.uint64))
        way: list[ChosenSecret] = []
        while len(np.unique(colors)) < size and self.spent < MAX_WORK:
            _, first, counts = np.unique(colors, return_index=True, return_counts=True)
            secret = int(first[np.argmin(np.where(counts > 1, counts, size + 1))])
            before = colors
            colors, guesses = self.choose(before, secret)
            way.append(ChosenSecret(before, secret, colors))
        found: list[Integers] = []
        # The loop starts at the last choice, as automorphisms found there fix the secrets of all
        # earlier choices.
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

    def automorphism(
        self, way: list[ChosenSecret], secret: int, guesses: Integers
    ) -> Integers | None:
        """Return an automorphism that maps the secret of `way[0]` to `secret`, or None.

        `way` has choices of secrets in the order in which the search made them. After the last
        choice, the hash colours of all secrets differ, and `guesses` has the hash colours of the
        guesses.
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
        # Equal hash colours do not prove an automorphism, so the permuted weights and cells are
        # compared, too.
        if not np.array_equal(self.weights[image], self.weights):
            return None
        if not np.array_equal(number_cells(self.table[moved][:, image], 0), self.table):
            return None
        return np.concatenate([moved, len(moved) + image])

    def choose(self, colors: Integers, secret: int) -> tuple[Integers, Integers]:
        """Give a secret a unique hash colour; return refined colours of secrets and guesses."""
        colors = colors.copy()
        colors[secret] ^= NAMED
        return self.refine(colors)

    def refine(self, colors: Integers) -> tuple[Integers, Integers]:
        """Refine hash colours until no more secrets differ; return those of secrets and guesses."""
        colors, guesses = colors.copy(), np.zeros(len(self.table), np.uint64)
        known, count = 0, len(np.unique(colors))
        while known < count:
            refine(self.table, guesses, colors)
            self.spent += self.table.size
            known, count = count, len(np.unique(colors))
        return colors, guesses
