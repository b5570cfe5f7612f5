"""The review of a game: the skill of each guess, and the luck of its feedback."""

from typing import NamedTuple

from guessbook.book.errors import UsageError, quantity
from guessbook.book.games.beyond import never_secret, number_between
from guessbook.book.games.game import called
from guessbook.play.analysis import Analysis, analyse, split_of, surprise
from guessbook.play.position import Position
from guessbook.play.rate import luck, skill
from guessbook.play.rows import check_order
from guessbook.policy.reference import broken_hint


class ReviewedTurn(NamedTuple):
    """One guess of a reviewed game; docs/reference/ratings.md has the definitions.

    Attributes:
        guess: the guess.
        feedback: the feedback as text, such as "1,1".
        remaining: the number of candidates before the guess.
        left: the number of candidates after the feedback; 1 if the guess solved the game.
        entropy: the expected information of the feedback to the guess, in bits.
        bits: the information of the feedback, in bits: log2(remaining / left), by weight if secrets have weights.
        best: the guess of the policy `entropy`, with which the guess is compared.
        best_entropy: the expected information of the feedback to `best`, in bits.
        skill: the value of the guess as a percentage of the value of `best`, at most 100.
        luck: the luck of the feedback, 0 to 100; the expected value is 50.
    """

    guess: str
    feedback: str
    remaining: int
    left: int
    entropy: float
    bits: float
    best: str
    best_entropy: float
    skill: int
    luck: int

    def __repr__(self) -> str:
        worth = f"skill {self.skill}, luck {self.luck}"
        return f"<ReviewedTurn {self.guess}={self.feedback}: {worth}, {self.left:,} left>"


class Review(NamedTuple):
    """The review of a game, which may be unfinished.

    Attributes:
        turns: the reviewed guesses, in the order of play.
        solved: whether the last guess was the secret.
        remaining: the number of candidates after the last feedback.
        skill: the mean skill of the guesses, 0 to 100.
        luck: the mean luck of the guesses, 0 to 100.
        secret: the given secret, else the only candidate; None if several candidates remain.
        line: the game of the policy against the secret, as (guess, feedback) pairs; empty if `secret` is None.
    """

    turns: tuple[ReviewedTurn, ...]
    solved: bool
    remaining: int
    skill: int
    luck: int
    secret: str | None
    line: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        end = "solved" if self.solved else f"{quantity(self.remaining, 'candidate')} left"
        known = f"skill {self.skill}, luck {self.luck}"
        return f"<Review of {quantity(len(self.turns))}: {known}, {end}>"


def review(session: Position, secret: str | None = None) -> Review:
    """Return the review of a session; `secret` is None if the secret is unknown."""
    game = session.game
    check_order(game, session.history, "review")
    if secret is not None:
        secret = game.guesses[game.parse_code(secret)]
        # `_check_fits` runs before `checked`, because only `_check_fits` names the wrong rows if no code fits all rows.
        _check_fits(session, secret)
    left = session.checked().candidates
    if secret is None and len(left) == 1:
        secret = left[0]
    elif secret is not None and secret not in left:
        raise UsageError(never_secret(secret))
    turns = _turns(session)
    n = len(turns)
    return Review(
        tuple(turns),
        session.solved,
        len(left),
        round(sum(turn.skill for turn in turns) / n),
        round(sum(turn.luck for turn in turns) / n),
        secret,
        tuple(_line(session, secret)) if secret else (),
    )


def _check_fits(session: Position, secret: str) -> None:
    """Raise UsageError if `refuse` has marked the secret, or if a feedback of the history is not the secret's."""
    if secret in session.refused:
        raise UsageError(
            f"found secret {secret}, which was refused in this game; give another secret"
        )
    game, faults = session.known, []
    for number, (guess, feedback, aside) in enumerate(session.rows, 1):
        answer = game.format_feedback(number_between(game, guess, secret))
        if not aside and answer != feedback:
            faults.append(
                f"row {number}, {called(game, guess)}={feedback}: the secret's feedback is {answer}"
            )
    if faults:
        found = "; ".join(faults)
        raise UsageError(
            f"found secret {secret}, which does not fit {found}; correct the feedback or the secret"
        )


def _turns(session: Position) -> list[ReviewedTurn]:
    """Return the reviewed turns, one for each guess of the history."""
    game, history, pairs = session.known, session.history, session.parsed_history
    before, best = analyse(game, [], session.refused), ""
    turns: list[ReviewedTurn] = []
    for number, ((guess, feedback), pair) in enumerate(zip(history, pairs, strict=True)):
        # The best guess of the previous turn is reused if the candidates are unchanged and hard mode allows the guess.
        best = best or session.best(history[:number])
        came, fits, answers = pair[1], before.candidates, before.answers(guess)
        if (
            came not in answers
        ):  # No listed secret fits: from now on, every guess may be the secret.
            before = analyse(session.analysis().game, pairs[:number], session.refused)
            answers = before.answers(guess)
        weights = before.sums.cell_weights(answers)
        own, top = split_of(weights.values()), before.split(best)
        turn = ReviewedTurn(
            guess,
            feedback,
            len(before.candidates),
            answers.count(came),
            own.entropy,
            surprise(weights[came], before.weight),
            best,
            top.entropy,
            skill(before, guess, own, best, top),
            luck(weights, came, game.solved),
        )
        turns.append(turn)
        candidates = zip(before.candidates, answers, strict=True)
        left = [code for code, answer in candidates if answer == came]
        if left != fits:
            before, best = Analysis(before.game, pairs[: number + 1], left), ""
        elif session.hard and broken_hint(game, best, [pair]):
            best = ""
    return turns


def _line(session: Position, secret: str) -> list[tuple[str, str]]:
    """Return the game of the policy against a secret, as (guess, feedback) pairs."""
    played = session.at([])
    while not (played.rows and played.hint().solved):
        guess = played.hint().guess
        played.add_guess(guess, played.game.feedback(guess, secret))
    return played.history
