"""Code games in the engine against plain definitions."""

from __future__ import annotations

import itertools
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from guessbook.policy.policy import OneStep
from tests.engine.calls import GUARD, RULES, VARIANTS, Codes, Rule
from tests.helpers.samples import CODE_GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SMALL = [game for game in CODE_GAMES if len(game.guesses) < 600]
LARGE = [gb.Mastermind(9, 2), gb.Mastermind(4, 5), gb.Mastermind(6, 3)]


@cache
def engine_of(game: gb.Mastermind, rule: Rule, variant: int = -1) -> Codes:
    """Return a game in the engine, which several tests share."""
    return Codes(game, rule, variant)


@cache
def digits(game: gb.Mastermind) -> Any:
    """Return the numbers of the symbols of each code."""
    return np.array([[game.symbols.index(symbol) for symbol in code] for code in game.guesses])


def feedbacks(game: gb.Mastermind, guess: int, candidates: Sequence[int]) -> Any:
    """Return the feedback number of each candidate to a guess."""
    codes, own = digits(game)[candidates], digits(game)[guess]
    blacks = (codes == own).sum(axis=1)
    totals = sum(
        np.minimum((codes == symbol).sum(axis=1), (own == symbol).sum()) for symbol in set(own)
    )
    return totals * (game.pegs + 1) + blacks


@cache
def table(game: gb.Mastermind) -> Any:
    """Return the feedback number of each code (a column) to each guess (a row)."""
    every = range(len(game.guesses))
    return np.array([feedbacks(game, guess, every) for guess in every], np.uint8)


def scores(game: gb.Mastermind, rule: Rule, candidates: list[int]) -> list[tuple[int, bool]]:
    """Return the score of each guess, and whether it is a candidate."""
    rows = table(game)[:, candidates]
    sizes = np.array([np.bincount(row, minlength=game.feedbacks) for row in rows])
    costs = np.array(rule.costs(len(candidates)))[sizes]
    totals = costs.sum(axis=1) if rule.additive else costs.max(axis=1)
    own = np.isin(np.arange(len(rows)), candidates)
    return list(zip((rule.credit * own - totals).tolist(), own.tolist(), strict=True))


def best(game: gb.Mastermind, rule: Rule, candidates: list[int]) -> int:
    """Return the best guess; a candidate wins ties, then the lowest guess."""
    if len(candidates) <= 2:
        return candidates[0]
    found = scores(game, rule, candidates)
    return found.index(max(found))


