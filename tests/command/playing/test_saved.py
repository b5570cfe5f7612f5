"""Games that are left and taken up again, and what `play` says of repeats and undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from guessbook.builder import build_strategy
from guessbook.lookup import open_book
from tests.helpers.command import Run, complaint
from tests.helpers.samples import WORD_GAME
from tests.helpers.tables import LAMP


def test_solve_is_taken_up_again(run: Run) -> None:
    """After each answer the file has all rows, those set aside and refused words included."""
    open_book(build_strategy(WORD_GAME)).save("words.book")
    solve = ["solve", "words.book", "--save", "game.txt"]
    run(*solve, lines="sleet=00002\nno might\nnight=02222\naside 1\n")
    text = Path("game.txt").read_text("utf-8")
    again = run(*solve).out
    assert "  1  S L E E T" in again
    assert "set aside" in again
    assert "  2  N I G H T" in again
    assert Path("game.txt").read_text("utf-8") == text
    assert text.splitlines()[0] == f"# Guessbook game of {WORD_GAME.name}"
    assert text.splitlines()[2:] == ["# aside sleet=00002", "night=02222"]
    refused = text.splitlines()[1].removeprefix("# refused ")
    assert refused in WORD_GAME.guesses
    assert f"\n{refused}: " not in again
    hint = run("hint", "words.book", "game.txt").out.splitlines()
    assert hint[1] == "candidates  3 of 8"
    assert f"\n{hint[0].split()[1].rstrip(',')}: 1.58 bits expected, 3 possible" in again
    run(*solve, lines="undo\n")
    assert "night" not in Path("game.txt").read_text("utf-8")


def test_play_is_taken_up_again(run: Run) -> None:
    """The secret stays the same, and is not to be read in the file; a finished game is over."""
    play = ["play", "--save", "game.txt"]
    run(*play, "--secret", "PYRO", lines="rygb\n")
    assert "PYRO" not in Path("game.txt").read_text("utf-8")
    out = run(*play, lines="pyro\n").out
    assert "  1  R Y G B" in out
    assert "guess 2> pyro" in out
    assert "Solved in 2 guesses" in out
    assert run("review", "game.txt").out == run("review", "RYGB=1,1", "PYRO=4,0").out
    assert "found a finished game" in complaint(run(*play), 2)
    run("play", "--save", "limit.txt", lines="rygb\n")
    over = run("play", "--save", "limit.txt", "--max-guesses", 1)
    assert "found a finished game" in complaint(over, 2)


@pytest.mark.parametrize(
    ("limit", "typed"), [((), ["rygb", ":give-up"]), (("--max-guesses", 2), ["rygb", "rygb"])]
)
def test_a_lost_game_is_over(run: Run, limit: list[object], typed: list[str]) -> None:
    """Whoever was told the secret cannot go on; the history can still be read."""
    play = ["play", "--save", "game.txt"]
    lines = "".join([f"{line}\n" for line in typed])
    assert "The secret is PYRO" in run(*play, *limit, "--secret", "PYRO", lines=lines).out
    for again in ([*play, *limit], play):
        assert "found a finished game" in complaint(run(*again), 2)
    told = run("hint", "game.txt")
    assert told.out == run("hint", "RYGB=1,1").out


def test_labels_are_saved(run: Run) -> None:
    """Labels with blanks and equals signs are read as they were."""
    open_book(build_strategy(LAMP)).save("lamp.book")
    play = ["play", "lamp.book", "--save", "lamp.txt"]
    run(*play, "--secret", "schwarzer Löwe 🦁", lines="bridge = wire\n")
    assert "schwarzer" not in Path("lamp.txt").read_text("utf-8")
    assert "Solved in 2 guesses" in run(*play, lines="schwarzer Löwe 🦁\n").out
    assert run("hint", "lamp.txt", "--book", "lamp.book").out.endswith("this is the secret\n")


def test_other_symbols_are_another_game(run: Run) -> None:
    """A game with colours of its own is never read with the usual ones: they are other codes."""
    run("build-book", "--symbols", "red,blue,green,white,yellow,black", "-o", "box.book")
    run("solve", "box.book", "--save", "box.txt", lines="red red blue blue=1,1\n")
    assert run("hint", "box.book", "box.txt").out == run("hint", "box.book", "RRBB=1,1").out
    said = (
        "found a saved game of mastermind-4x6 of RBGWYK in box.txt, expected mastermind-4x6; name a"
    )
    assert said in complaint(run("hint", "box.txt"), 2)
    assert said in complaint(run("play", "--save", "box.txt"), 2)


DAMAGED = {
    "nothing": ("", "is not a saved game"),
    "a book": ("\x93NUMPY", "is not a saved game"),
    "another game": (
        "# Guessbook game of bagels\n",
        "found a saved game of bagels in x.txt, expected",
    ),
    "a wrong row": ("# Guessbook game of mastermind-4x6\n\nRYGX=1,1\n", "x.txt, line 3: found 'X'"),
    "half a row": ("# Guessbook game of mastermind-4x6\nRYGB\n", "x.txt, line 2: found 'RYGB'"),
    "a secret": (
        "# Guessbook game of mastermind-4x6\n# secret ?\n",
        "line 2: found the secret '?', expected",
    ),
    "a refused code": ("# Guessbook game of mastermind-4x6\n# refused RYGB\n", "every code"),
    "a lie": (
        "# Guessbook game of mastermind-4x6\n# secret UFlSTw==\nRYGB=0,1\n",
        "RYGB=0,1 in x.txt, but the file's secret gives other feedback",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_refused(run: Run, name: str) -> None:
    """It is said in a line what is wrong, and the file stays as it is."""
    text, said = DAMAGED[name]
    Path("x.txt").write_text(text, "latin-1")
    assert said in complaint(run("play", "--save", "x.txt"), 2)
    assert Path("x.txt").read_text("latin-1") == text


def test_what_cannot_be_saved(run: Run) -> None:
    """Several boards, two histories, the other command's game, another secret, no such folder."""
    run("solve", "--save", "solve.txt", lines="1,1\n")
    run("play", "--save", "play.txt", "--secret", "PYRO", lines="rygb\n")
    for command, said in (
        (["solve", "--boards", 2, "--save", "x"], "expected one board"),
        (["play", "--boards", 2, "--save", "x"], "expected one board"),
        (["solve", "--save", "-"], "expected a file"),
        (
            ["solve", "RYGB=1,1", "--save", "solve.txt"],
            "a history as argument, and a game in solve.txt",
        ),
        (["play", "--save", "solve.txt"], "without a secret in solve.txt"),
        (["solve", "--save", "play.txt"], "a game of `play` in play.txt"),
        (["play", "--save", "play.txt", "--secret", "RRRR"], "another secret in play.txt"),
        (
            ["hint", "mastermind-5x8", "solve.txt"],
            "found a saved game of mastermind-4x6 in solve.txt",
        ),
        (["hint", "bagels=x", "solve.txt"], "found"),
    ):
        assert said in complaint(run(*command), 2), command
    result = run("solve", "--save", "none/x.txt")
    assert "cannot write none/x.txt" in result.err
    assert not Path("x").exists()


def test_play_remarks_repeats_and_refuses_undo(run: Run) -> None:
    """A guess that was made is made again, and that is said; an answer cannot be unseen."""
    out = run("play", "--secret", "PYRO", lines="rygb\nyyyy\nRYGB\nundo\n:undo\n").out
    assert out.count("You made this guess before, as guess 1: it tells nothing new.") == 1
    assert out.count("Found `undo`, but this game has no undo; type another guess.") == 2
    out = run("play", "--secret", "PYRO", "--secret", "RRRR", lines="rrrr\nrrrr\n").out
    assert "as guess 1" in out


def test_a_saved_game_of_words_needs_its_book(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The book is named or usual; without one the complaint says which game the file is of."""
    Path("list").write_text("light\nnight\nmight\nsight\n")
    assert run("build-book", "--answers", "list", "-o", "w.book").code == 0
    assert run("solve", "w.book", "--save", "s.txt", lines="light=02222\nquit\n").code == 0
    assert "expected mastermind-4x6; name a book of the saved game" in complaint(
        run("hint", "s.txt"), 2
    )
    named = run("hint", "w.book", "s.txt")
    monkeypatch.setenv("GUESSBOOK_BOOK", "w.book")
    assert run("hint", "s.txt") == named
    assert named.code == 0
