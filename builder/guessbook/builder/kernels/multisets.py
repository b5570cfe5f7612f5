"""The best guess for many candidates: the orders of a multiset of symbols, 64 pairs at a time.

All guesses with the same symbols have the same total of black and white pegs with a candidate. So
for each multiset the candidates are sorted by that total, and only the blacks are left to count:
one word holds a bit of 64 candidates for each (position, symbol), three words of bit planes their
blacks so far, and a position is added with five instructions for 64 pairs. A class of total t has
t + 1 sizes to tell, which takes a few popcounts of the planes, not one for each of the cells.

Most multisets are never sorted: a class of total t splits into at most t + 1 cells, and where even
splits of all classes could not win, no order of these symbols can. Counted for 5x8 by entropy, here
and in `lanes`: 8.1e7 pairs instead of 1.4e9. Taking the most promising multisets first is a part of
that: in order it would be 1.5e8.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.kernels.alphabets import require_symbols
from guessbook.builder.kernels.arrangements import (
    ANYWHERE,
    CHOICES,
    CHOSEN,
    LEFT,
    TURN,
    advance,
    start,
    working_space,
)
from guessbook.builder.kernels.arrays import Array, Integers
from guessbook.builder.kernels.jit import kernel, part
from guessbook.builder.kernels.node import Node, Search
from guessbook.builder.kernels.orbits import is_lowest, stabilizer
from guessbook.builder.kernels.partition import LEAST_SCORE, even_score
from guessbook.builder.kernels.planes import (
    CELLS,
    SIZE,
    START,
    TERMS,
    add_position,
    count_cells,
    sort_into_rows,
)

# No end to a search before it is over.
EVERY = 1 << 62


def begin(node: Node, budget: int = EVERY) -> Search:
    """Search for the best guess for many candidates of a game of 2 to 7 pegs.

    Ends after so many guesses, more or less; then some multisets are left.
    """
    pegs = node.digits.shape[1]
    state, multisets, limits = working_space(pegs, node.colors, node.repeats)
    nothing = np.zeros(pegs, np.uint8)
    begun = Search(LEAST_SCORE, 0, nothing, 0, multisets, limits)
    return searched(node, begun, state, budget, True)


def go_on(node: Node, search: Search) -> Search:
    """The same from what is left of an earlier search, or of a part of it, to the end."""
    state, _, _ = working_space(node.digits.shape[1], node.colors, node.repeats)
    return searched(node, search, state, EVERY, False)


def searched(node: Node, search: Search, state: Integers, budget: int, anew: bool) -> Search:
    """Go on with a search, which begins `anew` by a list of all multisets."""
    (n, pegs), rule, colors = node.digits.shape, node.rule, node.colors
    words = n // 64 + pegs + 1
    counts, totals = np.zeros((colors, n), np.uint8), np.zeros((pegs + 1, n), np.uint8)
    scratch = np.zeros((TERMS, max(colors, (pegs + 1) ** 2)), np.int64)
    held = hold(node.digits, counts)
    require_symbols(held, node.used, colors, node.repeats, state)
    multisets, limits, guess = search.multisets, search.limits, search.guess.copy()
    if anew:
        count = list_multisets(
            counts, totals, node.repeats, rule.costs, rule.additive, rule.credit, multisets,
            limits, state, scratch,
        )  # fmt: skip
        order = np.argsort(-limits[:count], kind="stable")
        multisets, limits = multisets[order], limits[order]
    best, is_candidate, scored, done = best_of_some(
        node.digits, stabilizer(node.history, node.shuffles, colors), held, node.used,
        node.repeats, rule.costs, rule.additive, rule.credit, counts, totals,
        np.empty((pegs * pegs, words), np.uint64), np.empty((pegs * 3, words), np.uint64),
        multisets, limits, state, scratch, guess, search.score, search.is_candidate, budget,
    )  # fmt: skip
    return Search(
        best, is_candidate, guess, search.scored + scored, multisets[done:], limits[done:]
    )


@kernel
def hold(digits: Array, counts: Array) -> int:
    """Count how often each candidate has each symbol; returns the set of those, as bits."""
    n, pegs = digits.shape
    held = np.int64(0)
    for s in range(n):
        for p in range(pegs):
            counts[digits[s, p], s] += 1
            held |= 1 << np.int64(digits[s, p])
    return held


@kernel
def best_of_some(
    digits: Array, elements: Array, held: int, used: int, repeats: bool, costs: Array,
    additive: bool, credit: int, counts: Array, totals: Array, rows: Array, planes: Array,
    multisets: Array, limits: Array, state: Array, scratch: Array, guess: Array, best: int,
    is_candidate: int, budget: int,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Score the orders of multisets, best first, until none can win or the budget is used up.

    Returns the best score, whether it is that of a candidate, how many guesses were scored, and
    how many multisets are done with.
    """
    scored = np.int64(0)
    for m in range(len(multisets)):
        if limits[m] < best:
            return best, is_candidate, scored, len(multisets)
        if scored >= budget:
            return best, is_candidate, scored, m
        best, is_candidate, tried = best_order(
            digits, multisets, m, counts, totals, elements, held, used, repeats, costs,
            additive, credit, best, is_candidate, rows, planes, state, scratch, guess,
        )  # fmt: skip
        scored += tried
    return best, is_candidate, scored, len(multisets)


