"""The best guess for many candidates: the permutations of a multiset of symbols, 64 pairs at a time.

All guesses with the same symbols have the same total of black and white pegs with a candidate. So
for each multiset the candidates are sorted by that total, and only the blacks are left to count: one
word holds a bit of 64 candidates for each (position, symbol), three words of bit planes their blacks
so far, and a position is added with five instructions for 64 pairs. A class of total t has t + 1
sizes to tell, which takes a few popcounts of the planes, not one for each of the cells.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.jit import kernel
from guessbook.builder.orbits import is_lowest, stabilizer, symbol_groups
from guessbook.builder.vector import popcount

__all__ = ["best_of_many"]


@kernel
def best_of_many(
    digits, history, shuffles, colors, repeats, used, weights, additive, credit, guess
):  # type: ignore[no-untyped-def]
    """Find the best guess for many candidates of a game of 2 to 7 pegs.

    Args:
        digits: uint8[n, pegs], the candidates.
        history: uint8[k, pegs], the guesses so far.
        shuffles: int64[m, pegs], the permutations of the positions, see `orbits.permutations`.
        colors, repeats: of the game.
        used: the set of symbols in the guesses of the history, as the bits of a word.
        weights: int64[> n], the weight of a cell of each size.
        additive: whether the score is minus the sum of the weights, else minus their maximum.
        credit: what a guess that is a candidate gets on top.
        guess: uint8[pegs], receives the digits of the best guess.

    Returns:
        How many guesses were scored.
    """
    n, pegs = digits.shape
    elements = stabilizer(history, shuffles, colors)
    counts = np.zeros((colors, n), np.uint8)
    for s in range(n):
        for p in range(pegs):
            counts[digits[s, p], s] += 1
    group, rank = symbol_groups(counts, repeats, used)
    # totals[k]: the pegs that the first k symbols of a multiset have with each candidate.
    totals = np.zeros((pegs + 1, n), np.uint8)
    order = np.zeros(n, np.int64)
    words = n // 64 + pegs + 1
    rows = np.zeros((pegs * pegs, words), np.uint64)
    planes = np.zeros((pegs * 3, words), np.uint64)
    symbols = np.zeros(pegs, np.int64)
    times = np.zeros(pegs, np.int64)
    best = np.int64(-(1 << 62))
    best_is_candidate = np.int64(0)
    scored = np.int64(0)
    # Depth first over the multisets: symbols ascending, each with 1 to `left` copies.
    kinds = np.int64(0)
    left = np.int64(pegs)
    c = np.int64(0)
    while True:
        if left > 0 and c < colors:
            if worth_using(c, group, rank, symbols, kinds, repeats):
                copies = left if repeats else np.int64(1)
                symbols[kinds] = c
                times[kinds] = copies
                join(totals[kinds], counts[c], copies, totals[kinds + 1])
                kinds += 1
                left -= copies
            c += 1
            continue
        if left == 0:
            found, is_candidate, tried = best_permutation(
                digits, totals[kinds], symbols[:kinds], times[:kinds], group, rank, elements,
                colors, repeats, weights, additive, credit, best, best_is_candidate,
                order, rows, planes, guess,
            )  # fmt: skip
            scored += tried
            best, best_is_candidate = found, is_candidate
        # Back to the last symbol: one copy less, then none.
        if kinds == 0:
            return scored
        c = symbols[kinds - 1]
        times[kinds - 1] -= 1
        left += 1
        if times[kinds - 1] == 0:
            kinds -= 1
        else:
            join(totals[kinds - 1], counts[c], times[kinds - 1], totals[kinds])
        c += 1


@kernel
def worth_using(c, group, rank, symbols, kinds, repeats):  # type: ignore[no-untyped-def]
    """Whether symbol c may join a multiset: of a group, only after all lower members."""
    if group[c] == 0:
        return True
    if group[c] == 2 and repeats:
        return rank[c] == 0
    before = 0
    for k in range(kinds):
        before += group[symbols[k]] == group[c]
    return before == rank[c]


@kernel
def join(before, counts, copies, after):  # type: ignore[no-untyped-def]
    """after = before + min(counts, copies), for each candidate."""
    for s in range(len(before)):
        after[s] = before[s] + min(counts[s], np.uint8(copies))


@kernel
def best_permutation(
    digits,
    totals,
    symbols,
    times,
    group,
    rank,
    elements,
    colors,
    repeats,
    weights,
    additive,
    credit,
    best,
    best_is_candidate,
    order,
    rows,
    planes,
    guess,
):  # type: ignore[no-untyped-def]
    """Score the permutations of one multiset; improve `best` and `guess`.

    Returns the best score, whether its guess is a candidate, and how many guesses were scored.
    """
    n, pegs = digits.shape
    kinds = len(symbols)
    size = np.zeros(pegs + 1, np.int64)
    for s in range(n):
        size[totals[s]] += 1
    # Each class starts a new word; the class of total 0 needs none, all its blacks are 0.
    start = np.zeros(pegs + 2, np.int64)
    for t in range(1, pegs + 1):
        start[t + 1] = start[t] + (size[t] + 63) // 64
    sort_into_rows(digits, totals, symbols, colors, start, rows)

    chosen = np.zeros(pegs, np.int64)
    turn = np.zeros(pegs, np.int64)
    code = np.zeros(pegs, np.int64)
    introduced = np.zeros((pegs + 1, 3), np.int64)
    cells = np.zeros((pegs + 1) * (pegs + 1), np.int64)
    scored = np.int64(0)
    words = start[pegs + 1]
    p = np.int64(0)
    while p >= 0:
        k = turn[p]
        while k < kinds:
            c = symbols[k]
            if times[k] and (group[c] == 0 or rank[c] <= introduced[p, group[c]]):
                break
            k += 1
        if k == kinds:
            p -= 1
            if p >= 0:
                times[chosen[p]] += 1
            continue
        turn[p] = k + 1
        chosen[p] = k
        code[p] = symbols[k]
        if p < pegs - 1:
            add_position(planes, p, rows[p * kinds + k], words)
            for g in range(3):
                introduced[p + 1, g] = introduced[p, g]
            if rank[code[p]] == introduced[p, group[code[p]]]:
                introduced[p + 1, group[code[p]]] += 1
            times[k] -= 1
            p += 1
            turn[p] = 0
            continue
        if len(elements) > 1 and not is_lowest(code, elements, group, rank, repeats):
            continue
        scored += 1
        count_cells(planes, p, rows[p * kinds + k], start, size, cells)
        score = np.int64(0)
        if additive:
            for t in range(pegs + 1):
                for b in range(t + 1):
                    score -= weights[cells[t * (pegs + 1) + b]]
        else:
            for t in range(pegs + 1):
                for b in range(t + 1):
                    score = min(score, -weights[cells[t * (pegs + 1) + b]])
        is_candidate = np.int64(cells[len(cells) - 1] > 0)
        if is_candidate:
            score += credit
        if score < best:
            continue
        if score == best:
            if is_candidate < best_is_candidate:
                continue
            if is_candidate == best_is_candidate and not is_before(code, guess):
                continue
        best = score
        best_is_candidate = is_candidate
        for q in range(pegs):
            guess[q] = code[q]
    return best, best_is_candidate, scored


@kernel
def sort_into_rows(digits, totals, symbols, colors, start, rows):  # type: ignore[no-untyped-def]
    """Set rows[p * kinds + k] to the candidates with the k-th symbol at p, sorted by their total."""
    n, pegs = digits.shape
    kinds = len(symbols)
    for r in range(pegs * kinds):
        for w in range(start[pegs + 1]):
            rows[r, w] = 0
    place = np.empty(colors, np.int64)
    for c in range(colors):
        place[c] = -1
    for k in range(kinds):
        place[symbols[k]] = k
    following = np.empty(pegs + 1, np.int64)
    for t in range(pegs + 1):
        following[t] = start[t] * 64
    for s in range(n):
        t = totals[s]
        if t == 0:
            continue
        at = following[t]
        following[t] = at + 1
        word = at >> 6
        bit = np.uint64(1) << np.uint64(at & 63)
        for p in range(pegs):
            k = place[digits[s, p]]
            if k >= 0:
                rows[p * kinds + k, word] |= bit


@kernel
def add_position(planes, p, row, words):  # type: ignore[no-untyped-def]
    """Planes of the blacks up to position p: those before p plus the matches there."""
    if p == 0:
        for w in range(words):
            planes[0, w] = row[w]
            planes[1, w] = 0
            planes[2, w] = 0
        return
    at = (p - 1) * 3
    for w in range(words):
        carry = planes[at, w] & row[w]
        planes[at + 3, w] = planes[at, w] ^ row[w]
        planes[at + 4, w] = planes[at + 1, w] ^ carry
        planes[at + 5, w] = planes[at + 2, w] | (planes[at + 1, w] & carry)


@kernel
def count_cells(planes, p, row, start, size, cells):  # type: ignore[no-untyped-def]
    """cells[t * (pegs + 1) + b]: how many candidates have total t and b blacks; p is the last."""
    pegs = len(size) - 1
    at = (p - 1) * 3
    cells[0] = size[0]
    for t in range(1, pegs + 1):
        ones = np.int64(0)
        twos = np.int64(0)
        threes = np.int64(0)
        first = t * (pegs + 1)
        if t == 1:
            for w in range(start[t], start[t + 1]):
                ones += popcount(planes[at, w] ^ row[w])
            cells[first + 1] = ones
            cells[first] = size[t] - ones
            continue
        if t < 4:
            for w in range(start[t], start[t + 1]):
                x = planes[at, w] ^ row[w]
                y = planes[at + 1, w] ^ (planes[at, w] & row[w])
                ones += popcount(x)
                twos += popcount(y)
                threes += popcount(x & y)
            cells[first + 1] = ones - threes
            cells[first + 2] = twos - threes
            cells[first] = size[t] - ones - twos + threes
            if t == 3:
                cells[first + 3] = threes
            continue
        fours = np.int64(0)
        fives = np.int64(0)
        sixes = np.int64(0)
        sevens = np.int64(0)
        for w in range(start[t], start[t + 1]):
            carry = planes[at, w] & row[w]
            x = planes[at, w] ^ row[w]
            y = planes[at + 1, w] ^ carry
            z = planes[at + 2, w] | (planes[at + 1, w] & carry)
            ones += popcount(x)
            twos += popcount(y)
            threes += popcount(x & y)
            fours += popcount(z)
            if t > 4:
                fives += popcount(x & z)
                sixes += popcount(y & z)
                sevens += popcount(x & y & z)
        cells[first + 1] = ones - threes - fives + sevens
        cells[first + 2] = twos - threes - sixes + sevens
        cells[first + 3] = threes - sevens
        cells[first + 4] = fours - fives - sixes + sevens
        cells[first] = size[t] - ones - twos - fours + threes + fives + sixes - sevens
        if t > 4:
            cells[first + 5] = fives - sevens
        if t > 5:
            cells[first + 6] = sixes - sevens
        if t > 6:
            cells[first + 7] = sevens


@kernel
def is_before(code, other):  # type: ignore[no-untyped-def]
    """Whether a code comes before another of the same length."""
    for p in range(len(code)):
        if code[p] != other[p]:
            return code[p] < other[p]
    return False
