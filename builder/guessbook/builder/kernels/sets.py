"""Sets of candidates: a game as a table, what is known of its sets, and space to search them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.builder.compiler.jit import Native, part
from guessbook.builder.kernels.arrays import Array, Integers2D

# More than any strategy costs: there is none.
IMPOSSIBLE = 1 << 40
# So many guesses left are as good as any number of them.
MAX_LEFT = 40
# Sets of at most so many candidates have the least of all splits for a bound.
EXACT = 256
# Levels of a search below its root.
MAX_DEPTH = 24
# A search may be as deep as there are candidates, if so many bytes hold its levels.
LEVEL_BYTES = 1 << 28
# Places of `Space.counted`: looks, candidates looked at, searches, guesses tried, searches that
# went beyond the levels, and what the last one has found.
LOOKS, SEEN, SEARCHES, TRIED, TOO_DEEP, FOUND = range(6)
# Guesses whose feedbacks are turned at once.
TILE = 64
# Places in the memory where a set may be.
PLACES = 4


class Problem(NamedTuple):
    """A game, or the cell of one, as a table.

    Attributes:
        table: uint8 or uint16[secrets, guesses], feedbacks numbered from 0, the last is "solved".
        homes: int64[secrets], the column of each secret, -1 if it cannot be guessed.
        names: uint64[secrets], a random word for each: the name of a set is their exclusive or.
        weights: int64[secrets], how much each secret counts. Sets have the heaviest first.
        bounds: int64[MAX_LEFT + 1, secrets + 1], see `bounds_below`.
        steps: int64[MAX_LEFT + 1, secrets], by how much they grow from n candidates to n + 1.
        secrets: how many secrets there are,
        guesses: how many columns the table has,
        answers: and how many different feedbacks.
        plain: the most candidates of whom no bound says more than that one of them is found by the
            first guess, and the others by the second; 0 where secrets have weights.
        fitting: whether only candidates may be guessed.
        letters: in hard mode uint32[guesses, length], the letters of each guess; else empty.
        marks: in hard mode uint8[answers, length], what each feedback says of each letter.
        length: in hard mode how many letters a guess has; else 0.
    """

    table: Array
    homes: Array
    names: Array
    weights: Array
    bounds: Array
    steps: Array
    secrets: int
    guesses: int
    answers: int
    plain: int
    fitting: bool
    letters: Array
    marks: Array
    length: int


class Columns(NamedTuple):
    """The guesses to try, as columns of a table.

    Attributes:
        table: see `Problem`.
        count: how many they are.
    """

    table: Array
    count: int

    @classmethod
    def of(cls, table: Integers2D) -> Columns:
        """Those of a table."""
        return cls(table, table.shape[1])


class Memory(NamedTuple):
    """What is known of sets, shared by threads without locks.

    Attributes:
        keys: uint64[size], the name of a set, exclusive or what is known: a torn entry fits no set.
        known: int64[size], 4 * cost + 2 if a look has been taken + 1 if the cost is exact; 0: free.
        size: a power of 2.
    """

    keys: Array
    known: Array
    size: int

    @classmethod
    def of(cls, size: int) -> Memory:
        """An empty one with so many places."""
        return cls(np.zeros(size, np.uint64), np.zeros(size, np.int64), size)


class Space(NamedTuple):
    """Working space of one thread, by level.

    Attributes:
        seen: uint64[levels, words, guesses], the feedbacks that each guess gets.
        parts: uint16[levels, guesses], how many these are.
        ranks: int64[levels, guesses], the guesses worth trying, by their bounds.
        columns: int64[levels, guesses], in hard mode the guesses that are allowed,
        widths: int64[levels], and how many they are.
        stack: int64, the candidates of all sets on the way.
        sums: int64[secrets + 1], how much the first 0, 1, ... candidates of a set count together.
        sizes: int64[levels, answers], how many candidates are in each cell of a guess,
        starts: int64[levels, answers], where they begin,
        bounds: int64[levels, answers], what they cost at least,
        names: uint64[levels, answers], the name of the set,
        allowed: uint64[levels, answers], and in hard mode that of the guesses that are allowed.
        counted: int64[6], see LOOKS.
        levels: how many there are.
    """

    seen: Array
    parts: Array
    ranks: Array
    columns: Array
    widths: Array
    stack: Array
    sums: Array
    sizes: Array
    starts: Array
    bounds: Array
    names: Array
    allowed: Array
    counted: Array
    levels: int

    @classmethod
    def of(cls, secrets: int, guesses: int, answers: int) -> Space:
        """The space for sets of a problem of that size."""
        words = (answers + 63) // 64
        level = guesses * (8 * words + 18) + 16 * secrets + 40 * answers
        levels = min(secrets, max(MAX_DEPTH, LEVEL_BYTES // level)) + 3
        return cls(
            np.zeros((levels, words, guesses), np.uint64),
            np.zeros((levels, guesses), np.uint16),
            np.zeros((levels, guesses), np.int64),
            np.zeros((levels, guesses), np.int64),
            np.zeros(levels, np.int64),
            np.zeros(secrets * (levels + 2), np.int64),
            np.zeros(secrets + 1, np.int64),
            np.zeros((levels, answers), np.int64),
            np.zeros((levels, answers), np.int64),
            np.zeros((levels, answers), np.int64),
            np.zeros((levels, answers), np.uint64),
            np.zeros((levels, answers), np.uint64),
            np.zeros(6, np.int64),
            levels,
        )


def bounds_below(size: int, answers: int, others: int) -> Integers2D:
    """int64[MAX_LEFT + 1, size + 1]: what n candidates cost at least with so many guesses left.

    A guess that may be right finds one, and the others split among all other feedbacks; one that
    cannot be right splits them all. What a split costs at least is a sum over its parts: of equal
    size where a guess of the first kind has as many cells as any, else the least of all sums.

    Args:
        size: the most candidates.
        answers: how many feedbacks a guess that may be right can get, "solved" with them.
        others: how many one that cannot be right can get; 0 if there is none.
    """
    bounds = np.full((MAX_LEFT + 1, size + 1), IMPOSSIBLE, np.int64)
    cells = answers - 1
    # Of larger sets a split takes long to find, and is less far from one into parts of equal size.
    exact = cells < others and size <= EXACT
    if not exact:
        cells = max(cells, others)
    least = np.full((max(cells, others) + 1, size + 1), IMPOSSIBLE, np.int64)
    fill_bounds(bounds, least, size, cells, others, exact)
    return bounds


@Native
def fill_bounds(
    bounds: Array, least: Array, size: int, cells: int, others: int, exact: int
) -> None:  # fmt: skip
    """`bounds_below`, where all is IMPOSSIBLE; whether splits are `exact`.

    `least`, int64[parts + 1, size + 1], receives what a split into so many parts costs at least.
    """
    width = size + 1
    for left in range(MAX_LEFT + 1):
        row = left * width
        below = row - width if 0 < left < MAX_LEFT else row
        bounds[row] = 0
        if left and size:
            bounds[row + 1] = 1
        for k in range(max(cells, others) + 1):
            least[k * width] = 0
            if k and size:
                least[k * width + 1] = bounds[below + 1]
        for n in range(2, width if left > 1 and cells else 2):
            if exact:
                # Without the split that leaves all together, which tells nothing.
                split = split_bound(least, bounds, below, n, others, width)
                total = n + min(split, least[cells * width + n - 1])
                bounds[row + n] = min(total, IMPOSSIBLE)
                least[width + n] = bounds[below + n]
                for k in range(2, max(cells, others) + 1):
                    split = split_bound(least, bounds, below, n, k, width)
                    least[k * width + n] = min(bounds[below + n], split)
                continue
            small = (n - 1) // cells
            large = n - 1 - small * cells
            total = n + large * bounds[below + small + 1] + (cells - large) * bounds[below + small]
            bounds[row + n] = min(total, IMPOSSIBLE)


@part
def split_bound(least: Array, bounds: Array, below: int, n: int, parts: int, width: int) -> int:
    """What n candidates in 2 to so many parts cost at least, by what fewer parts of fewer cost."""
    best = np.int64(IMPOSSIBLE)
    fewer = (parts - 1) * width
    for first in range(1, n):
        best = min(best, bounds[below + first] + least[fewer + n - first])
    return best


@Native
def turn(
    feedbacks: Array, guesses: int, secrets: int, table: Array, width: int, begin: int, met: Array
) -> None:  # fmt: skip
    """Write feedbacks[guesses, secrets] into table[secrets, width], and mark which there are.

    The columns begin somewhere.
    """
    for first in range(0, guesses, TILE):
        some = min(guesses - first, TILE)
        for s in range(secrets):
            to = s * width + begin + first
            for k in range(some):
                feedback = feedbacks[(first + k) * secrets + s]
                table[to + k] = feedback
                met[feedback] = 1


@Native
def renumber(table: Array, size: int, numbers: Array) -> None:
    """Replace each feedback by its new number, in place."""
    for k in range(size):
        table[k] = numbers[table[k]]


@part
def set_bound(problem: Problem, stack: Array, low: int, n: int, left: int) -> int:
    """What n candidates, the heaviest first, cost at least with so many guesses left.

    Any k of them take as many guesses together as k candidates do at least, and so the first k.
    Hence the sum of their weights times the steps of these bounds (summation by parts).
    """
    if problem.plain:
        return problem.bounds[left * (problem.secrets + 1) + n]
    total = np.int64(0)
    for k in range(n):
        total += problem.weights[stack[low + k]] * problem.steps[left * problem.secrets + k]
    return min(total, np.int64(IMPOSSIBLE))


@part
def sum_up(problem: Problem, stack: Array, low: int, n: int, sums: Array) -> None:
    """How much the first 0, 1, 2, ... of n candidates count together."""
    total = np.int64(0)
    sums[0] = 0
    for k in range(n):
        total += problem.weights[stack[low + k]]
        sums[k + 1] = total


@part
def recall(memory: Memory, name: int) -> int:
    """What is known of a set, or 0."""
    first = name & np.uint64(memory.size - 1)
    for k in range(PLACES):
        place = first ^ np.uint64(k)
        known = memory.known[place]
        if known and memory.keys[place] ^ np.uint64(known) == name:
            return known
    return np.int64(0)


@part
def keep(memory: Memory, name: int, known: int) -> None:
    """Remember what is known of a set. If its places are full, the one of the least cost goes."""
    first = name & np.uint64(memory.size - 1)
    place = first
    for k in range(PLACES):
        other = first ^ np.uint64(k)
        old = memory.known[other]
        if old == 0 or memory.keys[other] ^ np.uint64(old) == name:
            place = other
            break
        if old < memory.known[place]:
            place = other
    memory.known[place] = known
    memory.keys[place] = name ^ np.uint64(known)


@part
def name_of(names: Array, stack: Array, low: int, n: int, left: int) -> int:
    """The name of a set with so many guesses left."""
    name = np.uint64(0)
    for i in range(low, low + n):
        name ^= names[stack[i]]
    if left < MAX_LEFT:
        name ^= np.uint64(left + 1) * np.uint64(0x9E3779B97F4A7C15)
    return name
