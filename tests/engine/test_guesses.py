"""The engine chooses exactly the guess that the plain reference chooses."""

from __future__ import annotations

import itertools
from array import array
from functools import cache
from random import Random
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.builder.games import codes
from guessbook.builder.games.codes import scorer as code_scorer
from guessbook.builder.scorers.batch import root_batch
from guessbook.engine.codes import CodeSearch
from guessbook.policy import reference
from guessbook.policy.one_step import POLICIES, OneStep, best_guess
from guessbook.policy.reference import consistent, partition
from tests.engine.engines import VARIANTS, search_of
from tests.helpers.plain import Remembering, histories
from tests.helpers.samples import CODE_GAMES, every_nth

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from guessbook.book import Game

SMALL = [game for game in CODE_GAMES if len(game.guesses) < 600]
LARGE = [Mastermind(4, 5), Mastermind(6, 3), Mastermind(9, 2), Mastermind(4, 6, repeats=False)]


@cache
def remembering(game: Mastermind) -> Game:
    """A game that remembers its feedbacks."""
    return cast("Game", Remembering(game))


def chosen(search: CodeSearch, candidates: list[int], path: list[int]) -> int:
    """The guess for some candidates after some guesses."""
    starts = array("q", [0, len(candidates)])
    return search.guesses(array("I", candidates), starts, array("I", path), len(path))[0][0]


@given(
    st.sampled_from(SMALL), st.sampled_from(sorted(POLICIES)), st.sampled_from(VARIANTS),
    st.data(),
)  # fmt: skip
def test_the_engine_chooses_what_the_reference_chooses(
    game: Mastermind, policy: str, variant: int, data: st.DataObject
) -> None:
    """After any history, for all that fits it: to the tie."""
    history = data.draw(histories(game))
    fitting, plain = consistent(game, history), remembering(game)
    candidates = [game.parse_code(code) for code in fitting]
    path = [guess for guess, _ in history]
    found = chosen(search_of(game, policy, variant), candidates, path)
    few = len(candidates) <= 2
    rule = POLICIES[policy]
    assert found == (candidates[0] if few else best_guess(plain, fitting, rule)[0])


def once(split: Callable[..., Counter[int]]) -> Callable[..., Counter[int]]:
    """Split the same candidates by each guess once: the sizes serve all policies."""
    known: dict[str, Counter[int]] = {}

    def remembered(game: Game, guess: str, candidates: list[str]) -> Counter[int]:
        if guess not in known:
            known[guess] = split(game, guess, candidates)
        return known[guess]

    return remembered


@pytest.mark.parametrize(
    "sizes", [(3, 65, 256), pytest.param((17, 63, 64, 255, 300), marks=pytest.mark.slow)], ids=str
)
@pytest.mark.parametrize("game", every_nth(2, LARGE), ids=lambda game: game.name)
def test_any_candidates_have_the_guess_of_the_reference(
    game: Mastermind, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of any number, as no history leaves them, by each variant; no symmetry is known of them."""
    chance, plain = Random(1), remembering(game)
    # As if every symbol had been guessed: symbols are not interchangeable then.
    path = [g for g in range(len(game.guesses)) if len(set(game.guesses[g])) == 1]
    path = path or [0, len(game.guesses) - 1]
    for size in sizes:
        some = sorted(chance.sample(range(len(game.guesses)), min(size, len(game.guesses))))
        monkeypatch.setattr(reference, "partition", once(partition))
        for policy in POLICIES:
            spelled = [game.guesses[c] for c in some]
            expected, _ = best_guess(plain, spelled, POLICIES[policy])
            for variant in VARIANTS:
                found = chosen(search_of(game, policy, variant), some, path)
                assert found == expected, (size, policy, variant)


@pytest.mark.parametrize("policy", ["entropy", "expected", "parts", "minimax"])
def test_a_credit_counts_with_every_policy(policy: str) -> None:
    """What a candidate gets on top decides as in the reference, however much it is."""
    for game, history in (
        (Mastermind(6, 3), [(7, 11)]),
        (Mastermind(4, 4), [(5, 7)]),
        (Mastermind(4, 6, repeats=False), [(0, 11)]),
    ):
        candidates = consistent(game, history)
        worst = abs(POLICIES[policy].costs(len(candidates))[-1])
        for credit in (1, worst // 8, worst // 3, worst):
            rule = POLICIES[policy]._replace(credit=credit)
            own = [game.parse_code(code) for code in candidates]
            if len(own) < 3:
                continue
            found = chosen(code_scorer(game, rule).search, own, [history[0][0]])
            assert found == best_guess(game, candidates, rule)[0]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize(
    "game",
    [Mastermind(5, 6), Mastermind(6, 5), Mastermind(8, 3), Mastermind(5, 8, repeats=False)],
    ids=lambda game: game.name,
)
def test_the_opening_of_a_large_game_is_that_of_the_search(
    game: Mastermind, policy: OneStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found with a guess for each way to repeat symbols is found with all guesses."""
    scorer = code_scorer(game, policy)
    root = root_batch(len(game.secrets))
    quick, scored = scorer.choose(root.candidates, root.starts, root.paths)
    monkeypatch.setattr(codes, "LARGE", 1 << 40)
    guess, most = scorer.choose(root.candidates, root.starts, root.paths)
    assert quick == guess
    assert 0 < scored <= most


@pytest.mark.parametrize("policy", ["entropy", "expected", "parts", "minimax"])
def test_an_even_split_is_the_best_split(policy: str) -> None:
    """No partition of up to 9 candidates beats the bound for its number of cells."""
    rule, tables = POLICIES[policy], search_of(Mastermind(3, 5), policy)._policy
    columns, costs = tables.columns, rule.costs(9)
    for cells in range(1, 10):
        for sizes in itertools.combinations_with_replacement(range(1, 10), cells):
            if sum(sizes) <= 9:
                most = tables.arrays[1][sum(sizes) * columns + cells]
                assert rule.score(sizes, costs) <= most
