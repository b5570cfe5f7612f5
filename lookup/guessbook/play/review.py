"""Reviewing a game: what each guess was worth, and how lucky its feedback was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import UsageError
from guessbook.play.analysis import Analysis, surprise
from guessbook.play.rate import luck, skill
from guessbook.play.rows import check_order

if TYPE_CHECKING:
    from guessbook.play.session import Session


class ReviewedTurn(NamedTuple):
    """One guess of a game, looked at afterwards; docs/playing.md has the definitions.

    Attributes:
        guess: the guess.
        feedback: as people write it.
        before: how many candidates there were.
        remaining: how many it left; 1 if it solved the game.
        entropy: the information that its feedback was expected to give.
        bits: the information that the feedback gave: log2(before / remaining).
        best: the guess of the policy `entropy`, the yardstick.
        best_entropy: the information that its feedback was expected to give.
        skill: 0 to 100; 100 is as good as the best.
        luck: 0 to 100; 50 is neither lucky nor unlucky.
    """

    guess: str
    feedback: str
    before: int
    remaining: int
    entropy: float
    bits: float
    best: str
    best_entropy: float
    skill: int
    luck: int


class Review(NamedTuple):
    """A game, finished or not.

    Attributes:
        turns: its guesses, in their order.
        solved: whether the last one was the secret.
        remaining: how many candidates are left.
        skill: the mean of the guesses' skill, 0 to 100.
        luck: the mean of the guesses' luck, 0 to 100.
        secret: the secret, if it is known by now.
        line: the (guess, feedback) pairs that the policy would have played against that secret;
            empty if the secret is not known.
    """

    turns: list[ReviewedTurn]
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
    turns = [_reviewed(session, k) for k in range(len(session.history))]
    n = len(turns)
    return Review(
        turns,
        session.solved,
        len(left),
        round(sum(turn.skill for turn in turns) / n),
        round(sum(turn.luck for turn in turns) / n),
        secret,
        _line(session, secret) if secret else [],
    )


def _reviewed(session: Session, number: int) -> ReviewedTurn:
    before = Analysis(session.known, session.pairs[:number])
    guess, feedback = session.history[number]
    came = session.game.parse_feedback(feedback)
    if came not in before.answers(guess):  # what follows was sought among all guesses
        before = Analysis(session.analysis().game, session.pairs[:number])
    weights = before.counted(guess)
    own = before.split(guess)
    best = session.best(session.history[:number])
    top = before.split(best)
    return ReviewedTurn(
        guess,
        feedback,
        len(before.candidates),
        before.answers(guess).count(came),
        own.entropy,
        surprise(weights[came], before.weight),
        best,
        top.entropy,
        skill(before, guess, own, best, top),
        luck(weights, came, session.game.solved),
    )


def _line(session: Session, secret: str) -> list[tuple[str, str]]:
    """The (guess, feedback) pairs that the policy plays against a secret, from the start."""
    played = session.fresh()
    while not (played.rows and played.suggest().solved):
        guess = played.suggest().guess
        played.answer(guess, played.game.format_feedback(played.game.feedback(guess, secret)))
    return played.history
