"""Symmetry: of guesses that a symmetry of the history carries onto each other, score the lowest.

Positions and symbols can be permuted; the candidates of a history are carried onto themselves by
every permutation of both that fixes each of its guesses (its stabilizer). A permutation of
positions decides what happens to the symbols that were used; those that were not are
interchangeable at will, which a rule of first appearance takes care of: `require`. (Knuth 1976, and
the C++ programs of the field, filter guesses in the same way.)
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from guessbook.builder.compiler.jit import Native, lowest_one, part
from guessbook.builder.compiler.machine import BRIEF, hinted
from guessbook.builder.kernels.arrays import Array, Bytes2D, Integers, Integers2D

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


def stabilizer(table: Bytes2D, path: Integers, shuffles: Integers2D, colors: int) -> Integers2D:
    """The permutations of positions that, with one of the symbols, fix every guess of a history.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        path: the indices of the guesses.
        shuffles: int64[m, pegs], the permutations to choose from; the first must be the identity.
        colors: of the game.

    Returns:
        int64[e, pegs + colors]: for each such permutation the position from which each position
        takes its symbol, then what becomes of each symbol (-1 for those in no guess).
    """
    count, pegs = shuffles.shape
    elements = np.empty((count, pegs + colors), np.int64)
    state = np.zeros(1 + 2 * colors, np.int64)
    list_stabilizer(
        table, path.astype(np.uint32), len(path), shuffles, count, pegs, colors, elements, state
    )
    return elements[: state[0]]


@Native
def list_stabilizer(
    table: Array, path: Array, depth: int, shuffles: Array, count: int, pegs: int, colors: int,
    elements: Array, state: Array,
) -> None:  # fmt: skip
    """`stabilizer`, into `elements`; `state` receives how many they are, and is working space."""
    state[0] = find_stabilizer(
        table, path, 0, depth, shuffles, count, pegs, colors, elements, state, 1, 1 + colors
    )


@part
@hinted(BRIEF)
def find_stabilizer(
    table: Array, path: Array, begin: int, depth: int, shuffles: Array, count: int, pegs: int,
    colors: int, elements: Array, state: Array, image: int, source: int,
) -> int:  # fmt: skip
    """The same; the path begins somewhere. Returns how many they are.

    `state` is working space for each symbol, from `image` and from `source` on.
    """
    at = 0
    for m in range(count):
        for c in range(colors):
            state[image + c] = state[source + c] = -1
        fits = True
        for h in range(depth):
            guess = np.int64(path[begin + h]) * pegs
            for p in range(pegs):
                a = np.int64(table[guess + shuffles[m * pegs + p]])
                b = np.int64(table[guess + p])
                if state[image + a] == -1 and state[source + b] == -1:
                    state[image + a] = b
                    state[source + b] = a
                elif state[image + a] != b:
                    fits = False
                    break
            if not fits:
                break
        if fits:
            for p in range(pegs):
                elements[at + p] = shuffles[m * pegs + p]
            for c in range(colors):
                elements[at + pegs + c] = state[image + c]
            at += pegs + colors
    return at // (pegs + colors)


@part
def is_lowest(
    code: Array, at: int, pegs: int, elements: Array, count: int, held: int, used: int,
    repeats: bool, image: Array, space: int, colors: int,
) -> bool:  # fmt: skip
    """Whether no symmetry of the history carries a code onto a lower one.

    In a code each symbol must come after those that it requires, see `require`; all
    symbols in no candidate count as the lowest of them if repeats are allowed.

    Args:
        code: its symbols, int64 or uint8.
        at: where they begin.
        pegs: how many they are.
        elements: symmetries, see `stabilizer`, one row after the other, the identity first.
        count: how many they are.
        held: the set of symbols in candidates, as bits.
        used: the set of symbols in the guesses of the history.
        repeats: of the game.
        image: int64, working space for each symbol.
        space: where it begins.
        colors: of the game.
    """
    for e in range(1, count):
        row = e * (pegs + colors)
        # Interchangeable symbols become the lowest ones of their kind, as they appear.
        absent = ~held
        unused = held & ~used
        met = np.int64(0)
        for p in range(pegs):
            c = np.int64(code[at + elements[row + p]])
            is_held = (held >> c) & 1
            becomes = elements[row + pegs + c] if is_held else np.int64(-1)
            if (met >> c) & 1:
                becomes = image[space + c]
            elif becomes < 0:
                if is_held:
                    becomes = lowest_one(np.uint64(unused))
                    unused &= unused - 1
                else:
                    becomes = lowest_one(np.uint64(absent))
                    if not repeats:
                        absent &= absent - 1
                image[space + c] = becomes
                met |= np.int64(1) << c
            if becomes != code[at + p]:
                if becomes < code[at + p]:
                    return False
                break
    return True


@part
def require(held: int, used: int, colors: int, repeats: bool, required: Array, at: int) -> None:
    """Say which symbols must come before each symbol: those below it that say the same.

    Symbols in candidates that are in no guess of the history are interchangeable. So are those in
    no candidate, of which one is enough if it may be repeated: more than there is is required of
    the others: required[at + c]. `held` and `used`, the symbols in candidates and in guesses, are
    sets, as bits.
    """
    for c in range(colors):
        below = (1 << c) - 1
        lower = np.int64(0)
        if not (held >> c) & 1:
            lower = ~held & below
            if lower and repeats:
                lower = np.int64(-1)
        elif not (used >> c) & 1:
            lower = held & ~used & below
        required[at + c] = lower


@part
def in_order(code: Array, at: int, pegs: int, required: Array, space: int) -> bool:
    """Whether each symbol of a code, from `at` on, comes after those that it requires."""
    placed = np.int64(0)
    for p in range(pegs):
        c = np.int64(code[at + p])
        if required[space + c] & ~placed:
            return False
        placed |= np.int64(1) << c
    return True
