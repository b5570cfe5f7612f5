"""games.md and examples/: the rules, the presets made of them, and their fewest guesses."""

from __future__ import annotations

import doctest
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docs import transcripts
from examples import black_peg, coins, jotto, nerdle_mini, primel
from guessbook.book import Game, InvalidGameError, TableGame
from guessbook.book.csv_table import read_table
from guessbook.book.games import rules
from guessbook.book.games.presets import PRESETS
from guessbook.builder import build_strategy
from tests.helpers.oracle import least_total
from tests.helpers.tables import LAMP, MIXED, NUMBERS, weighted

WORDS = ["geese", "eagle", "table", "bleat", "light", "night", "thing", "crane"]
texts = st.text("ab", min_size=1)
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "example"),
    [
        pytest.param("black-peg", black_peg.black_peg, marks=pytest.mark.slow),
        pytest.param("coins", coins.coins, marks=pytest.mark.slow),
        ("nerdle-mini", nerdle_mini.nerdle_mini),
        ("primel", primel.primel),
    ],
)
def test_a_preset_is_the_game_of_its_example(name: str, example: type[Game]) -> None:
    """The quick way to make it gives what the rule of a few lines gives."""
    assert PRESETS[name].game() == example()


@pytest.mark.parametrize(("pegs", "colors"), [(1, 3), (2, 5), (3, 4), (4, 2)])
def test_black_pegs_are_those_of_the_example(pegs: int, colors: int) -> None:
    """The quick way to make a game of black pegs gives what its example gives, at small sizes."""
    assert rules.black_peg(pegs, colors) == black_peg.black_peg(pegs, colors)


def test_jotto_is_its_example() -> None:
    """With words that share letters often, and with anagrams."""
    assert PRESETS["jotto"].game(WORDS) == jotto.jotto(WORDS)


def test_the_python_of_the_page_runs() -> None:
    """It gives what docs/how-to/games.md shows."""
    results = doctest.testfile(str(transcripts.DOCS / "how-to" / "games.md"), module_relative=False)
    assert (results.attempted, results.failed) == (3, 0)


