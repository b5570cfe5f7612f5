"""Explanations, ratings and reviews: cases that the random games do not cover."""

from __future__ import annotations

import random
from itertools import combinations, cycle, islice
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.hints.definitions import (
    BULLS,
    SMALL,
    WEIGHTED_GAME,
    WORD_GAME,
    answer,
    answers,
    bits,
    calls,
    weights,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.helpers.command import Run
    from tests.hints.definitions import Entries

HARD = {"name": "entropy", "hard_mode": True}


def random_words(guesses: int, secrets: int) -> gb.WordGame:
    """A game of random words of five letters."""
    dice = random.Random(guesses)
    words = sorted({"".join(dice.choices("abcdefghijklmnop", k=5)) for _ in range(guesses)})
    weighted = [dice.randrange(1, 50) for _ in range(secrets)]
    return gb.WordGame(dice.sample(words, secrets), words, weights=weighted)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        # This history has no symmetry, so no two guesses are equivalent.
        lambda: gb.Session("mastermind-5x8", "RYGBO=1,1 RRYGP=0,2 WKYRR=1,0"),
        lambda: gb.Session(random_words(20_000, 150)),
    ],
    ids=["codes", "words"],
)
def test_engine_and_plain_python_rank_many_guesses_alike(
    make: Callable[[], gb.Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = make()
    guess = session.game.guesses[len(session.game.guesses) // 3]
    expected = gb.Session(session.game, session.history).rate(guess)
    monkeypatch.setenv("GUESSBOOK_PURE", "1")
    assert gb.Session(session.game, session.history).rate(guess) == expected


@pytest.mark.slow
def test_engine_and_plain_python_find_same_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    session = gb.Session(random_words(275, 272))
    expected = session.best_pairs(7)
    monkeypatch.setenv("GUESSBOOK_PURE", "1")
    assert session.best_pairs(7) == expected


def test_random_pairs_are_no_better_than_best_pair() -> None:
    session, dice = gb.Session(random_words(275, 272)), random.Random(1)
    found = session.best_pairs(7)
    assert [session.rate_pair(pair.first, pair.second) for pair in found] == found
    entropies = [pair.entropy for pair in found]
    assert entropies == sorted(entropies, reverse=True)
    for _ in range(300):
        pair = dice.sample(session.game.guesses, 2)
        assert session.rate_pair(*pair).entropy <= entropies[0]


@pytest.mark.parametrize(
    "game", [SMALL, WORD_GAME, WEIGHTED_GAME], ids=["codes", "words", "weights"]
)
def test_best_pairs_match_exhaustive_search(game: gb.Game) -> None:
    session, own = gb.Session(game), weights(game)
    every = []
    for first, second in combinations(game.guesses, 2):
        both: dict[tuple[str, str], int] = {}
        for secret in game.secrets:
            told = answer(game, first, secret), answer(game, second, secret)
            both[told] = both.get(told, 0) + own[secret]
        every.append(bits(both.values()))
    every.sort(reverse=True)
    for count in (1, 5, 40):
        found = session.best_pairs(count)
        entropies = [pair.entropy for pair in found]
        # Only one of several equivalent pairs of codes is listed.
        assert entropies[0] == pytest.approx(every[0])
        assert entropies == sorted(entropies, reverse=True)
        if game is not SMALL:
            assert entropies == pytest.approx(every[:count])
    assert found[0] == session.rate_pair(found[0].first, found[0].second)
    assert not gb.Session("mastermind-1x1").best_pairs()


def images(game: gb.Mastermind, codes: tuple[str, ...], history: Entries) -> set[tuple[str, ...]]:
    """The images of some codes under each symmetry that keeps every guess of a history."""
    from itertools import permutations

    found = set()
    for places in permutations(range(game.pegs)):
        for symbols in permutations(game.symbols):
            table = str.maketrans(game.symbols, "".join(symbols))
            moved = ["".join(c[p] for p in places).translate(table) for c, _ in history]
            if moved == [code for code, _ in history]:
                found.add(tuple("".join(c[p] for p in places).translate(table) for c in codes))
    return found


@pytest.mark.parametrize(
    ("game", "history"),
    [
        (SMALL, []),
        (SMALL, [("RRR", "0,0")]),
        (gb.Mastermind(3, 3), [("RYG", "1,0")]),
        (BULLS, [("012", "0,1")]),
    ],
)
def test_only_one_of_equivalent_guesses_or_pairs_is_listed(
    game: gb.Mastermind, history: Entries
) -> None:
    session = gb.Session(game, history)
    listed = [(a.guess,) for a in session.explain(count=1000).alternatives]
    possible = session.candidates()
    held = {symbol for code in possible for symbol in code}
    for guess in game.guesses[::7]:
        alike = images(game, (guess,), history)
        assert len(alike.intersection(listed)) <= 1
        if set(guess) <= held:
            assert len(alike.intersection(listed)) == 1
    pairs = session.best_pairs(1000)
    both = [(pair.first, pair.second) for pair in pairs]
    for first, second in list(combinations(game.guesses, 2))[::97]:
        alike = images(game, (first, second), history) | images(game, (second, first), history)
        found = [pair for pair, codes in zip(pairs, both, strict=True) if codes in alike]
        assert len(found) <= 1
        if set(first + second) <= held:
            assert found[0].entropy == pytest.approx(session.rate_pair(first, second).entropy)


def test_explained_guess_replaces_its_equivalent_in_alternatives(book: gb.Book) -> None:
    first = ["RYGB", "RRYG", "RRYY", "RRRY", "RRRR"]
    assert [a.guess for a in book.explain().alternatives] == first
    assert [a.guess for a in book.explain("", "GBYR").alternatives] == ["GBYR", *first[1:]]
    for history in ("GBYR=1,1", "GGBB=0,1", "OPOP=1,0"):
        why = book.explain(history, count=5)
        assert why.guess == why.alternatives[0].guess == book.hint(history).guess
        assert len({a.guess for a in why.alternatives}) == 5


def test_rating_gives_mirror_image_of_best_guess(book: gb.Book) -> None:
    start = gb.Session(book)
    rated = start.rate("GYBR")
    assert (rated.best, rated.mirror, rated.skill, rated.rank) == ("RYGB", "GYBR", 100, 1)
    assert [start.rate(code).mirror for code in ("RYGB", "RRYY")] == ["", ""]
    mirrored = gb.Session(book, "POGB=1,1")
    assert mirrored.hint().source == "symmetry"
    lowest = gb.Session(book.game, "POGB=1,1").hint().guess
    for code in ("YYYY", mirrored.hint().guess):
        rated = mirrored.rate(code)
        assert (rated.best, rated.mirror) == (mirrored.hint().guess, lowest)
    assert gb.Session(WORD_GAME).rate("eerie").mirror == ""


@pytest.mark.parametrize(
    ("name", "history"),
    [
        ("mastermind-5x8", ""),
        ("bulls-and-cows-4x10", "0123=1,1"),
        ("mastermind-15x2", "RYRYRYRYRYRYRYR=7,8"),
    ],
)
def test_ratings_of_early_guesses_in_large_games_take_bounded_work(name: str, history: str) -> None:
    session = gb.Session(name, history)
    hint = session.hint()
    # Symmetry leaves few of the thousands of guesses to score.
    assert calls(lambda: session.explain()) < 900_000
    assert calls(lambda: session.rate(hint.guess)) < 900_000
    assert session.rate(hint.guess).skill == 100


@pytest.mark.parametrize(
    ("game", "policy", "guesses", "secret"),
    [
        (SMALL, "entropy", ["RRY", "YRR", "GGB", "RYR"], "BBG"),
        (WORD_GAME, HARD, ["light", "might", "tiger", "zghtl"], "night"),
    ],
)
def test_review_work_grows_linearly(
    game: gb.Game, policy: Any, guesses: list[str], secret: str
) -> None:
    made = []
    for rows in (1, 100, 200, 400):  # the first run includes imports
        played = list(islice(cycle(answers(game, guesses, secret)), rows))
        made.append(calls(gb.Session(game, played, policy).review))
    assert made[3] - made[2] < 2.2 * (made[2] - made[1])


@pytest.mark.parametrize("policy", ["entropy", HARD], ids=["entropy", "hard mode"])
@pytest.mark.parametrize("number", range(5))
def test_review_and_rating_agree_on_each_row(number: int, policy: Any) -> None:
    game, dice = WORD_GAME, random.Random(number)
    secret, *guesses = [dice.choice(game.guesses) for _ in range(9)]
    rows = answers(game, guesses[: [*guesses, secret].index(secret) + 1], secret)
    for k, turn in enumerate(gb.Session(game, rows, policy).review().turns):
        before = gb.Session(game, rows[:k], policy)
        if rows[k][1] not in {cell.feedback for cell in before.explain(turn.guess).partition}:
            continue  # no secret fits from here on, so the guesses are the candidates
        rated = before.rate(turn.guess)
        assert (turn.remaining, turn.entropy, turn.skill, turn.best_entropy) == (
            before.remaining,
            rated.entropy,
            rated.skill,
            rated.best_entropy,
        )
        assert not before.broken_rule(turn.best)


def test_playing_by_the_book_is_reviewed_with_skill_100(book: gb.Book) -> None:
    history = [("RYGB", "1,1"), ("RGOP", "0,2"), ("PYYG", "2,1"), ("GYYO", "1,1"), ("PYRY", "4,0")]
    review = gb.Session(book, history).review()
    assert (review.solved, review.skill, review.secret) == (True, 100, "PYRY")
    assert 2 ** sum(turn.bits for turn in review.turns) == pytest.approx(1296)
    assert list(review.line) == history
    unfinished = gb.Session(book, "RYGB=1,1")
    assert unfinished.review().line == ()
    assert unfinished.review("RRRY").line[-1] == ("RRRY", "4,0")


def test_review_does_not_check_secret_against_rows_set_aside(book: gb.Book) -> None:
    session = gb.Session(book, "RYGB=1,1 RGOP=0,2 PYYG=2,1")
    session.set_aside(0)
    said = r"fit row 2, RGOP=0,2: .* 1,1; row 3, PYYG"
    with pytest.raises(gb.InconsistentFeedbackError, match=said) as error:
        session.review("RYGB")
    assert error.value.suspects == (1, 2)


@pytest.mark.parametrize("policy", ["consistent", "positional", "entropy:consistent-only"])
def test_candidate_only_policies_are_rated_against_candidates(policy: str) -> None:
    session = gb.Session(gb.build(SMALL, policy), ["RRR=2,0"])
    found = session.rate("RYG")
    candidates = session.candidates()
    assert found.best in candidates
    best = max(session.split(code).entropy for code in candidates)
    assert session.split(found.best).entropy == best
    assert best < max(session.split(code).entropy for code in SMALL.guesses)


def test_printed_review_shows_candidates_left_after_each_guess(run: Run) -> None:
    entries = ["RYGB=1,1", "PYRO=4,0"]
    rows = run("review", *entries).out.splitlines()[1:3]
    turns = gb.Session("mastermind-4x6", entries).review().turns
    assert [int(row.split()[3]) for row in rows] == [turn.left for turn in turns] == [252, 1]
