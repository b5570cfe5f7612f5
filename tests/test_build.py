"""Whole builds: published results, the C++ oracle, the same bytes for any number of jobs."""

from __future__ import annotations

import csv

import pytest

from guessbook.book import InvalidCodeError, InvalidGameError, Mastermind, UsageError, open_book
from guessbook.book.book import shipped_books
from guessbook.builder import build_book
from guessbook.builder.build import build
from guessbook.builder.limits import MAX_CODES
from guessbook.builder.policy import policy_named
from guessbook.builder.reference import best_guess, consistent
from tests.oracle import SHARED, ask_oracle

ORACLE_CASES = [
    (3, 6, True, "entropy"),
    (4, 5, True, "minimax"),
    (4, 7, True, "entropy"),
    (4, 7, True, "parts"),
    (5, 4, True, "expected"),
    (5, 5, True, "entropy"),
    (6, 3, True, "parts"),
    (6, 4, True, "entropy"),
    (7, 3, True, "minimax"),
    (8, 2, True, "entropy"),
    (2, 12, True, "expected"),
    (3, 10, False, "entropy"),
    (4, 8, False, "minimax"),
    (4, 10, False, "entropy"),
    (4, 10, False, "parts"),
    (5, 7, False, "expected"),
    (6, 6, False, "entropy"),
]
LARGE_CASES = [
    (5, 8, True, "entropy"),
    (5, 8, True, "parts"),
    (6, 6, True, "minimax"),
    (5, 9, False, "entropy"),
]


@pytest.mark.parametrize(
    ("policy", "distribution"),
    [
        ("entropy", (1, 4, 71, 612, 596, 12)),
        ("minimax", (1, 6, 62, 533, 694)),
        ("expected", (1, 10, 54, 645, 583, 3)),
        ("parts", (1, 12, 72, 635, 569, 7)),
    ],
)
def test_four_pegs_of_six_colors_as_published(policy: str, distribution: tuple[int, ...]) -> None:
    """The four one-step policies solve 4x6 in as many guesses as their authors found."""
    assert build_book(Mastermind(4, 6), policy).metadata.distribution == distribution


def test_published_totals() -> None:
    """Each published total of a one-step policy for a code game is ours."""
    table = SHARED / "reference" / "strategies.csv"
    if not table.exists():
        pytest.skip("the table of published results is not beside this repository")
    checked = 0
    for row in csv.DictReader(table.read_text().splitlines()):
        if row["policy"] in ("minimax", "entropy", "expected", "parts") and row["symbols"] != "26":
            game = Mastermind(int(row["positions"]), int(row["symbols"]), row["repeats"] == "yes")
            found = build_book(game, row["policy"]).metadata
            assert found.total_guesses == int(row["total_guesses"])
            assert found.max_guesses == int(row["max_guesses"])
            checked += 1
    assert checked >= 4


def test_the_first_guess_of_entropy_is_two_pairs_of_nothing() -> None:
    """The entropy book of 4x6 opens with four different colors."""
    assert build_book(Mastermind(4, 6)).root.guess == "RYGB"


@pytest.mark.parametrize(("pegs", "colors", "repeats", "policy"), ORACLE_CASES)
def test_builds_agree_with_the_plain_search(
    pegs: int, colors: int, repeats: bool, policy: str
) -> None:
    """Total and distribution are those of a search without any of our short cuts."""
    found = build_book(Mastermind(pegs, colors, repeats), policy).metadata
    total, distribution = ask_oracle("code", pegs, colors, int(repeats), policy)
    assert found.total_guesses == total
    assert {d: n for d, n in enumerate(found.distribution, 1) if n} == distribution


@pytest.mark.slow
@pytest.mark.parametrize(("pegs", "colors", "repeats", "policy"), LARGE_CASES)
def test_large_builds_agree_with_the_plain_search(
    pegs: int, colors: int, repeats: bool, policy: str
) -> None:
    """The same at sizes where both kernels and the top of the tree are at work."""
    test_builds_agree_with_the_plain_search(pegs, colors, repeats, policy)


@pytest.mark.parametrize("policy", ["entropy", "parts"])
@pytest.mark.parametrize("game", [Mastermind(4, 4), Mastermind(4, 5, repeats=False)])
def test_every_guess_of_a_book_is_the_reference_guess(game: Mastermind, policy: str) -> None:
    """At every node of a small book the reference would guess the same code."""
    book = build_book(game, policy)
    stack: list[tuple[list[tuple[int, int]], int]] = [([], 0)]
    while stack:
        history, node = stack.pop()
        candidates = consistent(game, history)
        assert book.tree.candidates[node] == len(candidates)
        assert book.tree.guess[node] == best_guess(game, candidates, policy_named(policy))[0]
        for child in range(book.tree.first[node], book.tree.first[node + 1]):
            stack.append(([*history, (book.tree.guess[node], book.tree.feedback[child])], child))


@pytest.mark.parametrize("game", [Mastermind(4, 6), Mastermind(4, 8), Mastermind(4, 9, False)])
def test_any_number_of_jobs_gives_the_same_bytes(game: Mastermind) -> None:
    """A book is a function of the game and the policy alone."""
    books = {build_book(game, jobs=jobs).to_bytes() for jobs in (1, 2, 5)}
    assert len(books) == 1


@pytest.mark.parametrize("name", ["mastermind-4x6", "bulls-and-cows-4x10", "mastermind-5x8"])
def test_shipped_books_are_what_the_builder_makes(name: str) -> None:
    """Building a shipped book again gives its bytes."""
    assert name in shipped_books()
    book = open_book(name)
    assert build_book(book.game, book.metadata.policy).to_bytes() == book.to_bytes()


def test_a_given_first_guess_opens_the_book() -> None:
    """The opening is taken as it is and written into the header; the rest is the policy's."""
    book = build_book(Mastermind(4, 6), first_guess="rryy")
    assert book.root.guess == "RRYY"
    assert book.metadata.options["first_guess"] == "RRYY"
    assert sum(book.metadata.distribution) == 1296


def test_the_account_of_pairs_is_small() -> None:
    """Symmetry and bounds leave less than a fortieth of the pairs of a full search of 5x6."""
    game = Mastermind(5, 6)
    done = build(game)
    full = sum(
        len(game.guesses) * sum(done.book.tree.candidates[node] for node in level)
        for level in done.book.tree.levels()
    )
    assert 0 < sum(done.pairs) < full / 40


def test_impossible_requests_are_refused_before_any_work() -> None:
    """Each wrong argument has its own error, and none starts a build."""
    with pytest.raises(UsageError, match="expected one of entropy"):
        build_book(Mastermind(2, 2), "magic")
    with pytest.raises(InvalidCodeError):
        build_book(Mastermind(4, 6), first_guess="RYGX")
    with pytest.raises(UsageError, match="jobs"):
        build_book(Mastermind(2, 2), jobs=0)
    with pytest.raises(InvalidGameError, match=f"{MAX_CODES:,}"):
        build_book(Mastermind(7, 10))
