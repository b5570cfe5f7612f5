"""Hard mode in play: a guess that does not use what the answers showed is rejected or marked."""

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


@pytest.fixture
def books(run: Run) -> None:
    """A book with hard mode and one without."""
    BOOK.save("hard.book")
    gb.build(WORD_GAME).save("plain.book")


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
def test_broken_rule_is_named(entry: str, word: str, rule: str) -> None:
    session = gb.Session(BOOK, entry)
    assert session.hard
    assert session.broken(word.upper()) == rule
    if session.remaining:
        assert session.rate(word).breaks == session.explain(word).breaks == rule
    rollout = gb.Session(WORD_GAME, entry, "rollout:base=entropy,width=2,hard_mode")
    assert rollout.broken(word) == rule
    plain = gb.Session(WORD_GAME, entry)
    assert (plain.hard, plain.broken(word)) == (False, "")
    assert not gb.Session("mastermind-4x6").hard


def allowed(word: str, history: Entries) -> bool:
    """Whether a word keeps letters in their places, and has every shown letter as often."""
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
def test_word_that_uses_all_shown_letters_is_allowed(
    secret: str, word: str, tried: list[str]
) -> None:
    history = answers(WORD_GAME, tried, secret)
    session = gb.Session(BOOK, history)
    assert (session.broken(word) == "") == allowed(word, history)
    assert not session.broken(secret)
    hint = session.hint()
    assert hint.solved or allowed(hint.guess, history)
    for other in session.explain(count=20).alternatives:
        assert allowed(other.guess, history)


@pytest.mark.usefixtures("books")
def test_commands_mark_a_guess_that_breaks_hard_mode(run: Run) -> None:
    said = run("explain", "hard.book", "light=02222", "other").out.splitlines()
    assert f"breaks hard mode: {RULE}" in said
    rated = run("rate", "hard.book", "light=02222", "other").out
    assert f"breaks    hard mode: {RULE}" in rated
    # Skill and rank compare it with guesses that are allowed.
    assert "skill" not in rated
    assert "rank" not in rated
    assert "skill" in run("rate", "plain.book", "light=02222", "other").out


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize("command", [["play", "--secret", "night"], ["hide"]], ids=["play", "hide"])
def test_play_rejects_a_guess_that_breaks_hard_mode(command: list[str], run: Run) -> None:
    name, *rest = command
    for book, rejected in (("hard.book", True), ("plain.book", False)):
        said = " ".join(run(name, book, *rest, lines="eight\nteeth\n:quit\n").out.split())
        assert ("Found teeth, which breaks hard mode:" in said) == rejected
        assert ("Hard mode: a guess has to use" in said) == rejected
        assert ("guess 3> :quit" in said) != rejected


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize(
    ("command", "lines", "marked"),
    [
        (
            ["play", "--secret", "geese", "--secret", "light"],
            "eight\nother\n:quit\n",
            "other breaks hard mode: on board 1 it needs the letter 'g'; on board 2 letter 2 has",
        ),
        (
            ["solve", "--boards", "2"],
            "eight=02222 10100\nother 00101 00001\nquit\n",
            "other breaks hard mode: on board 1 letter 2 has to be 'i'; on board 2 it needs",
        ),
        (["solve", "eight=02222"], "other=00101\nquit\n", f"other breaks hard mode: {RULE}."),
    ],
)
def test_guess_of_another_game_or_board_is_taken_and_marked(
    command: list[str], lines: str, marked: str, run: Run
) -> None:
    name, *rest = command
    for book, expected in (("hard.book", True), ("plain.book", False)):
        said = " ".join(run(name, book, *rest, lines=lines).out.split())
        assert (marked in said) == expected
        assert ("breaks hard mode" in said) == expected
