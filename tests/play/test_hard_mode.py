"""Hard mode: guesses that break its rules are recognized and marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.hints.definitions import GUESSES, WORD_GAME, WORDS, answers

if TYPE_CHECKING:
    from tests.helpers.command import Run
    from tests.hints.definitions import Entries

HARD = {"name": "entropy", "hard_mode": True}
BOOK = gb.build(WORD_GAME, HARD)
RULE = "letter 2 has to be 'i'"


@pytest.mark.parametrize(
    ("entry", "word", "rule"),
    [
        ("light=02222", "other", RULE),
        ("light=02222", "zizgh", "letter 3 has to be 'g'"),
        ("geese=01000", "light", "it needs the letter 'e'"),
        ("geese=01020", "tiger", "letter 4 has to be 's'"),
        ("geese=01001", "tiger", "it needs the letter 'e' 2 times"),
        ("geese=01001", "elite", ""),
        ("light=00000", "light", ""),
    ],
)
def test_broken_hard_mode_rule_is_named(entry: str, word: str, rule: str) -> None:
    session = gb.Session(BOOK, entry)
    assert session.hard_mode
    assert session.broken_rule(word.upper()) == rule
    if session.remaining:
        assert session.rate(word).breaks == session.explain(word).breaks == rule
    rollout = gb.Session(WORD_GAME, entry, "rollout:base=entropy,width=2,hard_mode")
    assert rollout.broken_rule(word) == rule
    plain = gb.Session(WORD_GAME, entry)
    assert (plain.hard_mode, plain.broken_rule(word)) == (False, "")
    assert not gb.Session("mastermind-4x6").hard_mode


def allowed(word: str, history: Entries) -> bool:
    """Whether a word keeps green letters in place, and has every shown letter as often as shown."""
    for guess, marks in history:
        pairs = list(zip(guess, marks, strict=True))
        if any(mark == "2" and word[k] != letter for k, (letter, mark) in enumerate(pairs)):
            return False
        for letter in guess:
            if word.count(letter) < sum(g == letter and mark != "0" for g, mark in pairs):
                return False
    return True


@given(
    st.sampled_from(WORDS),
    st.sampled_from(GUESSES),
    st.lists(st.sampled_from(GUESSES), max_size=3),
)
def test_hard_mode_allows_exactly_words_that_use_all_clues(
    secret: str, word: str, tried: list[str]
) -> None:
    history = answers(WORD_GAME, tried, secret)
    session = gb.Session(BOOK, history)
    assert (session.broken_rule(word) == "") == allowed(word, history)
    assert not session.broken_rule(secret)
    hint = session.hint()
    assert hint.solved or allowed(hint.guess, history)
    for other in session.explain(count=20).alternatives:
        assert allowed(other.guess, history)


def test_commands_mark_guess_that_breaks_hard_mode(run: Run) -> None:
    BOOK.save("hard.book")
    gb.build(WORD_GAME).save("plain.book")
    said = run("explain", "hard.book", "light=02222", "other").out.splitlines()
    assert f"breaks hard mode: {RULE}" in said
    rated = run("rate", "hard.book", "light=02222", "other").out
    assert f"breaks    hard mode: {RULE}" in rated
    # Skill and rank exist only for allowed guesses.
    assert "skill" not in rated
    assert "rank" not in rated
    assert "skill" in run("rate", "plain.book", "light=02222", "other").out


def test_boards_name_hard_mode_rules_that_guess_breaks() -> None:
    boards = gb.Boards(BOOK, 3)
    boards.add_guess("eight", ["02222", "10100", "22222"])
    assert boards.broken_rules("teeth") == {0: RULE, 1: "it needs the letter 'g'"}
    assert not gb.Boards(WORD_GAME, 3).broken_rules("teeth")
