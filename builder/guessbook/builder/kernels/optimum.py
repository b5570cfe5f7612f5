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
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.builder.kernels.jit import kernel, part
from guessbook.builder.kernels.vector import popcount

if TYPE_CHECKING:
    from guessbook.builder.kernels.arrays import Array

__all__ = [
    "IMPOSSIBLE",
    "MAX_LEFT",
    "Memory",
    "Problem",
    "Space",
    "bounds_below",
    "even_bounds",
    "first_of",
    "search",
]

# More than any strategy costs: there is none.
IMPOSSIBLE = 1 << 40
# So many guesses left are as good as any number of them.
MAX_LEFT = 40
# Levels of a search below its root, and columns that are looked at together.
MAX_DEPTH = 24
BLOCK = 512
# Places in the memory where a set may be.
PLACES = 4


class Problem(NamedTuple):
    """A game, or the cell of one, as a table.

    Attributes:
        table: uint8 or uint16[secrets, guesses], feedbacks numbered from 0, the last is "solved".
        homes: int64[secrets], the column of each secret, -1 if it cannot be guessed.
        names: uint64[secrets], a random word for each: the name of a set is their exclusive or.
        bounds: int64[MAX_LEFT + 1, secrets + 1], see `bounds_below`.
        answers: how many different feedbacks there are.
        fitting: whether only candidates may be guessed.
        letters: in hard mode uint32[guesses, length], the letters of each guess; else empty.
        marks: in hard mode uint8[answers, length], what each feedback says of each letter.
    """

    table: Array
    homes: Array
    names: Array
    bounds: Array
    answers: int
    fitting: bool
    letters: Array
    marks: Array


class Memory(NamedTuple):
    """What is known of sets, shared by threads without locks.

    Attributes:
        keys: uint64[size], the name of a set, exclusive or what is known: a torn entry fits no set.
        known: int64[size], 4 * cost + 2 if a look has been taken + 1 if the cost is exact; 0: free.
    """

    keys: Array
    known: Array


class Space(NamedTuple):
    """Working space of one thread, by level.

    Attributes:
        seen: uint64[levels, words, guesses], the feedbacks that each guess gets.
        parts: uint16[levels, guesses], how many these are.
        kept: int64[levels, guesses], the guesses worth trying.
        ranks: int64[levels, guesses], their bounds.
        columns: int64[levels, guesses], in hard mode the guesses that are allowed,
        widths: int64[levels], and how many they are.
        stack: int64, the candidates of all sets on the way.
        counted: int64[8]: looks, candidates looked at, searches, guesses tried.
    """

    seen: Array
    parts: Array
    kept: Array
    ranks: Array
    columns: Array
    widths: Array
    stack: Array
    counted: Array

    @classmethod
    def of(cls, secrets: int, guesses: int, answers: int) -> Space:
        """The space for sets of a problem of that size."""
        words = (answers + 63) // 64
        return cls(
            np.zeros((MAX_DEPTH, words, guesses), np.uint64),
            np.zeros((MAX_DEPTH, guesses), np.uint16),
            np.zeros((MAX_DEPTH, guesses), np.int64),
            np.zeros((MAX_DEPTH, guesses), np.int64),
            np.zeros((MAX_DEPTH, guesses), np.int64),
            np.zeros(MAX_DEPTH, np.int64),
            np.zeros(secrets * (MAX_DEPTH + 2), np.int64),
            np.zeros(8, np.int64),
        )


@kernel
def bounds_below(size: int, answers: int) -> Array:
    """int64[MAX_LEFT + 1, size + 1]: what n candidates cost at least with so many guesses left.

    One is found by the first guess; the others split evenly among all other feedbacks.
    """
    bounds = np.full((MAX_LEFT + 1, size + 1), IMPOSSIBLE, np.int64)
    cells = answers - 1
    for left in range(MAX_LEFT + 1):
        below = bounds[left - 1 if 0 < left < MAX_LEFT else left]
        bounds[left, 0] = 0
        if left and size:
            bounds[left, 1] = 1
        for n in range(2, size + 1 if left > 1 and cells else 2):
            small = (n - 1) // cells
            large = n - 1 - small * cells
            total = n + large * below[small + 1] + (cells - large) * below[small]
            bounds[left, n] = min(total, IMPOSSIBLE)
    return bounds