def with_credit(draw: Any, most: int) -> Rule:
    """Draw a rule with no credit, a small one or a decisive one for candidates."""
    rule = RULES[draw(st.sampled_from(sorted(RULES)))]
    worst = abs(rule.cost(most))
    return rule._replace(credit=draw(st.sampled_from([0, 1, worst // 8, worst // 3, worst])))


@st.composite
def situations(draw: st.DrawFn, games: list[gb.Mastermind]) -> tuple[Any, list[int], list[int]]:
    """Draw a game, the guesses of a history and the candidates that fit it."""
    game = draw(st.sampled_from(games))
    codes = st.integers(0, len(game.guesses) - 1)
    secret, path = draw(codes), draw(st.lists(codes, max_size=3, unique=True))
    told = table(game)
    fitting = (told[path] == told[path][:, [secret]]).all(axis=0)
    return game, path, np.flatnonzero(fitting).tolist()


@pytest.mark.parametrize("game", CODE_GAMES, ids=lambda game: game.name)
def test_engine_gives_the_feedbacks_of_the_game(game: gb.Mastermind) -> None:
    chance, count = Random(1), len(game.guesses)
    guesses = [chance.randrange(count) for _ in range(4)]
    nodes = [sorted(chance.sample(range(count), min(size, count))) for size in (0, 5, 64, 65)]
    expected = [
        game.feedback_number(game.guesses[guess], game.guesses[code])
        for guess, node in zip(guesses, nodes, strict=True)
        for code in node
    ]
    every = list(range(count))
    assert feedbacks(game, guesses[1], nodes[1]).tolist() == expected[: len(nodes[1])]
    for variant in VARIANTS:
        search = engine_of(game, RULES["cells"], variant)
        assert search.feedbacks(guesses, nodes) == expected
        all_of_one = search.feedbacks(guesses[:1], [every])
        assert all_of_one == feedbacks(game, guesses[0], every).tolist()


@pytest.mark.parametrize("game", CODE_GAMES, ids=lambda game: game.name)
def test_multisets_are_numbered_in_the_order_of_their_symbols(game: gb.Mastermind) -> None:
    search = engine_of(game, RULES["cells"])
    of = [tuple(sorted(code)) for code in digits(game).tolist()]
    numbers = {multiset: k for k, multiset in enumerate(sorted(set(of)))}
    assert search.fields.multisets == len(numbers)
    assert search.multisets() == [numbers[multiset] for multiset in of]


@pytest.mark.parametrize("size", [(0, 3), (16, 2), (3, 37), (15, 4), (-1, -1), (8, 9)], ids=str)
def test_code_games_beyond_the_limits_are_rejected(size: tuple[int, int]) -> None:
    search = engine_of(SMALL[0], RULES["cells"])
    assert not search.call("codes_new", *size, 1)
    assert not search.call("codes_new", 3, 2, 0)


@given(situations(SMALL), st.sampled_from(VARIANTS), st.data())
def test_engine_finds_the_best_guess_after_a_history(
    situation: Any, variant: int, data: st.DataObject
) -> None:
    game, path, candidates = situation
    rule = with_credit(data.draw, len(candidates))
    search = Codes(game, rule, variant)
    assert search.guesses([candidates], [path])[0] == [best(game, rule, candidates)]


@pytest.mark.parametrize(
    "sizes", [(3, 17, 65, 256), pytest.param((16, 63, 64, 255, 300), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("game", LARGE, ids=lambda game: game.name)
def test_engine_finds_the_best_guess_for_any_candidates(
    game: gb.Mastermind, sizes: tuple[int, ...]
) -> None:
    # All symbols were guessed, so none are interchangeable. The engine uses symmetries of positions
    # only with more candidates.
    path = [k for k, code in enumerate(game.guesses) if len({*code}) == 1]
    chance = Random(1)
    nodes = [sorted(chance.sample(range(len(game.guesses)), size)) for size in sizes]
    for rule in RULES.values():
        expected = [best(game, rule, node) for node in nodes]
        for variant in VARIANTS:
            search = Codes(game, rule, variant)
            assert search.guesses(nodes, [path] * len(nodes))[0] == expected


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["logarithms", "largest"])
def test_symmetries_of_large_nodes_keep_the_best_guess(rule: str) -> None:
    game = gb.Mastermind(3, 18)
    search, every = Codes(game, RULES[rule]), range(5832)
    nodes = [list(every), np.flatnonzero(table(game)[0] == 0).tolist()]
    for path, node in zip(([], [0]), nodes, strict=True):
        (guess,), (scored,) = search.guesses([node], [path])
        assert guess == best(game, RULES[rule], node)
        assert scored < 800


@given(situations([gb.Mastermind(4, 4), *LARGE]), st.data())
def test_search_in_parts_finds_the_guess_of_the_whole_search(
    situation: Any, data: st.DataObject
) -> None:
    game, path, candidates = situation
    if len(candidates) < 3:
        return
    rule = with_credit(data.draw, len(candidates))
    search = Codes(game, rule)
    budget, pairs = data.draw(st.integers(1, 70)), data.draw(st.sampled_from([1, 100, 5000]))
    guess, _ = search.divided(candidates, path, budget, pairs)
    assert [guess] == search.guesses([candidates], [path])[0]


@pytest.mark.parametrize("size", [(4, 36), (7, 9), (8, 8)], ids=str)
def test_rounded_logarithms_stay_within_the_margins_of_the_bounds(size: tuple[int, int]) -> None:
    """The margins are CONVEX and ROUNDED in codes.h."""
    entropy = gb.make_policy("entropy")
    assert isinstance(entropy, OneStep)
    rule = entropy.of(gb.Mastermind(*size))
    sizes = np.arange(1, 1 << 20)
    costs = np.array(rule.costs(len(sizes)))
    assert (np.diff(costs[: (1 << 16) + 1], 2) >= 0).all()
    errors = costs[1:] // sizes - np.log2(sizes) * 2.0**rule.bits
    assert 2 * np.abs(errors).max() < 32


def test_bounds_leave_few_guesses_to_score() -> None:
    game = gb.Mastermind(4, 6)
    search = Codes(game)
    assert search.divided(list(range(1296)), [7], 1, 20_000)[1] > 3
    (guess,), (scored,) = search.guesses([list(range(1296))], [[]])
    assert (game.guesses[guess], scored < 500) == (
        game.guesses[best(game, RULES["logarithms"], list(range(1296)))],
        True,
    )


@given(situations([gb.Mastermind(3, 5), gb.Mastermind(9, 2), *SMALL[-3:]]), st.data())
def test_trees_are_grown_from_the_best_guesses(situation: Any, data: st.DataObject) -> None:
    game, path, candidates = situation
    rule = with_credit(data.draw, len(candidates))
    cut = data.draw(st.integers(0, len(candidates) - 1))
    roots = [node for node in (candidates[:cut], candidates[cut:]) if node]
    # Two roots have no common history: a path with all codes leaves no symmetry.
    path = path if len(roots) == 1 else list(range(len(game.guesses)))
    search = Codes(game, rule)
    expected, waiting = [], list(enumerate(roots))
    for feedback, node in waiting:
        guess = best(game, rule, node)
        told = feedbacks(game, guess, node)
        met = [f for f in np.unique(told).tolist() if f != game.solved]
        expected.append([guess, int(guess in node), feedback, len(met)])
        waiting += [(f, np.array(node)[told == f].tolist()) for f in met]
    assert search.grow(roots, path, 2 * len(candidates)) == expected
    with pytest.raises(AssertionError, match="too small"):
        search.grow(roots, path, len(expected) - 1)


@given(situations([gb.Mastermind(3, 5), *SMALL]), st.data())
def test_scores_without_symmetry_match_the_definition(situation: Any, data: st.DataObject) -> None:
    game, _, candidates = situation
    rule = with_credit(data.draw, len(candidates))
    search, multisets = Codes(game, rule), Codes(game).multisets()
    marks = st.lists(st.integers(0, 1), min_size=max(multisets) + 1, max_size=max(multisets) + 1)
    wanted = data.draw(marks)
    found = search.scores(candidates, None, wanted)
    expected = enumerate(scores(game, rule, candidates))
    assert found == {guess: own for guess, own in expected if wanted[multisets[guess]]}


SYMMETRIC = [
    gb.Mastermind(2, 3),
    gb.Mastermind(3, 4),
    gb.Mastermind(4, 3),
    gb.Mastermind(4, 2),
    gb.Mastermind(2, 4, repeats=False),
    gb.Mastermind(3, 5, repeats=False),
    gb.Mastermind(4, 4, repeats=False),
]


@given(situations(SYMMETRIC))
def test_each_set_of_equivalent_codes_has_one_lowest_code(situation: Any) -> None:
    game, path, candidates = situation
    codes = [tuple(code) for code in digits(game).tolist()]
    history = [codes[guess] for guess in path]
    absent = sorted({*range(game.colors)} - {c for code in candidates for c in codes[code]})
    lowest = set()
    for code in codes:
        images = [
            lower_absent(tuple(symbols[code[p]] for p in positions), absent, game.repeats)
            for positions, symbols in symmetries(game, history)
        ]
        lowest.add(min(images))
    search = engine_of(game, RULES["logarithms"])
    found = search.lowest(candidates, path)
    assert [codes[code] for code in found] == sorted(lowest)
    every = [1] * search.fields.multisets
    assert sorted(search.scores(candidates, path, every)) == found


def symmetries(game: gb.Mastermind, history: list[tuple[int, ...]]) -> list[Any]:
    """Return the permutations of positions and symbols that change no guess of a history."""
    return [
        (positions, symbols)
        for positions in itertools.permutations(range(game.pegs))
        for symbols in itertools.permutations(range(game.colors))
        if all(tuple(symbols[old[p]] for p in positions) == old for old in history)
    ]


def lower_absent(code: tuple[int, ...], absent: list[int], repeats: bool) -> tuple[int, ...]:
    """Replace the symbols that no candidate has, which are equivalent, with the lowest of them.

    If symbols may not repeat, different symbols stay different.
    """
    found: dict[int, int] = {}
    for symbol in code:
        if symbol in absent:
            found.setdefault(symbol, absent[0] if repeats else absent[len(found)])
    return tuple(found.get(symbol, symbol) for symbol in code)


@pytest.mark.parametrize("rule", RULES)
def test_best_score_per_number_of_cells_matches_all_splits(rule: str) -> None:
    search = Codes(gb.Mastermind(2, 3), RULES[rule])
    for n, cells in itertools.product(range(1, 10), range(1, search.columns)):
        splits = itertools.combinations_with_replacement(range(n + 1), cells)
        scores = [RULES[rule].score(k for k in sizes if k) for sizes in splits if sum(sizes) == n]
        assert search.splits[n * search.columns + cells] == max(scores)


def test_code_search_ends_when_the_stop_flag_is_set() -> None:
    search = Codes(gb.Mastermind(3, 4))
    flag, every = np.ones(1, np.int32), list(range(64))
    questions: list[Callable[[], Any]] = [
        lambda: search.guesses([every], [[]]),
        lambda: search.grow([every], [], 128),
        lambda: search.scores(every, None, [1] * search.fields.multisets),
    ]
    search.stop = flag.ctypes.data
    for question in questions:
        with pytest.raises(KeyboardInterrupt):
            question()
    flag[0] = 0
    assert all(question() for question in questions)


@pytest.mark.skipif(not GUARD, reason="a sanitizer ends the process")
def test_guard_bytes_detect_a_write_beside_an_array() -> None:
    search = Codes(gb.Mastermind(3, 4))
    short = search.room("B", 3)
    own, starts = search.give("I", range(4)), search.give("q", [0, 4])
    given = search.game, search.space, search.give("I", [0]), 1, own, starts, short
    with pytest.raises(AssertionError):
        search.call("answer_guesses", *given)
