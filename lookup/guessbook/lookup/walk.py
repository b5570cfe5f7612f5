"""Functions that find the node of a strategy tree that a history leads to."""

from guessbook.book.errors import NotInBookError, WrongTreeError
from guessbook.book.games.beyond import read_history
from guessbook.book.games.game import Game, History, called
from guessbook.book.strategy import Node, Strategy
from guessbook.book.tree import Tree

# The results of `walk` if the tree makes other guesses than the history (OFF), or has no node for a feedback (LOST).
# In an intact book, no secret fits a history with the result LOST.
OFF, LOST = -1, -2


def find(book: Strategy, history: object) -> Node:
    """Return the node that a history leads to; the order of its entries does not matter.

    A history with the feedback "solved" has no node, because the game is over.

    Raises:
        NotInBookError: the tree does not cover the history.
        InvalidCodeError, InvalidFeedbackError: the history does not belong to this game.
    """
    _, pairs = read_history(book.game, history)
    index = walk(book.tree, pairs)
    if index >= 0:
        return Node(book, index)
    if any(feedback == book.game.solved for _, feedback in pairs):
        raise NotInBookError("found a history that solves the game, expected an unsolved history")
    guesses = "1 guess" if len(pairs) == 1 else f"{len(pairs)} guesses"
    raise NotInBookError(
        f"found a history of {guesses} that is no path of the book {book.game.name}; `hint` accepts such a history"
    )


def get(book: Strategy, history: object) -> Node | None:
    """Return the node that a history leads to, or None where `find` raises NotInBookError."""
    index = walk(book.tree, read_history(book.game, history)[1])
    return Node(book, index) if index >= 0 else None


def walk(tree: Tree, history: History) -> int:
    """Return the index of the node that a parsed history leads to, or `OFF` or `LOST`."""
    left = dict(history)
    if len(left) < len(history):
        return OFF  # The history has two feedbacks to one guess.
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
    """Return the child of a node for a feedback that some secret gives, or raise WrongTreeError if it is missing."""
    child = book.tree.child(node, feedback)
    if child < 0:
        raise wrong_tree(book.game, [(book.tree.guess[node], feedback)])
    return child


def wrong_tree(game: Game, history: History) -> WrongTreeError:
    """Return the error for a book that has no guess after a history, although some secret fits."""
    place = f"after {entry_text(game, *history[-1])}" if history else "at the start"
    return WrongTreeError(f"found no guess in this book {place}, expected the tree of {game.name}; `verify` says why")


def entry_text(game: Game, guess: int, feedback: int) -> str:
    """Return an entry of a history as people write it, such as `RYGB=1,1`."""
    return f"{called(game, game.guesses[guess])}={game.format_feedback(feedback)}"
