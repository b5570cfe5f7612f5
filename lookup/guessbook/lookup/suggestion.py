"""The suggestion: a hint as scripts get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.games.beyond import read_history
from guessbook.book.games.weights import secret_weights, weight_of
from guessbook.lookup.walk import walk

if TYPE_CHECKING:
    from guessbook.book.strategy import Strategy
    from guessbook.lookup.hint import Hint


class Suggestion(NamedTuple):
    """A hint as scripts get it: with the chance of its guess, where secrets have weights.

    Attributes are those of `Hint`, and:
        chance: the probability that `guess` is the secret; None where secrets have no weights.
    """

    guess: str
    source: str
    remaining: int
    entropy: float
    candidate: bool
    solved: bool
    chance: float | None = None


def suggestion(book: Strategy, history: object, found: Hint) -> Suggestion:
    """What `hint` found for a history, with its chance."""
    return Suggestion(*found, chance(book, history, found))


def chance(book: Strategy, history: object, found: Hint) -> float | None:
    """The probability that what was hinted is the secret; None where secrets have no weights.

    Args:
        book: the book.
        history: what the hint was for.
        found: what `hint` gave.
    """
    if secret_weights(book.game) is None:
        return None
    if found.remaining == 1 or not found.candidate or found.source == "wider":
        return found.candidate / found.remaining  # beyond the list all are equally likely
    game, pairs = read_history(book.game, history)
    node = walk(book.tree, pairs)
    if node >= 0:
        return book.tree.chance(node)
    # Late, as it loads the search.
    from guessbook.policy.search.search import candidates_of

    return weight_of(game, [found.guess]) / weight_of(game, candidates_of(game, pairs))