@pytest.mark.parametrize("number", [-1, 0, 2, 16, 20, 27, 10**9, 2.5, "12", True, None])
def test_coins_that_make_no_game(number: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of coins with no game, or too many weighings, is refused before any is listed."""

    def never(*_: object) -> None:
        raise AssertionError("weighings were listed")

    monkeypatch.setattr(rules, "combinations", never)
    with pytest.raises(InvalidGameError, match=r"found .* coins, expected 3 to 15; fewer have no"):
        rules.coins(number)


@pytest.mark.parametrize(
    ("secrets", "guesses", "said"),
    [
        ([], [], "found no words, expected at least one that may be the secret"),
        ([], ["crane"], "found no words, expected at least one that may be the secret"),
        (["crane", 5], [], "found 5, expected a word"),
        (["crane"], [["slate"]], r"found \['slate'\], expected a word"),
        (None, [], "found None, expected a list of words in a fixed order"),
        (["crane"], None, "found None, expected a list of words in a fixed order"),
        ("crane", [], "found 'crane', expected a list of words in a fixed order"),
    ],
)
def test_words_that_make_no_jotto(secrets: Any, guesses: Any, said: str) -> None:
    """Without words, or with other things than words, there is an error that says so."""
    with pytest.raises(InvalidGameError, match=said):
        rules.jotto(secrets, guesses)


@given(st.lists(texts, min_size=1, unique=True), st.lists(texts, unique=True))
@example(["bb"], ["aaaa"])
def test_jotto_counts_common_letters(secrets: list[str], others: list[str]) -> None:
    """Words of any length, guesses longer than all secrets too, share letters as multisets do."""
    guesses = [*secrets, *(word for word in others if word not in secrets)]
    game = rules.jotto(secrets, guesses)
    for guess in guesses:
        for secret in secrets:
            common = (Counter(guess) & Counter(secret)).total()
            assert game.feedback(guess, secret) == ("found" if guess == secret else str(common))


def test_jotto_takes_any_list_of_words() -> None:
    """Words that come one by one make the game of their list."""
    assert rules.jotto(iter(WORDS), iter(WORDS[::-1])) == rules.jotto(WORDS, WORDS[::-1])


def faces(number: int) -> TableGame:
    """The first faces of Guess Who, and all its questions."""
    game = read_table(EXAMPLES / "guess_who.csv")
    secrets, asked = game.secrets[:number], game.guesses[: game.given]
    rows = [[str(game.feedback(g, s)) for s in secrets] for g in asked]
    return TableGame(asked, secrets, rows)


@pytest.mark.parametrize(
    "game",
    [rules.coins(4), rules.black_peg(2, 4), rules.black_peg(3, 2), faces(9)],
    ids=["coins of 4", "black pegs 2x4", "black pegs 3x2", "guess who"],
)
def test_the_optimum_is_that_of_trying_everything(game: TableGame) -> None:
    """The policy `optimal` needs as many as the best of all strategies, tried one by one."""
    assert build_strategy(game, "optimal").stats.total_guesses == fewest(game)


@pytest.mark.parametrize(
    "game",
    [
        rules.jotto(WORDS),
        read_table(EXAMPLES / "guess_who.csv"),
        read_table(EXAMPLES / "bicycle_lamp.csv"),
        *(weighted(game, [9, 1, 4, 1, 2, 3, 30, 1, 1]) for game in (LAMP, MIXED, NUMBERS)),
    ],
    ids=repr,
)
def test_the_optimum_is_that_of_another_search(game: TableGame) -> None:
    """The branch and bound in C++ finds the same total, of all faces and with weights, too."""
    assert build_strategy(game, "optimal").stats.weighted_guesses == least_total(game)


@pytest.mark.parametrize("number", [3, 5, 8])
def test_coins_of_a_kind_are_alike(number: int) -> None:
    """The policy needs as many as trying all weighings does, where coins of a kind are one."""
    assert build_strategy(rules.coins(number), "optimal").stats.total_guesses == weighed(number)


@pytest.mark.slow
def test_twelve_coins() -> None:
    """Three weighings and the name; no strategy at all needs fewer than 93 guesses."""
    known = build_strategy(rules.coins(), "optimal").stats
    assert (known.total_guesses, known.max_guesses) == (93, 4)
    assert weighed(12) == 93


def fewest(game: TableGame) -> int:
    """The least total of any strategy: every guess, at every set of candidates."""
    answers = {(g, s): game.feedback_number(g, s) for g in game.guesses for s in game.secrets}

    @cache
    def least(left: frozenset[str]) -> int:
        if len(left) == 1:
            return 1
        best = 10**9
        for guess in game.guesses:
            cells: dict[int, set[str]] = {}
            for secret in left:
                cells.setdefault(answers[guess, secret], set()).add(secret)
            if len(cells) == 1:
                continue
            total = len(left)
            for answer, cell in cells.items():
                if answer != game.solved:
                    total += least(frozenset(cell))
            best = min(best, total)
        return best

    return least(frozenset(game.secrets))


@cache
def weighed(open_: int, heavy: int = 0, light: int = 0, good: int = 0) -> int:
    """The least total of any strategy: every weighing and every name, at every state.

    Args:
        open_: how many coins may be too heavy or too light,
        heavy: only too heavy,
        light: only too light,
        good: neither.
    """
    left = 2 * open_ + heavy + light
    if left < 2:
        return left
    found = []
    if open_:
        found.append(weighed(open_ - 1, heavy, light + 1, good))
        found.append(weighed(open_ - 1, heavy + 1, light, good))
    if heavy:
        found.append(weighed(open_, heavy - 1, light, good + 1))
    if light:
        found.append(weighed(open_, heavy, light - 1, good + 1))
    coins = (open_, heavy, light, good)
    pans = [[(a, b) for a in range(n + 1) for b in range(n + 1 - a)] for n in coins]
    for weighing in product(*pans):
        (a, b), (c, d), (e, f), _ = weighing
        cells = [  # the left pan goes down, the right one, neither
            (0, a + c, b + f),
            (0, b + d, a + e),
            (open_ - a - b, heavy - c - d, light - e - f),
        ]
        tells = all(2 * x + y + z < left for x, y, z in cells)
        if tells and sum(one - other for one, other in weighing) == 0:
            found.append(sum(weighed(*cell, sum(coins) - sum(cell)) for cell in cells))
    return left + min(found)
