"""Refused guesses: words that a game's own list lacks are left out, and remembered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guessbook.book import InconsistentFeedbackError, Mastermind, UsageError, WordGame
from guessbook.book.games.game import Game
from guessbook.builder import build_strategy
from guessbook.lookup import open_book
from guessbook.play import Session
from guessbook.policy.one_step import POLICIES, best_guess
from guessbook.policy.reference import consistent
from tests.helpers.command import Run
from tests.helpers.tables import LAMP

GAME = WordGame(
    ["light", "night", "might", "sight", "eight", "geese", "sleet", "tiger"],
    ["wight", "other"],
    weights=[9, 1, 4, 2, 3, 5, 8, 6],
)


@pytest.mark.parametrize("policy", ["entropy", "minimax", "entropy-corrected"])
@pytest.mark.parametrize("history", [(), ["sleet=00002"], ["geese=01000"]])
@pytest.mark.parametrize("booked", [True, False])
def test_the_next_of_the_ranking_is_suggested(
    policy: str, history: list[str], booked: bool
) -> None:
    """By the policy's definition over what is not refused: guesses, and candidates."""
    source = open_book(build_strategy(GAME, policy)) if booked else GAME
    session = Session(source, history, None if booked else policy)
    pairs = session.parsed_history
    while session.remaining > 1:
        refused = session.refuse()
        assert session.refused[-1] == refused
        left = [code for code in consistent(GAME, pairs) if code not in session.refused]
        ranked = [k for k, code in enumerate(GAME.guesses) if code not in session.refused]
        index, _ = best_guess(GAME, left, POLICIES[policy], ranked)
        hint = session.hint()
        assert session.candidates() == left
        assert (hint.guess, hint.remaining) == (GAME.guesses[index], len(left))
        assert hint.chance == session.chances().get(hint.guess, 0)
        why = session.explain(count=10)
        listed = [other.guess for other in why.alternatives]
        best = [other.guess for other in why.best_by.values()]
        assert not {*listed, *best} & {*session.refused}
        assert len(listed) == len(ranked)


def test_refused_guesses_belong_to_a_game() -> None:
    """They outlast undo and copies, and end with an answer to them or a new game."""
    session = Session(GAME)
    session.refuse("light")
    session.add_guess("sleet", "00002")
    session.undo()
    assert session.refused == session.copy().refused == ("light",)
    assert not session.fresh().refused
    twin = session.copy()
    twin.refuse("night")
    assert session.refused == ("light",)
    assert "light" not in session.candidates()
    session.add_guess("LIGHT", "22222")
    assert not session.refused
    assert session.solved


def test_what_is_left_is_not_refused() -> None:
    """The last word that fits stays; answers that leave refused ones alone are a contradiction."""
    session = Session(GAME, ["light=02222", "night=02222", "might=02222", "eight=02222"])
    session.refuse("sight")
    assert session.hint().guess == "wight"
    assert session.hint().source == "guesses"
    with pytest.raises(UsageError, match="found refused guess wight, but without it no candidate"):
        session.refuse()
    session.add_guess("other", "00110")
    with pytest.raises(InconsistentFeedbackError):
        session.hint()
    for game in (Mastermind(3, 4), Mastermind(3, 5, repeats=False)):
        with pytest.raises(UsageError, match="accepts every code"):
            Session(game).refuse()


@pytest.mark.parametrize("game", [LAMP, GAME])
def test_no_at_the_prompt(game: Game, run: Run) -> None:
    """`no` proposes another guess, of a table as well; an answer called `no` stays one."""
    open_book(build_strategy(game)).save("x.book")
    first = Session(game).hint().guess
    again = Session(game)
    again.refuse()
    out = run("solve", "x.book", lines=":no\nrows\nhelp\nquit\n").out
    assert f"{first} is left out of this game." in out
    assert f"\n{again.hint().guess}: " in out
    assert "No guesses so far." in out
    assert "does not accept" in out
    out = run("solve", "x.book", "--first-guess", game.guesses[0], lines=":no\nquit\n").out
    assert f"{game.guesses[0]} is left out" in out
    assert (" is left out" in run("solve", "x.book", lines="no\nquit\n").out) == (game is GAME)
    assert "accepts every code" in run("solve", lines="no\nquit\n").out


def test_a_row_that_is_corrected_to_a_refused_word() -> None:
    """A word that was answered after all is no longer refused."""
    session = Session(GAME)
    refused = session.refuse()
    session.add_guess("geese", "01000")
    assert session.refused == (refused,)
    session.edit(0, refused, "00000")
    assert not session.refused


def test_the_chance_to_win_is_not_told_of_other_candidates() -> None:
    """A book's chance is of all candidates, so a hint without some of them has none."""
    session = Session(open_book(build_strategy(GAME, "win:within=2")))
    assert session.hint().win is not None
    session.refuse()
    assert session.hint().win is None


@pytest.mark.parametrize("policy", ["entropy", "minimax"])
def test_no_command_recommends_a_refused_word(policy: str, run: Run) -> None:
    """Whatever reads a saved game leaves out what that game refused: guesses and candidates."""
    open_book(build_strategy(GAME, policy)).save("x.book")
    first = Session(open_book("x.book"), refused=["light"]).hint().guess
    for refused in (["light"], ["light", first, "tiger"]):
        lines = [f"# Guessbook game of {GAME.name}", *[f"# refused {word}" for word in refused]]
        Path("x.txt").write_text("\n".join([*lines, "geese=10000", ""]), "utf-8")
        session = Session(open_book("x.book"), ["geese=10000"], refused=refused)
        told = json.loads(run("hint", "x.book", "x.txt", "--json").out)
        assert told["guess"] == session.hint().guess
        assert told["remaining"] == len({"light", "night", "might"} - {*refused})
        for line in (
            ["explain"],
            ["rate", "other"],
            ["review", "--secret", session.candidates()[0]],
        ):
            command, *rest = line
            out = run(command, "x.book", "x.txt", *rest).out
            assert out
            assert not [word for word in refused if word in out], (command, out)
        assert "light" not in run("candidates", "x.book", "x.txt").out.split()
        assert "light" not in run("solve", "x.book", "x.txt", lines="list\nquit\n").out
    said = run("review", "x.book", "x.txt", "--secret", "light").err
    assert "found secret light, which was refused in this game" in said
