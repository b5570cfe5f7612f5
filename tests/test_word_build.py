"""Books of words: the kernel and plain Python against reference, naive search, known answers."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from guessbook.book import InvalidGameError, WordGame, open_book
from guessbook.book.game import parse_history
from guessbook.builder import build_book, entropies, feedback_table, fitting, letters, limits
from guessbook.builder.build import choose as choose_compiled
from guessbook.builder.growth import choose_one
from guessbook.builder.policy import policy_named
from guessbook.builder.reference import best_guess, consistent, partition
from guessbook.lookup import live
from guessbook.lookup.hint import answer
from guessbook.lookup.proof import prove
from tests.conftest import ROOT
from tests.plain import entries, histories, paths, plain_book, policies
from tests.test_imports import HEAVY, foreign, loaded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Naive = Callable[[list[str], list[str], str], dict[str, object]]

SHARED = ROOT.parent / "shared"
WORDS = SHARED / "words"

needs_words = pytest.mark.skipif(not WORDS.is_dir(), reason=f"the word lists are not in {WORDS}")


@st.composite
def word_games(draw: st.DrawFn, most: int = 24) -> WordGame:
    """Games of a few words of 1 to 12 letters over a small alphabet, so that letters repeat."""
    length = draw(st.sampled_from([1, 2, 3, 3, 4, 5, 6, 11]))
    word = st.text(st.sampled_from("abcdß"), min_size=length, max_size=length)
    words = draw(st.lists(word, min_size=1, max_size=most, unique=True))
    secrets = draw(st.integers(1, len(words)))
    scoring = draw(st.sampled_from(["standard", "loose"]))
    order = draw(st.permutations(words))
    return WordGame(words[:secrets], order, scoring)


# One peg of one word; and more candidates than a game of three feedbacks can tell apart.
EDGES = [WordGame(["a"]), WordGame("abcdefgh"[k] for k in range(8)), WordGame(["a"], ["b", "a"])]


@given(word_games(), policies)
@example(EDGES[0], "entropy")
@example(EDGES[1], "minimax")
@example(EDGES[2], "parts")
@settings(max_examples=60, deadline=None)
def test_books_are_those_of_the_reference(game: WordGame, policy: str) -> None:
    """The kernel builds the book that plain Python builds guess by guess, to the last byte."""
    assert build_book(game, policy, jobs=1).to_bytes() == plain_book(game, policy).to_bytes()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_plain_python_chooses_the_same(data: st.DataObject) -> None:
    """The lanes of plain Python and the kernel find the reference's guess for any history."""
    game = data.draw(word_games())
    policy = policy_named(data.draw(policies))
    history = data.draw(histories(game, max_size=3))
    candidates = consistent(game, history)
    index, _ = best_guess(game, candidates, policy)
    sizes = partition(game, game.guesses[index], candidates)
    expected = (index, len(candidates), sorted(sizes.values()), game.guesses[index] in candidates)
    plain = letters.best_guess(game, history, policy)
    assert plain is not None
    for found in (plain, choose_one(game, policy, history)):
        assert (*found[:2], sorted(found[2]), found[3]) == expected


@given(word_games(), st.data())
@settings(deadline=None)
def test_parts_add_up(game: WordGame, data: st.DataObject) -> None:
    """The parts of a guess add up to the feedback of every candidate, by the game's rule."""
    guess = data.draw(st.sampled_from(game.guesses))
    sums = letters.PartSums(game, game.secrets)
    total = sum(sums.of(part) for part in letters.parts_of(guess))
    assert list(sums.lanes(total)) == [game.feedback(guess, secret) for secret in game.secrets]


def test_no_candidates() -> None:
    """A history that no secret fits has no guess."""
    game = WordGame(["aa", "bb"])
    history = parse_history(game, ["aa=00", "bb=00"])
    assert letters.best_guess(game, history, policy_named("entropy")) is None
    assert live.choose(game, history, "entropy") is None


def some_words(size: int, length: int, alphabet: str, seed: int) -> list[str]:
    """Different random words."""
    source = random.Random(seed)
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(source.choices(alphabet, k=length))] = None
    return list(words)


@pytest.fixture(scope="module")
def game() -> WordGame:
    """A game of 150 secrets among 400 guesses."""
    words = some_words(400, 4, "aeirst", 1)
    return WordGame(words[:150], sorted(words))


