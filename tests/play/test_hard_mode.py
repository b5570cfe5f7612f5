"""Hard mode in play: what breaks its rule is refused or marked, and the letter is named."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import WordGame, parse_history
from guessbook.builder import build_strategy
from guessbook.play import Session
from guessbook.play.boards import Boards
from guessbook.play.codemaker import Adversary, Codemaker, Opponent
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.play import Player
from guessbook.play.terminal.report import explanation_lines, rating_lines
from guessbook.play.terminal.solve import SolveAssistant
from guessbook.play.terminal.solve_boards import BoardsAssistant
from guessbook.policy.reference import broken_hint, keeps_hints

WORDS = ["light", "eight", "night", "tiger", "geese", "sleet", "their", "other", "elite", "hinge"]
GAME = WordGame(WORDS, [*WORDS, "eerie", "teeth", "moons"])
HARD: dict[str, object] = {"name": "entropy", "hard_mode": True}


@pytest.mark.parametrize(
    ("entry", "word", "broken"),
    [
        ("light=02222", "other", "letter 2 has to be 'i'"),
        ("geese=01000", "light", "it needs the letter 'e'"),
        ("geese=01020", "tiger", "letter 4 has to be 's'"),
        ("geese=01001", "tiger", "it needs the letter 'e' 2 times"),
        ("geese=01001", "elite", ""),
        ("light=00000", "light", ""),
    ],
)
def test_what_a_word_lacks_is_named(entry: str, word: str, broken: str) -> None:
    """A letter in its place has to stay, one that was shown has to be there, as often."""
    assert broken_hint(GAME, word, parse_history(GAME, entry)) == broken


@given(st.data())
def test_a_word_that_lacks_nothing_is_allowed(data: st.DataObject) -> None:
    """Whatever may be the secret is allowed, and the reason is empty only where all is well."""
    secret, word = (data.draw(st.sampled_from(words)) for words in (WORDS, GAME.guesses))
    tried = data.draw(st.lists(st.sampled_from(GAME.guesses), max_size=3))
    history = [(GAME.parse_code(g), GAME.feedback_number(g, secret)) for g in tried]
    assert broken_hint(GAME, secret, history) == ""
    assert keeps_hints(GAME, word, history) == (broken_hint(GAME, word, history) == "")


def test_a_session_knows_the_rule_of_its_book() -> None:
    """A hard book, or policy, has the rule; others have none; any guess may be looked at."""
    hard, plain = (Session(build_strategy(GAME, p), ["light=02222"]) for p in (HARD, "entropy"))
    assert hard.hard
    assert not plain.hard
    assert not Session("mastermind-4x6").hard
    assert hard.broken("OTHER") == hard.rate("other").breaks == "letter 2 has to be 'i'"
    assert hard.explain("other").breaks == "letter 2 has to be 'i'"
    assert f"breaks hard mode: {hard.broken('other')}" in explanation_lines(
        hard.explain("other"), 80, GAME
    )
    rated = dict(line.split(None, 1) for line in rating_lines(hard.rate("other"), GAME)[1:])
    assert rated.pop("breaks") == "hard mode: letter 2 has to be 'i'"
    assert not {"skill", "rank"} & rated.keys()  # these compare it with guesses that are allowed
    assert hard.broken("zizgh") == "letter 3 has to be 'g'"
    assert plain.broken("other") == plain.rate("other").breaks == ""
    rollout = {"name": "rollout", "base": "entropy", "width": 2, "hard_mode": True}
    assert Session(GAME, ["light=02222"], rollout).broken("other")


@pytest.mark.parametrize("opponent", [Codemaker(GAME, "night"), Adversary(GAME)])
def test_play_refuses_what_breaks_it(
    opponent: Opponent, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The guess is not made; the same game without the rule takes it."""
    for policy, refused in ((HARD, True), ("entropy", False)):
        session = Session(GAME, ["eight=02222"], policy)
        monkeypatch.setattr(sys, "stdin", io.StringIO("moons\n:quit\n"))
        Player(session, [opponent], Screen()).play()
        said = capsys.readouterr().out
        assert (
            "Found moons, which breaks hard mode: letter 2 has to be 'i'; make another guess."
            in said
        ) == refused
        assert ("Hard mode:" in said) == refused
        assert len(session.rows) == (1 if refused else 2)


def test_play_marks_what_breaks_it_on_several_boards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What one board shows another may forbid: a guess is made, and said where it breaks it."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("eight\nmoons\n:quit\n"))
    codemakers = [Codemaker(GAME, secret) for secret in ("geese", "light")]
    Player(Session(GAME, policy=HARD), codemakers, Screen()).play()
    said = " ".join(capsys.readouterr().out.split())
    assert "What breaks it on one of the boards is made, and marked." in said
    assert said.count("breaks hard mode:") == 1
    assert "moons breaks hard mode: on board 1 it needs the letter 'e'; on board 2 letter 2" in said


def test_solve_marks_what_breaks_it_on_several_boards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A guess, proposed or not, is taken, and the boards are named where it breaks the rule."""
    for policy, marked in ((HARD, True), ("entropy", False)):
        typed = "eight=02222 10100\nmoons 00000 00001\nquit\n"
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        boards = Boards(Session(GAME, policy=policy), 2)
        BoardsAssistant(boards, Screen()).play()
        said = " ".join(capsys.readouterr().out.split())
        lacks = "on board 1 letter 2 has to be 'i'; on board 2 it needs the letter 'e'."
        assert (f"moons breaks hard mode: {lacks}" in said) == marked
        proposed = said.partition("Guess 2: ")[2].split(":")[0].split()[-1]
        assert (f"{proposed} breaks hard mode" in said) == bool(boards_broken(policy, proposed))


def boards_broken(policy: dict[str, object] | str, guess: str) -> bool:
    """Whether a guess breaks the rule on a board, after one guess."""
    boards = Boards(Session(GAME, policy=policy), 2)
    boards.add_guess("eight", ["02222", "10100"])
    return bool(boards.broken(guess))


def test_solve_marks_what_breaks_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The guess was made in another game, so it counts; that it breaks the rule is said."""
    session = Session(GAME, ["eight=02222"], HARD)
    monkeypatch.setattr(sys, "stdin", io.StringIO("moons=00010\nquit\n"))
    SolveAssistant(session, Screen()).play()
    assert "moons breaks hard mode: letter 2 has to be 'i'." in capsys.readouterr().out
    assert session.remaining == 1
