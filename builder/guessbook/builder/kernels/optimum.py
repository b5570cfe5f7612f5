"""The least cost of a set: branch and bound over all strategies, for any game of a table.

The cost of a set of candidates is the fewest guesses, in total over all of them, that any strategy
needs. A guess costs one for each candidate, and what its cells cost. What is known of a set is kept
in a memory that all threads share: its cost, or a bound below it. In the order of what it saves:

- A look one guess ahead (`look_ahead`) at every cell of a guess before any cell is searched: most
  guesses are refuted by these bounds alone. Counted for 4x7: 0.49 million looks and 18,000 searches
  instead of 1.7 million searches.
- The number of cells that a guess makes, as the ones of a word per guess, for all guesses side by
  side: one candidate more is a shift and an `or` for each of them.
- A candidate that tells n candidates apart costs 2n - 1, another guess 2n: nothing can be better.

Where secrets have weights, each guess for one costs as much as it counts. Sets have their heaviest
candidates first, and all bounds follow from those for n candidates: see `set_bound`.
"""

from __future__ import annotations

import numpy as np

from guessbook.builder.compiler.jit import kernel, part
from guessbook.builder.kernels.arrays import Array
from guessbook.builder.kernels.looks import (
    allow,
    even_bound,
    first_known,
    look_ahead,
    survey,
)
from guessbook.builder.kernels.sets import (
    IMPOSSIBLE,
    MAX_LEFT,
    TOO_DEEP,
    Memory,
    Problem,
    Space,
    keep,
    name_of,
    recall,
    set_bound,
    sums_of,
)


@part
def next_above(ranks: Array, rank: int) -> int:
    """The lowest of some numbers above one."""
    none = np.int64(1) << 62
    least = none
    for k in range(len(ranks)):
        other = ranks[k] if ranks[k] > rank else none
        least = other if other < least else least
    return least


