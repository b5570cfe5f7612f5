"""Values of the front: nobody changes them, and a person can read them."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from guessbook.play.shuffle import random_shuffle

if TYPE_CHECKING:
    pass

HISTORY = "RYGB=1,1 RGOP=0,2"

HISTORY = "RYGB=1,1 RGOP=0,2"


@pytest.fixture(scope="module")
def book() -> gb.Book:
    """The usual book."""
    return gb.open("mastermind-4x6")


def values(value: Any) -> list[Any]:
    """A result and all values in it."""
    inner = value if isinstance(value, tuple) else []
    return [value, *[each for item in inner for each in values(item)]]


def test_results_cannot_be_changed(book: gb.Book) -> None:
    """No result holds a list, a map that can be written, or another value that changes."""
    session = gb.Session(book, "RYGB=1,1 RGOP=0,2 PYYG=2,1")
    results = [
        session.hint(),
        session.explain(),
        session.rate("YYYY"),
        session.rate_pair("YYYY", "RRRR"),
        session.review(),
        session.rows[0],
        session.split("YYYY"),
        gb.Boards(book, 2).hint(),
        book.simulate(["PYRO"]),
        gb.build("mastermind-2x2").verify(),
        gb.compare(["entropy", "parts"], "mastermind-2x3"),
        book.stats,
    ]
    for result in results:
        assert isinstance(result, tuple)
        assert len(repr(result)) < 600
        for value in values(result):
            assert not isinstance(value, (dict, list, set, bytearray)), result
        with pytest.raises(AttributeError):
            result.nonsense = 1  # type: ignore[attr-defined]


def test_what_is_shared_cannot_be_changed(book: gb.Book) -> None:
    """Presets, books, nodes and games are shared: neither they nor their options are changed."""
    options: Any
    for options in (gb.presets()[0].options, book.stats.options):
        with pytest.raises(AttributeError):
            options.update(pegs=2)
    book.policy["name"] = "parts"
    shared: list[tuple[Any, str]] = [
        (book, "game"), (book, "tree"), (book, "stats"), (book, "policy"), (book.root, "index"),
        (book.root, "guess"), (book.game, "solved"), (gb.WordGame(["ab", "cd"]), "length"),
        (gb.TableGame(["a"], ["b"], lambda *_: "yes"), "answers"),
    ]  # fmt: skip
    for value, name in shared:
        for change in (lambda v, n: setattr(v, n, 3), delattr):
            with pytest.raises(AttributeError, match="immutable"):
                change(value, name)
    assert book.policy == {"name": "entropy"}
    assert copy.deepcopy(book).to_bytes() == pickle.loads(pickle.dumps(book)).to_bytes()


def test_children_are_found_by_any_form_of_a_feedback(book: gb.Book) -> None:
    """The keys are plain data; each form of a feedback finds its child, and nothing is added."""
    children = book.root.children
    assert next(iter(children)) == book.game.feedback("RYGB", "OOOO")
    assert len(children) == len(dict(children)) == 13
    for key in ("1,1", (1, 1), [1, 1, 2], "BW.."):
        assert children[key] == book.root.child("1,1")
        assert key in children
    for wrong in ("4,0", "9,9", "red", 11, None):
        assert wrong not in children
        assert children.get(wrong) is None
    with pytest.raises(TypeError):
        children["1,1"] = book.root  # type: ignore[index]


@pytest.mark.parametrize("make", [gb.Codemaker, gb.Adversary])
def test_who_answers_keeps_it(book: gb.Book, make: Any) -> None:
    """Both give plain data that everything accepts, and their history is one that a book takes."""
    opponent, session = make("mastermind-4x6"), gb.Session(book)
    assert repr(opponent) == f"<{make.__name__} mastermind-4x6: no guesses so far>"
    while not session.solved:
        guess = session.hint().guess
        told = opponent.feedback(guess)
        assert len(opponent.history) == len(session.rows), "feedback alone keeps nothing"
        assert book.find(opponent.history).child(told) == book.find(session.history).child(told)
        answer = opponent.answer(list(guess))
        assert answer == told == (answer.black, answer.white)
        session.add_guess(guess, answer)
        assert opponent.history == session.history
        assert book.hint(opponent.history) == session.hint()
    assert opponent.solved
    assert opponent.reveal() == session.rows[-1].guess
    assert repr(opponent).endswith(f": {len(session.rows)} guesses>")


def test_rows_are_not_changed_from_outside(book: gb.Book) -> None:
    """The rows of a session are a value, and what is done to a copy changes no other session."""
    session = gb.Session(book, HISTORY)
    rows = session.rows
    assert isinstance(rows, tuple)
    with pytest.raises(AttributeError):
        session.rows = ()  # type: ignore[misc]
    twin = session.copy()
    twin.undo()
    assert (session.rows, len(twin.rows)) == (rows, 1)


def test_seeds_and_shuffles_are_refused_at_once(book: gb.Book) -> None:
    """A seed that is no whole number and a shuffle that is none are refused before any guess."""
    anything: Any = gb
    for wrong in (
        lambda: anything.Session(shuffle=3),
        lambda: anything.Codemaker(book.game, random_seed=[]),
        lambda: anything.open().simulate(fraction=0.1, random_seed="x"),
        lambda: random_shuffle(book.game, anything),
    ):
        with pytest.raises(gb.UsageError, match=r"^found .*expected") as caught:
            wrong()
        assert "\n" not in str(caught.value)


def test_results_are_shown_in_a_line(book: gb.Book) -> None:
    """The repr of a result says in one short line what it is, in right numbers."""
    session, tiny = gb.Session(book, HISTORY), gb.build("mastermind-1x1")
    means = "4.4151 guesses on average, 6 at most"
    title = "the board game of 1971, and Guess of Tatham's puzzles"
    shown = {
        f"<Preset mastermind: {title}, 1,296 secrets>": gb.presets()[0],
        f"<Stats of entropy: 1,296 secrets, 1,380 nodes, {means}>": book.stats,
        "<Rating YYYY: skill 44, 1.5281 bits, rank 1,168 of 1,206, best PYYG>": session.rate(
            "YYYY"
        ),
        "<PairRating YYYY RRRR: 2.7050 bits, 57 candidates in 8 cells>": session.rate_pair(
            "YYYY", "RRRR"
        ),
        "<ReviewedTurn RYGB=1,1: skill 100, luck 34, 252 left>": session.review().turns[0],
        "<Verification passed: secrets, candidates, statistics>": tiny.verify(),
        "<Book mastermind-1x1 entropy: 1 secret, 1 node>": tiny,
        "<Node 0: R, 1 candidate>": tiny.root,
        "<Explanation R: 0.0000 bits, 1 candidate in 1 cell>": tiny.explain(),
        "<Simulation of 1 game: 1.0000 guesses on average, 1 at most>": tiny.simulate(),
    }
    assert {repr(value): value for value in shown.values()} == shown


def test_one_is_not_several(book: gb.Book) -> None:
    """A message counts one thing in the singular."""
    with pytest.raises(gb.UsageError, match=r"^found 1 board, expected 2 to 32$"):
        gb.Boards(book, 1)
    with pytest.raises(gb.UsageError, match=r"^found 1 feedback for 2 boards, expected 2"):
        gb.Boards(book, 2).add_guess("RYGB", ["1,1"])
