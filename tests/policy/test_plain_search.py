"""Optimal play in plain Python: the guess of the definition, after little work."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import TableGame, UsageError, WordGame
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.builder import choice
from guessbook.lookup import live
from guessbook.policy import optimal
from guessbook.policy.memory import State
from guessbook.policy.notation import policy_of
from guessbook.policy.one_step import policy_named
from guessbook.policy.optimal import Optimal
from guessbook.policy.ranking import cells_of, rank_guesses
from guessbook.policy.reference import consistent
from guessbook.policy.rollout import Rollout
from guessbook.policy.search.bounds import IMPOSSIBLE, Bounds, reach
from guessbook.policy.search.search import Choice
from tests.helpers.plain import bases, histories
from tests.helpers.tables import table_games, weighted
from tests.policy.test_optimal import code_games, policies, word_games
from tests.policy.test_weights import weighted_games

if TYPE_CHECKING:
    from guessbook.book import Game
    from guessbook.book.games.game import History

weighted_tables = st.builds(
    weighted, table_games(), st.lists(st.integers(1, 9), min_size=9, max_size=9)
)
small_games: st.SearchStrategy[Game] = st.one_of(
    word_games,
    code_games,
    weighted_games(7, 300),
    table_games().filter(lambda game: len(game.secrets) <= 6),
    weighted_tables.filter(lambda game: len(game.secrets) <= 6),
)


def faults(tests: int, size: int, weight: int = 1) -> TableGame:
    """A table of tests with two answers each, and of faults that each answer otherwise."""
    numbers = [k * 37 % (1 << tests) for k in range(1, size + 1)]
    return TableGame(
        [f"test {k}" for k in range(tests)],
        [f"fault {number}" for number in numbers],
        lambda test, fault: "yes" if int(fault[6:]) >> int(test[5:]) & 1 else "no",
        weights=[k * k % weight + 1 for k in range(size)],
    )


def by_history(game: Game, policy: Optimal, history: History, candidates: list[str]) -> int:
    """The guess as docs/reference/policies.md defines it: every history has a cost of its own."""
    base, width = policy.base, policy.width
    known: dict[tuple[frozenset[tuple[int, int]], int | None], tuple[int, int]] = {}

    def best(past: History, cell: list[str], left: int | None) -> tuple[int, int]:
        key = frozenset(past), left
        if key not in known:
            every, alike = width or len(game.guesses), base.hard_mode and width is None
            guesses = rank_guesses(game, base, past, cell, every, alike)
            costs = [(cost(past, cell, guess, left), guess) for guess in guesses]
            known[key] = min(costs, key=lambda found: found[0])
        return known[key]

    def cost(past: History, cell: list[str], guess: int, left: int | None) -> int:
        if left is not None and left < 1:
            return IMPOSSIBLE
        total = weight_of(game, cell)
        for after, part in cells_of(game, past, cell, guess)[0]:
            if len(part) == len(cell):
                return IMPOSSIBLE
            total += best(after, part, None if left is None else left - 1)[0]
        return min(total, IMPOSSIBLE)

    found, guess = best(history, candidates, policy.left(len(dict(history))))
    return guess if found < IMPOSSIBLE else best(history, candidates, None)[1]


@given(st.data(), small_games)
def test_any_small_game(data: st.DataObject, game: Game) -> None:
    """Both searches find the guess of the definition, for all kinds of games and all options."""
    policy = policy_of(data.draw(policies(game)))
    assert isinstance(policy, Optimal)
    history = data.draw(histories(game))
    candidates = consistent(game, history)
    expected = by_history(game, policy, history, candidates)
    assert policy.choose(game, history, candidates) == expected
    assert policy.choose_quickly(game, history, candidates) == expected


@given(st.data(), small_games, bases, st.integers(1, 12), st.integers(1, 9))
def test_endgames(data: st.DataObject, game: Game, base: str, endgame: int, width: int) -> None:
    """A rollout with an endgame finds the same guess both ways, and live."""
    description = {"name": "rollout", "base": base, "endgame": endgame, "width": width}
    policy = policy_of(description)
    assert isinstance(policy, Rollout)
    history = data.draw(histories(game))
    candidates = consistent(game, history)
    expected = policy.choose(game, history, candidates)
    assert policy.choose_quickly(game, history, candidates) == expected
    found = live.choose(game, history, description)
    assert found is not None
    assert found.guess == expected


@given(small_games)
def test_bounds(game: Game) -> None:
    """No strategy needs fewer guesses than the bound says, nor finds more within some guesses."""
    answers = {code: {game.feedback_number(code, s) for s in game.secrets} for code in game.guesses}
    unsolved = {code: len(found - {game.solved}) for code, found in answers.items()}
    own, other = max(unsolved[code] for code in game.secrets), max(unsolved.values())
    bounds = Bounds(len(game.secrets), own, other)
    search = optimal._Search(game, Optimal(policy_named("entropy")))
    for left in (1, 2, 3, None):
        limit = len(game.secrets) if left is None else left
        cost = search.best(State([], list(game.secrets), limit))[0]
        assert cost >= bounds.cost(weights_of(game, game.secrets))
        if left is not None and reach(own, other, left) < len(game.secrets):
            assert cost == IMPOSSIBLE


@st.composite
def tables_of_tests(draw: st.DrawFn) -> TableGame:
    """Tables of 5 to 12 faults, which tests with two answers tell apart, with weights."""
    tests = draw(st.integers(4, 10))
    numbers = draw(st.lists(st.integers(0, 15), min_size=5, max_size=12, unique=True))
    rows = [[number >> k & 1 for number in numbers] for k in range(4)]
    chance = draw(st.integers(1, 15))
    rows += [[int(number < chance + k) for number in numbers] for k in range(tests - 4)]
    return TableGame(
        [f"test {k}" for k in range(tests)],
        [f"fault {number}" for number in numbers],
        rows,
        weights=draw(st.lists(st.integers(1, 400), min_size=len(numbers), max_size=len(numbers))),
    )


@given(st.data(), st.one_of(tables_of_tests(), weighted_games(12)))
def test_larger_games(data: st.DataObject, game: Game) -> None:
    """In larger games, too, plain Python finds the guess of the builder."""
    policy = policy_of(data.draw(policies(game)))
    assert isinstance(policy, Optimal)
    history = data.draw(histories(game, max_size=1))
    candidates = consistent(game, history)
    expected = choice.choose(game, history, policy)[0]
    assert policy.choose_quickly(game, history, candidates) == expected


def stop_beyond(
    monkeypatch: pytest.MonkeyPatch, kind: type[TableGame | WordGame], most: int
) -> None:
    """Let games of a kind compute at most this number of feedbacks."""
    asked, compute = count(1), kind.feedback_number

    def feedback_number(game: Any, guess: str, secret: str) -> int:
        assert next(asked) <= most, "too many feedbacks"
        return compute(game, guess, secret)

    monkeypatch.setattr(kind, "feedback_number", feedback_number)


@pytest.mark.parametrize(
    "policy", ["optimal", {"name": "optimal", "max_guesses": 6}, {"name": "rollout", "endgame": 50}]
)
@pytest.mark.parametrize("size", [(6, 14), (21, 19)], ids=str)
def test_a_small_table_is_little_work(
    size: tuple[int, int], policy: str | dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A live hint for a small table takes plain Python few feedbacks, without the builder."""
    game = faults(*size)
    monkeypatch.setattr(live, "_choose_built", lambda *_: None)
    stop_beyond(monkeypatch, TableGame, 50_000)
    for history in ([], [(0, game.feedback_number("test 0", game.secrets[0]))]):
        assert live.choose(game, history, policy) is not None


