"""The best guess for few candidates: all their feedbacks in one vector of bytes.

A feedback can be numbered as a sum over the positions of a guess: symbol c at position p, the j-th c
so far, adds `pegs` where a candidate has c at p, and 1 where a candidate has at least j times c. So
a guess is a depth-first walk over positions that adds two vectors a step, one byte a candidate, and
guesses with a common beginning share its work.

The set of these bytes, as the bits of one word, gives the number of cells for a fraction of the price
of their sizes. Where even an even split into so many cells could not win, the guess is done with.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.jit import kernel
from guessbook.builder.vector import (
    BLOCK,
    add_block,
    add_pair,
    equal_64,
    lowest_one,
    popcount,
    seen_16_narrow,
    seen_16_wide,
    seen_64_narrow,
    seen_64_wide,
)

if TYPE_CHECKING:
    from guessbook.builder.arrays import Bytes2D, Integers, Integers2D, Rule

__all__ = ["FEW", "few_each"]

# Candidates up to which this is faster than `multisets`: measured, see docs/benchmarks.md.
FEW = 64

# How many multisets are taken out of order, by what they promise, to have a good score early.
FIRST = 4

# The rows of a kernel's small working arrays; of those behind the last, one a position.
COPIES, CHOSEN, TURN, GROUP, RANK, SIZES, LEAST, GREATEST, MEMBERS, PLACES = range(10)
INTRODUCED = 10


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
        candidates, starts: see `growth.Batch`.
        nodes: int64, which nodes of the level to look at.
        used: uint64[all nodes], the set of symbols in the guesses of each node's history, as bits.
        colors, repeats: of the game.
        rule: the policy.
        guesses: uint8[all nodes, pegs], receives the symbols of the best guess.
        scored: int64[all nodes], receives how many guesses were scored to find it.
    """
    pegs = table.shape[1]
    largest = int((starts[nodes + 1] - starts[nodes]).max())
    splits = even_splits(rule, largest, pegs * (pegs + 3) // 2)
    lanes = (largest + 63) // 64 * 64
    vectors = np.zeros((2 * pegs * colors + pegs + 1) * lanes + 64, np.uint8)
    scratch = np.zeros((INTRODUCED + 2 * pegs, max(colors + 1, (pegs + 1) ** 2)), np.int64)
    sets = math.comb(pegs + colors - 1, pegs) if repeats else math.comb(colors, pegs)
    multisets = np.empty((sets, pegs), np.uint8)
    limits = np.empty(sets, np.int64)
    best_of_few(
        table, candidates, starts, nodes, used, colors, repeats, rule.weights, splits,
        rule.additive, rule.credit, vectors, scratch, multisets, limits, guesses, scored,
    )  # fmt: skip


def even_splits(rule: Rule, most: int, cells: int) -> Integers2D:
    """int64[most + 1, cells + 1]: the best score that n candidates in at most k cells can have.

    That is the score of an even split: all weights grow faster than their sizes, or not at all.
    """
    n = np.arange(most + 1)[:, None]
    k = np.minimum(n, np.arange(cells + 1))
    small, large = np.divmod(n, np.maximum(k, 1))
    if rule.additive:
        return -(large * rule.weights[small + (large > 0)] + (k - large) * rule.weights[small])
    return -rule.weights[small + (large > 0)]


@kernel
def best_of_few(table, candidates, starts, nodes, used, colors, repeats, weights, splits, additive, credit, vectors, scratch, multisets, limits, guesses, scored):  # type: ignore[no-untyped-def]
    """The loop of `few_each`, with working space: `vectors`, and `scratch` for small arrays."""
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
                scratch[COPIES, c] = 0
            for p in range(pegs):
                c = np.int64(secret[p])
                vectors[(p * colors + c) * lanes + k] = pegs
                vectors[extra + (c * pegs + scratch[COPIES, c]) * lanes + k] = 1
                scratch[COPIES, c] += 1
        most = min(n, splits.shape[1] - 1)
        grouped = alphabets(table, candidates, begin, n, colors, repeats, used[node], scratch)

        # The candidates first: they win ties, and their best is the bound for all others.
        guess = guesses[node]
        best = np.int64(-(1 << 62))
        scored[node] = 0
        for s in range(n):
            code = table[candidates[begin + s]]
            if grouped and not in_order(code, scratch):
                continue
            scored[node] += 1
            for k in range(lanes):
                vectors[total + k] = 0
            for c in range(colors):
                scratch[COPIES, c] = 0
            for p in range(pegs):
                c = np.int64(code[p])
                here = (p * colors + c) * lanes
                there = extra + (c * pegs + scratch[COPIES, c]) * lanes
                for k in range(0, lanes, BLOCK):
                    add_block(vectors, total + k, here + k, there + k, total + k)
                scratch[COPIES, c] += 1
            score = credit + cell_score(vectors, total, n, scratch, weights, additive)
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
            vectors, scratch, multisets, limits,
        )  # fmt: skip
        for turn in range(count + FIRST):
            m = turn - FIRST
            if m < 0:
                m = 0
                for k in range(count):
                    if limits[k] > limits[m]:
                        m = k
            if count == 0 or limits[m] < best:
                continue
            if limits[m] == best:
                # Only a lower guess can win now, and the lowest is the symbols in order.
                for p in range(pegs):
                    scratch[CHOSEN, p] = multisets[m, p]
                if best == ahead or exceeds(scratch, guess, pegs - 1):
                    continue
            tried, best = best_order(
                multisets, m, n, lanes, colors, extra, partial, total, ahead, best, weights,
                splits, additive, vectors, scratch, guess,
            )  # fmt: skip
            limits[m] = -(1 << 62)
            scored[node] += tried


