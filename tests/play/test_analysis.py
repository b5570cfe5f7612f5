"""The analysis of candidates, the ratings and the search for pairs, against plain definitions."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, WordGame, parse_history
from guessbook.book.games.symmetry import MAX_STEPS, SearchBudget
from guessbook.book.tree import entropy
from guessbook.engine.pairs import best_pairs as pairs_by_engine
from guessbook.play import analysis as analysis_module
from guessbook.play.analysis import MAX_LEADING, Analysis, split_of
from guessbook.play.explain import shown_as
from guessbook.play.pairs import best_pairs, search_plain
from guessbook.play.rate import luck, rank
from guessbook.policy.one_step import POLICIES
from guessbook.policy.reference import consistent, partition
from guessbook.policy.search.search import sums_of
from guessbook.policy.search.symmetry import (
    MAX_STEPS_TO_LOWEST,
    held_symbols,
    lowest_guesses,
    representatives,
)

if TYPE_CHECKING:
    from guessbook.book import Game
    from guessbook.book.games.game import History

WORDS = ["light", "eight", "night", "thing", "geese", "sleet", "tiger", "eerie", "their", "other"]
GAMES: dict[str, Game] = {
    "codes": Mastermind(3, 4),
    "without repeats": Mastermind(3, 6, repeats=False),
    "many pegs": Mastermind(6, 2),
    "words": WordGame(WORDS[:7], WORDS),
    "loose": WordGame(WORDS[:7], WORDS, "loose"),
    "long": WordGame(["unforgettable"[:12], "abcdefghijkl", "lkjihgfedcba"]),
}
RULES = list(POLICIES.values())


def fitting_histories(game: Game) -> list[History]:
    """Some histories that a secret fits."""
    secret = game.secrets[len(game.secrets) // 2]
    tried = [0, len(game.guesses) // 3, len(game.guesses) - 1]
    pairs = [(guess, game.feedback_number(game.guesses[guess], secret)) for guess in tried]
    return [[], pairs[:1], pairs]


@pytest.mark.parametrize("name", GAMES)
def test_candidates_and_cells_are_those_of_the_reference(name: str) -> None:
    """The candidates, and how a guess splits them, are what the rule in ten lines says."""
    game = GAMES[name]
    for history in fitting_histories(game):
        analysis = Analysis(game, history)
        assert analysis.candidates == consistent(game, history)
        for guess in game.guesses[:5]:
            cells = analysis.cells(guess)
            assert {f: len(cell) for f, cell in cells.items()} == partition(
                game, guess, analysis.candidates
            )
            assert analysis.split(guess) == split_of(len(cell) for cell in cells.values())


@pytest.mark.parametrize("name", GAMES)
def test_sums_give_the_feedbacks(name: str) -> None:
    """The quick way to the feedbacks of all candidates gives those of the rule."""
    game = GAMES[name]
    candidates = list(game.secrets)[:30]
    sums = sums_of(game, candidates)
    for guess in game.guesses[:40]:
        assert list(sums.answers(guess)) == [
            game.feedback_number(guess, secret) for secret in candidates
        ]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("pairs", [1 << 40, 0])
def test_scores_are_those_of_the_reference(
    name: str, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every score is the policy's own, in plain Python and by the engine."""
    monkeypatch.setattr(analysis_module, "SOME_PAIRS", pairs)
    game = GAMES[name]
    for history in fitting_histories(game):
        analysis = Analysis(game, history)
        costs = [policy.costs(len(analysis.candidates)) for policy in RULES]
        every = range(len(game.guesses))
        for guesses in (every, every[::3]):
            columns = analysis.scores(RULES, guesses)
            for policy, own, column in zip(RULES, costs, columns, strict=True):
                for index, score in zip(guesses, column, strict=True):
                    guess = game.guesses[index]
                    sizes = partition(game, guess, analysis.candidates)
                    credit = policy.credit * (guess in analysis.candidates)
                    assert score == policy.score(sizes.values(), own) + credit


