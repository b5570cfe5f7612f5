"""Reviewing a game: what each guess was worth, and how lucky its feedback was."""

from __future__ import annotations

from typing import NamedTuple


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
