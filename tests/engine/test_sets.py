"""The engine's search for optimal strategies against recursive definitions."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.engine.calls import IMPOSSIBLE, MAX_LEFT, VARIANTS, Sets, flat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEFTS = [1, 2, 3, 4, MAX_LEFT]


class Problem(NamedTuple):
    """A game as a table: a row for each secret, a column for each guess.

    Feedback `answers - 1` means solved. A cost is the number of guesses for each candidate times
    its weight, summed over all candidates. If `missed`, it is instead the weight of the candidates
    that are not found; or, with `spare` guesses, of those that are found too late, by one of the
    last `spare` guesses. Then each candidate must be found.

    Attributes:
        table: the feedback of each secret (a row) to each guess (a column).
        homes: the column of each secret as a guess.
        weights: the weight of each secret.
        answers: the number of feedbacks.
        fitting: whether only candidates may be guessed.
        missed: whether a cost is the weight of missed candidates.
        letters: in hard mode, the letters of each guess; else empty.
        marks: in hard mode, the marks of each feedback (0 to 2 for each letter); else empty.
        spare: the number of last guesses that are too late, if `missed`.
    """

    table: list[list[int]]
    homes: list[int]
    weights: list[int]
    answers: int
    fitting: bool = False
    missed: bool = False
    letters: Sequence[list[int]] = ()
    marks: Sequence[list[int]] = ()
    spare: int = 0

    def cells(self, guess: int, candidates: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        """Return the candidates that give each feedback to a guess."""
        found: dict[int, list[int]] = {}
        for secret in candidates:
            found.setdefault(self.table[secret][guess], []).append(secret)
        return {answer: tuple(cell) for answer, cell in found.items()}

    def heaviest_first(self, candidates: Any) -> list[int]:
        """Return candidates in the order that the engine expects."""
        return sorted(candidates, key=lambda secret: -self.weights[secret])

    def keeps_hints(self, word: int, guess: int, answer: int) -> bool:
        """Return whether hard mode allows a word after the answer to a guess."""
        own, told, marks = self.letters[word], self.letters[guess], self.marks[answer]
        marked = [letter for letter, mark in zip(told, marks, strict=True) if mark]
        in_place = zip(own, told, marks, strict=True)
        return all(mark < 2 or letter == other for letter, other, mark in in_place) and all(
            own.count(letter) >= marked.count(letter) for letter in marked
        )

    def search(self, variant: int = -1, lane: str = "B", blocks: bool = False) -> Sets:
        """Return the problem in the engine."""
        bounds = bounds_of(len(self.homes), self.answers - 1, self.missed, self.spare)
        plain = len(self.homes) if self.missed else min(len(self.homes), self.answers)
        rows, peaks = blocks_of(self) if blocks else ([], [])
        return Sets(
            variant,
            lane=lane,
            table=self.table,
            homes=self.homes,
            keys=[Random(secret).getrandbits(64) for secret in range(len(self.homes))],
            weights=self.weights,
            bounds=flat(bounds),
            steps=[b - a for row in bounds for a, b in pairwise(row)],
            letters=flat(self.letters),
            marks=flat(self.marks),
            answers=self.answers,
            plain=plain if max(self.weights) == 1 else 0,
            fitting=self.fitting,
            length=len(self.letters and self.letters[0]),
            missed=self.missed,
            spare=self.spare,
            rows=rows,
            peaks=peaks,
        )


def bounds_of(size: int, cells: int, missed: bool, spare: int) -> list[list[int]]:
    """Return lower bounds of costs: guess k finds at most `cells ** (k - 1)` candidates.

    Row `left`, column n is the bound for n candidates with `left` guesses left.
    """
    bounds = []
    for left in range(MAX_LEFT + 1):
        bounds.append([0] * (size + 1))
        for n in range(size + 1):
            rest, total, most = n, 0, 1
            late = n if left == spare else 0
            for turn in range(1, 1 + (size if left == MAX_LEFT else left)):
                total += turn * min(rest, most)
                rest -= min(rest, most)
                most *= cells
                late = rest if turn == left - spare else late
            if spare:
                bounds[left][n] = IMPOSSIBLE if rest else late
            else:
                bounds[left][n] = rest if missed else IMPOSSIBLE if rest else total
    return bounds


def blocks_of(problem: Problem) -> tuple[list[int], list[int]]:
    """Return `rows` and `peaks` of blocks of 64 guesses; the guesses with most cells come first.

    `rows` has the number of each secret's cell for each guess of a block: [blocks][secrets][64],
    as a flat list. `peaks` has the largest number of cells of a guess in each block.
    """
    every = tuple(range(len(problem.homes)))
    partitions = [problem.cells(guess, every) for guess in range(len(problem.table[0]))]
    partitions.sort(key=len, reverse=True)
    blocks = [partitions[k : k + 64] for k in range(0, len(partitions), 64)]
    rows = np.zeros((len(blocks), len(every), 64), int)
    for k, partition in enumerate(partitions):
        for cell, secrets in enumerate(sorted(partition.values(), key=len, reverse=True)):
            rows[k // 64, list(secrets), k % 64] = cell
    return rows.ravel().tolist(), [len(block[0]) for block in blocks]


def costs(problem: Problem) -> tuple[Callable[..., int], Callable[..., int]]:
    """Return functions for the least cost of a set, and for the cost of one guess."""

    @cache
    def least(candidates: tuple[int, ...], left: int, allowed: frozenset[int]) -> int:
        whole = sum(problem.weights[secret] for secret in candidates)
        if not left:
            return whole if problem.missed and not problem.spare else IMPOSSIBLE
        if problem.missed and left == 1 and not problem.spare:
            return whole - max(problem.weights[secret] for secret in candidates)
        return min(of_guess(guess, candidates, left, allowed) for guess in allowed)

    @cache
    def of_guess(
        guess: int, candidates: tuple[int, ...], left: int, allowed: frozenset[int]
    ) -> int:
        total = sum(problem.weights[secret] for secret in candidates)
        total *= left == problem.spare if problem.missed else 1
        cells = problem.cells(guess, candidates)
        right = cells.pop(problem.answers - 1, ())
        if (problem.fitting and not right) or list(cells.values()) == [candidates]:
            return IMPOSSIBLE
        for answer, cell in cells.items():
            below = allowed
            if problem.letters:
                kept = [word for word in allowed if problem.keeps_hints(word, guess, answer)]
                below = frozenset(kept)
            total += least(cell, min(left - 1, len(cell) + problem.spare), below)
        return min(total, IMPOSSIBLE)

    return least, of_guess


def random_problem(chance: Random) -> Problem:
    """Return a random table in which each secret is also a guess."""
    secrets, kinds = chance.randint(2, 7), chance.randint(1, 6)
    guesses = secrets + chance.randint(0, 4)
    # With more than 64 feedbacks, a bit set takes several words.
    wide = chance.choice([1, 1, 40])
    answers, homes = kinds * wide + 1, chance.sample(range(guesses), secrets)
    table = [[wide * chance.randrange(kinds) for _ in range(guesses)] for _ in homes]
    for secret, home in enumerate(homes):
        table[secret][home] = answers - 1
    weights = chance.choices(chance.choice([[1], [1, 2, 9, 400_000], [1, 2]]), k=secrets)
    problem = Problem(table, homes, weights, answers, chance.random() < 0.3)
    missed = chance.random() < 0.5
    return problem._replace(missed=missed, spare=chance.randint(0, 2) * missed)


@given(st.integers(0, 1 << 40), st.sampled_from(VARIANTS), st.sampled_from("BHI"))
def test_cost_of_a_set_is_the_least_of_all_strategies(seed: int, variant: int, lane: str) -> None:
    chance = Random(seed)
    for left in LEFTS:
        problem = random_problem(chance)
        secrets, guesses = len(problem.homes), frozenset(range(len(problem.table[0])))
        (least, of_guess), search = costs(problem), problem.search(variant, lane)
        for size in (secrets, *(chance.randint(1, secrets) for _ in range(3))):
            candidates = tuple(sorted(chance.sample(range(secrets), size)))
            turns = min(left, size + problem.spare)
            own = problem.heaviest_first(candidates)
            expected = least(candidates, turns, guesses)
            bound, exact = search.probe(own, left)
            assert bound == expected if exact else bound <= expected
            assert expected == 0 or expected - 1 < search.cost(own, left, expected - 1) <= expected
            assert min(search.cost(own, left), IMPOSSIBLE) == expected
            assert min(search.probe(own, left)[0], IMPOSSIBLE) == expected
            for guess, bound in enumerate(search.bounds(own, left)):
                cost = of_guess(guess, candidates, turns, guesses)
                assert bound <= cost or cost == IMPOSSIBLE
                if size > 2 and cost < IMPOSSIBLE:
                    assert search.cost(own, left, cost, guess=guess) == cost
                    assert search.cost(own, left, cost - 1, guess=guess) == cost or cost == 0


@pytest.mark.parametrize("size", [12, 20, pytest.param(60, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("missed", [False, True])
def test_cost_in_hard_mode_is_the_least_of_all_allowed_strategies(
    missed: bool, left: int, size: int
) -> None:
    chance = Random(left)
    words = sorted({"".join(chance.choices("abcde", k=3)) for _ in range(size)})
    game, every = gb.WordGame(words), tuple(range(len(words)))
    table = [[game.feedback_number(guess, secret) for guess in words] for secret in words]
    letters = [list(map(ord, word)) for word in words]
    marks = [[int(mark) for mark in game.format_feedback(f)] for f in range(game.feedbacks)]
    weights = [1 + (left == 3)] * len(words)
    problem = Problem(table, list(every), weights, game.feedbacks, False, missed, letters, marks)
    search, (least, _) = problem.search(), costs(problem)
    situations = [(0, every, every)] if size < 60 else []
    for guess in every[:: 1 + size // 12]:
        for answer, cell in problem.cells(guess, every).items():
            kept = [word for word in every if problem.keeps_hints(word, guess, answer)]
            situations.append((1 + guess, cell, tuple(kept)))
    for also, cell, allowed in situations:
        expected = least(cell, min(left, len(cell)), frozenset(allowed))
        given: Any = {"allowed": allowed, "also": also}
        bound, exact = search.probe(list(cell), left, **given)
        assert bound == expected if exact else bound <= expected
        assert min(search.cost(list(cell), left, **given), IMPOSSIBLE) == expected


@pytest.mark.parametrize("kinds", [9, 60])
def test_two_guesses_find_one_secret_of_each_cell(kinds: int) -> None:
    chance, secrets, guesses = Random(kinds), 310, 330
    # Guesses differ in how many cells they have.
    limits = [1 + chance.randrange(kinds) for _ in range(guesses)]
    table = [[chance.randrange(limit) for limit in limits] for _ in range(secrets)]
    for secret in range(secrets):
        table[secret][secret] = 65
    problem = Problem(table, list(range(secrets)), [1] * secrets, 66, missed=True)
    searches = [problem.search(variant, blocks=True) for variant in VARIANTS]
    for size in (3, 20, 64, 150, 255, 256, 310):
        own = tuple(chance.sample(range(secrets), size))
        most = max(len(problem.cells(guess, own)) for guess in range(guesses))
        for search in searches:
            assert search.probe(list(own), 2) == (size - most, True)


def test_bounds_by_blocks_of_guesses_do_not_change_the_cost() -> None:
    # The guesses fill two blocks. Only cells of 8 secrets or more get a bound by blocks.
    chance, secrets, guesses = Random(1), 48, 100
    table = [
        [min(chance.randrange(12), chance.randrange(12)) for guess in range(guesses)]
        for _ in range(secrets)
    ]
    for secret in range(secrets):
        table[secret][secret] = 70
    problem = Problem(table, list(range(secrets)), [1] * secrets, 71, missed=True)
    every, (least, _) = tuple(range(secrets)), costs(problem)
    allowed = frozenset(range(guesses))
    expected = least(every, 3, allowed)
    cells = [cell for guess in allowed for cell in problem.cells(guess, every).values()]
    large = [cell for cell in cells if len(cell) >= 8]
    for variant in VARIANTS:
        search = problem.search(variant, blocks=True)
        search.ask("bound_batches", list(every), 3, *search.every(), limit=expected + 8)
        open_bounds = 0
        for cell in large:
            bound, exact = search.probe(list(cell), 2)
            missed = least(cell, 2, allowed)
            assert bound == missed if exact else bound <= missed
            open_bounds += not exact
        assert open_bounds
        assert search.cost(list(every), 3) == expected


def test_stored_costs_are_found_for_the_same_set_and_history() -> None:
    problem = Problem(
        [[4, 0, 1, 2], [0, 4, 1, 1], [1, 1, 4, 0], [0, 0, 0, 4]], [0, 1, 2, 3], [1] * 4, 5
    )
    search, every = problem.search(), [0, 1, 2, 3]
    search.ask("learn_set", every, MAX_LEFT, also=1 << 40, found=4 * 9 + 3)
    assert search.probe(every, MAX_LEFT, also=1 << 40) == (9, True)
    for other in ({"also": 0}, {"left": 3, "also": 1 << 40}):
        assert search.probe(every, **{"left": MAX_LEFT, **other}) != (9, True)


def one_by_one(secrets: int) -> Problem:
    """Return a game in which each guess rules out one secret."""
    table = [[int(a == b) for b in range(secrets)] for a in range(secrets)]
    return Problem(table, list(range(secrets)), [1] * secrets, 2)


def test_search_that_is_too_deep_fails_and_stores_nothing_wrong() -> None:
    search = one_by_one(40).search()
    search.state.levels = 12
    with pytest.raises(RecursionError):
        search.cost(list(range(20)), MAX_LEFT)
    for n in range(3, 21):
        bound, exact = search.probe(list(range(n)), MAX_LEFT)
        assert bound == n * (n + 1) // 2 if exact else bound <= n * (n + 1) // 2
    assert search.cost(list(range(7)), MAX_LEFT) == 28


def test_search_of_sets_ends_when_the_stop_flag_is_set() -> None:
    search, flag = one_by_one(9).search(), np.ones(1, np.int32)
    search.stop = flag.ctypes.data
    with pytest.raises(KeyboardInterrupt):
        search.cost(list(range(9)), MAX_LEFT)
    flag[0] = 0
    assert search.cost(list(range(9)), MAX_LEFT) == 45
