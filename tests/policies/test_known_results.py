"""Results of the literature, of other programs, and of the simple C++ searches in benchmarks/."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

import guessbook as gb
from tests.helpers.command import Run
from tests.helpers.oracle import (
    CASES,
    LARGE_CASES,
    MADE_CASES,
    WEIGHTED_CASES,
    WHOLE_CASES,
    Case,
    WordCase,
    ask_oracle,
    compiled,
    lists_of,
    made_weights,
    optima,
    stored,
    stored_words,
)
from tests.helpers.samples import every_nth
from tests.helpers.wordlists import whole_lists

MASTERMIND = gb.Mastermind(4, 6)
BULLS = gb.Mastermind(4, 10, repeats=False)
BAGELS = gb.Mastermind(3, 10, repeats=False)
# Game, policy, total guesses and worst case, as in docs/reference/policies.md.
PUBLISHED: list[tuple[gb.Mastermind, str, int, int]] = [
    (MASTERMIND, "minimax", 5801, 5),
    (MASTERMIND, "entropy", 5722, 6),
    (MASTERMIND, "entropy-corrected", 5719, 6),
    (MASTERMIND, "entropy-corrected:first-guess=RRYG", 5669, 6),
    (MASTERMIND, "expected", 5696, 6),
    (MASTERMIND, "parts", 5668, 6),
    (MASTERMIND, "lookahead", 5630, 6),
    (MASTERMIND, "lookahead:base=entropy", 5647, 5),
    (MASTERMIND, "rollout", 5628, 5),
    (MASTERMIND, "rollout:base=parts,width=50", 5625, 6),
    (MASTERMIND, "positional", 7456, 9),
    (MASTERMIND, "consistent", 6050, 7),
    (BULLS, "entropy-corrected", 26407, 8),
    (BAGELS, "entropy-corrected", 3614, 7),
]
LONG_PUBLISHED = [
    (MASTERMIND, "rollout:width=100", 5627, 6),
    (BULLS, "lookahead", 26376, 7),
    (BULLS, "rollout", 26316, 7),
    (gb.Mastermind(4, 7), "rollout", 11237, 6),
    (gb.Mastermind(5, 8), "rollout:width=5", 178_924, 7),
]


@pytest.mark.parametrize(
    ("game", "policy", "total", "worst"),
    [*PUBLISHED, *(pytest.param(*case, marks=pytest.mark.slow) for case in LONG_PUBLISHED)],
    ids=str,
)
def test_policy_needs_published_number_of_guesses(
    game: gb.Mastermind, policy: str, total: int, worst: int
) -> None:
    stats = gb.build(game, policy).stats
    assert (stats.total_guesses, stats.max_guesses) == (total, worst)


# Games whose optimum takes seconds, and games that take too long for any test.
LONG = {(4, 7, True), (4, 9, False), (5, 7, False), (4, 8, False)}
LONGEST = {(4, 8, True), (5, 5, True), (4, 10, False)}
OPTIMA = sorted(optima().keys() - LONG - LONGEST)


@pytest.mark.parametrize(
    "size",
    [*every_nth(4, OPTIMA), *(pytest.param(size, marks=pytest.mark.nightly) for size in LONG)],
    ids=str,
)
def test_optimal_total_matches_published_optimum(size: tuple[int, int, bool]) -> None:
    assert gb.build(gb.Mastermind(*size), "optimal").stats.total_guesses == optima()[size]


@pytest.mark.slow
def test_limit_of_five_guesses_costs_one_more_guess_in_total() -> None:
    known = gb.build(MASTERMIND, "optimal:max-guesses=5").stats
    assert (known.total_guesses, known.max_guesses) == (5626, 5)
    with pytest.raises(gb.NoStrategyError):
        gb.build(MASTERMIND, "optimal:max-guesses=4")


def test_win_within_four_and_at_most_five_guesses_finds_published_number() -> None:
    known = gb.build(MASTERMIND, "win", within=4, max_guesses=5).stats
    assert known.distribution == (1, 8, 67, 681, 539)
    assert known.found_within == 757


def test_no_stored_total_is_below_known_optimum() -> None:
    compared = 0
    for case, found in stored().items():
        least = optima().get((case.pegs, case.colors, case.repeats))
        compared += least is not None and least <= found.total
    assert compared >= 10
    assert compared == sum((c.pegs, c.colors, c.repeats) in optima() for c in stored())


def test_report_shows_published_optimum(run: Run) -> None:
    report = run("report", "mastermind-4x6", "-o", "-").out
    assert f"{optima()[4, 6, True]:,}" in report


# Pegs and colours, K, and the most secrets within K guesses, by an exhaustive program.
FOUND_WITHIN = [
    ((3, 4), 2, 9),
    ((3, 4), 3, 43),
    ((3, 4), 4, 64),
    ((3, 6), 3, 52),
    ((3, 6), 4, 180),
    ((4, 6), 3, 132),
    ((4, 6), 4, 768),
]


@pytest.mark.parametrize(("size", "within", "found"), FOUND_WITHIN)
def test_win_finds_known_maximum_of_secrets(size: tuple[int, int], within: int, found: int) -> None:
    book = gb.build(gb.Mastermind(*size), "win", within=within)
    assert book.stats.found_within == sum(book.stats.distribution[:within]) == found


@pytest.mark.slow
@pytest.mark.parametrize(("size", "within", "found"), FOUND_WITHIN[:6:2])
def test_cpp_search_finds_known_maximum_of_secrets(
    size: tuple[int, int], within: int, found: int
) -> None:
    assert answer("winner", "code", *size, 1, within)["found"] == found


QUICK = [(3, 6), (3, 7), (3, 8), (4, 4), (4, 5), (4, 6), (5, 4), (6, 3)]
SEARCHED = [*((*size, True) for size in QUICK), (4, 6, False), (5, 6, False)]
LONG_SEARCHED = [(3, 9, True), (3, 10, False), (4, 8, False)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "size",
    [
        *SEARCHED,
        *(pytest.param(size, marks=pytest.mark.nightly) for size in LONG_SEARCHED),
    ],
    ids=str,
)
def test_cpp_search_finds_known_optimum(size: tuple[int, int, bool]) -> None:
    found = answer("optimal", *size[:2], int(size[2]))
    assert found["total"] == optima()[size]


def answer(name: str, *arguments: int | str) -> dict[str, Any]:
    """Run a C++ search of benchmarks/, and return its JSON."""
    command = [str(compiled(name)), *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["naive", "optimal", "winner"])
def test_cpp_search_without_arguments_prints_usage(name: str) -> None:
    done = subprocess.run([compiled(name)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"usage: {name} ")


def words_of(case: WordCase) -> gb.WordGame:
    secrets, guesses = lists_of(case)
    return gb.WordGame(secrets, guesses, weights=made_weights(case))


@pytest.mark.parametrize(
    "case",
    [
        *CASES,
        *every_nth(6, [*MADE_CASES, *WEIGHTED_CASES]),
        *(pytest.param(case, marks=pytest.mark.nightly) for case in [*LARGE_CASES, *WHOLE_CASES]),
    ],
    ids=str,
)
def test_totals_and_distributions_match_naive_search(case: Case | WordCase) -> None:
    if isinstance(case, Case):
        stats = gb.build(gb.Mastermind(*case[:3]), case.policy).stats
        assert (stats.total_guesses, stats.distribution) == stored()[case]
    else:
        stats = gb.build(words_of(case), case.policy).stats
        assert (stats.weighted_guesses, stats.weight_distribution) == stored_words()[case]


WHOLE_AGAIN = [case for case in WHOLE_CASES if case.length < 6]


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        *every_nth(9, [*MADE_CASES, *WEIGHTED_CASES]),
        *(pytest.param(case, marks=pytest.mark.nightly) for case in WHOLE_AGAIN),
        *(pytest.param(case, marks=pytest.mark.nightly) for case in CASES),
    ],
    ids=str,
)
def test_naive_search_reproduces_stored_results(case: Case | WordCase) -> None:
    known = stored()[case] if isinstance(case, Case) else stored_words()[case]
    assert ask_oracle(case) == known


# Wordle.


@pytest.fixture(scope="module")
def wordle() -> gb.WordGame:
    """Wordle with its original word lists."""
    return gb.WordGame(*whole_lists(5))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "opening"),
    [("entropy", "soare"), ("parts", "trace")],
)
def test_wordle_opens_with_known_guesses(wordle: gb.WordGame, policy: str, opening: str) -> None:
    explained = gb.Session(wordle, policy=policy).explain(opening, 1)
    assert gb.Session(wordle, policy=policy).hint().guess == opening
    if policy == "entropy":
        assert round(explained.entropy, 4) == 5.8860
    else:
        assert len(explained.partition) == 150


def test_wordle_finds_alert_with_third_guess(wordle: gb.WordGame) -> None:
    session = gb.Session(wordle, [("soare", wordle.feedback("soare", "alert"))])
    assert session.hint().guess == "altar"
    session.add_guess("altar", str(wordle.feedback("altar", "alert")))
    assert session.hint().guess == "alert"


@pytest.mark.slow
@pytest.mark.usefixtures("no_engine")
def test_loose_scoring_matches_published_example() -> None:
    """The Riddler's example: after trace=00101, 48 secrets remain, and genal has the most cells."""
    game = gb.WordGame(*whole_lists(5), scoring="loose")
    hint = gb.Session(game, ["trace=00101"], "parts").hint()
    assert (hint.guess, hint.remaining) == ("genal", 48)
    assert len(gb.Session(game, ["trace=00101"]).explain("genal", 1).partition) == 27
