"""The best guess for few candidates: all their feedbacks in one vector of bytes.

A feedback can be numbered as a sum over the positions of a guess: symbol c at position p, the j-th c
so far, adds `pegs` where a candidate has c at p, and 1 where a candidate has at least j times c. So
a guess is a depth-first walk over positions that adds two vectors a step, one byte a candidate, and
guesses with a common beginning share its work.

The set of these bytes, as the bits of one word, gives the number of cells for a fraction of the price
of their sizes. Where even an even split into so many cells could not win, the guess is done with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from guessbook.builder.arrays import Bytes2D, Integers, Rule

__all__ = ["FEW", "few_each"]

# Candidates up to which this is faster than `multisets`: measured, see docs/benchmarks.md.
FEW = 64


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
    most = int((starts[nodes + 1] - starts[nodes]).max())
    lanes = (most + 63) // 64 * 64
    vectors = np.zeros((2 * pegs * colors + pegs + 1) * lanes + 64, np.uint8)
    scratch = np.zeros((2 * pegs + 11, max(colors + 1, (pegs + 1) ** 2)), np.int64)
    best_of_few(
        table, candidates, starts, nodes, used, colors, repeats, rule.weights, rule.additive,
        rule.credit, vectors, scratch, guesses, scored,
    )  # fmt: skip


@kernel
def best_of_few(
    table,
    candidates,
    starts,
    nodes,
    used,
    colors,
    repeats,
    weights,
    additive,
    credit,
    vectors,
    scratch,
    guesses,
    scored,
):  # type: ignore[no-untyped-def]
    """The loop of `few_each`, with working space: `vectors`, and `scratch` for small arrays."""
    pegs = table.shape[1]
    copies = scratch[0]
    chosen = scratch[1]
    turn = scratch[2]
    group = scratch[3]
    rank = scratch[4]
    sizes = scratch[5]
    bounds = scratch[6]
    most = 0
    for node in nodes:
        begin = starts[node]
        n = starts[node + 1] - begin
        lanes = 16 if n <= 16 else 32 if n <= 32 else (n + 63) // 64 * 64
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
                copies[c] = 0
            for p in range(pegs):
                c = np.int64(secret[p])
                vectors[(p * colors + c) * lanes + k] = pegs
                vectors[extra + (c * pegs + copies[c]) * lanes + k] = 1
                copies[c] += 1
        most = best_scores(n, pegs * (pegs + 3) // 2, weights, additive, bounds)

        # The candidates first: they win ties, and their best is the bound for all others.
        grouped = alphabets(table, candidates, begin, n, colors, repeats, used[node], scratch)
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
                copies[c] = 0
            for p in range(pegs):
                c = np.int64(code[p])
                here = (p * colors + c) * lanes
                there = extra + (c * pegs + copies[c]) * lanes
                for k in range(0, lanes, BLOCK):
                    add_block(vectors, total + k, here + k, there + k, total + k)
                copies[c] += 1
            score = credit + cell_score(vectors, total, n, sizes, weights, additive)
            if score > best:
                best = score
                for p in range(pegs):
                    guess[p] = code[p]
                if best >= credit + bounds[most]:
                    break
        if best >= bounds[most]:
            continue
        needed = 1
        while bounds[needed] <= best:
            needed += 1

        # Then every other guess, in ascending order, so that the first of equals is the lowest.
        for c in range(colors):
            copies[c] = 0
        for k in range(3):
            scratch[11, k] = 0
        turn[0] = 0
        p = 0
        while p >= 0:
            at = partial + p * lanes
            alphabet = scratch[11 + pegs + p]
            introduced = scratch[11 + p]
            # The symbols end with a -1.
            if p < pegs - 1:
                a = turn[p]
                c = alphabet[a]
                while c >= 0 and ((copies[c] and not repeats) or rank[c] > introduced[group[c]]):
                    a += 1
                    c = alphabet[a]
                if c >= 0:
                    here = (p * colors + c) * lanes
                    there = extra + (c * pegs + copies[c]) * lanes
                    for k in range(0, lanes, BLOCK):
                        add_block(vectors, at + k, here + k, there + k, at + lanes + k)
                    for k in range(3):
                        scratch[12 + p, k] = introduced[k]
                    if group[c] and rank[c] == introduced[group[c]]:
                        scratch[12 + p, group[c]] += 1
                    copies[c] += 1
                    chosen[p] = c
                    turn[p] = a + 1
                    p += 1
                    turn[p] = 0
                    continue
            else:
                a = 0
                while alphabet[a] >= 0:
                    c = alphabet[a]
                    a += 1
                    if grouped and rank[c] > introduced[group[c]]:
                        continue
                    if copies[c] and not repeats:
                        continue
                    scored[node] += 1
                    here = (p * colors + c) * lanes
                    there = extra + (c * pegs + copies[c]) * lanes
                    seen = np.uint64(0)
                    if pegs < 8 and n <= 64:
                        if pegs < 6:
                            if n <= 16:
                                seen = seen_16_narrow(vectors, at, here, there)
                            elif n <= 32:
                                seen = seen_32_narrow(vectors, at, here, there)
                            else:
                                seen = seen_64_narrow(vectors, at, here, there)
                        elif n <= 16:
                            seen = seen_16_wide(vectors, at, here, there)
                        elif n <= 32:
                            seen = seen_32_wide(vectors, at, here, there)
                        else:
                            seen = seen_64_wide(vectors, at, here, there)
                        if popcount(seen) < needed:
                            continue
                    for k in range(0, lanes, BLOCK):
                        add_block(vectors, at + k, here + k, there + k, total + k)
                    if seen:
                        score = seen_score(vectors, total, n, seen, weights, additive)
                    else:
                        score = cell_score(vectors, total, n, sizes, weights, additive)
                    if score > best:
                        best = score
                        for q in range(p):
                            guess[q] = chosen[q]
                        guess[p] = c
                        if best >= bounds[most]:
                            break
                        while bounds[needed] <= best:
                            needed += 1
                if best >= bounds[most]:
                    break
            p -= 1
            if p >= 0:
                copies[chosen[p]] -= 1


@kernel
def best_scores(n, cells, weights, additive, bounds):  # type: ignore[no-untyped-def]
    """bounds[k]: the best score that n candidates in k cells can have, that of an even split.

    Returns the largest k: the number of candidates, or of the cells that a game has if fewer.
    """
    most = min(n, cells)
    bounds[0] = -(1 << 62)
    for k in range(1, most + 1):
        small = n // k
        large = n - small * k
        if additive:
            bounds[k] = -(large * weights[small + 1] + (k - large) * weights[small])
        else:
            bounds[k] = -weights[small + (large > 0)]
    return most


@kernel
def alphabets(table, candidates, begin, n, colors, repeats, used, scratch):  # type: ignore[no-untyped-def]
    """Find the symbols worth guessing at each position.

    Each rule keeps the lowest of guesses that split these candidates in the same way:

    - If all candidates have equally many c, then c tells something only at positions where some
      have it and some do not. Elsewhere all such symbols say the same, "nothing".
    - Symbols in no guess of the history are interchangeable (group 1); so are, without repeats,
      those in no candidate (group 2): the lowest must come first.

    Fills the rows of `scratch` with, for each symbol, its group (row 3, 0 for none) and its rank
    there (row 4), and for each position p the symbols worth guessing and a -1 (row 11 + pegs + p).
    Returns whether any symbol is in a group.
    """
    pegs = table.shape[1]
    copies = scratch[0]
    group = scratch[3]
    rank = scratch[4]
    least = scratch[7]
    greatest = scratch[8]
    members = scratch[9]
    for k in range(3):
        members[k] = 0
    for c in range(colors):
        least[c] = pegs
        greatest[c] = 0
        for p in range(pegs):
            scratch[11 + pegs + p, c] = 0
    for s in range(begin, begin + n):
        code = table[candidates[s]]
        for c in range(colors):
            copies[c] = 0
        for p in range(pegs):
            scratch[11 + pegs + p, code[p]] += 1
            copies[code[p]] += 1
        for c in range(colors):
            least[c] = min(least[c], copies[c])
            greatest[c] = max(greatest[c], copies[c])
    grouped = False
    for c in range(colors):
        group[c] = 0
        if greatest[c] == 0:
            group[c] = 0 if repeats else 2
        elif not (used >> np.uint64(c)) & np.uint64(1):
            group[c] = 1
        rank[c] = 0
        if group[c]:
            grouped = True
            rank[c] = members[group[c]]
            members[group[c]] += 1
    for p in range(pegs):
        held = scratch[11 + pegs + p]
        silent = False
        end = 0
        for c in range(colors):
            if repeats and least[c] == greatest[c] and (held[c] == 0 or held[c] == n):
                if silent:
                    continue
                silent = True
            held[end] = c
            end += 1
        held[end] = -1
    return grouped


@kernel
def in_order(code, scratch):  # type: ignore[no-untyped-def]
    """Whether the symbols of each group first appear in ascending order in a code."""
    group = scratch[3]
    rank = scratch[4]
    introduced = scratch[9]
    introduced[1] = 0
    introduced[2] = 0
    for c in code:
        if group[c]:
            if rank[c] > introduced[group[c]]:
                return False
            if rank[c] == introduced[group[c]]:
                introduced[group[c]] += 1
    return True


@kernel
def seen_score(vectors, start, n, seen, weights, additive):  # type: ignore[no-untyped-def]
    """The score of the partition by at most 64 feedbacks from `start`, whose set is `seen`."""
    valid = ~np.uint64(0) >> np.uint64(64 - n)
    total = np.int64(0)
    while seen:
        feedback = lowest_one(seen)
        seen &= seen - np.uint64(1)
        if n <= 16:
            cell = equal_16(vectors, start, feedback)
        elif n <= 32:
            cell = equal_32(vectors, start, feedback)
        else:
            cell = equal_64(vectors, start, feedback)
        weight = weights[popcount(cell & valid)]
        total = total + weight if additive else max(total, weight)
    return -total


@kernel
def cell_score(vectors, start, n, sizes, weights, additive):  # type: ignore[no-untyped-def]
    """The score of the partition by n feedbacks from `start`; `sizes` is zero before and after."""
    total = np.int64(0)
    if additive:
        for k in range(start, start + n):
            size = sizes[vectors[k]]
            sizes[vectors[k]] = size + 1
            total += weights[size + 1] - weights[size]
    else:
        for k in range(start, start + n):
            size = sizes[vectors[k]] + 1
            sizes[vectors[k]] = size
            total = max(total, weights[size])
    for k in range(start, start + n):
        sizes[vectors[k]] = 0
    return -total
