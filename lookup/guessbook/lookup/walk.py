"""Walking the tree: the node that a history leads to."""

from __future__ import annotations

from guessbook.book.errors import NotInBookError, WrongTreeError
from guessbook.book.games.beyond import read_history
from guessbook.book.games.game import Game, History, called
from guessbook.book.strategy import Node, Strategy
from guessbook.book.tree import Tree

# What `walk` says where there is no node: the history is no path of the tree; or the tree asks, is
# answered, and has nothing after that answer. Of a true book no secret fits such a history.
OFF, LOST = -1, -2


def find(book: Strategy, history: object) -> Node:
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


def get(book: Strategy, history: object) -> Node | None:
    """The node that a history leads to, or None; its twin `find` raises NotInBookError.

    Raises:
        InvalidCodeError, InvalidFeedbackError: it is not a history of this game.
    """
    index = walk(book.tree, read_history(book.game, history)[1])
    return Node(book, index) if index >= 0 else None


def walk(tree: Tree, history: History) -> int:
    """The index of the node that a parsed history leads to; `OFF` or `LOST` if there is none."""
    left = dict(history)
    if len(left) < len(history):
        return OFF  # one guess with two feedbacks
    node = 0
    while left:
        feedback = left.pop(tree.guess[node], None)
        if feedback is None:
            return OFF
        node = tree.child(node, feedback)
        if node < 0:
            return LOST
    return node


def step(book: Strategy, node: int, feedback: int) -> int:
    """The node after a feedback that some secret gives at a node.

    Raises:
        WrongTreeError: there is none.
    """
    child = book.tree.child(node, feedback)
    if child < 0:
        raise wrong_tree(book.game, [(book.tree.guess[node], feedback)])
    return child


def wrong_tree(game: Game, history: History) -> WrongTreeError:
    """The error for a book that does not know what to guess, although some secret fits."""
    place = "at the start"
    if history:
        guess, feedback = history[-1]
        place = f"after {called(game, game.guesses[guess])}={game.format_feedback(feedback)}"
    return WrongTreeError(
        f"this book does not know what to guess {place}: its tree is not that of {game.name}; "
        "`verify` says why"
    )
