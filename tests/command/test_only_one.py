"""The last candidate: what it is the only one of, in every command that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from guessbook.book import WordGame
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

# Of the secrets night alone fits the answers of wight; of all guesses wight, sight and fight do.
GAME = WordGame(["tiger", "light", "night", "geese"], ["sight", "wight", "fight"])


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of words, some of which may be guessed and are never the secret."""
    path = tmp_path / "words.book"
    plain_book(GAME).save(path)
    return path


def said(game: WordGame, guesses: list[str], secret: str) -> list[str]:
    """The history of some guesses to a secret."""
    return [f"{guess}={game.feedback(guess, secret)}" for guess in guesses]


@pytest.mark.parametrize(
    ("guesses", "secret", "only"),
    [
        (
            ["tiger", "light"],
            "wight",
            "night, the only one of the 4 likely answers that fits; 3 other words fit, too",
        ),
        (
            ["tiger", "light", "sight", "wight"],
            "night",
            "night, the only one of the 4 likely answers that fits; 1 other word fits, too",
        ),
        (
            ["tiger", "light", "sight", "wight", "fight"],
            "night",
            "night, the only one of the 4 likely answers that fits; no other word fits",
        ),
        (
            ["tiger", "light", "night", "fight", "sight"],
            "wight",
            "wight, the only guess in the list",
        ),
    ],
)
def test_words_say_of_which_list(
    run: Run, book: Path, guesses: list[str], secret: str, only: str
) -> None:
    """A list may lack the secret: the last word of it is the only one of the list, not certain."""
    history = said(GAME, guesses, secret)
    word, _, what = only.partition(", ")
    boards = "".join([f"{entry}\n" * 2 for entry in history])
    typed = "".join([f"{guess}\n" for guess in guesses])
    for out in (
        run("hint", book, *history).out,
        run("solve", book, *history, lines="quit\n").out,
        run("solve", book, "--boards", 2, lines=boards).out,
        run("play", book, "--secret", secret, lines=f"{typed}?\n").out,
        run("play", book, "--secret", secret, "--secret", secret, lines=f"{typed}?\n").out,
    ):
        shown = " ".join(out.split())
        assert what in shown, out
        assert word in shown.partition(what)[0]
        assert "certain" not in shown


def test_codes_are_certain(run: Run) -> None:
    """Every code may be the secret, so the last one of all is certain."""
    history = ["RRYY=0,4"]
    for out in (run("hint", *history).out, run("solve", *history, lines="quit\n").out):
        assert "certain, the only secret that fits" in out
