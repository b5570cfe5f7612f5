"""Reviewing a game: what each guess was worth, and how lucky its feedback was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import UsageError
from guessbook.play.analysis import Analysis, surprise
from guessbook.play.rate import luck, score
from guessbook.play.rows import check_order

if TYPE_CHECKING:
    from guessbook.play.session import Session


class ReviewedGuess(NamedTuple):
    """One guess of a game, looked at afterwards; docs/playing.md has the definitions.

    Attributes:
        guess: the guess.
        feedback: as people write it.
        before: how many candidates there were.
        after: how many it left; 1 if it solved the game.
        expected_bits: the information that its feedback was expected to give.
        actual_bits: the information that the feedback gave: log2(before / after).
        best: the guess of the policy `entropy`, the yardstick.
        best_bits: the information that its feedback was expected to give.
        skill: the score of the guess, 0 to 100.
        luck: 0 to 100; 50 is neither lucky nor unlucky.
    """

    guess: str
    feedback: str
    before: int
    after: int
    expected_bits: float
    actual_bits: float
    best: str
    best_bits: float
    skill: int
    luck: int


class Review(NamedTuple):
    """A game, finished or not.

    Attributes:
        guesses: its guesses, in their order.
        solved: whether the last one was the secret.
        remaining: how many candidates are left.
        skill: the mean of the guesses' skill, 0 to 100.
        luck: the mean of the guesses' luck, 0 to 100.
        secret: the secret, if it is known by now.
        line: the (guess, feedback) pairs that the policy would have played against that secret;
            empty if the secret is not known.
    """

    guesses: list[ReviewedGuess]
    solved: bool
    remaining: int
    skill: int
    luck: int
    secret: str | None
    line: list[tuple[str, str]]


def review(session: Session, secret: str | None = None) -> Review:
    """The game of a session; see `Session.review`."""
    game = session.game
    check_order(game, session.history, "review")
    left = session.checked().candidates
    if secret is not None:
        secret = game.guesses[game.parse_code(secret)]
        if secret not in left:
            raise UsageError(f"found secret {secret}, which does not fit the feedbacks")
    elif len(left) == 1:
        secret = left[0]
    guesses = [_reviewed(session, k) for k in range(len(session.history))]
    n = len(guesses)
    return Review(
        guesses,
        session.solved,
        len(left),
        round(sum(guess.skill for guess in guesses) / n),
        round(sum(guess.luck for guess in guesses) / n),
        secret,
        _line(session, secret) if secret else [],
    )


def _reviewed(session: Session, number: int) -> ReviewedGuess:
    before = Analysis(session.known, session.pairs[:number])
    guess, feedback = session.history[number]
    came = session.game.parse_feedback(feedback)
    if came not in before.answers(guess):  # what follows was sought among all guesses
        before = Analysis(session.analysis().game, session.pairs[:number])
    weights = before.counted(guess)
    own = before.split(guess)
    best = session.best(session.history[:number])
    top = before.split(best)
    return ReviewedGuess(
        guess,
        feedback,
        len(before.candidates),
        before.answers(guess).count(came),
        own.bits,
        surprise(weights[came], before.weight),
        best,
        top.bits,
        score(before, guess, own, best, top),
        luck(weights, came, session.game.solved),
    )


def _line(session: Session, secret: str) -> list[tuple[str, str]]:
    """The (guess, feedback) pairs that the policy plays against a secret, from the start."""
    played = session.fresh()
    while not (played.rows and played.suggest().solved):
        guess = played.suggest().guess
        played.answer(guess, played.game.format_feedback(played.game.feedback(guess, secret)))
    return played.history