@kernel
def promising(n, lanes, pegs, colors, extra, partial, repeats, best, splits, additive, vectors, scratch, multisets, limits):  # type: ignore[no-untyped-def]
    """List the multisets of symbols that could make a guess better than `best`, in order.

    All orders of the same symbols share the totals of black and white; a class of candidates with
    total t is split by the blacks into at most t + 1 cells, and an even split is the best.

    Returns how many there are; fills `multisets` with their symbols, ascending, and `limits` with
    the best scores that their guesses can have.
    """
    count = 0
    for c in range(colors):
        scratch[COPIES, c] = 0
    for k in range(3):
        scratch[INTRODUCED, k] = 0
    for k in range(lanes):
        vectors[partial + k] = 0
    scratch[TURN, 0] = 0
    p = 0
    while p >= 0:
        c = scratch[TURN, p]
        while c < colors and (
            scratch[PLACES, c] == 0
            or (scratch[COPIES, c] and not repeats)
            or scratch[RANK, c] > scratch[INTRODUCED + p, scratch[GROUP, c]]
        ):
            c += 1
        if c == colors:
            p -= 1
            if p >= 0:
                scratch[COPIES, scratch[TURN, p]] -= 1
                scratch[TURN, p] += 1
            continue
        scratch[TURN, p] = c
        at = partial + p * lanes
        there = extra + (c * pegs + scratch[COPIES, c]) * lanes
        if p < pegs - 1:
            for k in range(0, lanes, BLOCK):
                add_pair(vectors, at + k, there + k, at + lanes + k)
            for k in range(3):
                scratch[INTRODUCED + p + 1, k] = scratch[INTRODUCED + p, k]
            if scratch[GROUP, c] and scratch[RANK, c] == scratch[INTRODUCED + p, scratch[GROUP, c]]:
                scratch[INTRODUCED + p + 1, scratch[GROUP, c]] += 1
            scratch[COPIES, c] += 1
            p += 1
            scratch[TURN, p] = c
            continue
        # The last symbol: count the totals, and see what they allow.
        for k in range(0, lanes, BLOCK):
            add_pair(vectors, at + k, there + k, at + lanes + k)
        count_values(vectors, at + lanes, n, pegs, scratch)
        limit = np.int64(0)
        for t in range(pegs + 1):
            # Of N pegs in all, N - 1 black and 1 white cannot be.
            score = splits[scratch[SIZES, t], t + (t < pegs)]
            limit = limit + score if additive else min(limit, score)
            scratch[SIZES, t] = 0
        if limit > best:
            for q in range(pegs):
                multisets[count, q] = scratch[TURN, q]
            limits[count] = limit
            count += 1
        scratch[TURN, p] = c + 1
    return count