def test_one_and_two_jobs(game: WordGame) -> None:
    """The number of threads does not change a byte."""
    assert build_book(game, jobs=1).to_bytes() == build_book(game, jobs=2).to_bytes()


def test_first_guess(game: WordGame) -> None:
    """A pinned opening, in any case, is in the book and in its header."""
    book = build_book(game, first_guess=game.guesses[7].upper())
    assert book.root.guess == game.guesses[7]
    assert book.metadata.options == {"first_guess": game.guesses[7]}


def test_hints_on_and_off_the_book(game: WordGame) -> None:
    """On-book hints are the tree's; for a history in another order, and live, nothing changes."""
    book = open_book(build_book(game).to_bytes())
    for node, path in zip(book.nodes, paths(book), strict=True):
        hint = book.hint(entries(game, path[::-1]))
        assert (hint.guess, hint.remaining, hint.source) == (node.guess, node.candidates, "book")
    guess = game.guesses[3]
    assert guess != book.root.guess
    history = [(guess, game.format_feedback(game.feedback(guess, game.secrets[5])))]
    hint = book.hint(history)
    left = consistent(game, parse_history(game, history))
    index, _ = best_guess(game, left, policy_named("entropy"))
    assert (hint.guess, hint.source) == (game.guesses[index], "live")


def test_a_hint_is_light(game: WordGame, tmp_path: Path) -> None:
    """A hint from a book of words loads nothing heavy, and nothing of the builder."""
    path = tmp_path / "test.book"
    book = build_book(game)
    book.save(path)
    first = next(iter(book.root.children))
    entry = f"{book.root.guess}={game.format_feedback(first)}"
    script = "assert open_book(sys.argv[1]).hint([sys.argv[2]]).source == 'book'"
    modules = loaded(script, str(path), entry)
    assert foreign(modules) == set()
    assert not modules & {*HEAVY, "hashlib", "unicodedata"}
    assert not any(name.startswith("guessbook.builder") for name in modules)


