"""The questions that can be asked about a book after a history, and how they are answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from inspect import Parameter, signature
from typing import Any, NamedTuple

from guessbook.book.errors import (
    OUT_OF_MEMORY,
    GuessbookError,
    InconsistentFeedbackError,
    InvalidCodeError,
    InvalidFeedbackError,
    UsageError,
    WrongTreeError,
    meant,
    shown,
)
from guessbook.book.facts import plain
from guessbook.book.games.game import Game, entries_of
from guessbook.lookup.book import Book
from guessbook.lookup.complaint import complaint
from guessbook.lookup.hint import Hint
from guessbook.lookup.received import refuse_constants
from guessbook.play.codemaker import Score
from guessbook.play.codemaker import score as score_of
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


def candidates(book: Book, history: History, count: int = MAX_LISTED) -> Candidates:
    """What may be the secret."""
    session = Session(book, history)
    session.checked()  # where nothing fits, this says which entries to re-check
    found = session.candidates()
    return Candidates(len(found), session.among_guesses, tuple(found[:count]))


def explain(book: Book, history: History, guess: str | None = None, count: int = 10) -> Explanation:
    """Why a guess, or the suggested one, is the one to make; `count` alternatives are listed."""
    return Session(book, history).explain(guess, count)


def rate(book: Book, history: History, guess: str) -> Rating:
    """How good a guess is against the best one."""
    return Session(book, history).rate(guess)


def score(book: Book, guess: str, secret: str) -> Score:
    """What a secret answers to a guess."""
    return score_of(book.game, guess, secret)


# Their names, paths and parameters follow from the functions.
QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question for question in (hint, candidates, explain, rate, score)
}


@cache
def parameters(name: str) -> dict[str, bool]:
    """What a question is asked with, besides the book, and whether it has to be there.

    >>> parameters("explain")
    {'history': True, 'guess': False, 'count': False}
    """
    _, *found = signature(QUESTIONS[name]).parameters.values()
    return {parameter.name: parameter.default is Parameter.empty for parameter in found}


def check_fields(name: str, found: Iterable[str]) -> None:
    """Raise UsageError if a question does not take one of these fields; it says which ones do."""
    known, asked = parameters(name), {*found}
    if not asked <= known.keys():
        wrong = next(field for field in found if field not in known)
        others = [each for each in QUESTIONS if asked <= parameters(each).keys()]
        near = meant(wrong, known)
        if others:
            how = f'(bot: "question": "{others[0]}", HTTP: /{others[0]})'
            near = f"; ask {' or '.join(others)} {how}"
        raise UsageError(
            f"found the field {shown(wrong)} for {name}, which takes {', '.join(known)}{near}"
        )


def read(game: Game, name: str, found: dict[str, Any]) -> dict[str, Any]:
    """Check the parameters of a question that a script sent; its history is read into entries.

    Args:
        game: the game, for an example of a guess.
        name: the question.
        found: its parameters, by their names.

    Raises:
        UsageError: some are missing, unknown, or nothing that they could be.
    """
    check_fields(name, found)
    missing = [key for key, due in parameters(name).items() if due and key not in found]
    if missing:
        key, example = missing[0], game.guesses[0]
        if key == "history":
            example += f"={game.format_feedback(0)}"
        raise UsageError(
            f'found no {key}, expected one, such as "{key}": "{example}" in JSON or '
            f"/{name}?{key}={example} over HTTP"
        )
    refuse_constants([*found.values()])
    count = found.get("count", 1)
    if type(count) is not int or not 1 <= count <= MAX_LISTED:
        raise UsageError(f"found count {shown(count)}, expected 1 to {MAX_LISTED:,}")
    if "history" not in found:
        return found
    return {**found, "history": entries_of(found["history"])}


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
        return refusal(GuessbookError(OUT_OF_MEMORY))


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
