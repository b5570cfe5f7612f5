"""The best guess for few candidates: all their feedbacks in one vector of bytes.

A feedback can be numbered as a sum over the positions of a guess: symbol c at position p, the j-th
c so far, adds `pegs` where a candidate has c at p, and 1 where it has at least j times c. So a
guess is a depth-first walk that adds vectors of one byte a candidate, and guesses with a common
beginning share its work. What is left out, in the order in which it saves:

- All orders of the same symbols share the second part, the totals of black and white pegs. Where
  even splits of the classes of equal totals could not win, no order can: `promising`. Counted for
  5x8 by entropy, here and in `multisets`: 8.1e7 pairs instead of 1.4e9.
- The set of the bytes, as the bits of one word, tells the number of cells for a fraction of the
  price of their sizes. Where an even split into so many cells could not win, neither can the guess:
  for 5x8 the sizes are counted for 4.0e6 of the 4.2e7 pairs of guesses that are no candidate.

docs/benchmarks.md has the counts.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.kernels.alphabets import alphabets, in_order
from guessbook.builder.kernels.arrangements import (
    ANYWHERE,
    CHOICES,
    CHOSEN,
    COPIES,
    LEFT,
    PLACED,
    PLACES,
    REQUIRED,
    TURN,
    advance,
    in_turn,
    start,
    working_space,
)
from guessbook.builder.kernels.arrays import Array, Bytes2D, Integers, Rule
from guessbook.builder.kernels.jit import kernel, part
from guessbook.builder.kernels.partition import (
    LEAST_SCORE,
    cell_score,
    count_values,
    even_splits,
    seen_score,
)
from guessbook.builder.kernels.vector import add_three, add_two, popcount, seen_narrow, seen_wide

# Candidates up to which this is faster than `multisets`: measured, see docs/benchmarks.md.
FEW = 64

# How many multisets are taken out of order, by what they promise, to have a good score early.
FIRST = 4


def few_each(
    table: Bytes2D,
    candidates: Integers,
    starts: Integers,
    nodes: Integers,
    used: Integers,
    colors: int,
    repeats: bool,
    rule: Rule,
    guesses: Bytes2D,
    scored: Integers,
) -> None:
    """Find the best guess of each node of a level that has few candidates, at least 2 of them.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        candidates: uint32, see `scorers.batch.Batch`.
        starts: int64, see `scorers.batch.Batch`.
        nodes: int64, which nodes of the level to look at.
        used: int64[all nodes], the set of symbols in the guesses of each node's history, as bits.
        colors: of the game.
        repeats: of the game.
        rule: the policy.
        guesses: uint8[all nodes, pegs], receives the symbols of the best guess.
        scored: int64[all nodes], receives how many guesses were scored to find it.
    """
    pegs = table.shape[1]
    largest = int((starts[nodes + 1] - starts[nodes]).max())
    splits = even_splits(rule, largest, pegs * (pegs + 3) // 2)
    lanes = (largest + 63) // 64 * 64
    vectors = np.zeros((2 * pegs * colors + pegs + 1) * lanes + 64, np.uint8)
    state, multisets, limits = working_space(pegs, colors, repeats)
    sizes = np.zeros((pegs + 1) ** 2, np.int64)
    best_of_few(
        table, candidates, starts, nodes, used, colors, repeats, rule.costs, splits,
        rule.additive, rule.credit, vectors, state, sizes, multisets, limits, guesses, scored,
    )  # fmt: skip


@kernel
def best_of_few(
    table: Array, candidates: Array, starts: Array, nodes: Array, used: Array, colors: int,
    repeats: bool, costs: Array, splits: Array, additive: bool, credit: int, vectors: Array,
    state: Array, sizes: Array, multisets: Array, limits: Array, guesses: Array, scored: Array,
) -> None:  # fmt: skip
    """The loop of `few_each`, with working space: `vectors`, and `state` for small arrays."""
    pegs = table.shape[1]
    for node in nodes:
        begin = starts[node]
        n = starts[node + 1] - begin
        lanes = 16 if n <= 16 else (n + 63) // 64 * 64
        # Rows of `vectors`. match + p * colors + c: pegs for the candidates with c at p; extra +
        # c * pegs + j: 1 for those with more than j times c; partial + p: the sum over the
        # positions before p; total: that of a whole guess.
        extra = pegs * colors * lanes
        partial = 2 * extra
        total = partial + pegs * lanes
        for k in range(total + lanes):
            vectors[k] = 0
        for k in range(lanes):
            # Lanes beyond the candidates repeat the first one: they add no cell.
            secret = table[candidates[begin + k if k < n else begin]]
            for c in range(colors):
                state[COPIES + c] = 0
            for p in range(pegs):
                c = np.int64(secret[p])
                vectors[(p * colors + c) * lanes + k] = pegs
                vectors[extra + (c * pegs + state[COPIES + c]) * lanes + k] = 1
                state[COPIES + c] += 1
        most = min(n, splits.shape[1] - 1)
        alphabets(table, candidates, begin, n, colors, repeats, used[node], state)

        # The candidates first: they win ties, and their best is the bound for all others.
        guess = guesses[node]
        best = np.int64(LEAST_SCORE)
        scored[node] = 0
        for s in range(n):
            code = table[candidates[begin + s]]
            if not in_order(code, state):
                continue
            scored[node] += 1
            for k in range(lanes):
                vectors[total + k] = 0
            for c in range(colors):
                state[COPIES + c] = 0
            for p in range(pegs):
                c = np.int64(code[p])
                there = extra + (c * pegs + state[COPIES + c]) * lanes
                add_three(vectors, total, (p * colors + c) * lanes, there, total, lanes)
                state[COPIES + c] += 1
            score = credit + cell_score(vectors, total, n, sizes, costs, additive)
            if score > best:
                best = score
                for p in range(pegs):
                    guess[p] = code[p]
                if best >= credit + splits[n, most]:
                    break
        if best >= splits[n, most]:
            continue
        ahead = best

        # Then the multisets of symbols: the most promising ones, then all others in order.
        count = promising(
            n, lanes, pegs, colors, extra, partial, repeats, best, splits, additive,
            vectors, state, sizes, multisets, limits,
        )  # fmt: skip
        for turn in range(count + FIRST):
            m = in_turn(limits, count, turn, FIRST)
            if count == 0 or limits[m] < best:
                continue
            if limits[m] == best:
                # Only a lower guess can win now, and the lowest is the symbols in order.
                for p in range(pegs):
                    state[CHOSEN + p] = multisets[m, p]
                if best == ahead or exceeds(state, guess, pegs - 1):
                    continue
            tried, best = best_order(
                multisets, m, n, lanes, colors, extra, partial, ahead, best, costs,
                splits, additive, vectors, state, sizes, guess,
            )  # fmt: skip
            limits[m] = LEAST_SCORE
            scored[node] += tried


@part
def promising(
    n: int, lanes: int, pegs: int, colors: int, extra: int, partial: int, repeats: bool, best: int,
    splits: Array, additive: bool, vectors: Array, state: Array, sizes: Array, multisets: Array,
    limits: Array,
) -> int:  # fmt: skip
    """List the multisets of symbols that could make a guess better than `best`, in order.

    All orders of the same symbols share the totals of black and white; a class of candidates with
    total t is split by the blacks into at most t + 1 cells, and an even split is the best.

    Returns how many there are; fills `multisets` with their symbols, ascending, and `limits` with
    the best scores that their guesses can have.
    """
    times = pegs if repeats else 1
    anywhere = np.int64(ANYWHERE)
    choices = np.int64(0)
    for c in range(colors):
        state[LEFT + c] = times
        if state[PLACES + c]:
            state[CHOICES + choices] = c
            choices += 1
    for k in range(lanes):
        vectors[partial + k] = 0
    count = 0
    p = start(state)
    while True:
        p = advance(state, p, choices, anywhere)
        if p < 0:
            return count
        c = state[CHOSEN + p]
        at = partial + p * lanes
        there = extra + (c * pegs + times - 1 - state[LEFT + c]) * lanes
        add_two(vectors, at, there, at + lanes, lanes)
        if p < pegs - 1:
            # The same symbol again, if it is left.
            state[TURN + p + 1] = state[TURN + p] - 1
            p += 1
            continue
        # The last symbol: count the totals, and see what they allow.
        count_values(vectors, at + lanes, n, pegs, sizes)
        limit = np.int64(0)
        for t in range(pegs + 1):
            # Of N pegs in all, N - 1 black and 1 white cannot be.
            score = splits[sizes[t], t + (t < pegs)]
            limit = limit + score if additive else min(limit, score)
            sizes[t] = 0
        if limit > best:
            for q in range(pegs):
                multisets[count, q] = state[CHOSEN + q]
            limits[count] = limit
            count += 1
        state[LEFT + c] += 1


@part
def best_order(
    multisets: Array, m: int, n: int, lanes: int, colors: int, extra: int, partial: int,
    ahead: int, best: int, costs: Array, splits: Array, additive: bool, vectors: Array,
    state: Array, sizes: Array, guess: Array,
) -> tuple[int, int]:  # fmt: skip
    """Score the orders of a multiset of symbols, ascending; improve `best` and `guess`.

    `ahead` is the best score of a candidate, which wins ties.

    Returns how many guesses were scored, and the best score.
    """
    pegs = multisets.shape[1]
    last = pegs - 1
    total = partial + pegs * lanes
    most = min(n, splits.shape[1] - 1)
    tried = 0
    needed = 1
    while splits[n, needed] < best:
        needed += 1
    places = np.int64(PLACES)
    choices = np.int64(0)
    c = np.int64(-1)
    for k in range(lanes):
        vectors[partial + k] = 0
    for p in range(pegs):
        if multisets[m, p] != c:
            c = np.int64(multisets[m, p])
            state[CHOICES + choices] = c
            choices += 1
            state[LEFT + c] = 0
        add_two(vectors, partial, extra + (c * pegs + state[LEFT + c]) * lanes, partial, lanes)
        state[LEFT + c] += 1
    p = start(state)
    while True:
        p = advance(state, p, choices, places)
        if p < 0:
            return tried, best
        c = state[CHOSEN + p]
        at = partial + p * lanes
        here = (p * colors + c) * lanes
        if p < last - 1:
            if best == splits[n, most] and exceeds(state, guess, p):
                # And so do all that follow.
                state[LEFT + c] += 1
                state[TURN + p] = choices
                continue
            add_two(vectors, at, here, at + lanes, lanes)
            p += 1
            state[TURN + p] = 0
            continue
        # Two positions to go, and one symbol for the last.
        final = np.int64(0)
        for q in range(choices):
            if state[LEFT + state[CHOICES + q]]:
                final = state[CHOICES + q]
        fits = (state[PLACES + final] >> last) & 1
        if fits and not state[REQUIRED + final] & ~state[PLACED + p + 1]:
            state[CHOSEN + last] = final
            there = (last * colors + final) * lanes
            tried += 1
            seen = np.uint64(0)
            if pegs < 6 and n <= 64:
                seen = seen_narrow(vectors, at, here, there, lanes)
            elif pegs < 8 and n <= 64:
                seen = seen_wide(vectors, at, here, there, lanes)
            # The number of cells says whether the sizes are worth counting.
            if not seen or popcount(seen) >= needed:
                add_three(vectors, at, here, there, total, lanes)
                if seen:
                    score = seen_score(vectors, total, n, seen, costs, additive)
                else:
                    score = cell_score(vectors, total, n, sizes, costs, additive)
                if score > best or (
                    score == best and best > ahead and not exceeds(state, guess, last)
                ):
                    best = score
                    for q in range(pegs):
                        guess[q] = state[CHOSEN + q]
                    while splits[n, needed] < best:
                        needed += 1
        state[LEFT + c] += 1


@part
def exceeds(state: Array, guess: Array, p: int) -> bool:
    """Whether the chosen symbols up to position p come after the beginning of `guess`."""
    for q in range(p + 1):
        if state[CHOSEN + q] != guess[q]:
            return state[CHOSEN + q] > guess[q]
    return False
