"""Walking the tree: find, get, and histories as sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidCodeError, InvalidFeedbackError, Mastermind, NotInBookError
from guessbook.book.games.game import plain
from guessbook.lookup import find, get, open_book
from tests.helpers.plain import entries, paths, plain_book

BOOK = plain_book(Mastermind(3, 4))


def test_every_path() -> None:
    """The history of every node leads to that node, by both twins and by the book's methods."""
    for index, history in enumerate(paths(BOOK)):
        written = entries(BOOK.game, history)
        node = find(BOOK, written)
        assert node.index == index
        assert node == get(BOOK, written) == BOOK.find(written) == BOOK.get(written)


@given(st.data())
def test_order_does_not_matter(data: st.DataObject) -> None:
    """A history is a set: in any order, and with entries repeated, it leads to the same node."""
    index = data.draw(st.integers(0, len(BOOK.tree) - 1))
    history = entries(BOOK.game, paths(BOOK)[index])
    shuffled = data.draw(st.permutations(history))
    repeated = shuffled + (data.draw(st.lists(st.sampled_from(history))) if history else [])
    assert find(BOOK, shuffled).index == find(BOOK, repeated).index == index


def test_off_book() -> None:
    """What is no path has no node: another guess, two answers to one, or nothing left to guess."""
    book = open_book("mastermind-4x6")
    first = book.root.guess
    for history in (["BBBB=0,1"], [f"{first}=0,1", f"{first}=0,2"], [f"{first}=4,0"]):
        assert get(book, history) is None
        with pytest.raises(NotInBookError) as caught:
            find(book, history)
        assert str(caught.value)
    with pytest.raises(NotInBookError, match="solves the game"):
        find(book, [f"{first}=4,0"])


def test_wrong_history() -> None:
    """What the game does not know is an error of its own, not "off-book"."""
    for function in (find, get):
        with pytest.raises(InvalidCodeError):
            function(BOOK, ["RYXB=1,1"])
        with pytest.raises(InvalidFeedbackError):
            function(BOOK, ["RYG=2,1"])


def test_cursor() -> None:
    """The cursor makes the same way step by step, by plain data or a text."""
    for index, history in enumerate(paths(BOOK)):
        node = BOOK.root
        for guess, feedback in history:
            assert node.guess == BOOK.game.guesses[guess]
            written = node.child(BOOK.game.format_feedback(feedback))
            below = node.child(plain(BOOK.game, feedback))
            assert below is not None
            assert below == written
            node = below
        assert node.index == index
        assert node.child(plain(BOOK.game, BOOK.game.solved)) is None
