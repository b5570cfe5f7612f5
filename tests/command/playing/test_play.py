"""The commands `play` and `hide`: a person guesses, without a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from guessbook.book import WordGame
from tests.helpers.command import Run
from tests.helpers.plain import plain_book


@pytest.mark.parametrize("command", [["solve"], ["play"], ["hide"], ["solve", "--boards", "2"]])
def test_end_of_input_stops_quietly(run: Run, command: list[str]) -> None:
    """Ctrl-D at the first prompt and at a later one ends the command with exit code 0."""
    for lines in ("", "RYGB=1,1\n"):
        code, out, err = run(*command, lines=lines)
        assert (code, err) == (0, "")
        assert out.endswith("\n")


def test_play_to_the_end(run: Run) -> None:
    """A person guesses, gets hints, and at the end a review and a grid to share."""
    typed = "rygb\n?\n:list\n:nonsense\nfoo\n\npyro\n"
    code, out, err = run("play", "--secret", "PYRO", lines=typed)
    assert (code, err) == (0, "")
    assert "  1  R Y G B  ●○··  1,1   252 left" in out
    assert "Hint: RGOP" in out
    assert "PYRO is the secret. Solved in 2 guesses." in out
    assert "skill 100" in out
    assert out.endswith("Guessbook mastermind-4x6 2 guesses\n\n●○··\n●●●●\n")


def test_play_forgives_a_forgotten_colon(run: Run) -> None:
    """A command without its colon is done where the word is no guess, and guessed where it is."""
    code, out, _ = run("play", "--secret", "PYRO", lines="help\nhint\nlist\n:hint\n:help\nquit\n")
    assert code == 0
    assert out.count("Hint: RYGB") == 2
    assert out.count(":give-up  the secret") == 2
    assert "1,296 possible:" in out
    assert "Found" not in out
    plain_book(WordGame(["quit", "list", "word"])).save(Path("four.book"))
    out = run("play", "four.book", "--secret", "word", lines="quit\nlist\n:q\n")[1]
    assert "  2  L I S T" in out


@pytest.mark.parametrize(
    ("book", "said"),
    [
        ("mastermind-4x6", "symbols may repeat"),
        ("mastermind-4x6", "black,white: 1,2 means 1 symbol in its place and 2 elsewhere"),
        ("bulls-and-cows-4x10", "no symbol occurs twice"),
        ("bulls-and-cows-4x10", "bulls,cows: 1,2 means 1 symbol in its place and 2 elsewhere"),
    ],
)
def test_the_rules_are_those_of_the_game(run: Run, book: str, said: str) -> None:
    """A game starts with its rules in its own words: pegs, or bulls and cows."""
    assert said in " ".join(run("play", book)[1].split())
    if "," in said:
        assert said in " ".join(run("solve", book)[1].split())


def test_play_gives_up_and_shows_what_is_possible(run: Run, words: str) -> None:
    """Giving up shows the secret; what is possible is listed if asked for; letters are kept."""
    code, out, _ = run(
        "play", words, "--secret", "night", "--show-possible", lines="geese\n:give-up\n"
    )
    assert code == 0
    assert "4 possible:" in out
    assert "not in it  E G S" not in out, "g is elsewhere in night"
    assert "elsewhere  G" in out
    assert "The secret is night." in out
    assert "not solved" in out


def test_the_same_seed_is_the_same_secret(run: Run) -> None:
    """A seeded game can be played again."""
    outs = [run("play", "--random-seed", "4", lines=":give-up\n")[1] for _ in range(2)]
    assert outs[0] == outs[1]
    assert "The secret is" in outs[0]


def test_hide(run: Run) -> None:
    """The adversary keeps as many open as it can, and is found in the end."""
    code, out, _ = run("hide", lines="RRYY\n?\n:quit\n")
    assert code == 0
    assert "  1  R R Y Y  ○···  0,1   256 left" in out
    code, out, _ = run("hide", lines="RRYY\nRRRR\nYYYY\n:give-up\n")
    secret = out.partition("There was no secret; ")[2][:4]
    rows = re.findall(r"^  (\d)  (. . . .)  \S+  (\d,\d)", out, re.MULTILINE)
    answers = {number: f"{code.replace(' ', '')}={feedback}" for number, code, feedback in rows}
    assert len(answers) == 3
    reviewed = run("review", *answers.values(), "--secret", secret)
    assert reviewed[0] == 0, "what is confessed fits all answers"