def test_large_live_hints_use_the_kernel(game: WordGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where plain Python would take too long the kernel answers, and answers the same."""
    asked = []

    def watched(*arguments: object) -> object:
        asked.append(arguments)
        return choose_compiled(*arguments)  # type: ignore[arg-type]

    plain = answer(game, "parts", [])
    monkeypatch.setattr(live, "MAX_PLAIN_SECONDS", 0.0)
    monkeypatch.setattr("guessbook.builder.build.choose", watched)
    assert answer(game, "parts", []) == plain
    assert len(asked) == 1


def test_verify(game: WordGame) -> None:
    """`verify` proves a book of words, and finds a guess that is not the policy's."""
    book = build_book(game, "expected")
    assert all(check.passed for check in prove(book, policy=True))
    other = build_book(game, "expected", first_guess=game.guesses[0])
    assert other.root.guess != book.root.guess
    other.metadata.options.clear()
    assert [check.passed for check in prove(other, policy=True)] == [True, True, True, False]


def test_lists_too_large(monkeypatch: pytest.MonkeyPatch, game: WordGame) -> None:
    """Lists whose sums do not fit are refused before any work, with what they would need."""
    limits.check_limits(game)
    monkeypatch.setattr(limits, "MAX_SUMS", 1000)
    with pytest.raises(InvalidGameError, match="take shorter lists"):
        limits.check_limits(game)


def lists(length: int) -> tuple[list[str], list[str]]:
    """The secrets and the guesses of that length in ../shared/words."""
    names = ("wordle-answers-2315", "wordle-guesses-12972")
    if length != 5:
        names = (f"{length}-answers", f"{length}-guesses")
    secrets, guesses = ((WORDS / f"{name}.txt").read_text().split() for name in names)
    return secrets, guesses


@pytest.fixture(scope="module")
def wordle() -> WordGame:
    """Wordle with its first lists."""
    if not WORDS.is_dir():
        pytest.skip(f"the word lists are not in {WORDS}")
    return WordGame(*lists(5))


def test_best_openings(wordle: WordGame) -> None:
    """The best first guess is soare by entropy, 5.8860 bits, and trace by parts, 150 cells."""
    bits = entropies(wordle)
    assert wordle.guesses[int(bits.argmax())] == "soare"
    assert round(float(bits.max()), 4) == 5.8860
    best = {name: choose_one(wordle, policy_named(name), []) for name in ("entropy", "parts")}
    assert wordle.guesses[best["entropy"][0]] == "soare"
    assert wordle.guesses[best["parts"][0]] == "trace"
    assert len(best["parts"][2]) == 150


def test_the_example_of_the_loose_rule() -> None:
    """After trace=00101 48 secrets remain; genal has the most cells, 27 (the Riddler's example)."""
    if not WORDS.is_dir():
        pytest.skip(f"the word lists are not in {WORDS}")
    game = WordGame(*lists(5), scoring="loose")
    left = fitting(game, ["trace=00101"])
    assert len(left) == 48
    cells = np.array([len(set(row)) for row in feedback_table(game, None, left).tolist()])
    assert cells.max() == 27
    assert [game.guesses[i] for i in np.flatnonzero(cells == 27)] == ["genal"]
    found = letters.best_guess(game, parse_history(game, ["trace=00101"]), policy_named("parts"))
    assert found is not None
    assert game.guesses[found.guess] == "genal"


def test_alert_is_found(wordle: WordGame) -> None:
    """By entropy the secret alert is found with the third guess: once certain, it is guessed."""
    history: list[tuple[str, str]] = []
    # The opening is known: see test_best_openings.
    guess = "soare"
    while guess != "alert":
        number = wordle.feedback(guess, "alert")
        history.append((guess, wordle.format_feedback(number)))
        guess = answer(wordle, "entropy", history).guess
    assert [past for past, _ in history] == ["soare", "altar"]


@pytest.fixture(scope="module")
def naive(tmp_path_factory: pytest.TempPathFactory) -> Naive:
    """The search of ../shared/bench/naive.cpp: secrets, guesses and policy to what it prints."""
    source = SHARED / "bench" / "naive.cpp"
    if not source.is_file():
        pytest.skip(f"the naive search is not in {source}")
    if shutil.which("g++") is None:
        pytest.skip("there is no g++ to compile the naive search with")
    folder = tmp_path_factory.mktemp("naive")
    command = ["g++", "-O2", "-o", str(folder / "naive"), str(source)]
    subprocess.run(command, check=True)

    def run(secrets: list[str], guesses: list[str], policy: str) -> dict[str, object]:
        for name, words in (("secrets", secrets), ("guesses", guesses)):
            (folder / name).write_text("\n".join(words) + "\n")
        call = [str(folder / "naive"), "words", "secrets", "guesses", policy]
        out = subprocess.run(call, cwd=folder, check=True, capture_output=True, text=True).stdout
        return json.loads(out)  # type: ignore[no-any-return]

    return run


def agree(naive: Naive, secrets: list[str], guesses: list[str], policy: str) -> None:
    """Check the statistics of our book against the naive search."""
    known = build_book(WordGame(secrets, guesses), policy).metadata
    expected = naive(secrets, guesses, policy)
    assert known.total_guesses == expected["total_guesses"]
    depths = {str(k): n for k, n in enumerate(known.distribution, 1) if n}
    assert depths == expected["distribution"]


PLAIN = ("entropy", "expected", "parts", "minimax")


@needs_words
@pytest.mark.parametrize("length", range(4, 10))
def test_some_words_agree_with_naive(naive: Naive, length: int) -> None:
    """A random part of each list gives the totals of the naive search, by all four policies."""
    secrets, guesses = lists(length)
    source = random.Random(length)
    some = sorted(source.sample(secrets, 120))
    others = sorted({*some, *source.sample(guesses, 300)})
    for policy in PLAIN:
        agree(naive, some, others, policy)


@pytest.mark.slow
@needs_words
@pytest.mark.parametrize(
    ("length", "policy"), [*((n, policy) for n in (4, 5) for policy in PLAIN), (6, "entropy")]
)
def test_whole_lists_agree_with_naive(naive: Naive, length: int, policy: str) -> None:
    """Whole lists give the totals of the naive search."""
    agree(naive, *lists(length), policy)


@pytest.mark.slow
@needs_words
@pytest.mark.parametrize("length", [7, 8, 9])
def test_long_words_agree_with_naive(naive: Naive, length: int) -> None:
    """Large parts of the longer lists as well; whole, the naive search would take an hour."""
    secrets, guesses = lists(length)
    source = random.Random(length)
    some = sorted(source.sample(secrets, 800))
    agree(naive, some, sorted({*some, *source.sample(guesses, 2000)}), "entropy")
