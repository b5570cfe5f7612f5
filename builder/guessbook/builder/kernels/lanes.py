"""The best guess for the candidates of a node: 64 guesses with the same symbols side by side.

The guesses are taken by their multisets of symbols, the most promising first. All orders of a
multiset share the totals of black and white pegs, so the candidates are sorted into classes by
their total, and only the blacks are counted, with 64 orders in the 64 lanes of a vector: see
`orders`. The number of cells is found for 64 guesses at once; where an even split into so many
cells could not win, neither can the guess, and it is not scored.

docs/benchmarks.md has the counts.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.compiler.jit import (
    at_least,
    lowest_one,
    part,
    split_sum,
    sum_rows,
)
from guessbook.builder.compiler.machine import APART, BRIEF, LANES, hinted
from guessbook.builder.kernels.arrays import Array, Number
from guessbook.builder.kernels.blacks import (
    blacks_needed,
    choose_orders,
    count_symbols,
)
from guessbook.builder.kernels.orbits import require
from guessbook.builder.kernels.orders import Orders
from guessbook.builder.kernels.promise import (
    BY_CELLS,
    LEAST_SCORE,
    Bound,
    cell_score,
    cells_needed,
    list_promising,
    mark_fitting,
    sort_turns,
    take_up,
)
from guessbook.builder.kernels.scores import (
    cells_of,
    count_order,
    is_before,
    score_of,
    sort_by_total,
    spell,
)
from guessbook.builder.kernels.space import (
    BYTE,
    CODE,
    ELEMENTS,
    FEW,
    GUESS,
    HELD,
    REPEATS,
    REQUIRED,
    SIZE,
    SIZES,
    USED,
    Space,
)

# How many multisets are taken out of order, by what they promise, to have a good score early.
FIRST = 8

# Of the pairs that are left about so many are spared for each that is scored: by symmetry, and by
# better guesses that are found on the way.
SPARED = 2

# A plan for searches that nobody divides, and for one that begins; no end before it is over.
WHOLE, ANEW, EVERY = -1, -2, 1 << 62


@part
@hinted(APART)
def best_of_node(
    table: Array, sets: Array, orders: Orders, candidates: Array, begin: int, n: int, used: int,
    repeats: int, bound: Bound, space: Space, plan: Array,
) -> int:  # fmt: skip
    """Find the best guess of a node of n candidates, at least 3: GUESS.

    A search can be cut short, and be gone on with, by what the six numbers of `plan` say: WHOLE,
    ANEW, or how many multisets are given in `rest`; after how many guesses to end, and how many
    pairs a part of what is left has; the best score so far, whether it is that of a candidate, and
    that guess. Then they say how many multisets are left in `rest`, and as how many parts; the best
    score, and whether it is that of a candidate.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        sets: int32[codes], the multiset of every code.
        orders: the tables of the game.
        candidates: uint32, those of the node from `begin` on.
        begin: there.
        n: how many there are.
        used: the set of symbols in the guesses of the history, as bits.
        repeats: of the game.
        bound: the policy.
        space: working space, with the symmetries of the history.
        plan: as above.

    Returns how many guesses were scored.
    """
    pegs, colors = orders.pegs, orders.colors
    held = enter(table, sets, orders, candidates, begin, n, space)
    space.state[HELD], space.state[USED], space.state[REPEATS] = held, used, repeats
    best, ahead, guess = plan[3], plan[4], plan[5]
    if plan[0] < 0:
        best, ahead, guess = np.int64(LEAST_SCORE), np.int64(n <= FEW), np.int64(candidates[begin])
    for p in range(pegs):
        space.state[GUESS + p] = table[guess * pegs + p]
    tried = left = parts = np.int64(0)
    if plan[0] < 0 and n <= FEW:
        best, tried = best_candidate(n, orders, bound, space)
    listed = plan[0]
    if listed >= 0:
        take_up(n, orders.pegs, bound, space, listed)
    if n > FEW or best < bound.splits[n * bound.columns + min(n, bound.columns - 1)]:
        require(held, used, colors, repeats, space.state, REQUIRED)
        mark_fitting(orders, space)
        by_cells = plan[0] == WHOLE and n <= BY_CELLS
        if plan[0] < 0:
            listed = list_promising(n, orders, bound, space, best, by_cells)
        if n > FEW:
            count_symbols(n, orders, space)
        if by_cells:
            tried += best_by_cells(n, orders, bound, space, best)
    if listed > 0:
        best, ahead, more = best_by_score(n, orders, bound, space, best, ahead > 0, listed, plan[1])
        tried += more
        if more >= plan[1]:
            left, parts = leave(n, orders, bound, space, best, listed, plan[2])
    if plan[0] != WHOLE:
        plan[0], plan[1], plan[3], plan[4] = left, parts, best, ahead
    return tried


@part
def enter(
    table: Array, sets: Array, orders: Orders, candidates: Array, begin: int, n: int, space: Space
) -> int:
    """Put the candidates of a node into the working space; returns the set of their symbols."""
    pegs, colors = orders.pegs, orders.colors
    held = np.int64(0)
    for s in range(n):
        code = np.int64(candidates[begin + s])
        home = np.int64(sets[code])
        space.home[s] = home
        if n <= FEW:
            space.column[s] = home // LANES * orders.shared_tile + home % LANES
        held |= orders.symbols[home]
        for p in range(pegs):
            space.digits[s * pegs + p] = p * colors + table[code * pegs + p]
    return held


@part
def best_candidate(n: int, orders: Orders, bound: Bound, space: Space) -> tuple[int, int]:
    """The best score of a candidate, the lowest such is the guess; and how many were scored.

    What a candidate adds to the feedback of another is in the rows that it is itself marked in.
    """
    pegs, colors = orders.pegs, orders.colors
    local, places, digits, state = space.local, space.places, space.digits, space.state
    for k in range(2 * pegs * colors * LANES):
        local[k] = 0
    for s in range(n):
        for p in range(pegs):
            digit = np.int64(digits[s * pegs + p])
            copy = np.int64(0)
            for q in range(p):
                copy += digits[s * pegs + q] - q * colors == digit - p * colors
            black = digit * LANES
            either = (pegs * colors + (digit - p * colors) * pegs + copy) * LANES
            places[s * 2 * pegs + 2 * p] = black
            places[s * 2 * pegs + 2 * p + 1] = either
            local[black + s] = 1
            local[either + s] = pegs + 1
    perfect = bound.credit + bound.splits[n * bound.columns + min(n, bound.columns - 1)]
    best = np.int64(LEAST_SCORE)
    for s in range(n):
        sum_rows(local, 0, places, s, 2 * pegs, space.counts, 0)
        score = bound.credit + cell_score(
            space.counts, n, state, SIZES, bound.costs, bound.additive
        )
        if score > best:
            best = score
            for p in range(pegs):
                state[GUESS + p] = digits[s * pegs + p] - p * colors
            if best >= perfect:
                return best, s + 1
    return best, n


@part
def best_by_cells(n: int, orders: Orders, bound: Bound, space: Space, best: int) -> int:
    """Find the best guess for few candidates, if the best score of one of them is `best`.

    Multisets come by the most cells that they allow, those that allow as many in order.

    Returns how many guesses were scored.
    """
    pegs = orders.pegs
    ahead = n > 0  # it is, and no constant
    scored = np.int64(0)
    for cells in range(min(n, bound.columns - 1), 0, -1):
        for tile in range(space.tiles):
            if cells < cells_needed(n, bound, 0, best, ahead):
                return scored
            mask = at_least(space.cells, tile * LANES, cells) & space.fitting[tile]
            mask &= ~at_least(space.cells, tile * LANES, cells + 1)
            while mask:
                m = tile * LANES + lowest_one(mask)
                mask &= mask - np.uint64(1)
                if bound.splits[n * bound.columns + cells] == best:
                    # Here only a lower guess can win, and those that follow are higher.
                    for p in range(pegs):
                        space.state[CODE + p] = orders.sets[m * pegs + p]
                    if not is_before(pegs, space.state):
                        break
                best, ahead, tried = best_order(
                    n, orders, m, np.int64(-1), bound, space, best, ahead
                )
                scored += tried
    return scored


@part
def best_by_score(
    n: int, orders: Orders, bound: Bound, space: Space, best: int, ahead: bool, count: int,
    budget: int,
) -> tuple[int, bool, int]:  # fmt: skip
    """Find the best guess of `count` multisets, or end after so many guesses.

    They come by the best score that they allow; after the first few they come in order. The limits
    of those that are done with become LEAST_SCORE.

    Returns the best score, whether it is that of a candidate, and how many guesses were scored.
    """
    scored = np.int64(0)
    limits = space.limits
    for turn in range(-1, count + FIRST):
        if scored >= budget:
            break
        some = n > FEW and bound.unit and best == LEAST_SCORE
        m = turn - FIRST
        if turn < FIRST:
            m = np.int64(0)
            for k in range(count):
                if limits[k] > limits[m]:
                    m = np.int64(k)
        if limits[m] > best or (limits[m] == best and not (ahead and n <= FEW)):
            row = m * (orders.pegs + 3)
            which = np.int64(space.classes[row + orders.pegs + 2])
            best, ahead, tried = best_order(n, orders, which, row, bound, space, best, ahead)
            scored += tried
        # At first 64 orders are scored, to have something to beat. There is one: of the lowest of
        # the most promising multisets no symmetry carries the lowest order onto a lower one.
        if not some:
            limits[m] = LEAST_SCORE
    return best, ahead, scored


@part
@hinted(BRIEF)
def leave(
    n: int, orders: Orders, bound: Bound, space: Space, best: int, count: int, pairs: int
) -> tuple[int, int]:
    """Deal out those of `count` multisets that may have orders as good as the best guess: `rest`.

    They become parts of about so many pairs each, the most promising of each first: of those most
    are searched, of the others few.

    Returns how many are left, and how many parts there are.
    """
    width, limits, classes = orders.pegs + 3, space.limits, space.classes
    left = every = np.int64(0)
    for k in range(count):
        row = k * width
        if limits[k] < best or limits[k] == LEAST_SCORE:
            continue
        number = np.int64(classes[row + width - 2])
        if n > FEW and bound.unit:
            m = np.int64(classes[row + width - 1])
            lowest, highest = blacks_needed(n, orders.pegs, row, bound, space, best)
            number = choose_orders(orders, m, lowest, highest, number, space)
            classes[row + width - 2] = number
        if number:
            space.turns[left] = k
            left += 1
            # To sort the candidates takes as long as so many guesses.
            every += number + LANES
    sort_turns(space.turns, left, limits)
    parts = min((every * n + SPARED * pairs - 1) // (SPARED * pairs), left)
    at = 0
    for part_of in range(parts):
        for turn in range(part_of, left, parts):
            for t in range(width):
                space.rest[at + t] = classes[space.turns[turn] * width + t]
            at += width
    return left, parts


@part
def best_order(
    n: int, orders: Orders, m: int, classes: Number, bound: Bound, space: Space, best: int,
    ahead: bool,
) -> tuple[int, bool, int]:  # fmt: skip
    """Score the orders of a multiset; improve `best`, and the guess.

    `ahead` is whether the best guess so far is a candidate, which wins ties. If there is none, 64
    orders are enough where others may be chosen by their blacks then. `classes` is where the
    sizes of the multiset's classes begin in those of `space`.

    Returns the best score, whether it is that of a candidate, and how many guesses were scored. To
    sort more than 64 candidates counts as 64 of them.
    """
    pegs = orders.pegs
    state = space.state
    first = orders.tiles[orders.shapes[m] * 2]
    number = orders.tiles[orders.shapes[m] * 2 + 1]
    rows = orders.blacks
    picked = n > FEW and (bound.unit > 0 or state[ELEMENTS] > 0)
    if picked:
        lowest, highest = np.int64(0), np.int64(n * pegs)
        if bound.unit and best > LEAST_SCORE:
            lowest, highest = blacks_needed(n, pegs, classes, bound, space, best)
        elif bound.unit:
            number = min(number, LANES)
        rows = space.chosen
        number = choose_orders(orders, m, lowest, highest, number, space)
        first = 0
        if not number:
            return best, ahead, 0
    limit = sort_by_total(n, orders, m, classes, bound, space)
    if n <= BYTE and (limit < best or (limit == best and ahead and n <= FEW)):
        return best, ahead, 0
    cells = cells_of(pegs, state)
    margin = bound.credit if n > FEW else 0
    # Of equals the lowest wins, and the orders ascend: after one as good only better ones can.
    better = ahead and n <= FEW
    for tile in range((number + LANES - 1) // LANES):
        base = (first + tile) * orders.blacks_tile
        if n <= FEW and limit == best:
            spell(orders, (first + tile) * LANES, state)
            if better or not is_before(pegs, state):
                return best, ahead, tile * LANES
        mask = ~np.uint64(0) >> np.uint64(LANES - min(LANES, number - tile * LANES))
        count_order(n, orders, rows, base, space)
        narrower = n <= BYTE
        while mask:
            if narrower:
                mask &= able(n, cells, bound, margin, best, better, space)
                narrower = False
                continue
            lane = lowest_one(mask)
            mask &= mask - np.uint64(1)
            score, solves = score_of(n, pegs, lane, cells, bound, space)
            if score > best or (score == best and solves >= ahead and not better):
                order = (first + tile) * LANES + lane
                spell(orders, space.picked[order] if picked else order, state)
                taken = score > best or solves > ahead or is_before(pegs, state)
                if taken:
                    best = score
                    ahead = solves
                    for p in range(pegs):
                        state[GUESS + p] = state[CODE + p]
                better = n <= FEW
                narrower = better or (taken and n <= BYTE)
    return best, ahead, number + LANES if n > FEW else number


@part
def able(
    n: int, cells: int, bound: Bound, margin: int, best: int, better: bool, space: Space
) -> Array:
    """Which of 64 orders could score `best` with a margin, or better than that: a word of bits.

    So many cells of at most 255 candidates were counted. Where costs add up there must be enough of
    them; else none may be too large, so that nothing is lost where each is cut to what is allowed.
    """
    alone = space.state[SIZE]
    if bound.additive:
        most = 1
        needed = cells_needed(n, bound, margin, best, better) - (alone > 0)
    else:
        most, needed = n, n - alone
        while most > 0 and margin - bound.costs[most] < best + better:
            most -= 1
    for k in range(cells):
        space.most[k] = most
    split_sum(space.counts, cells, space.most, space.total, 0)
    return at_least(space.total, 0, needed)
