"""Searching in plain Python: the candidates of a history, and the best guess for them.

Each kind of game has its own quick way, its companion (see `guessbook.book.games.registry`). A
companion is a module with the classes `Search` and `Sums`, made from those of `plain`, and the
function `table_bytes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.games.registry import companion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import Game, History
    from guessbook.policy.search.plain import Search, Sums

__all__ = [
    "Choice",
    "candidates_of",
    "count_candidates",
    "search_of",
    "sums_of",
    "table_bytes",
]


class Choice(NamedTuple):
    """A policy's guess.

    Attributes:
        guess: its index in `game.guesses`.
        candidates: how many candidates there are.
        sizes: the sizes of the cells that it splits them into.
        is_candidate: whether it may be the secret.
    """

    guess: int
    candidates: int
    sizes: list[int]
    is_candidate: bool


def search_of(game: Game, history: History) -> Search:
    """The candidates of a history, ready to be searched.

    Raises:
        InvalidGameError: the game has more codes than memory allows.
    """
    search: Search = companion(game, "search").Search(game, history)
    return search


def sums_of(game: Game, candidates: Sequence[str]) -> Sums:
    """The feedbacks of these candidates, all of which are secrets of the game."""
    sums: Sums = companion(game, "search").Sums(game, candidates)
    return sums


def table_bytes(game: Game) -> int:
    """The bytes, at most, of the table from which a build reads feedbacks; 0 if it needs none."""
    size: int = companion(game, "search").table_bytes(game)
    return size


def candidates_of(game: Game, history: History) -> list[str]:
    """Every secret that fits a history, in the order of the game.

    >>> from guessbook.book import Mastermind, parse_history
    >>> game = Mastermind(4, 6)
    >>> candidates_of(game, parse_history(game, "RYGB=1,1 RGOP=0,2 PYYG=2,1"))
    ['GYYO', 'GYPG', 'PYRY']
    """
    return search_of(game, history).candidates() if history else list(game.secrets)


def count_candidates(game: Game, history: History) -> int:
    """How many secrets fit a history; in a code game without writing them down."""
    return search_of(game, history).size
