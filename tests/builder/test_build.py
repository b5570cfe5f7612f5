"""Whole builds: published results, the C++ oracle, the same bytes for any number of jobs."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from functools import cache
from typing import TYPE_CHECKING

import pytest

from guessbook.book import InvalidCodeError, InvalidGameError, Mastermind, UsageError, WordGame
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.memory import physical_memory
from guessbook.book.strategy import shipped_books
from guessbook.book.tree import Columns, Tree
from guessbook.builder import build_strategy, limits
from guessbook.builder.build import build
from guessbook.builder.limits import Resources
from guessbook.command.build import build_book as build_book_command
from guessbook.export.published import published_results
from guessbook.lookup import open_book
from guessbook.policy.one_step import POLICIES, best_guess, policy_named
from guessbook.policy.reference import consistent
from guessbook.policy.search import sliced
from tests.helpers.oracle import CASES, LARGE_CASES, Case, ask_oracle, stored
from tests.helpers.samples import every_nth

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book import Book
    from guessbook.book.games.game import Game

SHIPPED = ["mastermind-4x6", "bulls-and-cows-4x10", "mastermind-5x8", "mastermind-4x6-optimal"]
# It takes half a minute.
LARGE = "bulls-and-cows-4x10-optimal"


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
    assert build_strategy(Mastermind(4, 6), policy).stats.distribution == distribution


@pytest.mark.parametrize("policy", POLICIES)
def test_published_totals(policy: str) -> None:
    """Each published total of a one-step policy for a code game is ours."""
    found = build_strategy(Mastermind(4, 6), policy).stats
    published = {result.policy: result for result in published_results(Mastermind(4, 6))}[policy]
    assert found.total_guesses == published.total_guesses
    assert found.max_guesses == published.max_guesses


def test_entropy_opens_with_four_different_colors() -> None:
    """The entropy book of 4x6 opens with one peg each of the first four colors."""
    assert build_strategy(Mastermind(4, 6)).root.guess == "RYGB"


@cache
def book_of(game: Game) -> Book:
    """The book of a game by the default policy, for several tests."""
    return build_strategy(game)


@pytest.mark.parametrize(
    "game", [
        Mastermind(2, 3), Mastermind(5, 8), pytest.param(Mastermind(15, 2), marks=pytest.mark.slow),
        Mastermind(4, 6, repeats=False),
        WordGame(["ABC", "ABD", "CBA", "DAB", "BAD"]),
        WordGame(["ABC", "ABD", "CBA"], ["ABC", "ABD", "CBA", "DDC"], weights=[5, 1, 2]),
        WordGame(["ABCDEF", "ABCDFE", "FEDCBA"]),  # of 729 feedbacks
    ], ids=lambda game: game.name,
)  # fmt: skip
def test_a_tree_that_is_grown_stands_the_check_of_a_file(game: Game) -> None:
    """What its builder says of it, unchecked, is what a check of its columns finds."""
    grown = book_of(game).tree
    columns = Columns(grown.guess, grown.feedback, grown.children, grown.candidates)
    checked = Tree(columns, len(game.guesses), game.feedbacks, weights_by_guess(game))
    assert grown.first == checked.first
    assert grown.distribution == checked.distribution
    assert grown.weight_distribution == checked.weight_distribution
    assert list(grown.weights) == list(checked.weights)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_builds_agree_with_the_plain_search(case: Case) -> None:
    """Total and distribution are those of a search without any of our short cuts."""
    book = build_strategy(Mastermind(case.pegs, case.colors, case.repeats), case.policy)
    assert (book.stats.total_guesses, book.stats.distribution) == stored()[case]


@pytest.mark.slow
@pytest.mark.parametrize("case", LARGE_CASES, ids=str)
def test_large_builds_agree_with_the_plain_search(case: Case) -> None:
    """The same at sizes where both kernels and the top of the tree are at work."""
    test_builds_agree_with_the_plain_search(case)


@pytest.mark.parametrize("case", every_nth(3, CASES), ids=str)
def test_what_is_stored_is_what_the_plain_search_finds(case: Case) -> None:
    """The search finds again what data/oracle.csv says."""
    assert ask_oracle(case) == stored()[case]


@pytest.mark.parametrize("policy", every_nth(2, ["entropy", "parts"]))
@pytest.mark.parametrize("game", [Mastermind(4, 4), Mastermind(4, 5, repeats=False)])
def test_every_guess_of_a_book_is_the_reference_guess(game: Mastermind, policy: str) -> None:
    """At every node of a small book the reference would guess the same code."""
    book = build_strategy(game, policy)
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
    books = {build_strategy(game, jobs=jobs).to_bytes() for jobs in (1, 2, 5)}
    assert len(books) == 1


@pytest.mark.parametrize("name", [*SHIPPED, pytest.param(LARGE, marks=pytest.mark.slow)])
def test_shipped_books_are_what_the_builder_makes(name: str) -> None:
    """Building a shipped book again gives its bytes."""
    assert name in shipped_books()
    book = open_book(name)
    assert build_strategy(book.game, book.policy).to_bytes() == book.to_bytes()


def test_every_shipped_book_is_built_again(root: Path) -> None:
    """The books in data/ are those five, and what is installed are they, byte by byte."""
    files = {path.stem: path.read_bytes() for path in root.glob("data/*.book")}
    assert set(files) == {*SHIPPED, LARGE} == {*shipped_books()}
    for name, data in files.items():
        assert open_book(name).to_bytes() == data


def test_a_given_first_guess_opens_the_book() -> None:
    """The opening is taken as it is and written into the header; the rest is the policy's."""
    book = build_strategy(Mastermind(4, 6), first_guess="rryy")
    assert book.root.guess == "RRYY"
    assert book.stats.options["first_guess"] == "RRYY"
    assert sum(book.stats.distribution) == 1296