@pytest.mark.parametrize("options", [{}, {"max_guesses": 39}, {"width": 13}], ids=str)
def test_the_definition_searches_each_set_once(
    options: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight faults have 255 sets of candidates; the definition ranks the guesses of no more."""
    game = faults(5, 8)
    stop_beyond(monkeypatch, TableGame, 255 * 3 * 13 * 8)
    policy_of({"name": "optimal", **options}).choose(game, [], list(game.secrets))


def test_hard_mode_searches_each_set_once_for_what_it_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In hard mode, too: here all words stay allowed, and any history leaves one of 255 sets."""
    game = WordGame(["bat", "cat", "fat", "hat", "mat", "rat", "sat", "vat"])
    stop_beyond(monkeypatch, WordGame, 255 * 3 * 8 * 8)
    policy_of({"name": "optimal", "hard_mode": True}).choose(game, [], list(game.secrets))


def test_work_that_was_underestimated_goes_to_the_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python counts its work: beyond the bound the builder is asked, or it refuses."""
    game = faults(5, 12, 3000)
    asked: list[object] = []

    def choose(*given: object) -> Choice:
        asked.append(given)
        return Choice(7, 12, [12], False)

    plain = live.choose(game, [], "optimal")
    assert plain is not None
    monkeypatch.setattr(Optimal, "work", lambda *_: 0)
    monkeypatch.setattr(live, "SOME_FEEDBACKS", 1000)
    with monkeypatch.context() as patch:
        patch.setattr(live, "_choose_built", choose)
        assert live.choose(game, [], "optimal") == Choice(7, 12, [12], False)
        assert len(asked) == 1
    monkeypatch.setattr(live, "_choose_built", lambda *_: None)
    assert live.choose(game, [], "optimal") == plain
    monkeypatch.setattr(live, "MAX_PLAIN_FEEDBACKS", 1000)
    with pytest.raises(UsageError, match="optimal, which needs more than 1,000 feedbacks"):
        live.choose(game, [], "optimal")