@kernel
def best_order(multisets, m, n, lanes, colors, extra, partial, total, ahead, best, weights, splits, additive, vectors, scratch, guess):  # type: ignore[no-untyped-def]
    """Score the orders of a multiset of symbols, ascending; improve `best` and `guess`.

    `ahead` is the best score of a candidate, which wins ties.

    Returns how many guesses were scored, and the best score.
    """
    pegs = multisets.shape[1]
    last = pegs - 1
    most = min(n, splits.shape[1] - 1)
    tried = 0
    needed = 1
    while splits[n, needed] < best:
        needed += 1
    for c in range(colors):
        scratch[COPIES, c] = 0
    for k in range(lanes):
        vectors[partial + k] = 0
    for p in range(pegs):
        c = np.int64(multisets[m, p])
        there = extra + (c * pegs + scratch[COPIES, c]) * lanes
        for k in range(0, lanes, BLOCK):
            add_pair(vectors, partial + k, there + k, partial + k)
        scratch[COPIES, c] += 1
    for k in range(3):
        scratch[INTRODUCED, k] = 0
    scratch[TURN, 0] = 0
    p = 0
    while p >= 0:
        # The next of the symbols that are left, skipping the copies of the one before.
        a = scratch[TURN, p]
        c = np.int64(0)
        before = np.int64(-1)
        while a < pegs:
            c = np.int64(multisets[m, a])
            if c != before and scratch[COPIES, c]:
                group = scratch[GROUP, c]
                if (scratch[PLACES, c] >> p) & 1 and (
                    scratch[RANK, c] <= scratch[INTRODUCED + p, group]
                ):
                    break
            before = c
            a += 1
        if a == pegs:
            p -= 1
            if p >= 0:
                scratch[COPIES, scratch[CHOSEN, p]] += 1
            continue
        following = a + 1
        while following < pegs and multisets[m, following] == c:
            following += 1
        scratch[TURN, p] = following
        scratch[CHOSEN, p] = c
        at = partial + p * lanes
        here = (p * colors + c) * lanes
        group = scratch[GROUP, c]
        fresh = scratch[RANK, c] == scratch[INTRODUCED + p, group]
        scratch[COPIES, c] -= 1
        if p < last - 1:
            if best == splits[n, most] and exceeds(scratch, guess, p):
                scratch[TURN, p] = pegs
                scratch[COPIES, c] += 1
                continue
            for k in range(0, lanes, BLOCK):
                add_pair(vectors, at + k, here + k, at + lanes + k)
            for k in range(3):
                scratch[INTRODUCED + p + 1, k] = scratch[INTRODUCED + p, k]
            scratch[INTRODUCED + p + 1, group] += fresh
            p += 1
            scratch[TURN, p] = 0
            continue
        # Two positions to go, and one symbol for the last.
        final = np.int64(0)
        for q in range(pegs):
            if scratch[COPIES, np.int64(multisets[m, q])]:
                final = np.int64(multisets[m, q])
        scratch[COPIES, c] += 1
        if not (scratch[PLACES, final] >> last) & 1 or scratch[RANK, final] > (
            scratch[INTRODUCED + p, scratch[GROUP, final]]
            + (fresh and group == scratch[GROUP, final])
        ):
            continue
        scratch[CHOSEN, last] = final
        there = (last * colors + final) * lanes
        tried += 1
        seen = np.uint64(0)
        if pegs < 8 and n <= 64:
            if pegs < 6:
                if n <= 16:
                    seen = seen_16_narrow(vectors, at, here, there)
                else:
                    seen = seen_64_narrow(vectors, at, here, there)
            elif n <= 16:
                seen = seen_16_wide(vectors, at, here, there)
            else:
                seen = seen_64_wide(vectors, at, here, there)
            if popcount(seen) < needed:
                continue
        for k in range(0, lanes, BLOCK):
            add_block(vectors, at + k, here + k, there + k, total + k)
        if seen:
            score = seen_score(vectors, total, n, seen, weights, additive)
        else:
            score = cell_score(vectors, total, n, scratch, weights, additive)
        if score < best:
            continue
        if score == best and (best == ahead or exceeds(scratch, guess, last)):
            continue
        best = score
        for q in range(pegs):
            guess[q] = scratch[CHOSEN, q]
        while splits[n, needed] < best:
            needed += 1
    return tried, best