def test_the_account_of_pairs_is_small() -> None:
    """Of the pairs of a full search of 5x6 less than a twelfth is scored, many side by side."""
    game = Mastermind(5, 6)
    done = build(game)
    full = sum(
        len(game.guesses) * sum(done.book.tree.candidates[node] for node in level)
        for level in done.book.tree.levels()
    )
    assert 0 < sum(done.pairs) < full / 12


def test_impossible_requests_are_refused_before_any_work() -> None:
    """Each wrong argument has its own error, and none starts a build."""
    with pytest.raises(UsageError, match="expected one of entropy"):
        build_strategy(Mastermind(2, 2), "magic")
    with pytest.raises(InvalidCodeError):
        build_strategy(Mastermind(4, 6), first_guess="RYGX")
    with pytest.raises(UsageError, match="jobs"):
        build_strategy(Mastermind(2, 2), jobs=0)
    with pytest.raises(UsageError, match="found 1000000000 jobs, expected 1 to 10000"):
        build_strategy(Mastermind(2, 2), jobs=10**9)
    with pytest.raises(InvalidGameError, match=f"{limits.MAX_SCORED_CODES:,}"):
        build_strategy(Mastermind(8, 9))


def test_a_game_of_too_many_codes_says_how_many_there_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message has the number of codes, the limit, and the way out; it comes at once."""
    monkeypatch.setattr(limits, "physical_memory", lambda: 1 << 40)
    message = r"43,046,721 codes, expected at most 16,777,216; take fewer pegs or colors"
    with pytest.raises(InvalidGameError, match=message):
        limits.check_limits(Mastermind(8, 9))
    for pegs, colors in ((8, 8), (7, 10), (6, 16), (12, 4)):
        limits.check_limits(Mastermind(pegs, colors))


def test_a_game_larger_than_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte less than a game needs is too little, and the message says how much it needs."""
    game = Mastermind(7, 8)
    needed = len(game.guesses) * limits.BYTES_PER_CODE
    monkeypatch.setattr(limits, "physical_memory", lambda: needed)
    limits.check_limits(game)
    monkeypatch.setattr(limits, "physical_memory", lambda: needed - 1)
    with pytest.raises(InvalidGameError, match=r"2,097,152 codes and needs about 0\.4 GiB"):
        build_strategy(game)


