"""The last candidate: each command names the list in which it is the only one that fits."""

from __future__ import annotations

import pytest

import guessbook as gb
from tests.helpers.command import Run

# If the word is wight, then after the guesses tiger and light only one secret fits, night. Three
# other guesses fit as well: wight, sight and fight.
GAME = gb.WordGame(["tiger", "light", "night", "geese"], ["sight", "wight", "fight"])
FITS = "night, the only one of the 4 likely answers that fits; "


@pytest.mark.parametrize(
    ("guesses", "secret", "only"),
    [
        ("tiger light", "wight", FITS + "3 other words fit, too"),
        ("tiger light sight wight", "night", FITS + "1 other word fits, too"),
        ("tiger light sight wight fight", "night", FITS + "no other word fits"),
        ("tiger light night fight sight", "wight", "wight, the only guess in the list"),
    ],
)
def test_commands_say_whether_the_last_candidate_is_a_secret_or_only_a_guess(
    run: Run, guesses: str, secret: str, only: str
) -> None:
    gb.build(GAME).save("words.book")
    typed = "".join(f"{guess}\n" for guess in guesses.split())
    history = [f"{guess}={GAME.feedback(guess, secret)}" for guess in guesses.split()]
    boards = "".join(f"{entry}\n" * 2 for entry in history)
    secrets = ["--secret", secret]
    word, _, what = only.partition(", ")
    for result in (
        run("hint", "words.book", *history),
        run("solve", "words.book", *history, lines="quit\n"),
        run("solve", "words.book", "--boards", 2, lines=boards),
        run("play", "words.book", *secrets, lines=f"{typed}?\n"),
        run("play", "words.book", *secrets, *secrets, lines=f"{typed}?\n"),
    ):
        shown = " ".join(result.out.split())
        assert what in shown
        assert word in shown.partition(what)[0]
        assert "certain" not in shown


def test_last_candidate_of_a_code_game_is_certain(run: Run) -> None:
    for result in (run("hint", "RRYY=0,4"), run("solve", "RRYY=0,4", lines="quit\n")):
        assert "certain, the only secret that fits" in result.out
