"""Reviews of long games: the work grows with the rows, and each row is judged as by itself."""

from __future__ import annotations

import sys
from itertools import cycle, islice
from random import Random
from types import FrameType

import pytest

from guessbook.book import Mastermind, TableGame, UsageError, WordGame
from guessbook.book.games.game import Game
from guessbook.play import Session
from tests.helpers.samples import WORDS

GAME = WordGame(WORDS[:8], WORDS)
HARD = {"name": "entropy", "hard_mode": True}
LISTS = WordGame(
    ["light", "eight", "night", "tiger", "geese", "sleet", "their", "other"],
    ["sight", "wight", "fight", "eerie", "teeth"],
)


def answered(game: Game, guesses: list[str], secret: str) -> list[tuple[str, str]]:
    """The history of some guesses to a secret, whatever the lists of the game have."""
    return [(guess, str(game.feedback(guess, secret))) for guess in guesses]


def calls(session: Session) -> int:
    """How many functions are called for a review, those in C included."""
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal made
        made += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        session.review()
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.parametrize(
    ("game", "policy", "guesses", "secret"),
    [
        (Mastermind(3, 4), "entropy", ["RRY"], "BBG"),
        (Mastermind(3, 4), "entropy", ["RRY", "YRR", "GGB", "RYR"], "BBG"),
        (GAME, HARD, ["eerie", "sleet", "geese"], "night"),
        (GAME, HARD, ["light", "might", "tiger", "zghtl"], "night"),
    ],
)
def test_a_review_takes_work_that_grows_with_the_rows(
    game: Game, policy: str | dict[str, object], guesses: list[str], secret: str
) -> None:
    """Twice the rows are at most twice the calls, give or take what a game takes that has few."""
    made = []
    for rows in (1, 100, 200, 400):  # what the first one loads is not counted
        played = list(islice(cycle(answered(game, guesses, secret)), rows))
        made.append(calls(Session(game, played, policy)))
    assert made[3] - made[2] < 2.2 * (made[2] - made[1])


def test_a_secret_that_does_not_fit_names_the_row() -> None:
    """Rows are counted as the session has them, set aside or not, contradictory or not."""
    session = Session("mastermind-4x6", "RYGB=1,1 RGOP=0,2 PYYG=2,1")
    with pytest.raises(
        UsageError, match=r"YPGO, .* fit row 2, RGOP=0,2: the secret's feedback is 0,3; row 3, PYYG"
    ):
        session.review("YPGO")
    session.set_aside(0)
    with pytest.raises(
        UsageError, match=r"RYGB, .* fit row 2, RGOP=0,2: the secret's feedback is 1,1; row 3, PYYG"
    ):
        session.review("RYGB")
    with pytest.raises(
        UsageError, match=r"fit row 2, RYGB=1,2: the secret's feedback is 1,1; correct"
    ):
        Session("mastermind-4x6", "RYGB=1,1 RYGB=1,2").review("PYRO")
    for game, entry in (
        (WordGame(["light", "eight"], ["fight"]), "light=02222"),
        (TableGame(["fight"], "ab", ["xy"]), "fight=x"),
    ):
        with pytest.raises(UsageError, match="fight, but this game allows it only as a guess"):
            Session(game, entry).review("fight")


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize(
    ("game", "policy"),
    [(Mastermind(3, 4), "entropy"), (Mastermind(3, 4), "parts"), (GAME, HARD), (LISTS, "entropy")],
)
def test_each_row_is_judged_as_by_itself(
    game: Game, policy: str | dict[str, object], number: int
) -> None:
    """Among the candidates before it, against the best guess that is allowed there."""
    chance = Random(number)
    secret, *guesses = [chance.choice(game.guesses) for _ in range(9)]
    guesses = guesses[: [*guesses, secret].index(secret) + 1]
    rows = answered(game, guesses, secret)
    session = Session(game, rows, policy)
    for k, turn in enumerate(session.review().turns):
        before = Session(game, rows[:k], policy)
        if rows[k][1] not in {cell.feedback for cell in before.explain(turn.guess).partition}:
            continue  # what follows was sought among all guesses
        rated = before.rate(turn.guess)
        assert (turn.remaining, turn.entropy, turn.skill) == (
            before.remaining,
            rated.entropy,
            rated.skill,
        )
        assert turn.best_entropy == rated.best_entropy
        assert not before.broken(turn.best)
        after = Session(game, rows[: k + 1], policy)
        assert turn.left == after.remaining or after.among_guesses
