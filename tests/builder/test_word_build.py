"""Books of words: the engine and plain Python against reference, naive search, known answers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from guessbook.book import InvalidGameError, WordGame
from guessbook.book.games.game import parse_history
from guessbook.book.strategy import Strategy
from guessbook.builder import build_strategy, entropies, feedback_table, fitting, limits
from guessbook.builder.build import build
from guessbook.builder.choice import choose as choose_built
from guessbook.lookup import live, open_book
from guessbook.lookup.hint import hint_for
from guessbook.play.proof import prove
from guessbook.policy.one_step import best_guess, policy_named
from guessbook.policy.reference import consistent, partition
from guessbook.policy.search import letters
from tests.helpers.oracle import (
    MADE_CASES,
    WEIGHTED_CASES,
    WHOLE_CASES,
    WordCase,
    ask_oracle,
    lists_of,
    made_weights,
    stored_words,
)
from tests.helpers.plain import entries, histories, paths, plain_book, policies
from tests.helpers.samples import every_nth
from tests.helpers.wordlists import whole_lists
from tests.lookup.test_imports import HEAVY, foreign, modules_of

if TYPE_CHECKING:
    from pathlib import Path


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
def test_books_are_those_of_the_reference(game: WordGame, policy: str) -> None:
    """The engine builds the book that plain Python builds guess by guess, to the last byte."""
    assert build_strategy(game, policy, jobs=1).to_bytes() == plain_book(game, policy).to_bytes()


def assert_chosen_alike(game: WordGame, data: st.DataObject) -> None:
    """Plain Python and the engine find the reference's guess and cells for some history."""
    policy = policy_named(data.draw(policies))
    history = data.draw(histories(game, max_size=3))
    candidates = consistent(game, history)
    index, _ = best_guess(game, candidates, policy)
    cells = partition(game, game.guesses[index], candidates)
    expected = (index, len(candidates), sorted(cells.values()), game.guesses[index] in candidates)
    plain = letters.Search(game, history).best_guess(policy)
    assert plain is not None
    for found in (plain, choose_built(game, history, policy)):
        assert (*found[:2], sorted(found[2]), found[3]) == expected


@given(word_games(), st.data())
def test_plain_python_chooses_the_same(game: WordGame, data: st.DataObject) -> None:
    """The lanes of plain Python and the engine find the reference's guess for any history."""
    assert_chosen_alike(game, data)


@given(word_games(), st.data())
@settings(deadline=None)
def test_parts_add_up(game: WordGame, data: st.DataObject) -> None:
    """The parts of a guess add up to the feedback of every candidate, by the game's rule."""
    guess = data.draw(st.sampled_from(game.guesses))
    sums = letters.Sums(game, game.secrets)
    assert list(sums.answers(guess)) == [
        game.feedback_number(guess, secret) for secret in game.secrets
    ]


def test_no_candidates() -> None:
    """A history that no secret fits has no guess."""
    game = WordGame(["aa", "bb"])
    history = parse_history(game, ["aa=00", "bb=00"])
    assert letters.Search(game, history).best_guess(policy_named("entropy")) is None
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
    assert build_strategy(game, jobs=1).to_bytes() == build_strategy(game, jobs=2).to_bytes()


def test_first_guess(game: WordGame) -> None:
    """A pinned opening, in any case, is in the book and in its header."""
    book = build_strategy(game, first_guess=game.guesses[7].upper())
    assert book.root.guess == game.guesses[7]
    assert book.stats.options == {"first_guess": game.guesses[7]}


def test_hints_on_and_off_the_book(game: WordGame) -> None:
    """On-book hints are the tree's; for a history in another order, and live, nothing changes."""
    book = open_book(build_strategy(game).to_bytes())
    for node, path in zip(book.nodes, paths(book), strict=True):
        hint = book.hint(entries(game, path[::-1]))
        assert (hint.guess, hint.remaining, hint.source) == (node.guess, node.remaining, "book")
    guess = game.guesses[3]
    assert guess != book.root.guess
    history = [(guess, str(game.feedback(guess, game.secrets[5])))]
    hint = book.hint(history)
    left = consistent(game, parse_history(game, history))
    index, _ = best_guess(game, left, policy_named("entropy"))
    assert (hint.guess, hint.source) == (game.guesses[index], "live")


def test_a_hint_is_light(game: WordGame, tmp_path: Path) -> None:
    """A hint from a book of words loads nothing heavy, and nothing of the builder."""
    path = tmp_path / "test.book"
    book = build_strategy(game)
    book.save(path)
    first = next(iter(book.root.children))
    entry = f"{book.root.guess}={first}"
    script = "assert open_book(sys.argv[1]).hint([sys.argv[2]]).source == 'book'"
    modules = modules_of(script, str(path), entry)
    assert foreign(modules) == set()
    assert not modules & {*HEAVY, "hashlib", "unicodedata"}
    assert not any(name.startswith("guessbook.builder") for name in modules)


