"""The first guesses of a build: requested, the best, or all."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.helpers.command import one_line
from tests.helpers.samples import WORD_GAME, every_nth

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

POLICIES = [
    "entropy",
    "minimax",
    "consistent",
    "lookahead",
    "optimal",
    "positional",
    "rollout",
    "win:within=2",
    "entropy:consistent-only",
]


def quality(book: gb.Book) -> tuple[int, float, int]:
    """Return a key by which the best book comes first."""
    stats = book.stats
    return -(stats.found_within or 0), stats.weighted_guesses, stats.max_guesses


def best_book(run: Run, *options: object) -> gb.Book:
    """Build the book with the best first guess."""
    result = run("build-book", *options, "--first-guess", "best", "--force", "-o", "best.book")
    assert result.code == 0, result.err
    return gb.open("best.book")


def write_words(folder: Path, game: gb.WordGame) -> list[str]:
    """Write the lists of a game, and return the options that read them."""
    (folder / "secrets").write_text("\n".join(game.secrets))
    (folder / "guesses").write_text("\n".join(game.guesses))
    return ["--answers", "secrets", "--guesses", "guesses"]


def test_requested_first_guess_is_in_the_header(run: Run, tmp_path: Path) -> None:
    book = gb.build("mastermind-4x6", first_guess="rryy")
    assert book.root.guess == book.stats.options["first_guess"] == "RRYY"
    assert sum(book.stats.distribution) == 1296
    named = gb.build("mastermind-4x6", {"name": "entropy", "first_guess": "RRYY"})
    assert named.to_bytes() == book.to_bytes()
    run("build-book", "--pegs", 4, "--colors", 6, "--first-guess", "rryy")
    path = tmp_path / "mastermind-4x6-entropy-RRYY.book"
    assert path.read_bytes() == book.to_bytes()


@pytest.mark.parametrize(
    ("options", "pegs", "colors"),
    [("", 3, 4), ("", 4, 3), ("", 6, 2), ("", 1, 5), ("--no-repeats", 3, 4)],
)
def test_all_openings_include_one_per_pattern_of_equal_symbols(
    run: Run, tmp_path: Path, options: str, pegs: int, colors: int
) -> None:
    sizes = ["--pegs", pegs, "--colors", colors, *options.split()]
    assert run("build-book", *sizes, "--openings", "all", "-o", tmp_path).code == 0
    books = [gb.open(path) for path in tmp_path.iterdir()]
    found = [tuple(sorted(Counter(book.root.guess).values())) for book in books]
    assert sorted(found) == sorted(
        {tuple(sorted(Counter(code).values())) for code in books[0].game.guesses}
    )
    for book in books:
        code = book.root.guess
        assert book.to_bytes() == gb.build(book.game, first_guess=code).to_bytes()
        assert (tmp_path / f"{book.game.name}-entropy-{code}.book").exists()


def test_openings_all_builds_a_book_for_each_guess_of_a_word_game(run: Run, tmp_path: Path) -> None:
    options = write_words(tmp_path, WORD_GAME)
    (tmp_path / "books").mkdir()
    assert run("build-book", *options, "--openings", "all", "-o", "books").code == 0
    found = [gb.open(path).root.guess for path in (tmp_path / "books").iterdir()]
    assert sorted(found) == sorted(WORD_GAME.guesses)


def test_more_than_200_openings_of_words_are_rejected(run: Run, tmp_path: Path) -> None:
    words = [a + b + c for a in "bcdfghk" for b in "aeiou" for c in "lmnrstv"][:201]
    options = write_words(tmp_path, gb.WordGame(words))
    for more in (["--openings", "all"], ["--first-guess", "best"]):
        assert "rollout" in one_line(run("build-book", *options, *more))
    options = write_words(tmp_path, gb.WordGame(words[:3], words[:200]))
    assert best_book(run, *options).stats.secrets == 3


@pytest.mark.parametrize("policy", every_nth(3, POLICIES))
@pytest.mark.parametrize("game", [gb.Mastermind(3, 3), WORD_GAME], ids=str)
def test_best_first_guess_makes_the_best_book(
    run: Run, tmp_path: Path, game: gb.Game, policy: str
) -> None:
    options: list[object] = ["--pegs", 3, "--colors", 3]
    if isinstance(game, gb.WordGame):
        options = [*write_words(tmp_path, game)]
    best = best_book(run, *options, "--policy", policy)
    codes = game.secrets if "consistent" in policy else game.guesses
    if len(game.guesses) == 27 and policy != "entropy":
        # The command tries only the lowest of equivalent codes. The others may give other books,
        # because the index breaks ties.
        codes = ["RRR", "RRY", "RYG"]
    books = [gb.build(game, policy, first_guess=code) for code in codes]
    assert quality(best) == min(map(quality, books))
    assert best.policy["first_guess"] == best.root.guess


def test_best_first_guess_counts_secrets_by_weight(run: Run, tmp_path: Path) -> None:
    words = ["bleat", "thing", "crane", "trace", "eagle", "geese"]
    weights = [2, 2, 2, 2, 9, 1]
    game = gb.WordGame(words, weights=weights)
    (tmp_path / "weighted").write_text(
        "".join(f"{word} {weight}\n" for word, weight in zip(words, weights, strict=True))
    )
    best = best_book(run, "--answers", "weighted").stats
    books = [gb.build(game, first_guess=word) for word in words]
    assert best.mean_guesses == min(book.stats.mean_guesses for book in books)
    assert best.total_guesses > min(book.stats.total_guesses for book in books)


def test_best_first_guess_satisfies_max_guesses(run: Run) -> None:
    sizes = ["--pegs", 3, "--colors", 4, "--policy", "optimal", "--max-guesses"]
    assert best_book(run, *sizes, 4).stats.max_guesses == 4
    result = run("build-book", *sizes, 3, "--first-guess", "best")
    assert "no strategy" in one_line(result)
    with pytest.raises(gb.NoStrategyError):
        gb.build("mastermind-3x4", "optimal", max_guesses=4, first_guess="RRR")


@pytest.mark.slow
def test_best_first_guess_of_five_pegs_needs_at_most_the_known_total(run: Run) -> None:
    best = best_book(run, "--pegs", 5, "--colors", 8).stats
    assert best.total_guesses <= 179_704
    assert best.max_guesses <= 7


def test_first_guess_best_is_a_code_if_the_game_has_this_code(run: Run, tmp_path: Path) -> None:
    options = ["--pegs", 4, "--symbols", "best", "--first-guess", "best"]
    assert run("build-book", *options).code == 0
    assert gb.open(tmp_path / "mastermind-4x4-entropy-best.book").root.guess == "best"