@part
def recall(memory: Memory, name: int) -> int:
    """What is known of a set, or 0."""
    first = name & np.uint64(len(memory.keys) - 1)
    for k in range(PLACES):
        place = first ^ np.uint64(k)
        known = memory.known[place]
        if known and memory.keys[place] ^ np.uint64(known) == name:
            return known
    return np.int64(0)


@part
def keep(memory: Memory, name: int, known: int) -> None:
    """Remember what is known of a set. If its places are full, the one of the least cost goes."""
    first = name & np.uint64(len(memory.keys) - 1)
    place = first
    for k in range(PLACES):
        other = first ^ np.uint64(k)
        old = memory.known[other]
        if old == 0 or memory.keys[other] ^ np.uint64(old) == name:
            place = other
            break
        if old < memory.known[place]:
            place = other
    memory.known[place] = known
    memory.keys[place] = name ^ np.uint64(known)


@part
def name_of(names: Array, stack: Array, low: int, n: int, left: int) -> int:
    """The name of a set with so many guesses left."""
    name = np.uint64(0)
    for i in range(low, low + n):
        name ^= names[stack[i]]
    if left < MAX_LEFT:
        name ^= np.uint64(left + 1) * np.uint64(0x9E3779B97F4A7C15)
    return name


@part
def tells_all_apart(problem: Problem, stack: Array, low: int, n: int) -> bool:
    """Whether one of n candidates gets another feedback from each of them."""
    one = np.uint64(1)
    for j in range(low, low + n):
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
def even_bound(
    problem: Problem, table: Array, stack: Array, low: int, n: int, guess: int, left: int,
    sizes: Array,
) -> int:  # fmt: skip
    """What a guess costs at least, by the sizes of its cells; `sizes` is zero before and after."""
    for i in range(low, low + n):
        sizes[table[stack[i], guess]] += 1
    below = problem.bounds[left - 1 if left < MAX_LEFT else left]
    total = np.int64(n)
    sizes[problem.answers - 1] = 0
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

    None of its candidates tells all others apart.
    """
    space.counted[0] += 1
    space.counted[1] += n
    seen, parts = space.seen[depth], space.parts[depth]
    enough = n if not problem.fitting else n + 1
    hard, columns = len(problem.letters) > 0, space.columns[depth]
    tried = space.widths[depth] if hard else table.shape[1]
    if hard:
        most = see_allowed(table, space.stack, low, n, seen, parts, columns, tried)
    else:
        most = see(table, space.stack, low, n, seen, parts, enough)
    if most == enough:
        known = np.int64(4 * 2 * n + 3)
        keep(memory, name, known)
        return known
    solved = problem.answers - 1
    least = np.int64(IMPOSSIBLE)
    # The guesses with the most cells first: the others end at the bound that they set.
    for wanted in range(most, 1, -1):
        if 3 * n - wanted - 1 >= least:
            break
        for x in range(tried):
            guess = columns[x] if hard else x
            if parts[guess] != wanted:
                continue
            fits = np.int64((seen[solved >> 6, guess] >> np.uint64(solved & 63)) & np.uint64(1))
            bound = 3 * n - wanted - fits
            if bound >= least or (problem.fitting and not fits):
                continue
            bound = max(bound, even_bound(problem, table, space.stack, low, n, guess, left, sizes))
            least = min(least, bound)
    known = np.int64(4 * least + (3 if least == IMPOSSIBLE else 2))
    keep(memory, name, known)
    return known


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
    if problem.bounds[left, n] > limit or n <= 2:
        return problem.bounds[left, n]
    stack, solved = space.stack, problem.answers - 1
    sizes = np.zeros(problem.answers, np.int64)
    kept, ranks = space.kept[depth], space.ranks[depth]
    name = name_of(problem.names, stack, low, n, left) ^ also
    hard, columns = len(problem.letters) > 0, space.columns[depth]
    count = np.int64(0)
    if given >= 0:
        kept[0] = given
        ranks[0] = 0
        count = 1
    else:
        known = recall(memory, name)
        if known & 1 or known >> 2 > limit:
            return known >> 2
        if n <= problem.answers and not known and tells_all_apart(problem, stack, low, n):
            keep(memory, name, np.int64(4 * (2 * n - 1) + 3))
            return np.int64(2 * n - 1)
        space.counted[2] += 1
        seen, parts = space.seen[depth], space.parts[depth]
        enough = n if not problem.fitting else n + 1
        tried = space.widths[depth] if hard else table.shape[1]
        if hard:
            most = see_allowed(table, stack, low, n, seen, parts, columns, tried)
        else:
            most = see(table, stack, low, n, seen, parts, enough)
        if most == enough:
            if tells_all_apart(problem, stack, low, n):
                keep(memory, name, np.int64(4 * (2 * n - 1) + 3))
                return np.int64(2 * n - 1)
            keep(memory, name, np.int64(4 * 2 * n + 3))
            return np.int64(2 * n)
        for x in range(tried):
            guess = columns[x] if hard else x
            wanted = np.int64(parts[guess])
            fits = np.int64((seen[solved >> 6, guess] >> np.uint64(solved & 63)) & np.uint64(1))
            bound = 3 * n - wanted - fits
            if bound > limit or (wanted == 1 and not fits) or (problem.fitting and not fits):
                continue
            bound = max(bound, even_bound(problem, table, stack, low, n, guess, left, sizes))
            if bound <= limit:
                kept[count] = guess
                ranks[count] = (bound * 2 + 1 - fits) << 20 | guess
                count += 1
    order = np.sort(ranks[:count])
    best = limit + 1
    starts = np.zeros(problem.answers + 1, np.int64)
    cells = np.zeros(problem.answers, np.uint64)
    names = np.zeros(problem.answers, np.uint64)
    bounds = np.zeros(problem.answers, np.int64)
    after = left - 1 if left < MAX_LEFT else left
    for turn in range(count):
        guess = given if given >= 0 else order[turn] & ((1 << 20) - 1)
        if given < 0 and order[turn] >> 21 >= best:
            break
        space.counted[3] += 1
        # Sort the candidates into cells above the stack.
        for f in range(problem.answers):
            sizes[f] = 0
            cells[f] = 0
        for i in range(low, low + n):
            f = table[stack[i], guess]
            sizes[f] += 1
            cells[f] ^= problem.names[stack[i]]
        starts[0] = top
        for f in range(problem.answers):
            starts[f + 1] = starts[f] + sizes[f]
        for i in range(low, low + n):
            f = table[stack[i], guess]
            stack[starts[f]] = stack[i]
            starts[f] += 1
        total = np.int64(n)
        waiting = 0
        for f in range(solved):
            size = sizes[f]
            starts[f] -= size
            if size == 0:
                continue
            bounds[f] = problem.bounds[after, size]
            if size > 2:
                if after < MAX_LEFT:
                    cells[f] ^= np.uint64(after + 1) * np.uint64(0x9E3779B97F4A7C15)
                if hard:
                    names[f] = allow(problem, space, depth, guess, f)
                    cells[f] ^= names[f]
                known = recall(memory, cells[f])
                if not known and size <= problem.answers and bounds[f] < IMPOSSIBLE:
                    if tells_all_apart(problem, stack, starts[f], size):
                        known = np.int64(4 * (2 * size - 1) + 3)
                    else:
                        known = np.int64(4 * 2 * size)
                    keep(memory, cells[f], known)
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
def first_of(
    problem: Problem, memory: Memory, space: Space, guesses: Array, n: int, cost: int, left: int
) -> int:
    """The place of the first of some guesses that lead to a cost, for the n candidates 0, 1, ..."""
    sizes = np.zeros(problem.answers, np.int64)
    for place in range(len(guesses)):
        guess = guesses[place]
        for i in range(n):
            space.stack[i] = i
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
    """int64: what each of some guesses costs at least, for the n candidates 0, 1, ..."""
    sizes = np.zeros(problem.answers, np.int64)
    bounds = np.zeros(len(guesses), np.int64)
    for i in range(n):
        space.stack[i] = i
    for k in range(len(guesses)):
        bounds[k] = even_bound(problem, problem.table, space.stack, 0, n, guesses[k], left, sizes)
    return bounds
