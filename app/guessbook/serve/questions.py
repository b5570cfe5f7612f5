"""The questions about a book that the server and `bot` answer, with answers as data for JSON."""

import faulthandler
import signal
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from inspect import Parameter, signature
from typing import Any, NamedTuple
from urllib.parse import quote as escaped

from guessbook.book.errors import (
    OUT_OF_MEMORY,
    GuessbookError,
    InconsistentFeedbackError,
    UsageError,
    WrongTreeError,
    did_you_mean,
    quote,
)
from guessbook.book.games.game import Game, entries_of
from guessbook.book.summary import facts, plain
from guessbook.front import Book, open_book
from guessbook.lookup.hint import Hint
from guessbook.lookup.json_text import error_as_json, refuse_constants
from guessbook.play.explain import Explanation
from guessbook.play.opponents import Score
from guessbook.play.opponents import score as score_of
from guessbook.play.rate import Rating
from guessbook.play.review import Review
from guessbook.play.session import Session, share_of

History = list[Any]
MAX_LISTED = 1000


# In each question, `refused` lists guesses that the real game does not accept.
def hint(book: Book, history: History, refused: Sequence[str] = ()) -> Hint:
    """Return the next guess after a history, with its expected results."""
    if refused:
        return Session(book, history, refused=refused).hint()
    return book.hint(history)


def candidates(
    book: Book, history: History, count: int = MAX_LISTED, refused: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the number of candidates after a history, and the first `count` candidates.

    The value of `among_guesses` is whether other guesses are candidates because no listed secret
    fits.
    """
    session = Session(book, history, refused=refused)
    # If nothing fits, this raises the error with the entries to re-check.
    session.require_candidates()
    found = session.candidates()
    return {
        "remaining": len(found),
        "among_guesses": session.among_guesses,
        "candidates": found[:count],
    }


def explain(
    book: Book,
    history: History,
    guess: str | None = None,
    count: int = 10,
    refused: Sequence[str] = (),
) -> Explanation:
    """Return the explanation of a guess after a history, by default of the hinted guess."""
    return Session(book, history, refused=refused).explain(guess, count)


def rate(book: Book, history: History, guess: str, refused: Sequence[str] = ()) -> Rating:
    """Return the rating of a guess after a history."""
    return Session(book, history, refused=refused).rate(guess)


def review(
    book: Book, history: History, secret: str | None = None, refused: Sequence[str] = ()
) -> Review:
    """Return the skill and luck of each guess; `secret`, if known, is that of an unsolved game."""
    return Session(book, history, refused=refused).review(secret)


def share(book: Book, history: History) -> dict[str, Any]:
    """Return the feedbacks of a history as a text to share, and as a list of lines."""
    return share_of(Session(book, history))


def score(book: Book, guess: str, secret: str) -> Score:
    """Return the feedback that a secret gives to a guess."""
    return score_of(book.game, guess, secret)


def info(book: Book) -> dict[str, Any]:
    """Return the facts about a book, such as its game and its policy."""
    return facts(book)


# A question has the name and the parameters of its function; the name is its path on the server.
QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question
    for question in (hint, candidates, explain, rate, review, share, score, info)
}


@cache
def parameters(name: str) -> dict[str, bool]:
    """Map the name of each parameter of a question to whether the parameter is required.

    >>> parameters("explain")
    {'history': True, 'guess': False, 'count': False, 'refused': False}
    """
    _, *found = signature(QUESTIONS[name]).parameters.values()
    return {parameter.name: parameter.default is Parameter.empty for parameter in found}


def check_fields(name: str, found: Iterable[str]) -> None:
    """Raise UsageError if a field is not a parameter of the question."""
    known, asked = parameters(name), {*found}
    wrong = next((field for field in found if field not in known), None)
    if wrong is None:
        return
    near = did_you_mean(wrong, known)
    if others := [each for each in QUESTIONS if asked <= parameters(each).keys()]:
        how = f'(bot: "question": "{others[0]}", HTTP: /{others[0]})'
        near = f"; ask {' or '.join(others)} {how}"
    takes = ", ".join(known) or "no fields"
    raise UsageError(f"unknown field {quote(wrong)}: {name} takes {takes}{near}")


def read(game: Game, name: str, found: dict[str, Any]) -> dict[str, Any]:
    """Check the parameters of a question. Return them with the history as a list of entries.

    Without a history, the question is about the start of a game. Raise UsageError if a parameter
    is unknown, missing or malformed.
    """
    check_fields(name, found)
    known = parameters(name)
    if "history" in known:
        found = {"history": [], **found}
    for key, required in known.items():
        if required and key not in found:
            example = (game.secrets if key == "secret" else game.guesses)[0]
            ways = f'"{key}": "{example}" in JSON or /{name}?{key}={escaped(example)} over HTTP'
            raise UsageError(f"{key} is missing; add it, such as {ways}")
    refuse_constants([*found.values()])
    count = found.get("count", 1)
    if type(count) is not int or not 1 <= count <= MAX_LISTED:
        raise UsageError(f"count {quote(count)}; give a whole number from 1 to {MAX_LISTED:,}")
    refused = found.get("refused", [])
    if not isinstance(refused, list) or not all(isinstance(guess, str) for guess in refused):
        raise UsageError(
            f"refused {quote(refused)} is not a list of guesses; give a list of strings"
        )
    return {**found, "history": entries_of(found["history"])} if "history" in known else found


class Answer(NamedTuple):
    """The answer to a question: an HTTP status and a dict for JSON."""

    status: int
    content: dict[str, Any]


def answer(book: Book, name: str, asked: dict[str, Any]) -> Answer:
    """Answer the question `name` with the parameters `asked`; the answer may report an error."""
    try:
        return Answer(200, plain(QUESTIONS[name](book, **asked)))
    except GuessbookError as error:
        return refusal(error)
    except MemoryError:
        return refusal(GuessbookError(OUT_OF_MEMORY))


# A status 4xx means that the question is wrong, 500 that the book is wrong. All other errors have
# the status 503: time or memory ran out, or there is no engine, so the same question may succeed
# later.
STATUSES: dict[type[GuessbookError], int] = {
    InconsistentFeedbackError: 422,
    UsageError: 400,
    WrongTreeError: 500,
}


def refusal(error: GuessbookError) -> Answer:
    """Return the answer that reports an error."""
    status = next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 503)
    return Answer(status, error_as_json(error))


def answer_in_worker(data: bytes, seconds: float, name: str, asked: dict[str, Any]) -> Answer:
    """Answer a question in a worker process of the server; `data` are the bytes of the book.

    The server kills the process after `seconds`. If the server has died, the process exits by
    itself after twice this time.
    """
    faulthandler.dump_traceback_later(2 * seconds, exit=True)
    try:
        return answer(_opened(data), name, asked)
    finally:
        faulthandler.cancel_dump_traceback_later()


@lru_cache(maxsize=1)
def _opened(data: bytes) -> Book:
    # Ctrl-C stops the server, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return open_book(data)
