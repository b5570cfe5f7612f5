"""The review of a game: the skill of each guess, and the luck of its feedback."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from guessbook.book.errors import quantity
from guessbook.book.games.game import Game, History
from guessbook.play.analysis import Analysis, analyse, split_of, surprise
from guessbook.play.rate import skill
from guessbook.policy.hard_mode import broken_hint


class ReviewedTurn(NamedTuple):
    """One guess of a reviewed game; docs/reference/ratings.md has the definitions.

    Attributes:
        guess: the guess.
        feedback: the feedback as text, such as "1,1".
        remaining: the number of candidates before the guess.
        left: the number of candidates after the feedback; 1 if the guess solved the game.
        entropy: the expected information of the feedback to the guess, in bits.
        bits: the information of the feedback, in bits: log2(remaining / left), by weight if secrets
            have weights.
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
        line: the game of the policy against the secret, as (guess, feedback) pairs; empty if
            `secret` is None.
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


def review_turns(
    game: Game,
    history: History,
    refused: Collection[str],
    best_after: Callable[[int], str],
    hard_mode: bool,
) -> list[ReviewedTurn]:
    """Return a reviewed turn for each guess.

    `best_after(n)` returns the best guess after the first n guesses.
    """
    turns: list[ReviewedTurn] = []
    before, best = analyse(game, [], refused), ""
    for number, (index, feedback) in enumerate(history):
        guess = game.guesses[index]
        best = best or best_after(number)
        feedbacks = before.feedbacks(guess)
        if feedback not in feedbacks:
            # No listed secret fits: from now on, every guess may be the secret.
            before = analyse(game.widened() or game, history[:number], refused)
            feedbacks = before.feedbacks(guess)
        weights = before.weigh(feedbacks)
        own, top = split_of(weights.values()), before.split(best)
        turn = ReviewedTurn(
            guess,
            game.format_feedback(feedback),
            len(before.candidates),
            feedbacks.count(feedback),
            own.entropy,
            surprise(weights[feedback], before.weight),
            best,
            top.entropy,
            skill(before, guess, own, best, top),
            luck(weights, feedback, game.solved),
        )
        turns.append(turn)
        left = [code for code, f in zip(before.candidates, feedbacks, strict=True) if f == feedback]
        if len(left) < len(before.candidates):
            before, best = Analysis(before.game, history[: number + 1], left), ""
        elif hard_mode and broken_hint(game, best, [(index, feedback)]):
            best = ""
    return turns


def luck(sizes: Mapping[int, int], feedback: int, solved: int) -> int:
    """Return the luck of a feedback, 0 to 100: higher for smaller cells, highest for "solved".

    `sizes` maps each feedback number to the weight of its cell.

    >>> luck({4: 3, 7: 1}, 7, solved=14), luck({4: 3, 7: 1}, 4, solved=14)
    (88, 38)
    """
    told = {number: (number == solved, -size) for number, size in sizes.items()}
    less = sum(size for number, size in sizes.items() if told[number] < told[feedback])
    same = sum(size for number, size in sizes.items() if told[number] == told[feedback])
    return int((100 * less + 50 * same) / sum(sizes.values()) + 0.5)
