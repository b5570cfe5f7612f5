"""The symbols worth guessing for given candidates, one for each class of equivalent ones.

Counted for 5x8 by entropy: 8.1e7 pairs. Without the rule for symbols that tell nothing at a
position it is 8.6e7, and 7 times as many for the sixth guess, where little is left to tell. Without
that for interchangeable symbols, and the symmetries of `orbits`, which need it, it is 1.5e9, most
of them for the first guess.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.kernels.arrangements import (
    COPIES,
    GREATEST,
    LEAST,
    PLACES,
    REQUIRED,
    TALLY,
    WIDTH,
)
from guessbook.builder.kernels.arrays import Array
from guessbook.builder.kernels.jit import kernel, part


@part
def alphabets(
    table: Array, candidates: Array, begin: int, n: int, colors: int, repeats: bool, used: int,
    state: Array,
) -> None:  # fmt: skip
    """Find the symbols worth guessing at each position.

    Each rule keeps the lowest of guesses that split these candidates in the same way:

    - If all candidates have equally many c, then c tells something only at positions where some
      have it and some do not. Elsewhere all such symbols say the same, "nothing".
    - Interchangeable symbols come in ascending order: `require`.

    Fills PLACES and REQUIRED of `state`, which `arrangements` explains.
    """
    pegs = table.shape[1]
    for c in range(colors):
        state[LEAST + c] = pegs
        state[GREATEST + c] = 0
        for p in range(pegs):
            state[TALLY + p * WIDTH + c] = 0
    for s in range(begin, begin + n):
        code = table[candidates[s]]
        for c in range(colors):
            state[COPIES + c] = 0
        for p in range(pegs):
            c = np.int64(code[p])
            state[TALLY + p * WIDTH + c] += 1
            state[COPIES + c] += 1
        for c in range(colors):
            state[LEAST + c] = min(state[LEAST + c], state[COPIES + c])
            state[GREATEST + c] = max(state[GREATEST + c], state[COPIES + c])
    held = np.int64(0)
    for c in range(colors):
        held |= np.int64(state[GREATEST + c] > 0) << c
        state[PLACES + c] = 0
    require(held, used, colors, repeats, state)
    for p in range(pegs):
        silent = False
        for c in range(colors):
            here = state[TALLY + p * WIDTH + c]
            if repeats and state[LEAST + c] == state[GREATEST + c] and (here == 0 or here == n):
                if silent:
                    continue
                silent = True
            state[PLACES + c] |= 1 << p


@part
def require(held: int, used: int, colors: int, repeats: bool, state: Array) -> None:
    """Say which symbols must come before each symbol: those below it that say the same.

    Symbols in candidates that are in no guess of the history are interchangeable. So are those in
    no candidate, of which one is enough if it may be repeated: more than there is is required of
    the others. `held` and `used`, the symbols in candidates and in guesses, are sets, as bits.
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
        state[REQUIRED + c] = lower


@kernel
def require_symbols(held: int, used: int, colors: int, repeats: bool, state: Array) -> None:
    """`require`, for what is no kernel."""
    require(held, used, colors, repeats, state)


@part
def in_order(code: Array, state: Array) -> bool:
    """Whether each symbol of a code comes after those that it requires."""
    placed = 0
    for p in range(len(code)):
        c = np.int64(code[p])
        if state[REQUIRED + c] & ~placed:
            return False
        placed |= 1 << c
    return True
