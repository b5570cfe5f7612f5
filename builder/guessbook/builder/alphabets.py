"""The symbols worth guessing for given candidates, one for each class of equivalent ones.

Counted for 5x8 by entropy: without the rule for symbols that tell nothing at a position it is 8.6e7
pairs instead of 8.1e7, and 7 times as many for the sixth guess, where little is left to tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.jit import kernel

if TYPE_CHECKING:
    from guessbook.builder.arrays import Array

__all__ = ["alphabets", "in_order"]

# The rows of the kernels' small working arrays. From INTRODUCED on there is one for each position,
# for how many members of each group the positions before it hold; behind those one more for each.
COPIES, CHOSEN, TURN, GROUP, RANK, LEAST, GREATEST, MEMBERS, PLACES, INTRODUCED = range(10)
ROWS = INTRODUCED


@kernel
def alphabets(
    table: Array, candidates: Array, begin: int, n: int, colors: int, repeats: bool, used: int,
    scratch: Array,
) -> bool:  # fmt: skip
    """Find the symbols worth guessing at each position.

    Each rule keeps the lowest of guesses that split these candidates in the same way:

    - If all candidates have equally many c, then c tells something only at positions where some
      have it and some do not. Elsewhere all such symbols say the same, "nothing".
    - Symbols in no guess of the history are interchangeable (group 1); so are, without repeats,
      those in no candidate (group 2): the lowest must come first.

    Fills the rows of `scratch` with, for each symbol, its GROUP (0 for none), its RANK there, and
    the set of positions where it is worth guessing, as bits (PLACES).

    Returns whether any symbol is in a group.
    """
    pegs = table.shape[1]
    for k in range(3):
        scratch[MEMBERS, k] = 0
    for c in range(colors):
        scratch[LEAST, c] = pegs
        scratch[GREATEST, c] = 0
        for p in range(pegs):
            scratch[INTRODUCED + pegs + p, c] = 0
    for s in range(begin, begin + n):
        code = table[candidates[s]]
        for c in range(colors):
            scratch[COPIES, c] = 0
        for p in range(pegs):
            scratch[INTRODUCED + pegs + p, code[p]] += 1
            scratch[COPIES, code[p]] += 1
        for c in range(colors):
            scratch[LEAST, c] = min(scratch[LEAST, c], scratch[COPIES, c])
            scratch[GREATEST, c] = max(scratch[GREATEST, c], scratch[COPIES, c])
    grouped = False
    for c in range(colors):
        scratch[GROUP, c] = 0
        if scratch[GREATEST, c] == 0:
            scratch[GROUP, c] = 0 if repeats else 2
        elif not (used >> np.uint64(c)) & np.uint64(1):
            scratch[GROUP, c] = 1
        scratch[RANK, c] = 0
        if scratch[GROUP, c]:
            grouped = True
            scratch[RANK, c] = scratch[MEMBERS, scratch[GROUP, c]]
            scratch[MEMBERS, scratch[GROUP, c]] += 1
    for c in range(colors):
        scratch[PLACES, c] = 0
    for p in range(pegs):
        silent = False
        for c in range(colors):
            if (
                repeats
                and scratch[LEAST, c] == scratch[GREATEST, c]
                and (
                    scratch[INTRODUCED + pegs + p, c] == 0 or scratch[INTRODUCED + pegs + p, c] == n
                )
            ):
                if silent:
                    continue
                silent = True
            scratch[PLACES, c] |= 1 << p
    return grouped


@kernel
def in_order(code: Array, scratch: Array) -> bool:
    """Whether the symbols of each group first appear in ascending order in a code."""
    for k in range(3):
        scratch[MEMBERS, k] = 0
    for p in range(len(code)):
        group = scratch[GROUP, code[p]]
        if group:
            if scratch[RANK, code[p]] > scratch[MEMBERS, group]:
                return False
            scratch[MEMBERS, group] += scratch[RANK, code[p]] == scratch[MEMBERS, group]
    return True
