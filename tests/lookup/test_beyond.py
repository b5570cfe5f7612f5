"""Beyond the lists: guesses that they lack, and secrets that are only in that of guesses."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from guessbook.book import InconsistentFeedbackError, InvalidCodeError, Mastermind, WordGame
from guessbook.book.games.beyond import among_guesses, listed_guesses, read_history, text_of
from guessbook.builder import build_strategy, fitting
from guessbook.lookup import live, open_book
from guessbook.lookup.hint import Hint, hint_for
from guessbook.policy.notation import policy_of
from guessbook.policy.one_step import OneStep, allowed_indices, best_guess
from guessbook.policy.reference import consistent
from tests.helpers.plain import without_engine

SECRETS = ["light", "eight", "night", "tiger", "geese", "sleet", "their", "other", "elite", "hinge"]
OTHERS = ["thing", "eerie", "toner", "teeth", "sight", "fight", "might", "wight", "refer", "those"]
GAME = WordGame(SECRETS, SECRETS + OTHERS)
LETTERS = "eghilnorstz"
words = st.text(LETTERS, min_size=5, max_size=5)


def played(guesses: list[str], secret: str) -> list[str]:
    """A history of these guesses, whatever the list has."""
    return [f"{g}={GAME.feedback(g, secret)}" for g in guesses]


@given(st.lists(words, max_size=3, unique=True), st.sampled_from(SECRETS))
def test_an_answer_counts_whatever_the_list_has(guesses: list[str], secret: str) -> None:
    """The candidates are the secrets that answer so, by the definition of an answer."""
    known, pairs = read_history(GAME, played(guesses, secret))
    assert known.guesses[: len(GAME.guesses)] == GAME.guesses
    assert listed_guesses(known) == listed_guesses(GAME) == range(len(GAME.guesses))
    assert known.secrets == GAME.secrets
    said = played(guesses, secret)
    assert consistent(known, pairs) == [s for s in SECRETS if played(guesses, s) == said]
    assert [GAME.secrets[k] for k in fitting(GAME, said)] == consistent(known, pairs)


POLICIES: list[str | dict[str, object]] = [
    "entropy",
    "minimax",
    {"name": "entropy", "hard_mode": True},
]


@pytest.mark.parametrize("engine", [True, False])
@given(st.lists(words, min_size=1, max_size=2, unique=True), st.sampled_from(SECRETS), st.data())
def test_hints_stay_words_of_the_list(
    engine: bool, guesses: list[str], secret: str, data: st.DataObject
) -> None:
    """The best word of the list by the definition, by the engine and in plain Python."""
    described = data.draw(st.sampled_from(POLICIES))
    rule = policy_of(described)
    assert isinstance(rule, OneStep)
    known, pairs = read_history(GAME, played(guesses, secret))
    candidates = consistent(known, pairs)
    some = allowed_indices(known, rule, pairs, candidates) or listed_guesses(GAME)
    with pytest.MonkeyPatch.context() as patch, nullcontext() if engine else without_engine():
        patch.setattr(live, "SOME_FEEDBACKS", -1 if engine else live.SOME_FEEDBACKS)
        hint = hint_for(GAME, described, played(guesses, secret))
    assert hint.guess in GAME.guesses or hint.solved
    if not hint.solved:
        assert hint.guess == GAME.guesses[best_guess(GAME, candidates, rule, some)[0]]
        assert (hint.remaining, hint.source) == (len(candidates), "live")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("zzzz=00000", "'zzzz', expected a word of 5 letters"),
        ("zzzzé=00000", "'é' in the guess 'zzzzé', but no word of this game has it"),
        ("zzz1z=00000", "'1' in the guess 'zzz1z'"),
        ("zzz z=00000", "' ' in the guess 'zzz z'"),
        ("zzzzz", "expected GUESS=FEEDBACK"),
        ((7, "00000"), "expected a word"),
    ],
)
def test_what_no_game_could_have_is_refused(entry: object, said: str) -> None:
    """Another length, letters that no word has, and what is no guess at all."""
    for history in ([entry], ["qzzzz=00000", entry]):
        with pytest.raises(InvalidCodeError, match=said):
            read_history(GAME, history)


def test_codes_have_nothing_beyond() -> None:
    """Every code of a code game is in its list, and each may be the secret."""
    game = Mastermind(3, 4)
    assert among_guesses(game) is None
    assert read_history(game, ["RYG=1,1"])[0] is game
    with pytest.raises(InvalidCodeError, match="found 'X'"):
        read_history(game, ["RYX=1,1"])
    assert among_guesses(WordGame(SECRETS)) is None


def test_a_guess_is_written_as_the_lists_write_it() -> None:
    """Capitals, and letters apart, as words of the list are read."""
    assert [text_of(GAME, code) for code in ("ZZZZZ", "z z z z z", tuple("Light"))] == [
        *("zzzzz", "zzzzz", "light")
    ]
    russian = WordGame(["кошка", "мышка"])
    assert text_of(russian, "КАШМЫ") == "кашмы"
    with pytest.raises(InvalidCodeError, match="'z' in the guess 'zошка'"):
        text_of(russian, "zошка")


@pytest.mark.parametrize("described", ["entropy", {"name": "entropy", "hard_mode": True}])
def test_every_guess_is_found_as_a_secret(described: str | dict[str, object]) -> None:
    """Where no secret fits, the words that may be guessed and fit are counted and sought."""
    book = open_book(build_strategy(GAME, described))
    for secret in OTHERS:
        history: list[str] = []
        for _ in range(12):
            hint = book.hint(history)
            fits = [w for w in GAME.guesses if played_as(history, w)]
            known = [w for w in fits if w in SECRETS]
            assert (hint.source == "guesses") == (not known)
            assert hint.remaining == len(known or fits)
            told = None if len(known) != 1 or hint.solved else len(fits) - 1
            assert hint.others == told
            if hint.solved:
                break
            history += played([hint.guess], secret)
        assert hint == Hint(secret, "guesses", 1, 0.0, True, True, 1.0)


def played_as(history: list[str], secret: str) -> bool:
    """Whether a word gives these answers."""
    return played([entry.partition("=")[0] for entry in history], secret) == history


def test_what_neither_list_fits_names_the_answers_to_re_check() -> None:
    """Of secrets if they are to blame, else of guesses."""
    history = [*played(["geese", "tiger"], "wight"), "light=00000"]
    with pytest.raises(InconsistentFeedbackError) as caught:
        hint_for(GAME, "entropy", history)
    assert caught.value.suspects == (2,)
    assert hint_for(GAME, "entropy", history[:2]).source in {"guesses", "live"}


@given(st.lists(st.sampled_from(GAME.guesses) | words, min_size=2, max_size=4, unique=True), words)
def test_suspects_by_the_rules_of_the_manual(guesses: list[str], secret: str) -> None:
    """playing.md: words are tried in two lists, and the first one that explains counts."""
    history = [*played(guesses[1:], secret), f"{guesses[0]}=00000"]
    may_be_guessed = [*GAME.guesses, *guesses]
    assume(not any(played_as(history, word) for word in may_be_guessed))
    for list_of_words in (SECRETS, may_be_guessed):
        expected = [
            k
            for k in range(len(history))
            if any(played_as(history[:k] + history[k + 1 :], word) for word in list_of_words)
        ]
        if expected:
            break
    with pytest.raises(InconsistentFeedbackError) as caught:
        hint_for(GAME, "entropy", history)
    assert caught.value.suspects == tuple(expected)


@pytest.mark.parametrize(
    ("guesses", "secret", "wrong", "suspects"),
    [
        # The secret "their" fits the second answer; only "thing", a guess, fits the first one.
        (["light"], "thing", "eight=11011", (0,)),
        # "thing" fits the first answer, "eerie" the second one: both are only guesses.
        (["light"], "thing", "eerie=22222", (0, 1)),
        # No word of either list fits the first three answers, but "zohnr" does.
        (["light", "geese", "tiger"], "zohnr", "zohnr=00000", (3,)),
        (["light", "geese", "tiger"], "zohnr", "qqqqq=00002", ()),
    ],
)
def test_where_only_guesses_fit(
    guesses: list[str], secret: str, wrong: str, suspects: tuple[int, ...]
) -> None:
    """Secrets explain before guesses of the list do, and before words that the list lacks."""
    with pytest.raises(InconsistentFeedbackError) as caught:
        hint_for(GAME, "entropy", [*played(guesses, secret), wrong])
    assert caught.value.suspects == suspects
    assert ("more than one" in str(caught.value)) == (not suspects)


def test_a_guess_that_the_list_lacks_may_be_the_secret() -> None:
    """The game said so; the other answers have to agree."""
    assert hint_for(GAME, "entropy", ["zzzzz=22222"])[:3] == ("zzzzz", "guesses", 1)
    with pytest.raises(InconsistentFeedbackError):
        hint_for(GAME, "entropy", ["zzzzz=22222", "light=22222"])