def test_verify(game: WordGame) -> None:
    """`verify` proves a book of words, and finds a guess that is not the policy's."""
    book = build_strategy(game, "expected")
    assert all(check.passed for check in prove(book, policy=True))
    other = build_strategy(game, "expected", first_guess=game.guesses[0])
    assert other.root.guess != book.root.guess
    policy = {**other.policy}
    del policy["first_guess"]
    other = Strategy(game, policy, other.tree)
    assert [check.passed for check in prove(other, policy=True)] == [True, True, True, False]


def test_lists_too_large(monkeypatch: pytest.MonkeyPatch, game: WordGame) -> None:
    """Lists whose sums do not fit are refused before any work, with what they would need."""
    limits.check_limits(game)
    monkeypatch.setattr(limits, "MAX_SUMS", 1000)
    with pytest.raises(InvalidGameError, match="take shorter lists"):
        limits.check_limits(game)


@pytest.fixture(scope="module")
def wordle() -> WordGame:
    """Wordle with its first lists."""
    return WordGame(*whole_lists(5))


def test_best_openings(wordle: WordGame) -> None:
    """The best first guess is soare by entropy, 5.8860 bits, and trace by parts, 150 cells."""
    bits = entropies(wordle)
    assert wordle.guesses[int(bits.argmax())] == "soare"
    assert round(float(bits.max()), 4) == 5.8860
    best = {name: choose_built(wordle, [], policy_named(name)) for name in ("entropy", "parts")}
    assert wordle.guesses[best["entropy"][0]] == "soare"
    assert wordle.guesses[best["parts"][0]] == "trace"
    assert len(best["parts"][2]) == 150


def test_the_example_of_the_loose_rule() -> None:
    """After trace=00101 48 secrets remain; genal has the most cells, 27 (the Riddler's example)."""
    game = WordGame(*whole_lists(5), scoring="loose")
    left = fitting(game, ["trace=00101"])
    assert len(left) == 48
    cells = np.array([len(set(row)) for row in feedback_table(game, None, left).tolist()])
    assert cells.max() == 27
    assert [game.guesses[i] for i in np.flatnonzero(cells == 27)] == ["genal"]
    history = parse_history(game, ["trace=00101"])
    found = letters.Search(game, history).best_guess(policy_named("parts"))
    assert found is not None
    assert game.guesses[found.guess] == "genal"


def test_alert_is_found(wordle: WordGame) -> None:
    """By entropy the secret alert is found with the third guess: once certain, it is guessed."""
    history: list[tuple[str, str]] = []
    # The opening is known: see test_best_openings.
    guess = "soare"
    while guess != "alert":
        number = wordle.feedback_number(guess, "alert")
        history.append((guess, wordle.format_feedback(number)))
        guess = hint_for(wordle, "entropy", history).guess
    assert [past for past, _ in history] == ["soare", "altar"]


@pytest.mark.parametrize("case", MADE_CASES, ids=str)
def test_made_words_agree_with_the_plain_search(case: WordCase) -> None:
    """Total and distribution are those of a search without any of our short cuts."""
    secrets, guesses = lists_of(case)
    known = build_strategy(WordGame(secrets, guesses), case.policy).stats
    assert (known.total_guesses, known.distribution) == stored_words()[case]


@pytest.mark.parametrize("case", WEIGHTED_CASES, ids=str)
def test_made_weights_agree_with_the_plain_search(case: WordCase) -> None:
    """Weighted totals, and the weight that is solved with each guess, are those of that search."""
    secrets, guesses = lists_of(case)
    game = WordGame(secrets, guesses, weights=made_weights(case))
    known = build_strategy(game, case.policy).stats
    found = stored_words()[case]
    assert (known.weighted_guesses, known.weight_distribution) == (found.total, found.distribution)


@pytest.mark.parametrize("case", every_nth(3, [*MADE_CASES, *WEIGHTED_CASES]), ids=str)
def test_what_is_stored_is_what_the_plain_search_finds(case: WordCase) -> None:
    """The search finds again what data/oracle-words.csv says."""
    assert ask_oracle(case) == stored_words()[case]


@pytest.mark.slow
@pytest.mark.parametrize("case", WHOLE_CASES, ids=str)
def test_whole_lists_agree_with_the_plain_search(case: WordCase) -> None:
    """The whole lists of 4 to 9 letters give the totals and distributions of the plain search."""
    test_made_words_agree_with_the_plain_search(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in WHOLE_CASES if case.length < 6], ids=str)
def test_what_is_stored_of_whole_lists(case: WordCase) -> None:
    """The search finds again what is stored of the lists that take it seconds."""
    test_what_is_stored_is_what_the_plain_search_finds(case)


def test_a_tree_of_any_depth() -> None:
    """Words without common letters take as many guesses as there are words."""
    words = [chr(0xAC00 + 28 * k) for k in range(80)]
    grown = build(WordGame(words))
    assert grown.book.stats.max_guesses == len(grown.pairs) == 80
    assert sum(grown.pairs) > 80
