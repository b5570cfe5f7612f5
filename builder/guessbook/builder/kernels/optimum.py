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

from guessbook.builder.compiler.jit import Native, part
from guessbook.builder.kernels.arrays import Array
from guessbook.builder.kernels.looks import (
    allow,
    even_bound,
    first_known,
    fits,
    look,
    look_ahead,
    survey,
)
from guessbook.builder.kernels.sets import (
    FOUND,
    IMPOSSIBLE,
    MAX_LEFT,
    SEARCHES,
    TOO_DEEP,
    TRIED,
    Columns,
    Memory,
    Problem,
    Space,
    keep,
    name_of,
    recall,
    set_bound,
    sum_up,
)

# Instead of a guess that is given: every guess is tried, or there is only a look at all.
EVERY, LOOK = -1, -2


@Native
def search(
    problem: Problem, memory: Memory, space: Space, table: Columns, below: Columns, n: int,
    limit: int, left: int, given: int, also: int,
) -> None:  # fmt: skip
    """What the n candidates of the stack cost: see `cost_of`. `Space.counted` receives it.

    After a look it receives what is known of them, as `Memory` has it.
    """
    other = np.uint64(also)
    if given == LOOK:
        space.counted[FOUND] = look(problem, memory, space, table, n, left, other)
    else:
        zero = np.int64(0)
        space.counted[FOUND] = cost_of(
            problem, memory, space, table, below, zero, n, n, limit, left, zero, given, other
        )


@part
def next_above(ranks: Array, begin: int, count: int, rank: int) -> int:
    """The lowest of some numbers above one."""
    none = np.int64(1) << 62
    least = none
    for k in range(begin, begin + count):
        other = ranks[k] if ranks[k] > rank else none
        least = other if other < least else least
    return least


