"""Costs of optimal play by the engine, against recursive definitions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import BuildError, Mastermind, TableGame, WordGame
from guessbook.book.games.weights import weights_of
from guessbook.builder import build_strategy
from guessbook.builder.games.split_bounds import bounds_below
from guessbook.builder.limits import MEMORY
from guessbook.builder.scorers import ranked
from guessbook.builder.scorers.optimal import OptimalScorer
from guessbook.engine.sets import IMPOSSIBLE, MAX_LEFT, Set, SetSearch, SetTable
from guessbook.policy.notation import policy_of
from guessbook.policy.reference import keeps_hints
from tests.engine.engines import VARIANTS
from tests.helpers.plain import Remembering

if TYPE_CHECKING:
    from collections.abc import Callable

    from guessbook.book import Game

WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet", "tiger"]
GAMES: list[Game] = [
    Mastermind(2, 3),
    Mastermind(2, 4, repeats=False),
    WordGame(WORDS[:8], WORDS),
    WordGame(WORDS[:7], WORDS, weights=[4_000_000, 9, 9, 7, 100_000, 1, 1]),
    TableGame(["a", "b", *range(6)], range(6), [
        [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1],
        *[["yes" if a == b else "no" for b in range(6)] for a in range(6)],
    ]),
]  # fmt: skip


def least(
    game: Game, candidates: list[str], left: int, fitting: bool, hard: bool, path: Any = ()
) -> int:
    """What candidates cost by trying every guess at every node; IMPOSSIBLE if there is no way."""
    return costs(game, fitting, hard)(tuple(candidates), left, tuple(path))


@cache
def costs(game: Game, fitting: bool, hard: bool) -> Callable[..., int]:
    """What `least` asks: it remembers the costs of a game for all examples."""
    plain = Remembering(game)

    @cache
    def cost(candidates: tuple[str, ...], left: int, path: tuple[tuple[int, int], ...]) -> int:
        if not candidates:
            return 0
        if left == 0:
            return IMPOSSIBLE
        best, whole = IMPOSSIBLE, sum(weights_of(game, candidates))
        for index, guess in enumerate(game.guesses):
            if fitting and guess not in candidates:
                continue
            if hard and not fitting and not keeps_hints(game, guess, list(path)):
                continue
            cells: dict[int, list[str]] = {}
            for secret in candidates:
                cells.setdefault(plain.feedback_number(guess, secret), []).append(secret)
            if len(cells) == 1 and guess not in candidates:
                continue
            cells.pop(game.solved, None)
            total = whole
            for answer, cell in sorted(cells.items(), key=lambda item: len(item[1])):
                below = (*path, (index, answer)) if hard else ()
                total += cost(tuple(cell), min(left - 1, len(cell)), below)
                if total >= best:
                    break
            best = min(best, total)
        return best

    return cost


@cache
def scorer_of(game: Game, fitting: bool) -> OptimalScorer:
    """The scorer of a game for all examples: to weigh millions takes it long."""
    described = {"name": "optimal", **({"consistent_only": True} if fitting else {})}
    return OptimalScorer(game, policy_of(described), MEMORY)  # type: ignore[arg-type]


@given(
    st.sampled_from(GAMES), st.booleans(), st.sampled_from([2, 3, 4, MAX_LEFT]),
    st.sampled_from(VARIANTS), st.data(),
)  # fmt: skip
def test_the_cost_of_a_set_is_the_least_of_all_strategies(
    game: Game, fitting: bool, left: int, variant: int, data: st.DataObject
) -> None:
    """Of codes, words and tables, by weight, within so many guesses, of candidates alone."""
    scorer = scorer_of(game, fitting)
    scorer.search = SetSearch(scorer.problem, SetTable(1 << 10), variant)
    every = range(len(game.secrets))
    chosen = st.lists(st.sampled_from(every), min_size=1, max_size=7, unique=True)
    some = sorted(data.draw(chosen))
    candidates, path = np.array(some, np.uint32), np.zeros(0, np.int64)
    expected = least(game, [game.secrets[s] for s in some], min(left, 8), fitting, False)
    looked = scorer.search.probe(scorer.set(candidates, path, left), scorer.search.whole)
    assert looked >> 2 == expected if looked & 1 else looked >> 2 <= expected
    own, whole = scorer.set(candidates, path, left), scorer.search.whole
    assert min(scorer.search.cost(own, IMPOSSIBLE - 1, whole, whole), IMPOSSIBLE) == expected
    limited = scorer.search.cost(own, expected - 1, whole, whole)
    assert expected - 1 < limited <= expected


def test_hard_mode_by_the_definition() -> None:
    """Only guesses that use all that earlier answers showed; a key for a history has 64 bits."""
    game = WordGame(WORDS[:8], WORDS)
    scorer = OptimalScorer(game, policy_of({"name": "optimal", "hard_mode": True}), MEMORY)  # type: ignore[arg-type]
    for guess in range(len(WORDS)):
        path = np.array([guess], np.int64)
        for answer in {game.feedback_number(WORDS[guess], secret) for secret in game.secrets}:
            own = [
                k
                for k, s in enumerate(game.secrets)
                if game.feedback_number(WORDS[guess], s) == answer
            ]
            named, past = [game.secrets[k] for k in own], [(guess, answer)]
            expected = least(game, named, len(own) + 1, False, True, past)
            found = scorer.cost(np.array(own, np.uint32), path, IMPOSSIBLE - 1, MAX_LEFT)
            assert min(found, IMPOSSIBLE) == expected
    table = scorer.search.whole
    every = scorer.set(np.arange(8, dtype=np.uint32), np.zeros(0, np.int64), MAX_LEFT)
    scorer.search.store(every._replace(also=1 << 40), 4 * 7 + 3)
    assert scorer.search.probe(every._replace(also=1 << 40), table) == 4 * 7 + 3
    assert scorer.search.probe(every._replace(also=0), table) != 4 * 7 + 3


def split_cost(below: list[int], n: int, cells: int) -> int:
    """What n candidates cost at least in at most so many cells, by trying every split."""

    @cache
    def least(n: int, cells: int, most: int) -> int:
        if n == 0:
            return 0
        if not cells:
            return IMPOSSIBLE
        sizes = range(1, min(n, most) + 1)
        return min([IMPOSSIBLE, *(below[k] + least(n - k, cells - 1, k) for k in sizes)])

    return min(least(n, cells, n), IMPOSSIBLE)


@pytest.mark.parametrize(("answers", "others"), [(2, 4), (3, 5), (4, 3), (5, 0)])
def test_bounds_are_the_least_of_all_splits(answers: int, others: int) -> None:
    """Where guesses that may be right have fewer cells; else they are bounds below it."""
    size = 12
    bounds = bounds_below(size, answers, others).tolist()
    exact = answers - 1 < others
    for left in range(2, 6):
        below = bounds[left - 1]
        for n in range(2, size + 1):
            right = split_cost(below, n - 1, answers - 1)
            # One that cannot be right and leaves all together never helps.
            smaller = [*below[:n], IMPOSSIBLE]
            wrong = split_cost(smaller, n, others)
            expected = min(n + min(right, wrong), IMPOSSIBLE)
            assert bounds[left][n] == expected if exact else bounds[left][n] <= expected


def test_a_search_that_is_too_deep_leaves_nothing_wrong() -> None:
    """Where levels run out there is an error; what was stored before is true."""
    size = 300  # each guess rules one out: any order is optimal, and as deep as there are secrets
    game = TableGame(range(size), range(size), lambda g, s: "yes" if g == s else "no")
    scorer = OptimalScorer(game, policy_of("optimal"), MEMORY)  # type: ignore[arg-type]
    scorer.search._counters().levels = 12
    path, some = np.zeros(0, np.int64), np.arange(20, dtype=np.uint32)
    whole = scorer.search.whole
    with pytest.raises(BuildError, match="more than 12 levels"):
        scorer.search.cost(scorer.set(some, path, MAX_LEFT), IMPOSSIBLE - 1, whole, whole)
    for n in range(3, 21):
        known = scorer.search.probe(scorer.set(some[:n], path, MAX_LEFT), whole)
        cost = n * (n + 1) // 2
        assert known >> 2 == cost if known & 1 else known >> 2 <= cost
    for n in range(3, 8):
        own = scorer.set(some[:n], path, MAX_LEFT)
        assert scorer.search.cost(own, IMPOSSIBLE - 1, whole, whole) == n * (n + 1) // 2


def test_long_words_take_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells of guesses are counted in blocks, and the book is the same."""
    words = ["abcdefghijkl", "abcdefghijlk", "mlkjihgfedcb", "abcabcabcabc", "bcdbcdbcdbcd"]
    policy, counted = {"name": "optimal", "width": 4}, []
    known = build_strategy(WordGame(words), policy).to_bytes()
    bincount = np.bincount

    def measured(*given: Any, **named: Any) -> Any:
        counted.append(named.get("minlength", 0))
        return bincount(*given, **named)

    monkeypatch.setattr(np, "bincount", measured)
    assert build_strategy(WordGame([*words, "cdecdecdecde"]), policy).stats.total_guesses > 0
    assert 0 < max(counted) <= max(ranked.CELLS, 3**12)
    assert build_strategy(WordGame(words), policy).to_bytes() == known