@kernel
def list_multisets(
    counts: Array, totals: Array, repeats: bool, costs: Array, additive: bool, credit: int,
    multisets: Array, limits: Array, state: Array, scratch: Array,
) -> int:  # fmt: skip
    """List the multisets of symbols that are worth guessing.

    Returns how many there are; fills `multisets` with their symbols, ascending, and `limits` with
    the best scores that their guesses can have.
    """
    colors, n = counts.shape
    pegs = len(totals) - 1
    times = pegs if repeats else 1
    anywhere = np.int64(ANYWHERE)
    choices = np.int64(colors)
    for c in range(colors):
        state[LEFT + c] = times
        state[CHOICES + c] = c
    count = 0
    p = start(state)
    while True:
        p = advance(state, p, choices, anywhere)
        if p < 0:
            return count
        c = state[CHOSEN + p]
        copies = np.uint8(times - state[LEFT + c])
        for s in range(n):
            totals[p + 1, s] = totals[p, s] + np.uint8(counts[c, s] >= copies)
        if p < pegs - 1:
            # The same symbol again, if it is left.
            state[TURN + p + 1] = state[TURN + p] - 1
            p += 1
            continue
        for t in range(pegs + 1):
            scratch[SIZE, t] = 0
        for s in range(n):
            scratch[SIZE, totals[pegs, s]] += 1
        limit = np.int64(0)
        for t in range(pegs + 1):
            # Of N pegs in all, N - 1 black and 1 white cannot be.
            score = even_score(scratch[SIZE, t], t + (t < pegs), costs, additive)
            limit = limit + score if additive else min(limit, score)
        for q in range(pegs):
            multisets[count, q] = state[CHOSEN + q]
        # The largest cell, if it is that which counts, is below any credit: so that comes last.
        limits[count] = limit + credit
        count += 1
        state[LEFT + c] += 1


@part
def best_order(
    digits: Array, multisets: Array, m: int, counts: Array, totals: Array, elements: Array,
    held: int, used: int, repeats: bool, costs: Array, additive: bool, credit: int, best: int,
    best_is_candidate: int, rows: Array, planes: Array, state: Array, scratch: Array, guess: Array,
) -> tuple[int, int, int]:  # fmt: skip
    """Score the orders of one multiset; improve `best` and `guess`.

    Returns the best score, whether its guess is a candidate, and how many guesses were scored.
    """
    n, pegs = digits.shape
    anywhere = np.int64(ANYWHERE)
    choices = np.int64(0)
    c = np.int64(-1)
    for s in range(n):
        totals[pegs, s] = 0
    for p in range(pegs):
        if multisets[m, p] != c:
            c = np.int64(multisets[m, p])
            state[CHOICES + choices] = c
            choices += 1
            state[LEFT + c] = 0
        state[LEFT + c] += 1
        copies = np.uint8(state[LEFT + c])
        for s in range(n):
            totals[pegs, s] += np.uint8(counts[c, s] >= copies)
    for t in range(pegs + 1):
        scratch[SIZE, t] = 0
    for s in range(n):
        scratch[SIZE, totals[pegs, s]] += 1
    # Each class starts a new word; the class of total 0 needs none, all its blacks are 0.
    scratch[START, 1] = 0
    for t in range(1, pegs + 1):
        scratch[START, t + 1] = scratch[START, t] + (scratch[SIZE, t] + 63) // 64
    words = np.uint64(scratch[START, pegs + 1])
    sort_into_rows(digits, totals, state, choices, rows, scratch)

    code = state[CHOSEN : CHOSEN + pegs]
    scored = np.int64(0)
    p = start(state)
    while True:
        p = advance(state, p, choices, anywhere)
        if p < 0:
            return best, best_is_candidate, scored
        row = np.uint64(p * pegs + state[TURN + p] - 1)
        if p < pegs - 1:
            add_position(planes, p, rows, row, words)
            p += 1
            state[TURN + p] = 0
            continue
        if len(elements) == 1 or is_lowest(code, elements, held, used, repeats):
            scored += 1
            score = np.int64(0)
            is_candidate = np.int64(
                count_cells(planes, np.uint64(p * 3 - 3), rows, row, pegs, scratch) > 0
            )
            if additive:
                for k in range((pegs + 1) * (pegs + 1)):
                    score -= costs[scratch[CELLS, k]]
            else:
                for k in range((pegs + 1) * (pegs + 1)):
                    score = min(score, -costs[scratch[CELLS, k]])
            if is_candidate:
                score += credit
            if score > best or (
                score == best
                and is_candidate >= best_is_candidate
                and (is_candidate > best_is_candidate or is_before(code, guess))
            ):
                best = score
                best_is_candidate = is_candidate
                for q in range(pegs):
                    guess[q] = code[q]
        state[LEFT + code[p]] += 1


@part
def is_before(code: Array, other: Array) -> bool:
    """Whether a code comes before another."""
    for p in range(len(other)):
        if code[p] != other[p]:
            return code[p] < other[p]
    return False
