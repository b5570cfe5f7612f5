"""A look one guess ahead at a set: what every guess tells, and the bound that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from guessbook.builder.compiler.jit import kernel, part, popcount
from guessbook.builder.kernels.sets import (
    IMPOSSIBLE,
    MAX_LEFT,
    Memory,
    Problem,
    Space,
    keep,
    name_of,
    recall,
    set_bound,
    sums_of,
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
            answer = problem.table[stack[i], column]
            mark = one << np.uint64(answer & 63)
            if met & mark:
                alike = problem.answers <= 64
                for h in range(low, i):
                    alike = alike or problem.table[stack[h], column] == answer
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
    own, marks, length = problem.letters[guess], problem.marks[answer], problem.letters.shape[1]
    columns, following = space.columns[depth], space.columns[depth + 1]
    count = np.int64(0)
    name = np.uint64(0)
    for x in range(space.widths[depth]):
        word = problem.letters[columns[x]]
        fits = True
        for p in range(length):
            if marks[p] == 2 and word[p] != own[p]:
                fits = False
                break
            if marks[p]:
                spare = 0
                for q in range(length):
                    spare += word[q] == own[p]
                    spare -= marks[q] != 0 and own[q] == own[p]
                if spare < 0:
                    fits = False
                    break
        if fits:
            following[count] = columns[x]
            count += 1
            mixed = (np.uint64(columns[x]) + np.uint64(1)) * np.uint64(0xBF58476D1CE4E5B9)
            name ^= (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    space.widths[depth + 1] = count
    return name


@part
def see_allowed(
    table: Array, stack: Array, low: int, n: int, seen: Array, parts: Array, columns: Array,
    count: int,
) -> int:  # fmt: skip
    """`see` for some columns of the table."""
    most = np.int64(0)
    for x in range(count):
        guess = columns[x]
        for w in range(len(seen)):
            seen[w, guess] = 0
        for i in range(low, low + n):
            answer = table[stack[i], guess]
            seen[answer >> 6, guess] |= np.uint64(1) << np.uint64(answer & 63)
        parts[guess] = 0
        for w in range(len(seen)):
            parts[guess] += popcount(seen[w, guess])
        most = max(most, np.int64(parts[guess]))
    return most


@part
def survey(
    problem: Problem, memory: Memory, space: Space, table: Array, low: int, n: int, left: int,
    depth: int, name: int,
) -> tuple[int, int]:  # fmt: skip
    """See what every guess tells of a set; none of its heaviest candidates tells all apart.

    Returns the most feedbacks that a guess gets, and what that makes known: 0 for nothing, else an
    exact cost.
    """
    seen, parts = space.seen[depth], space.parts[depth]
    heaviest = problem.weights[space.stack[low]]
    alike = heaviest == problem.weights[space.stack[low + n - 1]]
    # Another guess that tells all apart is only the best there is where all count the same.
    enough = n if alike and not problem.fitting else n + 1
    if len(problem.letters):
        columns, tried = space.columns[depth], space.widths[depth]
        most = see_allowed(table, space.stack, low, n, seen, parts, columns, tried)
    else:
        most = see(table, space.stack, low, n, seen, parts, enough)
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
    table: Array, stack: Array, low: int, n: int, seen: Array, parts: Array, enough: int
) -> int:
    """The feedbacks that every guess gets from n candidates, and how many they are.

    Returns the most, and stops early where it is `enough`.
    """
    words, guesses = len(seen), table.shape[1]
    one = np.uint64(1)
    most = np.int64(0)
    for start in range(0, guesses, BLOCK):
        end = min(start + BLOCK, guesses)
        counts = parts[start:end]
        for k in range(len(counts)):
            counts[k] = 0
        for w in range(words):
            marks = seen[w, start:end]
            for k in range(len(marks)):
                marks[k] = 0
            for i in range(low, low + n):
                row = table[stack[i], start:end]
                if words == 1:
                    for k in range(len(marks)):
                        marks[k] |= one << np.uint64(row[k])
                else:
                    for k in range(len(marks)):
                        here = np.uint64(row[k] >> 6 == w)
                        marks[k] |= here << np.uint64(row[k] & 63)
            for k in range(len(marks)):
                counts[k] += popcount(marks[k])
        for k in range(len(counts)):
            most = max(most, np.int64(counts[k]))
        if most >= enough:
            break
    return most


@part
def weighted_bound(
    problem: Problem, table: Array, stack: Array, low: int, n: int, guess: int, left: int,
    sizes: Array,
) -> int:  # fmt: skip
    """`even_bound` where secrets have weights, with so many guesses left: see `set_bound`."""
    solved, steps = problem.answers - 1, problem.steps[left]
    total = np.int64(0)
    for i in range(low, low + n):
        answer = table[stack[i], guess]
        weight = problem.weights[stack[i]]
        total += weight
        if answer != solved:
            total += weight * steps[sizes[answer]]
            sizes[answer] += 1
    for i in range(low, low + n):
        sizes[table[stack[i], guess]] = 0
    return total


@part
def even_bound(
    problem: Problem, table: Array, stack: Array, low: int, n: int, guess: int, left: int,
    sizes: Array,
) -> int:  # fmt: skip
    """What a guess costs at least, by the sizes of its cells; `sizes` is zero before and after."""
    after = left - 1 if left < MAX_LEFT else left
    if not problem.plain:
        return weighted_bound(problem, table, stack, low, n, guess, after, sizes)
    for i in range(low, low + n):
        sizes[table[stack[i], guess]] += 1
    below = problem.bounds[after]
    total = np.int64(n)
    sizes[problem.answers - 1] = 0
    if n > problem.answers:
        for f in range(len(sizes)):
            total += below[sizes[f]]
            sizes[f] = 0
        return total
    for i in range(low, low + n):
        answer = table[stack[i], guess]
        total += below[sizes[answer]]
        sizes[answer] = 0
    return total


@part
def look_ahead(
    problem: Problem, memory: Memory, space: Space, table: Array, low: int, n: int, left: int,
    depth: int, name: int, sizes: Array,
) -> int:  # fmt: skip
    """What is known of a set after a look at every guess.

    None of its heaviest candidates tells all others apart.
    """
    space.counted[0] += 1
    space.counted[1] += n
    most, known = survey(problem, memory, space, table, low, n, left, depth, name)
    if known:
        return known
    seen, parts = space.seen[depth], space.parts[depth]
    hard, columns = len(problem.letters) > 0, space.columns[depth]
    tried = space.widths[depth] if hard else table.shape[1]
    solved = problem.answers - 1
    least = np.int64(IMPOSSIBLE)
    # The second guess finds one candidate of each cell, at best the heaviest of all.
    sums = sums_of(problem, space.stack, low, n)
    # The guesses with the most cells first: the others end at the bound that they set.
    for wanted in range(most, 1, -1):
        if 3 * sums[n] - sums[wanted] - sums[1] >= least:
            break
        for x in range(tried):
            guess = columns[x] if hard else x
            if parts[guess] != wanted:
                continue
            fits = np.int64((seen[solved >> 6, guess] >> np.uint64(solved & 63)) & np.uint64(1))
            bound = 3 * sums[n] - sums[wanted] - fits * sums[1]
            if bound >= least or (problem.fitting and not fits):
                continue
            if n - wanted + 1 > problem.plain:
                even = even_bound(problem, table, space.stack, low, n, guess, left, sizes)
                bound = max(bound, even)
            least = min(least, bound)
    known = np.int64(4 * least + (3 if least == IMPOSSIBLE else 2))
    keep(memory, name, known)
    return known


@kernel
def look(
    problem: Problem, memory: Memory, space: Space, table: Array, n: int, left: int, also: int
) -> int:  # fmt: skip
    """What is known of the n candidates of the stack after a look at every guess of a table.

    The last argument is as for `search`.
    """
    bound = set_bound(problem, space.stack, 0, n, left)
    if n <= 2 or bound >= IMPOSSIBLE:
        return 4 * bound + 3
    if n <= left:
        left = np.int64(MAX_LEFT)
    name = name_of(problem.names, space.stack, 0, n, left) ^ also
    known = first_known(problem, memory, space.stack, 0, n, name)
    if not known & 2:
        sizes = np.zeros(problem.answers, np.int64)
        known = look_ahead(problem, memory, space, table, 0, n, left, 0, name, sizes)
    return known