@part
def cost_of(
    problem: Problem, memory: Memory, space: Space, table: Columns, below: Columns, low: int,
    n: int, top: int, limit: int, left: int, depth: int, given: int, also: int,
) -> int:  # fmt: skip
    """The cost of n candidates if that is at most `limit`, else a bound above it.

    Args:
        problem: the game.
        memory: what is known of its sets.
        space: working space; its stack has the candidates, from `low` on.
        table: the guesses to try here: those of the problem, or some of them.
        below: the same for the cells of a guess.
        low: where the candidates begin,
        n: how many they are, and
        top: where the stack is free.
        limit: what is worth knowing.
        left: how many guesses there may be; MAX_LEFT for any number.
        depth: the level of the working space.
        given: try this guess alone; EVERY for all.
        also: in hard mode the name of the guesses that are allowed, which `space` has; else 0.
    """
    least = set_bound(problem, space.stack, low, n, left)
    if least > limit or n <= 2:
        return least
    if depth + 2 >= space.levels:
        space.counted[TOO_DEEP] += 1  # nothing that is found from here on counts
        return least
    if n <= left:
        left = np.int64(MAX_LEFT)  # each guess rules a candidate out: these are enough
    stack, solved, hard = space.stack, problem.answers - 1, problem.length > 0
    own, first = depth * problem.guesses, depth * problem.answers
    name = name_of(problem.names, stack, low, n, left) ^ also
    count = np.int64(0)
    sum_up(problem, stack, low, n, space.sums)
    whole, heaviest = space.sums[n], space.sums[1]
    if given >= 0:
        space.ranks[own] = 0
        count = 1
    else:
        known = first_known(problem, memory, stack, low, n, name)
        if known & 1 or known >> 2 > limit:
            return known >> 2
        space.counted[SEARCHES] += 1
        _, known = survey(problem, memory, space, table, low, n, left, depth, name)
        if known:
            return known >> 2
        for f in range(first, first + problem.answers):
            space.sizes[f] = 0
        for x in range(space.widths[depth] if hard else table.count):
            guess = space.columns[own + x] if hard else x
            wanted = np.int64(space.parts[own + guess])
            right = fits(problem, space, depth, guess)
            bound = 3 * whole - space.sums[wanted] - right * heaviest
            if bound > limit or (wanted == 1 and not right) or (problem.fitting and not right):
                continue
            # Of smaller cells the even bound is the same.
            if n - wanted + 1 > problem.plain:
                even = even_bound(problem, table, space, low, n, guess, left, first)
                bound = max(bound, even)
            if bound <= limit:
                space.ranks[own + count] = (bound * 2 + 1 - right) << 20 | guess
                count += 1
    best = limit + 1
    sizes, starts, bounds = space.sizes, space.starts, space.bounds
    after = left - 1 if left < MAX_LEFT else left
    rank = np.int64(-1)
    for _ in range(count):
        # Few of them are tried: to look for the next one is quicker than to sort all.
        rank = next_above(space.ranks, own, count, rank)
        guess = given if given >= 0 else rank & ((1 << 20) - 1)
        if given < 0 and rank >> 21 >= best:
            break
        space.counted[TRIED] += 1
        sort(problem, space, table, low, n, top, guess, after, first)
        total = whole
        waiting = 0
        for answer in range(solved):
            f = first + answer
            size = sizes[f]
            starts[f] -= size
            if size == 0:
                continue
            if problem.plain:
                bounds[f] = problem.bounds[after * (problem.secrets + 1) + size]
            bounds[f] = min(bounds[f], np.int64(IMPOSSIBLE))
            if size > 2:
                if after < min(size, MAX_LEFT):
                    space.names[f] ^= np.uint64(after + 1) * np.uint64(0x9E3779B97F4A7C15)
                if hard:
                    space.allowed[f] = allow(problem, space, depth, guess, answer)
                    space.names[f] ^= space.allowed[f]
                known = np.int64(4 * IMPOSSIBLE + 3)
                if bounds[f] < IMPOSSIBLE:
                    known = first_known(problem, memory, stack, starts[f], size, space.names[f])
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
                for other in range(first, first + solved):
                    if sizes[other] > done and (f < 0 or sizes[other] < sizes[f]):
                        f = other
                if f < 0:
                    break
                size = sizes[f]
                for answer in range(solved):
                    f = first + answer
                    if sizes[f] != size or total >= best:
                        continue
                    cost = bounds[f]
                    exact = False
                    if stage == 0:
                        known = recall(memory, space.names[f])
                        if not known & 2:
                            if hard:
                                allow(problem, space, depth, guess, answer)
                            known = look_ahead(
                                problem, memory, space, below, starts[f], size, after, depth + 1,
                                space.names[f],
                            )  # fmt: skip
                        cost = max(cost, known >> 2)
                        exact = known & 1 == 1
                    else:
                        if hard:
                            allow(problem, space, depth, guess, answer)
                        cost = cost_of(
                            problem, memory, space, below,
                            Columns(problem.table, problem.guesses), starts[f], size,
                            top + n, best - 1 - (total - bounds[f]), after, depth + 1,
                            np.int64(EVERY), space.allowed[f],
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


@part
def sort(
    problem: Problem, space: Space, table: Columns, low: int, n: int, top: int, guess: int,
    left: int, first: int,
) -> None:  # fmt: skip
    """Sort candidates into the cells of a guess, above the stack; `starts` says where these end.

    What is known of the cells is from `first` on.
    """
    stack, sizes, starts = space.stack, space.sizes, space.starts
    for f in range(first, first + problem.answers):
        sizes[f] = space.bounds[f] = 0
        space.names[f] = space.allowed[f] = 0
    for i in range(low, low + n):
        f = first + table.table[stack[i] * table.count + guess]
        if not problem.plain:  # see `set_bound`
            step = problem.steps[left * problem.secrets + sizes[f]]
            space.bounds[f] += problem.weights[stack[i]] * step
        sizes[f] += 1
        space.names[f] ^= problem.names[stack[i]]
    at = top
    for f in range(first, first + problem.answers):
        starts[f] = at
        at += sizes[f]
    for i in range(low, low + n):
        f = first + table.table[stack[i] * table.count + guess]
        stack[starts[f]] = stack[i]
        starts[f] += 1


@Native
def learn(
    problem: Problem, memory: Memory, space: Space, n: int, left: int, known: int
) -> None:  # fmt: skip
    """Remember what is known of the n candidates of the stack: see `Memory`."""
    if n <= left:
        left = np.int64(MAX_LEFT)
    keep(memory, name_of(problem.names, space.stack, 0, n, left), known)


@Native
def even_bounds(
    problem: Problem, space: Space, guesses: Array, count: int, n: int, left: int, bounds: Array
) -> None:  # fmt: skip
    """int64[count]: what each of some guesses costs at least, for the n candidates of the stack."""
    table, zero = Columns(problem.table, problem.guesses), np.int64(0)
    for f in range(problem.answers):
        space.sizes[f] = 0
    for k in range(count):
        bounds[k] = even_bound(problem, table, space, zero, n, guesses[k], left, zero)