@pytest.mark.parametrize(
    "wrong",
    [
        {"candidates": np.array([0, 9], np.uint32)},
        {"candidates": np.zeros(0, np.uint32)},
        {"candidates": np.zeros(10, np.uint32)},
        {"candidates": np.zeros(2, np.int64)},
        {"left": -1},
        {"left": MAX_LEFT + 1},
        {"limit": IMPOSSIBLE},
        {"guess": 9},
        {"guess": -3},
    ],
    ids=str,
)
def test_wrong_questions_are_refused(wrong: dict[str, Any]) -> None:
    """Candidates, limits and columns that are none are an error, not a crash."""
    scorer = OptimalScorer(GAMES[0], policy_of("optimal"), MEMORY)  # type: ignore[arg-type]
    search = scorer.search
    asked = {
        "candidates": np.array([0, 1], np.uint32),
        "left": 9,
        "limit": 50,
        "guess": -1,
        **wrong,
    }
    of = Set(asked["candidates"], asked["left"])
    with pytest.raises((ValueError, IndexError, TypeError)):
        search.cost(of, asked["limit"], search.whole, search.whole, asked["guess"])


def test_a_wrong_problem_is_refused() -> None:
    """Feedbacks beyond their number, homes and weights that are none, and odd tables."""
    problem = OptimalScorer(GAMES[0], policy_of("optimal"), MEMORY).problem  # type: ignore[arg-type]
    for change in (
        {"answers": problem.answers - 1},
        {"homes": problem.homes + 1},
        {"weights": problem.weights * 0},
        {"weights": problem.weights << 22},
    ):
        with pytest.raises(ValueError, match="found"):
            SetSearch(problem._replace(**change), SetTable(16))
    for size in (0, 2, 12):
        with pytest.raises(ValueError, match="power of 2"):
            SetTable(size)
