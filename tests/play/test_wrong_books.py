"""Books with a wrong tree: every call returns or raises a known error, in bounded work."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.content import changed
from tests.hints.definitions import WORD_GAME, answer, calls, patient

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.helpers.command import Run

TINY = gb.build("mastermind-2x2")
TRUE = [TINY, gb.build("mastermind-3x3"), gb.build("bulls-and-cows-3x4"), gb.build(WORD_GAME)]
MOST_CALLS = 2_000_000


@pytest.fixture(params=["RY", "YY"])
def wrong(request: pytest.FixtureRequest) -> gb.Book:
    """A book whose last guess is not YR, but one that was already made or cannot be the secret."""
    assert list(TINY.nodes)[3].guess == "YR"
    return changed(TINY, guess={3: TINY.game.parse_code(request.param)})


def test_wrong_guess_in_tree_raises_wrong_tree_error(wrong: gb.Book) -> None:
    for ask in (
        wrong.simulate,
        gb.Session(wrong, ["YR=2,0"]).review,
        lambda: gb.Session(wrong, ["RR=1,0", "YY=1,0"]).review("YR"),
    ):
        with pytest.raises(gb.WrongTreeError, match="run `verify`") as caught:
            ask()
        assert isinstance(caught.value, gb.NotInBookError)
        assert isinstance(caught.value, gb.InvalidBookError)
    assert not wrong.verify().passed
    # Contradictory feedback is not an error of the book.
    with pytest.raises(gb.InconsistentFeedbackError) as contradiction:
        wrong.hint(["RR=0,0", "YY=1,0"])
    assert contradiction.value.suspects == (0, 1)


def test_commands_report_wrong_book_in_one_line(run: Run, wrong: gb.Book) -> None:
    wrong.save("wrong.book")
    for line in (
        "simulate wrong.book",
        "run wrong.book --secret YR",
        "review wrong.book RR=1,0 RY=0,2 --secret YR",
        "play wrong.book --secret YR",
        "hide wrong.book",
    ):
        code, out, err = run(*line.split(), lines="RR\nRY\nYY\nYR\nRR\n")
        assert (code, err.count("\n")) == (3, 1), line
        assert ("Solved in" in out) == line.startswith(("play", "hide"))
    assert run("run", "wrong.book", "--secret", "RY").code == 0
    assert "YR is not: no guess after" in run("verify", "wrong.book").out


def test_feedback_that_only_a_wrong_tree_allows_is_inconsistent() -> None:
    true = gb.build("mastermind-3x4")
    book = changed(true, guess={0: true.game.parse_code("RRR")})
    assert book.hint("RRR=0,1").remaining > 0
    for ask in (gb.Session.explain, gb.Session.review, gb.Session.best_pairs):
        session = gb.Session(book, "RRR=0,1")
        session.hint()
        with pytest.raises(gb.InconsistentFeedbackError) as caught:
            ask(session)
        assert (caught.value.suspects, session.remaining) == ((0,), 0)
    # The tree states a wrong number of candidates.
    session = gb.Session(book, "RRR=1,0")
    session.hint()
    with pytest.raises(gb.WrongTreeError):
        session.explain()
    boards = gb.Boards(book, 2)
    boards.add_guess("RRR", ["0,1", "1,0"])
    with pytest.raises(gb.InconsistentFeedbackError):
        boards.hint()
    assert boards.contradicted() == [0]


@st.composite
def wrong_books(draw: st.DrawFn) -> gb.Book:
    """Draw a book that can be opened, with wrong guesses and feedbacks in its tree."""
    book = draw(st.sampled_from(TRUE))
    nodes = st.integers(0, book.stats.nodes - 1)
    guesses = st.dictionaries(nodes, st.integers(0, len(book.game.guesses) - 1), min_size=1)
    feedbacks = st.dictionaries(nodes, st.integers(0, book.game.feedbacks - 2), max_size=1)
    try:
        return changed(book, guess=draw(guesses), feedback=draw(feedbacks))
    except gb.InvalidBookError:
        return changed(TINY, guess={3: draw(st.integers(0, 3))})


def questions(book: gb.Book, dice: random.Random) -> Iterator[Callable[[], Any]]:
    """Yield calls that a script may make."""
    game = book.game
    secret, other = dice.choice(game.secrets), dice.choice(game.guesses)
    session, boards = gb.Session(book), gb.Boards(book, 2)
    adversary = gb.Adversary(game)
    yield book.simulate
    yield book.verify
    yield lambda: [(node.guess, node.remaining, dict(node.children)) for node in book.nodes]
    yield from (
        partial(book.export, form) for form in ("json", "python", "html", "svg", "dot", "c")
    )
    for _ in range(3):
        guess = dice.choice(game.guesses)
        told = answer(game, guess, dice.choice([secret, dice.choice(game.secrets)]))
        yield session.hint
        yield lambda: (session.remaining, session.solved, session.candidates())
        yield session.explain
        yield lambda: session.rate(other)
        yield session.best_pairs
        yield session.review
        yield lambda: session.review(secret)
        yield lambda: book.get(session.history)
        yield partial(session.add_guess, None, told)
        yield partial(session.add_guess, guess, told)
        yield boards.hint
        yield partial(boards.add_guess, guess, [told, told])
        yield lambda: adversary.answer(gb.Session(book, adversary.history).hint().guess)


@patient
@given(wrong_books(), st.integers(0, 99))
def test_wrong_books_cause_only_known_errors_in_bounded_work(book: gb.Book, seed: int) -> None:
    for question in questions(book, random.Random(seed)):
        # This fails for errors other than GuessbookError, and for too much work.
        calls(question, MOST_CALLS)
