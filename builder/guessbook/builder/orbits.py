"""Symmetry: of guesses that a symmetry of the history carries onto each other, score the lowest.

Positions and symbols can be permuted; the candidates of a history are carried onto themselves by
every permutation of both that fixes each of its guesses (its stabilizer). A permutation of
positions decides what happens to the symbols that were used; those that were not are
interchangeable at will, which a rule of first appearance takes care of. (Knuth 1976, and the C++
programs of the field, filter guesses in the same way.)

Counted for 5x8 by entropy: 8.1e7 pairs instead of 1.3e8, and an eighth for the first two guesses.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from guessbook.builder.arrays import Array, Integers, Integers2D
from guessbook.builder.jit import kernel

__all__ = ["MAX_PERMUTED_PEGS", "is_lowest", "permutations", "stabilizer", "symbol_groups"]

# Beyond 7 positions the list of their permutations costs more than it saves.
MAX_PERMUTED_PEGS = 7


def permutations(pegs: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """int64[pegs!, pegs]: the permutations of the positions, the identity first.

    Of more than 7 positions only the identity.
    """
    if pegs > MAX_PERMUTED_PEGS:
        return np.arange(pegs, dtype=np.int64)[None, :]
    every = itertools.chain.from_iterable(itertools.permutations(range(pegs)))
    return np.fromiter(every, np.int64, math.factorial(pegs) * pegs).reshape(-1, pegs)


@kernel
def stabilizer(history: Array, shuffles: Array, colors: int) -> Integers2D:
    """The permutations of positions that, with one of the symbols, fix every guess of a history.

    Args:
        history: uint8[k, pegs], the digits of the guesses.
        shuffles: int64[m, pegs], the permutations to choose from; the first must be the identity.
        colors: of the game.

    Returns:
        int64[e, pegs + colors]: for each such permutation the position from which each position
        takes its symbol, then what becomes of each symbol (-1 for those in no guess).
    """
    count, pegs = shuffles.shape
    elements = np.empty((count, pegs + colors), np.int64)
    kept = 0
    image = np.empty(colors, np.int64)
    source = np.empty(colors, np.int64)
    for m in range(count):
        for c in range(colors):
            image[c] = -1
            source[c] = -1
        fits = True
        for h in range(len(history)):
            for p in range(pegs):
                a = history[h, shuffles[m, p]]
                b = history[h, p]
                if image[a] == -1 and source[b] == -1:
                    image[a] = b
                    source[b] = a
                elif image[a] != b:
                    fits = False
                    break
            if not fits:
                break
        if fits:
            for p in range(pegs):
                elements[kept, p] = shuffles[m, p]
            for c in range(colors):
                elements[kept, pegs + c] = image[c]
            kept += 1
    return elements[:kept]


@kernel
def symbol_groups(counts: Array, repeats: bool, used: int) -> tuple[Integers, Integers]:
    """The groups of interchangeable symbols, given the candidates.

    Args:
        counts: uint8[colors, n], how often each candidate holds each symbol.
        repeats: of the game.
        used: the set of symbols in the guesses of the history, as the bits of a word.

    Returns:
        group: int64[colors], 2 for symbols in no candidate, 1 for those in no guess of the
        history, else 0; and rank: int64[colors], the order of a symbol in its group.
    """
    colors, n = counts.shape
    group = np.zeros(colors, np.int64)
    rank = np.zeros(colors, np.int64)
    members = np.zeros(3, np.int64)
    for c in range(colors):
        held = False
        for s in range(n):
            if counts[c, s]:
                held = True
                break
        if not held:
            group[c] = 2
        elif not (used >> np.uint64(c)) & np.uint64(1):
            group[c] = 1
        rank[c] = members[group[c]]
        members[group[c]] += 1
    return group, rank


@kernel
def is_lowest(
    codes: Array, row: int, pegs: int, elements: Array, group: Array, rank: Array, repeats: bool
) -> bool:
    """Whether no symmetry of the history carries the code codes[row, :pegs] onto a lower one.

    The code must itself keep the rule that the symbols of a group appear in ascending order (all
    symbols in no candidate count as the lowest of them if repeats are allowed).
    """
    colors = len(group)
    appearance = np.empty(colors, np.int64)
    seen = np.zeros(3, np.int64)
    for e in range(1, len(elements)):
        for c in range(colors):
            appearance[c] = -1
        for g in range(3):
            seen[g] = 0
        for p in range(pegs):
            c = codes[row, elements[e, p]]
            kind = group[c]
            if kind == 0:
                image = elements[e, pegs + c]
            else:
                if appearance[c] == -1:
                    appearance[c] = seen[kind]
                    if kind == 1 or not repeats:
                        seen[kind] += 1
                image = member(group, rank, kind, appearance[c])
            if image != codes[row, p]:
                if image < codes[row, p]:
                    return False
                break
    return True


@kernel
def member(group: Array, rank: Array, kind: int, position: int) -> int:
    """The symbol at a position of a group."""
    for c in range(len(group)):
        if group[c] == kind and rank[c] == position:
            return c
    return -1
