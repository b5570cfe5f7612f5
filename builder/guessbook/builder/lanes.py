"""The best guess for few candidates: all their feedbacks in one vector of bytes.

A feedback can be numbered as a sum over the positions of a guess: symbol c at position p, the j-th c
so far, adds `pegs` where a candidate has c at p, and 1 where a candidate has at least j times c. So
a guess is a depth-first walk over positions that adds two vectors a step, one byte a candidate, and
guesses with a common beginning share its work.

The set of these bytes, as the bits of one word, gives the number of cells for a fraction of the price
of their sizes. Where even an even split into so many cells could not win, the guess is done with.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.jit import kernel
from guessbook.builder.vector import (
    BLOCK,
    add_block,
    equal_16,
    equal_32,
    equal_64,
    lowest_one,
    popcount,
    seen_16_narrow,
    seen_16_wide,
    seen_32_narrow,
    seen_32_wide,
    seen_64_narrow,
    seen_64_wide,
)

__all__ = ["FEW", "best_of_few"]

# Candidates up to which this is faster than `multisets`: measured, see docs/benchmarks.md.
FEW = 64


@kernel
def best_of_few(digits, colors, repeats, used, weights, bounds, additive, credit, guess):  # type: ignore[no-untyped-def]
    """Find the best guess for a few candidates.

    Args:
        digits: uint8[n, pegs], the candidates in ascending order, n >= 2.
        colors, repeats: of the game.
        used: the set of symbols in the guesses of the history, as the bits of a word.
        weights: int64[> n], the weight of a cell of each size.
        bounds: int64[cells + 1], the best score that n candidates in so many cells can reach.
        additive: whether the score is minus the sum of the weights, else minus their maximum.
        credit: what a guess that is a candidate gets on top.
        guess: uint8[pegs], receives the digits of the best guess.

    Returns:
        How many guesses were scored.
    """
    n, pegs = digits.shape
    lanes = 16 if n <= 16 else 32 if n <= 32 else (n + 63) // 64 * 64
    # match[p, c]: pegs for candidates with c at p; extra[c, j]: 1 for those with more than j c.
    match = np.zeros(pegs * colors * lanes, np.uint8)
    extra = np.zeros(colors * pegs * lanes, np.uint8)
    copies = np.zeros(colors, np.int64)
    for k in range(lanes):
        # Lanes beyond the candidates repeat the first one: they add no cell.
        s = k if k < n else 0
        copies[:] = 0
        for p in range(pegs):
            c = np.int64(digits[s, p])
            match[(p * colors + c) * lanes + k] = pegs
            extra[(c * pegs + copies[c]) * lanes + k] = 1
            copies[c] += 1
    # partial[p]: the sum over the positions before p; the last row is for whole guesses.
    partial = np.zeros((pegs + 1) * lanes + 64, np.uint8)
    total = pegs * lanes
    sizes = np.zeros(pegs * (pegs + 1) + 1, np.int64)
    most = len(bounds) - 1

    # The candidates first: they win ties, and their best is the bound for all others.
    best = np.int64(-(1 << 62))
    for s in range(n):
        partial[total : total + lanes] = 0
        copies[:] = 0
        for p in range(pegs):
            c = np.int64(digits[s, p])
            here = (p * colors + c) * lanes
            there = (c * pegs + copies[c]) * lanes
            for k in range(0, lanes, BLOCK):
                add_block(partial, total + k, match, here + k, extra, there + k, partial, total + k)
            copies[c] += 1
        score = credit + cell_score(partial, total, n, sizes, weights, additive)
        if score > best:
            best = score
            guess[:] = digits[s]
            if best >= credit + bounds[most]:
                return s + 1
    scored = np.int64(n)
    if best >= bounds[most]:
        return scored
    needed = 1
    while bounds[needed] <= best:
        needed += 1

    # Then every other guess, in ascending order, so that the first of equals is the lowest.
    alphabet, ends, group, rank = alphabets(digits, colors, repeats, used)
    grouped = group.max() > 0
    copies[:] = 0
    chosen = np.zeros(pegs, np.int64)
    turn = np.zeros(pegs, np.int64)
    introduced = np.zeros((pegs + 1, 3), np.int64)
    p = 0
    while p >= 0:
        at = p * lanes
        end = ends[p]
        if p == pegs - 1:
            for a in range(end):
                c = alphabet[p, a]
                if grouped and rank[c] > introduced[p, group[c]]:
                    continue
                if not repeats and copies[c]:
                    continue
                scored += 1
                here = (p * colors + c) * lanes
                there = (c * pegs + copies[c]) * lanes
                if pegs < 8 and n <= 64:
                    if pegs < 6:
                        if n <= 16:
                            seen = seen_16_narrow(partial, at, match, here, extra, there)
                        elif n <= 32:
                            seen = seen_32_narrow(partial, at, match, here, extra, there)
                        else:
                            seen = seen_64_narrow(partial, at, match, here, extra, there)
                    elif n <= 16:
                        seen = seen_16_wide(partial, at, match, here, extra, there)
                    elif n <= 32:
                        seen = seen_32_wide(partial, at, match, here, extra, there)
                    else:
                        seen = seen_64_wide(partial, at, match, here, extra, there)
                    if popcount(seen) < needed:
                        continue
                for k in range(0, lanes, BLOCK):
                    add_block(
                        partial, at + k, match, here + k, extra, there + k, partial, total + k
                    )
                if pegs < 8 and n <= 64:
                    score = seen_score(partial, total, n, seen, weights, additive)
                else:
                    score = cell_score(partial, total, n, sizes, weights, additive)
                if score > best:
                    best = score
                    for q in range(p):
                        guess[q] = chosen[q]
                    guess[p] = c
                    if best >= bounds[most]:
                        return scored
                    while bounds[needed] <= best:
                        needed += 1
        else:
            a = turn[p]
            while a < end:
                c = alphabet[p, a]
                if (repeats or not copies[c]) and rank[c] <= introduced[p, group[c]]:
                    break
                a += 1
            if a < end:
                here = (p * colors + c) * lanes
                there = (c * pegs + copies[c]) * lanes
                for k in range(0, lanes, BLOCK):
                    add_block(
                        partial, at + k, match, here + k, extra, there + k, partial, at + lanes + k
                    )
                introduced[p + 1] = introduced[p]
                if group[c] and rank[c] == introduced[p, group[c]]:
                    introduced[p + 1, group[c]] += 1
                copies[c] += 1
                chosen[p] = c
                turn[p] = a + 1
                p += 1
                turn[p] = 0
                continue
        p -= 1
        if p >= 0:
            copies[chosen[p]] -= 1
    return scored


@kernel
def alphabets(digits, colors, repeats, used):  # type: ignore[no-untyped-def]
    """The symbols worth guessing at each position.

    Each rule keeps the lowest of guesses that split these candidates in the same way:

    - If all candidates have equally many c, then c tells something only at positions where some
      have it and some do not. Elsewhere all such symbols say the same, "nothing".
    - Symbols in no guess of the history are interchangeable (`group` 1); so are, without repeats,
      those in no candidate (group 2): the lowest must come first. `rank` is the order in a group.

    Returns:
        alphabet: int64[pegs, colors], and ends: int64[pegs], how many of a row count;
        group, rank: int64[colors], zeros for a symbol that has no group.
    """
    n, pegs = digits.shape
    held = np.zeros((pegs, colors), np.int64)
    least = np.full(colors, pegs)
    most = np.zeros(colors, np.int64)
    copies = np.zeros(colors, np.int64)
    for s in range(n):
        copies[:] = 0
        for p in range(pegs):
            held[p, digits[s, p]] += 1
            copies[digits[s, p]] += 1
        for c in range(colors):
            least[c] = min(least[c], copies[c])
            most[c] = max(most[c], copies[c])
    group = np.zeros(colors, np.int64)
    rank = np.zeros(colors, np.int64)
    members = np.zeros(3, np.int64)
    for c in range(colors):
        if most[c] == 0:
            group[c] = 0 if repeats else 2
        elif not (used >> np.uint64(c)) & np.uint64(1):
            group[c] = 1
        if group[c]:
            rank[c] = members[group[c]]
            members[group[c]] += 1
    alphabet = np.zeros((pegs, colors), np.int64)
    ends = np.zeros(pegs, np.int64)
    for p in range(pegs):
        silent = False
        for c in range(colors):
            if repeats and least[c] == most[c] and held[p, c] in (0, n):
                if silent:
                    continue
                silent = True
            alphabet[p, ends[p]] = c
            ends[p] += 1
    return alphabet, ends, group, rank


@kernel
def seen_score(feedbacks, start, n, seen, weights, additive):  # type: ignore[no-untyped-def]
    """The score of the partition by at most 64 feedbacks from `start`, whose set is `seen`."""
    valid = ~np.uint64(0) >> np.uint64(64 - n)
    total = np.int64(0)
    while seen:
        feedback = lowest_one(seen)
        seen &= seen - np.uint64(1)
        if n <= 16:
            cell = equal_16(feedbacks, start, feedback)
        elif n <= 32:
            cell = equal_32(feedbacks, start, feedback)
        else:
            cell = equal_64(feedbacks, start, feedback)
        weight = weights[popcount(cell & valid)]
        total = total + weight if additive else max(total, weight)
    return -total


@kernel
def cell_score(feedbacks, start, n, sizes, weights, additive):  # type: ignore[no-untyped-def]
    """The score of the partition by n feedbacks from `start`; `sizes` is zero before and after."""
    total = np.int64(0)
    if additive:
        for k in range(start, start + n):
            size = sizes[feedbacks[k]]
            sizes[feedbacks[k]] = size + 1
            total += weights[size + 1] - weights[size]
    else:
        for k in range(start, start + n):
            size = sizes[feedbacks[k]] + 1
            sizes[feedbacks[k]] = size
            total = max(total, weights[size])
    for k in range(start, start + n):
        sizes[feedbacks[k]] = 0
    return -total