@kernel
def exceeds(scratch, guess, p):  # type: ignore[no-untyped-def]
    """Whether the chosen symbols up to position p come after the beginning of `guess`."""
    for q in range(p + 1):
        if scratch[CHOSEN, q] != guess[q]:
            return scratch[CHOSEN, q] > guess[q]
    return False


@kernel
def alphabets(table, candidates, begin, n, colors, repeats, used, scratch):  # type: ignore[no-untyped-def]
    """Find the symbols worth guessing at each position.

    Each rule keeps the lowest of guesses that split these candidates in the same way:

    - If all candidates have equally many c, then c tells something only at positions where some
      have it and some do not. Elsewhere all such symbols say the same, "nothing".
    - Symbols in no guess of the history are interchangeable (group 1); so are, without repeats,
      those in no candidate (group 2): the lowest must come first.

    Fills the rows of `scratch` with, for each symbol, its group (row 3, 0 for none), its rank there
    (row 4), and the set of positions where it is worth guessing, as bits (row 10).
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
            if repeats and scratch[LEAST, c] == scratch[GREATEST, c] and (scratch[INTRODUCED + pegs + p, c] == 0 or scratch[INTRODUCED + pegs + p, c] == n):
                if silent:
                    continue
                silent = True
            scratch[PLACES, c] |= 1 << p
    return grouped


@kernel
def in_order(code, scratch):  # type: ignore[no-untyped-def]
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


@kernel
def seen_score(vectors, start, n, seen, weights, additive):  # type: ignore[no-untyped-def]
    """The score of the partition by at most 64 feedbacks from `start`, whose set is `seen`."""
    valid = ~np.uint64(0) >> np.uint64(64 - n)
    total = np.int64(0)
    while seen:
        feedback = lowest_one(seen)
        seen &= seen - np.uint64(1)
        weight = weights[popcount(equal_64(vectors, start, feedback) & valid)]
        total = total + weight if additive else max(total, weight)
    return -total


@kernel
def count_values(vectors, start, n, most, scratch):  # type: ignore[no-untyped-def]
    """scratch[SIZES, v]: how many of the n bytes from `start` are v, for v up to `most`; all were 0."""
    if n > 64:
        for k in range(start, start + n):
            scratch[SIZES, vectors[k]] += 1
        return
    valid = ~np.uint64(0) >> np.uint64(64 - n)
    for v in range(most + 1):
        scratch[SIZES, v] = popcount(equal_64(vectors, start, v) & valid)


@kernel
def cell_score(vectors, start, n, scratch, weights, additive):  # type: ignore[no-untyped-def]
    """The score of the partition by n feedbacks from `start`; the row SIZES is zero before and after."""
    total = np.int64(0)
    if additive:
        for k in range(start, start + n):
            size = scratch[SIZES, vectors[k]]
            scratch[SIZES, vectors[k]] = size + 1
            total += weights[size + 1] - weights[size]
    else:
        for k in range(start, start + n):
            size = scratch[SIZES, vectors[k]] + 1
            scratch[SIZES, vectors[k]] = size
            total = max(total, weights[size])
    for k in range(start, start + n):
        scratch[SIZES, vectors[k]] = 0
    return -total
