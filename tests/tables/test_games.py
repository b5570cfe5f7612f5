"""docs/games.md and examples/: the rules, the presets made of them, and their fewest guesses."""

from __future__ import annotations

import doctest
from functools import cache
from pathlib import Path

import pytest

from docs import transcripts
from examples import black_peg, coins, jotto, nerdle_mini, primel
from guessbook.book import Game, TableGame
from guessbook.book.games import rules
from guessbook.book.games.presets import PRESETS
from guessbook.book.sheet import read_sheet
from guessbook.builder import build_book
from tests.helpers.oracle import least_total
from tests.helpers.tables import LAMP, MIXED, NUMBERS, weighted

WORDS = ["geese", "eagle", "table", "bleat", "light", "night", "thing", "crane"]
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("black-peg", black_peg.black_peg),
        ("coins", coins.coins),
        ("nerdle-mini", nerdle_mini.nerdle_mini),
        ("primel", primel.primel),
    ],
)
def test_a_preset_is_the_game_of_its_example(name: str, example: type[Game]) -> None:
    """The quick way to make it gives what the rule of a few lines gives."""
    assert PRESETS[name].game() == example()


def test_jotto_is_its_example() -> None:
    """With words that share letters often, and with anagrams."""
    assert PRESETS["jotto"].game(WORDS) == jotto.jotto(WORDS)


def test_the_python_of_the_page_runs() -> None:
    """It gives what docs/games.md shows."""
    results = doctest.testfile(str(transcripts.DOCS / "games.md"), module_relative=False)
    assert (results.attempted, results.failed) == (3, 0)


def faces(number: int) -> TableGame:
    """The first faces of Guess Who, and all its questions."""
    game = read_sheet(EXAMPLES / "guess_who.csv")
    secrets, asked = game.secrets[:number], game.guesses[: game.given]
    rows = [[game.format_feedback(game.feedback(g, s)) for s in secrets] for g in asked]
    return TableGame(asked, secrets, rows)


@pytest.mark.parametrize(
    "game",
    [
        rules.coins(4),
        rules.black_peg(2, 4),
        rules.black_peg(3, 2),
        faces(9),
    ],
    ids=["coins of 4", "black pegs 2x4", "black pegs 3x2", "guess who"],
)
def test_the_optimum_is_that_of_trying_everything(game: TableGame) -> None:
    """The policy `optimal` needs as many as the best of all strategies, tried one by one."""
    assert build_book(game, "optimal").metadata.total_guesses == fewest(game)


@pytest.mark.parametrize(
    "game",
    [
        rules.coins(8),
        rules.jotto(WORDS),
        read_sheet(EXAMPLES / "guess_who.csv"),
        read_sheet(EXAMPLES / "bicycle_lamp.csv"),
        *(weighted(game, [9, 1, 4, 1, 2, 3, 30, 1, 1]) for game in (LAMP, MIXED, NUMBERS)),
    ],
    ids=repr,
)
def test_the_optimum_is_that_of_another_search(game: TableGame) -> None:
    """The branch and bound in C++ finds the same total, of all faces and with weights, too."""
    assert build_book(game, "optimal").metadata.weighted_guesses == least_total(game)


def test_twelve_coins() -> None:
    """Three weighings and the name; 93 guesses in all, fewer than which counting rules out."""
    known = build_book(rules.coins(), "optimal").metadata
    assert (known.total_guesses, known.max_guesses) == (93, 4)
    assert counted(24) == 93


def fewest(game: TableGame) -> int:
    """The least total of any strategy: every guess, at every set of candidates."""
    answers = {(g, s): game.feedback(g, s) for g in game.guesses for s in game.secrets}

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
def counted(n: int) -> int:
    """What n secrets take at least if a weighing has three answers, and a name is right or not."""
    if n < 2:
        return n
    parts = [(a, b, n - a - b) for a in range(n) for b in range(n - a) if n - a - b < n]
    weighed = min(sum(map(counted, each)) for each in parts)
    return n + min(counted(n - 1), weighed)