@pytest.mark.parametrize("most", [10_000, 0])
def test_of_equivalent_guesses_the_lowest_stays(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python and the engine keep the same ones; where there is no symmetry all stay."""
    game = GAMES["codes"]
    for history in fitting_histories(game):
        analysis = Analysis(game, history)
        plain = analysis.inequivalent()
        with monkeypatch.context() as patch:
            patch.setattr(analysis_module, "MAX_LEADING", most)
            assert list(analysis.inequivalent()) == plain
        assert len(plain) < len(game.guesses) or len(history) > 1
    assert len(Analysis(GAMES["words"], []).inequivalent()) == len(WORDS)


@pytest.mark.usefixtures("no_engine")
def test_without_the_engine_all_guesses_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where plain Python would look at too many guesses for equivalent ones, it keeps them all."""
    monkeypatch.setattr(analysis_module, "MAX_LEADING", 0)
    assert list(Analysis(GAMES["codes"], []).inequivalent()) == list(range(64))


@pytest.mark.parametrize("steps", [0, 40, 400, 4000])
def test_a_bounded_search_keeps_the_lowest(steps: int) -> None:
    """Whatever it may take, of equivalent guesses the lowest stays; the others are no others."""
    game = Mastermind(4, 4)
    for history in fitting_histories(game):
        candidates = consistent(game, history)
        held = held_symbols(game, candidates)
        exact = representatives(game, history, held, None)
        some = list(lowest_guesses(game, history, held))
        found = representatives(game, history, held, some, SearchBudget(steps))
        assert set(exact) <= set(found) <= set(some) <= set(range(len(game.guesses)))
        assert sorted(found) == found
    assert representatives(
        game, [], held_symbols(game, game.secrets), None, SearchBudget(10**9)
    ) == [game.parse_code(code) for code in ("RRRR", "RRRY", "RRYY", "RRYG", "RYGB")]


LARGEST = [
    *(Mastermind(7, colors) for colors in (2, 3, 4, 6)),
    *(Mastermind(7, colors, repeats=False) for colors in (7, 8)),
    Mastermind(15, 2),
    Mastermind(10, 3),
    Mastermind(2, 36),
    Mastermind(1, 36),
    Mastermind(6, 6),
]


@pytest.mark.parametrize("game", LARGEST, ids=lambda game: game.name)
def test_equivalence_takes_bounded_work(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the game and the history, so many steps find the guesses that are worth a score."""
    spent: list[int] = []

    class Watched(SearchBudget):
        def spend(self, steps: int) -> None:
            spent.append(steps)
            super().spend(steps)

    def huge(_: Analysis, history: History) -> list[int]:
        return [0]  # more leading guesses than this are for the engine, in one go

    monkeypatch.setattr(analysis_module, "SearchBudget", Watched)
    monkeypatch.setattr("guessbook.play.explain.SearchBudget", Watched)
    monkeypatch.setattr(Analysis, "_lowest", huge)
    secret, codes = game.secrets[len(game.secrets) // 3], len(game.guesses)
    for tried in ([], [0], [codes // 3], [codes // 3, codes // 7], range(0, codes, codes // 9)):
        history = [(guess, game.feedback_number(game.guesses[guess], secret)) for guess in tried]
        analysis = Analysis(game, history, [secret])
        spent.clear()
        found = analysis.inequivalent()
        # The last step is to look at all that are left.
        assert sum(spent[:-1]) <= MAX_STEPS_TO_LOWEST
        assert spent[-1:] <= [MAX_LEADING * (game.length + 1)]
        spent.clear()
        top = [*found[:10], *range(codes - 5, codes)]
        shown_as(analysis, codes - 1, top, Watched())
        assert sum(spent[:-1]) <= MAX_STEPS + 100 * len(top)


@pytest.mark.parametrize("name", ["codes", "words"])
def test_the_best_pair_is_the_best_of_all_pairs(name: str) -> None:
    """No pair of guesses tells more than the first one listed."""
    game = GAMES[name]
    analysis = Analysis(game, [])
    most = 0.0
    for a, b in combinations(game.guesses, 2):
        both = Counter(
            (game.feedback_number(a, s), game.feedback_number(b, s)) for s in game.secrets
        )
        most = max(most, entropy(both.values()))
    found = best_pairs(analysis, 3)
    assert found[0].entropy == pytest.approx(most)
    assert [pair.entropy for pair in found] == sorted((p.entropy for p in found), reverse=True)


@pytest.mark.parametrize("name", ["codes", "words", "long"])
def test_both_searches_find_the_same_pairs(name: str) -> None:
    """The engine and plain Python list the same pairs in the same order."""
    analysis = Analysis(GAMES[name], [])
    costs = POLICIES["entropy"].costs(len(analysis.candidates))
    every, weights = range(len(analysis.game.guesses)), [1] * len(analysis.candidates)
    rows = {index: analysis.answers(analysis.game.guesses[index]) for index in every}
    for firsts in (every, [0, 2]):
        found = pairs_by_engine([rows[index] for index in every], firsts, costs, 7, weights)
        assert found == search_plain(rows, dict.fromkeys(firsts, every), costs, 7)


@pytest.mark.parametrize(
    ("game", "history"),
    [
        (Mastermind(3, 4), ""),
        (Mastermind(3, 3), "RYG=1,0"),
        (Mastermind(3, 4), "RRR=0,0"),
        (Mastermind(3, 5, repeats=False), "012=0,1"),
    ],
)
def test_equivalent_pairs_are_listed_once(game: Mastermind, history: str) -> None:
    """Each pair is equivalent to exactly one of those that are listed, and tells as much."""
    analysis = Analysis(game, parse_history(game, history))
    found = best_pairs(analysis, 1000)
    assert len(found) < 400
    listed = [(game.parse_code(pair.first), game.parse_code(pair.second), pair) for pair in found]
    for first, second in list(combinations(range(len(game.guesses)), 2))[::61]:
        same = [
            pair
            for a, b, pair in listed
            if analysis.maps((a, b), (first, second)) or analysis.maps((a, b), (second, first))
        ]
        assert len(same) == 1
        own = analysis.pair(game.guesses[first], game.guesses[second])
        assert own.entropy == pytest.approx(same[0].entropy)


@given(st.dictionaries(st.integers(0, 14), st.integers(1, 50), min_size=1))
def test_luck_is_50_on_average(sizes: dict[int, int]) -> None:
    """Whatever the cells, the luck of all candidates together is neither good nor bad."""
    total = sum(sizes.values())
    mean = sum(size * luck(sizes, f, solved=14) for f, size in sizes.items()) / total
    assert mean == pytest.approx(50, abs=0.5)


@given(st.lists(st.integers(-9, 9), min_size=1), st.integers(-9, 9))
def test_rank_counts_the_better_scores(scores: list[int], own: int) -> None:
    """One more than the number of different scores that are higher."""
    place, places = rank(scores, own)
    assert place == 1 + len({score for score in scores if score > own})
    assert 1 <= place <= places


@given(st.lists(st.integers(1, 99), min_size=1, max_size=20))
def test_split_is_by_definition(sizes: list[int]) -> None:
    """Bits, expected size, cells and worst cell are what the policies of that name measure."""
    split, total = split_of(sizes), sum(sizes)
    bits = sum(n / total * math.log2(total / n) for n in sizes)
    assert split.entropy == pytest.approx(bits, abs=1e-9)
    assert split.expected_size == pytest.approx(sum(n / total * n for n in sizes))
    assert (split.cells, split.worst) == (len(sizes), max(sizes))
