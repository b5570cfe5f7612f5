"""Functions that find the node of a strategy tree after a history."""

from guessbook.book.errors import NotInBookError, WrongTreeError
from guessbook.book.games.beyond import read_history
from guessbook.book.games.game import Game, History, called
from guessbook.book.strategy import Node, Strategy
from guessbook.book.tree import Tree

# The results of `walk` if there is no node. OFF: the tree makes another guess than the history.
# LOST: the tree has no node for a feedback; in an intact book, such a history is solved, or no secret fits it.
OFF, LOST = -1, -2


def find(book: Strategy, history: object) -> Node:
    """Return the node after a history. The order of the entries does not matter.

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
        solved = book.game.format_feedback(book.game.solved)
        raise NotInBookError(
            f"found the feedback {solved}, which solves the game; give a history without this entry"
        )
    guesses = "1 guess" if len(pairs) == 1 else f"{len(pairs)} guesses"
    raise NotInBookError(
        f"found a history of {guesses} that the book {book.game.name} does not cover; call `hint`, which accepts it"
    )


def get(book: Strategy, history: object) -> Node | None:
    """Return the node after a history, or None if the tree does not cover the history."""
    index = walk(book.tree, read_history(book.game, history)[1])
    return Node(book, index) if index >= 0 else None


def walk(tree: Tree, history: History) -> int:
    """Return the index of a history's node; `OFF` if the tree makes another guess, `LOST` if it lacks a feedback."""
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
    """Return the child of a node for a feedback that some secret gives. Raises WrongTreeError if there is no child."""
    child = book.tree.child(node, feedback)
    if child < 0:
        raise wrong_tree(book.game, [(book.tree.guess[node], feedback)])
    return child


def wrong_tree(game: Game, history: History) -> WrongTreeError:
    """Return the error for a book that has no guess after a history, although some secret fits."""
    place = f"after {entry_text(game, *history[-1])}" if history else "at the start"
    return WrongTreeError(
        f"found no guess in this book {place}, expected the tree of {game.name}; run `verify`"
    )


def entry_text(game: Game, guess: int, feedback: int) -> str:
    """Return an entry of a history as people write it, such as `RYGB=1,1`."""
    return f"{called(game, game.guesses[guess])}={game.format_feedback(feedback)}"