@kernel
def search(
    problem: Problem, memory: Memory, space: Space, table: Array, below: Array, low: int, n: int,
    top: int, limit: int, left: int, depth: int, given: int, also: int,
) -> int:  # fmt: skip
    """The cost of n candidates if that is at most `limit`, else a bound above it.

    Args:
        problem: the game.
        memory: what is known of its sets.
        space: working space; its stack has the candidates, from `low` on.
        table: the guesses to try here: `problem.table`, or some of its columns.
        below: the same for the cells of a guess.
        low: where the candidates begin,
        n: how many they are, and
        top: where the stack is free.
        limit: what is worth knowing.
        left: how many guesses there may be; MAX_LEFT for any number.
        depth: the level of the working space.
        given: try this guess alone; -1 for all.
        also: in hard mode the name of the guesses that are allowed, which `space` has; else 0.
    """
    least = set_bound(problem, space.stack, low, n, left)
    if least > limit or n <= 2:
        return least
    if depth + 2 >= len(space.widths):
        space.counted[TOO_DEEP] += 1  # nothing that is found from here on counts
        return least
    if n <= left:
        left = np.int64(MAX_LEFT)  # each guess rules a candidate out: these are enough
    stack, solved = space.stack, problem.answers - 1
    sizes = np.zeros(problem.answers, np.int64)
    ranks = space.ranks[depth]
    name = name_of(problem.names, stack, low, n, left) ^ also
    hard, columns = len(problem.letters) > 0, space.columns[depth]
    count = np.int64(0)
    sums = sums_of(problem, stack, low, n)
    if given >= 0:
        ranks[0] = 0
        count = 1
    else:
        known = first_known(problem, memory, stack, low, n, name)
        if known & 1 or known >> 2 > limit:
            return known >> 2
        space.counted[2] += 1
        _, known = survey(problem, memory, space, table, low, n, left, depth, name)
        if known:
            return known >> 2
        seen, parts = space.seen[depth], space.parts[depth]
        tried = space.widths[depth] if hard else table.shape[1]
        for x in range(tried):
            guess = columns[x] if hard else x
            wanted = np.int64(parts[guess])
            fits = np.int64((seen[solved >> 6, guess] >> np.uint64(solved & 63)) & np.uint64(1))
            bound = 3 * sums[n] - sums[wanted] - fits * sums[1]
            if bound > limit or (wanted == 1 and not fits) or (problem.fitting and not fits):
                continue
            # Of smaller cells the even bound is the same.
            if n - wanted + 1 > problem.plain:
                bound = max(bound, even_bound(problem, table, stack, low, n, guess, left, sizes))
            if bound <= limit:
                ranks[count] = (bound * 2 + 1 - fits) << 20 | guess
                count += 1
    ranks = ranks[:count]
    best = limit + 1
    starts = np.zeros(problem.answers + 1, np.int64)
    cells = np.zeros(problem.answers, np.uint64)
    names = np.zeros(problem.answers, np.uint64)
    bounds = np.zeros(problem.answers, np.int64)
    after = left - 1 if left < MAX_LEFT else left
    steps = problem.steps[after]
    rank = np.int64(-1)
    for _ in range(count):
        # Few of them are tried: to look for the next one is quicker than to sort all.
        rank = next_above(ranks, rank)
        guess = given if given >= 0 else rank & ((1 << 20) - 1)
        if given < 0 and rank >> 21 >= best:
            break
        space.counted[3] += 1
        # Sort the candidates into cells above the stack.
        for f in range(problem.answers):
            sizes[f] = 0
            cells[f] = 0
            bounds[f] = 0
        for i in range(low, low + n):
            f = table[stack[i], guess]
            if not problem.plain:  # see `set_bound`
                bounds[f] += problem.weights[stack[i]] * steps[sizes[f]]
            sizes[f] += 1
            cells[f] ^= problem.names[stack[i]]
        starts[0] = top
        for f in range(problem.answers):
            starts[f + 1] = starts[f] + sizes[f]
        for i in range(low, low + n):
            f = table[stack[i], guess]
            stack[starts[f]] = stack[i]
            starts[f] += 1
        total = sums[n]
        waiting = 0
        for f in range(solved):
            size = sizes[f]
            starts[f] -= size
            if size == 0:
                continue
            if problem.plain:
                bounds[f] = problem.bounds[after, size]
            bounds[f] = min(bounds[f], np.int64(IMPOSSIBLE))
            if size > 2:
                if after < min(size, MAX_LEFT):
                    cells[f] ^= np.uint64(after + 1) * np.uint64(0x9E3779B97F4A7C15)
                if hard:
                    names[f] = allow(problem, space, depth, guess, f)
                    cells[f] ^= names[f]
                known = np.int64(4 * IMPOSSIBLE + 3)
                if bounds[f] < IMPOSSIBLE:
                    known = first_known(problem, memory, stack, starts[f], size, cells[f])
                bounds[f] = max(bounds[f], known >> 2)
                if known & 1:
                    sizes[f] = 0
                else:
                    waiting += 1
            else:
                sizes[f] = 0
            total += bounds[f]
        # First a look at every cell, the small ones first, then a search of those that are left.
        for stage in range(2):
            done = 0
            while waiting and total < best:
                f = -1
                for other in range(solved):
                    if sizes[other] > done and (f < 0 or sizes[other] < sizes[f]):
                        f = other
                if f < 0:
                    break
                size = sizes[f]
                for f in range(solved):
                    if sizes[f] != size or total >= best:
                        continue
                    cost = bounds[f]
                    exact = False
                    if stage == 0:
                        known = recall(memory, cells[f])
                        if not known & 2:
                            if hard:
                                allow(problem, space, depth, guess, f)
                            known = look_ahead(
                                problem, memory, space, below, starts[f], size, after, depth + 1,
                                cells[f], np.zeros(problem.answers, np.int64),
                            )  # fmt: skip
                        cost = max(cost, known >> 2)
                        exact = known & 1 == 1
                    else:
                        if hard:
                            allow(problem, space, depth, guess, f)
                        cost = search(
                            problem, memory, space, below, problem.table, starts[f], size,
                            top + n, best - 1 - (total - bounds[f]), after, depth + 1, np.int64(-1),
                            names[f],
                        )  # fmt: skip
                        exact = True
                    total += cost - bounds[f]
                    bounds[f] = cost
                    if exact:
                        sizes[f] = 0
                        waiting -= 1
                done = size
        if total < best:
            best = total
    if given < 0:
        # All others were refuted for less: the cost is exact, or above the limit.
        keep(memory, name, np.int64(4 * best + (3 if best <= limit else 2)))
    return best


@kernel
def learn(problem: Problem, memory: Memory, space: Space, n: int, left: int, known: int) -> None:
    """Remember what is known of the n candidates of the stack: see `Memory`."""
    if n <= left:
        left = np.int64(MAX_LEFT)
    keep(memory, name_of(problem.names, space.stack, 0, n, left), known)


@kernel
def first_of(
    problem: Problem, memory: Memory, space: Space, guesses: Array, n: int, cost: int, left: int
) -> int:
    """The place of the first of some guesses that lead to a cost, for n candidates."""
    sizes = np.zeros(problem.answers, np.int64)
    for place in range(len(guesses)):
        guess = guesses[place]
        bound = even_bound(problem, problem.table, space.stack, 0, n, guess, left, sizes)
        if bound > cost:
            continue
        found = search(
            problem, memory, space, problem.table, problem.table, np.int64(0), n, n, cost, left,
            np.int64(0), np.int64(guess), np.uint64(0),
        )  # fmt: skip
        if found <= cost:
            return place
    return -1


@kernel
def even_bounds(problem: Problem, space: Space, guesses: Array, n: int, left: int) -> Array:
    """int64: what each of some guesses costs at least, for the n candidates of the stack."""
    sizes = np.zeros(problem.answers, np.int64)
    bounds = np.zeros(len(guesses), np.int64)
    for k in range(len(guesses)):
        bounds[k] = even_bound(problem, problem.table, space.stack, 0, n, guesses[k], left, sizes)
    return bounds
