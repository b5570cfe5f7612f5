"""The questions that can be asked about a book after a history, and how they are answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from typing import Any, NamedTuple

from guessbook.book.errors import (
    GuessbookError,
    InconsistentFeedbackError,
    InvalidCodeError,
    InvalidFeedbackError,
    WrongTreeError,
)
from guessbook.book.facts import plain
from guessbook.lookup.book import Book
from guessbook.lookup.complaint import complaint
from guessbook.lookup.hint import Hint
from guessbook.play.explain import Explanation
from guessbook.play.rate import Rating
from guessbook.play.session import Session

History = list[Any]
MAX_LISTED = 1000


class Candidates(NamedTuple):
    """How many candidates there are, and the first ones in the order of the game.

    If no secret fits, guesses are the candidates: `among_guesses`.
    """

    remaining: int
    among_guesses: bool
    candidates: tuple[str, ...]


def hint(book: Book, history: History) -> Hint:
    """What to guess next."""
    return book.hint(history)


def candidates(book: Book, history: History) -> Candidates:
    """What may be the secret."""
    session = Session(book, history)
    session.checked()  # where nothing fits, this says which entries to re-check
    found = session.candidates()
    return Candidates(len(found), session.among_guesses, tuple(found[:MAX_LISTED]))


def explain(book: Book, history: History, guess: str | None = None) -> Explanation:
    """Why a guess, or the suggested one, is the one to make."""
    return Session(book, history).explain(guess)


def rate(book: Book, history: History, guess: str) -> Rating:
    """How good a guess is against the best one."""
    return Session(book, history).rate(guess)


# Their paths and parameters follow from the functions.
QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question for question in (hint, candidates, explain, rate)
}


@cache
def parameters(name: str) -> dict[str, bool]:
    """What a question is asked with, besides the book, and whether it has to be there.

    >>> parameters("explain")
    {'history': True, 'guess': False}
    """
    _, *found = signature(QUESTIONS[name]).parameters.values()
    return {parameter.name: parameter.default is Parameter.empty for parameter in found}


class Answer(NamedTuple):
    """What becomes of a question: a status of HTTP and an object of JSON."""

    status: int
    content: dict[str, Any]


def answer(book: Book, name: str, asked: dict[str, Any]) -> Answer:
    """The answer to a question, or the error as JSON."""
    try:
        return Answer(200, plain(QUESTIONS[name](book, **asked)))
    except GuessbookError as error:
        return refusal(error)
    except MemoryError:
        return refusal(GuessbookError("this machine has too little memory for this answer"))


def refusal(error: GuessbookError) -> Answer:
    """The answer that says why there is none."""
    # What is asked is a code, a feedback and so on, or it has been refused before: for all other
    # errors it is this machine that cannot, or the book that is served: asked again it will fail
    # again, so that is no 503, and nothing is wrong with the question, so it is no 4xx.
    kinds = {
        InconsistentFeedbackError: 422,
        InvalidCodeError: 400,
        InvalidFeedbackError: 400,
        WrongTreeError: 500,
    }
    return Answer(kinds.get(type(error), 503), complaint(error))
