"""Walking the tree: the node that a history leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.book import Book, Node
from guessbook.book.errors import NotInBookError
from guessbook.book.games.beyond import read_history

if TYPE_CHECKING:
    from guessbook.book.games.game import History
    from guessbook.book.tree import Tree


def find(book: Book, history: object) -> Node:
    """The node that a history leads to: what to guess next, in O(depth).

    A history is a set: its order does not matter. One that holds the feedback "solved" has no
    node, because there is nothing left to guess. Its twin `get` returns None instead of raising.

    >>> from guessbook.lookup import find, open_book
    >>> find(open_book("mastermind-4x6"), ["RYGB=1,1", "RGOP=0,2"]).guess
    'PYYG'

    Raises:
        NotInBookError: the tree does not cover the history.
        InvalidCodeError, InvalidFeedbackError: it is not a history of this game.
    """
    _, pairs = read_history(book.game, history)
    index = walk(book.tree, pairs)
    if index >= 0:
        return Node(book, index)
    if any(feedback == book.game.solved for _, feedback in pairs):
        raise NotInBookError("this history is solved: after that there is no node")
    guesses = "1 guess" if len(pairs) == 1 else f"{len(pairs)} guesses"
    raise NotInBookError(
        f"this history of {guesses} is no path of the book {book.game.name}; "
        "`hint` answers off-book histories as well"
    )


def get(book: Book, history: object) -> Node | None:
    """The node that a history leads to, or None; its twin `find` raises NotInBookError.

    Raises:
        InvalidCodeError, InvalidFeedbackError: it is not a history of this game.
    """
    index = walk(book.tree, read_history(book.game, history)[1])
    return Node(book, index) if index >= 0 else None


def walk(tree: Tree, history: History) -> int:
    """The index of the node that a parsed history leads to, or -1."""
    left = dict(history)
    if len(left) < len(history):
        return -1  # one guess with two feedbacks
    node = 0
    while left and node >= 0:
        node = tree.child(node, left.pop(tree.guess[node], -1))
    return node