@pytest.mark.slow
def test_what_a_code_takes() -> None:
    """From game to game a build's own memory grows by half of what a code may take at most."""
    peaks = []
    games = Mastermind(5, 8), Mastermind(5, 10)
    for game in games:
        build(game)
        tracemalloc.start()
        try:
            build(game, resources=Resources(1)).book.to_bytes()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    more = len(games[1].guesses) - len(games[0].guesses)
    assert peaks[1] - peaks[0] < more * limits.BYTES_PER_CODE / 2


# Builds, and says how many bytes the process has taken at most, its parent's not among them.
TAKEN = """
from guessbook.book import Mastermind
from guessbook.builder import build_strategy
for pegs, colors in ((4, 6), (7, 7)):
    build_strategy(Mastermind(pegs, colors), jobs=2).to_bytes()
    (line,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    print(int(line.split()[1]) * 1024)
"""


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="others count in other units")
def test_what_a_large_game_takes() -> None:
    """The whole process at 7x7, the compressor included, keeps to the bytes a code that it may."""
    done = subprocess.run(
        [sys.executable, "-c", TAKEN], capture_output=True, text=True, check=True, timeout=900
    )
    small, large = map(int, done.stdout.split())
    assert large - small < 7**7 * limits.BYTES_PER_CODE


@pytest.mark.parametrize("name", ["memory.max", "memory/memory.limit_in_bytes"])
def test_a_container_may_have_less_memory(tmp_path: Path, name: str) -> None:
    """The limit of a container counts if it is below the machine's memory, and only then."""
    machine = physical_memory(str(tmp_path))
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    for content, expected in [
        ("1073741824\n", 2**30),
        ("max\n", machine),
        (f"{2**63 - 4096}\n", machine),
    ]:
        path.write_text(content)
        assert physical_memory(str(tmp_path)) == expected


def test_the_documents_state_the_limits(root: Path) -> None:
    """The guide, the changelog and `build-book --help` have the limits that the code has."""
    texts = [
        (root / name).read_text("utf-8") for name in ("docs/how-to/scaling.md", "CHANGELOG.md")
    ]
    for text in (*texts, build_book_command.__doc__ or ""):
        words = " ".join(text.split())
        assert f"{limits.MAX_SCORED_CODES:,} codes" in words
        assert f"{limits.BYTES_PER_CODE:,} bytes of memory for each" in words


# Of so many candidates the engine tries each before all other guesses: FEW in codes.h.
LANES = 64


LARGER = [Mastermind(5, 5), Mastermind(5, 7, repeats=False)]


@pytest.mark.parametrize(
    "game", [Mastermind(4, 7), *(pytest.param(game, marks=pytest.mark.slow) for game in LARGER)]
)
def test_large_nodes_agree_guess_for_guess(game: Mastermind) -> None:
    """Every node with more candidates than there are lanes has the guess of the plain search."""
    book = build_strategy(game)
    rule = policy_named("entropy")
    stack: list[tuple[list[tuple[int, int]], int]] = [([], 0)]
    checked = 0
    while stack:
        history, node = stack.pop()
        if book.tree.candidates[node] <= LANES:
            continue
        found = sliced.Search(game, history).best_guess(rule)
        assert found is not None
        assert book.tree.guess[node] == found.guess
        checked += 1
        for child in range(book.tree.first[node], book.tree.first[node + 1]):
            stack.append(([*history, (book.tree.guess[node], book.tree.feedback[child])], child))
    assert checked > 10


@pytest.mark.slow
def test_fifteen_pegs_make_a_book() -> None:
    """A game of 256 feedbacks, whose numbers just fit a byte, is built from branches and tasks."""
    game = Mastermind(15, 2)
    assert game.feedbacks == 256
    book = book_of(game)
    assert sum(book.tree.distribution) == len(game.secrets)
    assert set(book.tree.feedback) <= set(range(255))


def test_the_pairs_of_a_build_are_exact() -> None:
    """The account of work is a function of the code alone: 5x6 scores exactly so many pairs."""
    pairs = build(Mastermind(5, 6)).pairs
    assert pairs == build(Mastermind(5, 6), resources=Resources(1)).pairs
    assert pairs[:5] == (54_432, 10_451_122, 5_272_422, 2_007_315, 24_225)
