"""Searching in plain Python: the candidates of a history, and the best guess for them.

Each kind of game has its own quick way, its companion (see `guessbook.book.games.registry`). A
companion is a module with the functions `search` and `sums`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from guessbook.book.games.registry import companion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import Game, History
    from guessbook.policy.one_step import OneStep

__all__ = [
    "Choice",
    "Search",
    "Sums",
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


class Search(Protocol):
    """The candidates of a history, ready to be searched."""

    @property
    def size(self) -> int:
        """How many candidates there are."""

    @property
    def seconds(self) -> float:
        """About how long `best_guess` takes."""

    def candidates(self) -> list[str]:
        """Every secret that fits the history, in the order of the game."""

    def best_guess(self, policy: OneStep) -> Choice | None:
        """A one-step policy's guess, as `reference.best_guess` makes it; None without candidates.

        All guesses of the game are considered: limits of the policy are not its business.
        """


class Sums(Protocol):
    """The feedbacks of some candidates: the quick way to those of many guesses."""

    def answers(self, guess: str) -> Sequence[int]:
        """The feedback number that each candidate gives to a guess."""


class Companion(Protocol):
    """What a module has that searches one kind of game."""

    def search(self, game: Game, history: History) -> Search:
        """See `search_of`."""

    def sums(self, game: Game, candidates: Sequence[str]) -> Sums:
        """See `sums_of`."""

    def table_bytes(self, game: Game) -> int:
        """See `table_bytes`."""


def search_of(game: Game, history: History) -> Search:
    """The candidates of a history, ready to be searched.

    Raises:
        InvalidGameError: the game has more codes than memory allows.
    """
    return cast(Companion, companion(game, "search")).search(game, history)


def sums_of(game: Game, candidates: Sequence[str]) -> Sums:
    """The feedbacks of these candidates, all of which are secrets of the game."""
    return cast(Companion, companion(game, "search")).sums(game, candidates)


def table_bytes(game: Game) -> int:
    """The bytes, at most, of the table from which a build reads feedbacks; 0 if it needs none."""
    return cast(Companion, companion(game, "search")).table_bytes(game)


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
