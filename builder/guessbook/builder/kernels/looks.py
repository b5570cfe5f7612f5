"""A look one guess ahead at a set: what every guess tells, and the bound that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.compiler.jit import part, popcount
from guessbook.builder.kernels.sets import (
    IMPOSSIBLE,
    LOOKS,
    MAX_LEFT,
    SEEN,
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

if TYPE_CHECKING:
    from guessbook.builder.kernels.arrays import Array

# Columns that are looked at together.
BLOCK = 512


@part
def tells_all_apart(problem: Problem, stack: Array, low: int, n: int) -> bool:
    """Whether one of the heaviest of n candidates gets another feedback from each of them."""
    one = np.uint64(1)
    heaviest = problem.weights[stack[low]]
    for j in range(low, low + n):
        if problem.weights[stack[j]] < heaviest:
            break
        column = problem.homes[stack[j]]
        if column < 0:
            continue
        # Of 64 feedbacks a word says which have been met; of more, some are looked at twice.
        met = np.uint64(0)
        alike = False
        for i in range(low, low + n):
            answer = problem.table[stack[i] * problem.guesses + column]
            mark = one << np.uint64(answer & 63)
            if met & mark:
                alike = problem.answers <= 64
                for h in range(low, i):
                    other = problem.table[stack[h] * problem.guesses + column]
                    alike = alike or other == answer
                if alike:
                    break
            met |= mark
        if not alike:
            return True
    return False


@part
def first_known(
    problem: Problem, memory: Memory, stack: Array, low: int, n: int, name: int
) -> int:  # fmt: skip
    """What is known of a set, at least whether one of its heaviest candidates tells all apart.

    0 is nothing. If one does, nothing is better: it takes one guess, all others two. If not, a
    lighter one does, or some candidate takes three.
    """
    known = recall(memory, name)
    if not known and n <= problem.answers:
        heaviest, lightest = problem.weights[stack[low]], problem.weights[stack[low + n - 1]]
        total, lighter = np.int64(0), np.int64(0)
        for i in range(low, low + n):
            weight = problem.weights[stack[i]]
            total += weight
            if weight < heaviest:
                lighter = max(lighter, weight)
        best = 2 * total - heaviest
        known = 4 * (best + min(heaviest - lighter, lightest))
        if tells_all_apart(problem, stack, low, n):
            known = 4 * best + 3
        keep(memory, name, known)
    return known


@part
def allow(problem: Problem, space: Space, depth: int, guess: int, answer: int) -> int:
    """Hard mode: of the guesses of a level those that an answer allows, for the next level.

    A letter in its place stays there, and each letter that was shown is used at least as often.
    Returns a name for them.
    """
    letters, marks, length = problem.letters, problem.marks, problem.length
    columns, own, mark = depth * problem.guesses, guess * length, answer * length
    following = columns + problem.guesses
    count = np.int64(0)
    name = np.uint64(0)
    for x in range(space.widths[depth]):
        column = space.columns[columns + x]
        word = column * length
        fits = True
        for p in range(length):
            if marks[mark + p] == 2 and letters[word + p] != letters[own + p]:
                fits = False
                break
            if marks[mark + p]:
                spare = 0
                for q in range(length):
                    spare += letters[word + q] == letters[own + p]
                    spare -= marks[mark + q] != 0 and letters[own + q] == letters[own + p]
                if spare < 0:
                    fits = False
                    break
        if fits:
            space.columns[following + count] = column
            count += 1
            mixed = (np.uint64(column) + np.uint64(1)) * np.uint64(0xBF58476D1CE4E5B9)
            name ^= (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    space.widths[depth + 1] = count
    return name


@part
def see_allowed(
    problem: Problem, space: Space, table: Columns, low: int, n: int, depth: int
) -> int:  # fmt: skip
    """`see` in hard mode, where some guesses are allowed."""
    stack, seen, parts = space.stack, space.seen, space.parts
    words, own = (problem.answers + 63) // 64, depth * problem.guesses
    most = np.int64(0)
    for x in range(space.widths[depth]):
        guess = space.columns[own + x]
        first = words * own + guess
        for w in range(words):
            seen[first + w * problem.guesses] = 0
        for i in range(low, low + n):
            answer = np.int64(table.table[stack[i] * table.count + guess])
            seen[first + (answer >> 6) * problem.guesses] |= np.uint64(1) << np.uint64(answer & 63)
        met = np.int64(0)
        for w in range(words):
            met += popcount(seen[first + w * problem.guesses])
        parts[own + guess] = met
        most = max(most, met)
    return most


@part
def survey(
    problem: Problem, memory: Memory, space: Space, table: Columns, low: int, n: int, left: int,
    depth: int, name: int,
) -> tuple[int, int]:  # fmt: skip
    """See what every guess tells of a set; none of its heaviest candidates tells all apart.

    Returns the most feedbacks that a guess gets, and what that makes known: 0 for nothing, else an
    exact cost.
    """
    heaviest = problem.weights[space.stack[low]]
    alike = heaviest == problem.weights[space.stack[low + n - 1]]
    # Another guess that tells all apart is only the best there is where all count the same.
    enough = n if alike and not problem.fitting else n + 1
    if problem.length:
        most = see_allowed(problem, space, table, low, n, depth)
    else:
        most = see(problem, space, table, low, n, depth, enough)
    known = np.int64(0)
    if most == enough:
        known = 4 * 2 * n * heaviest + 3
    elif left == 2 and (alike or most < n):
        known = np.int64(4 * IMPOSSIBLE + 3)  # the next guess has to be the secret
    if known:
        keep(memory, name, known)
    return most, known


@part
def see(
    problem: Problem, space: Space, table: Columns, low: int, n: int, depth: int, enough: int
) -> int:
    """The feedbacks that every guess gets from n candidates, and how many they are.

    Returns the most, and stops early where it is `enough`.
    """
    stack, seen, parts = space.stack, space.seen, space.parts
    words, guesses = (problem.answers + 63) // 64, table.count
    one = np.uint64(1)
    most = np.int64(0)
    for start in range(0, guesses, BLOCK):
        some = min(BLOCK, guesses - start)
        counts = depth * problem.guesses + start
        for k in range(some):
            parts[counts + k] = 0
        for w in range(words):
            marks = (depth * words + w) * problem.guesses + start
            for k in range(some):
                seen[marks + k] = 0
            for i in range(low, low + n):
                row = stack[i] * guesses + start
                if words == 1:
                    for k in range(some):
                        seen[marks + k] |= one << np.uint64(table.table[row + k])
                else:
                    for k in range(some):
                        answer = table.table[row + k]
                        here = np.uint64(answer >> 6 == w)
                        seen[marks + k] |= here << np.uint64(answer & 63)
            for k in range(some):
                parts[counts + k] += popcount(seen[marks + k])
        for k in range(some):
            most = max(most, np.int64(parts[counts + k]))
        if most >= enough:
            break
    return most


@part
def fits(problem: Problem, space: Space, depth: int, guess: int) -> int:
    """Whether a guess may be right, once it is seen what it tells."""
    solved, words = problem.answers - 1, (problem.answers + 63) // 64
    word = space.seen[(depth * words + (solved >> 6)) * problem.guesses + guess]
    return np.int64((word >> np.uint64(solved & 63)) & np.uint64(1))


@part
def weighted_bound(
    problem: Problem, table: Columns, space: Space, low: int, n: int, guess: int, left: int,
    sizes: int,
) -> int:  # fmt: skip
    """`even_bound` where secrets have weights, with so many guesses left: see `set_bound`."""
    solved, steps, stack = problem.answers - 1, left * problem.secrets, space.stack
    total = np.int64(0)
    for i in range(low, low + n):
        answer = table.table[stack[i] * table.count + guess]
        weight = problem.weights[stack[i]]
        total += weight
        if answer != solved:
            total += weight * problem.steps[steps + space.sizes[sizes + answer]]
            space.sizes[sizes + answer] += 1
    for i in range(low, low + n):
        space.sizes[sizes + table.table[stack[i] * table.count + guess]] = 0
    return total


@part
def even_bound(
    problem: Problem, table: Columns, space: Space, low: int, n: int, guess: int, left: int,
    sizes: int,
) -> int:  # fmt: skip
    """What a guess costs at least, by the sizes of its cells.

    These are counted from a place of `space.sizes` on, which is zero before and after.
    """
    after = left - 1 if left < MAX_LEFT else left
    if not problem.plain:
        return weighted_bound(problem, table, space, low, n, guess, after, sizes)
    stack, below = space.stack, after * (problem.secrets + 1)
    for i in range(low, low + n):
        space.sizes[sizes + table.table[stack[i] * table.count + guess]] += 1
    total = np.int64(n)
    space.sizes[sizes + problem.answers - 1] = 0
    if n > problem.answers:
        for f in range(sizes, sizes + problem.answers):
            total += problem.bounds[below + space.sizes[f]]
            space.sizes[f] = 0
        return total
    for i in range(low, low + n):
        cell = sizes + table.table[stack[i] * table.count + guess]
        total += problem.bounds[below + space.sizes[cell]]
        space.sizes[cell] = 0
    return total


@part
def look_ahead(
    problem: Problem, memory: Memory, space: Space, table: Columns, low: int, n: int, left: int,
    depth: int, name: int,
) -> int:  # fmt: skip
    """What is known of a set after a look at every guess.

    None of its heaviest candidates tells all others apart.
    """
    space.counted[LOOKS] += 1
    space.counted[SEEN] += n
    most, known = survey(problem, memory, space, table, low, n, left, depth, name)
    if known:
        return known
    own, sizes = depth * problem.guesses, depth * problem.answers
    for f in range(sizes, sizes + problem.answers):
        space.sizes[f] = 0
    tried = space.widths[depth] if problem.length else table.count
    least = np.int64(IMPOSSIBLE)
    # The second guess finds one candidate of each cell, at best the heaviest of all.
    sum_up(problem, space.stack, low, n, space.sums)
    total, first = space.sums[n], space.sums[1]
    # The guesses with the most cells first: the others end at the bound that they set.
    for wanted in range(most, 1, -1):
        better = 3 * total - space.sums[wanted]
        if better - first >= least:
            break
        for x in range(tried):
            guess = space.columns[own + x] if problem.length else x
            if space.parts[own + guess] != wanted:
                continue
            right = fits(problem, space, depth, guess)
            bound = better - right * first
            if bound >= least or (problem.fitting and not right):
                continue
            if n - wanted + 1 > problem.plain:
                even = even_bound(problem, table, space, low, n, guess, left, sizes)
                bound = max(bound, even)
            least = min(least, bound)
    known = np.int64(4 * least + (3 if least == IMPOSSIBLE else 2))
    keep(memory, name, known)
    return known


@part
def look(
    problem: Problem, memory: Memory, space: Space, table: Columns, n: int, left: int, also: int
) -> int:  # fmt: skip
    """What is known of the n candidates of the stack after a look at every guess of a table.

    The last argument is as for `search`.
    """
    low = np.int64(0)
    bound = set_bound(problem, space.stack, low, n, left)
    if n <= 2 or bound >= IMPOSSIBLE:
        return 4 * bound + 3
    if n <= left:
        left = np.int64(MAX_LEFT)
    name = name_of(problem.names, space.stack, low, n, left) ^ also
    known = first_known(problem, memory, space.stack, low, n, name)
    if not known & 2:
        known = look_ahead(problem, memory, space, table, low, n, left, np.int64(0), name)
    return known
