"""Candidates and feedbacks of table games, read from the table in plain Python."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from guessbook.book.games.game import History
from guessbook.book.games.tables import TableGame
from guessbook.policy.search import search
from guessbook.policy.search.search import lane_bytes


class Sums(search.Sums):
    """The feedbacks that a list of candidates gives to any guess, read from the table of the game."""

    __slots__ = ("_columns",)

    def __init__(self, game: TableGame, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._columns = [game.columns[code] for code in candidates]

    def answers(self, guess: str) -> array[int]:
        """Return the feedback number that each candidate gives to a guess."""
        game: TableGame = self.game  # type: ignore[assignment]
        row = game.row(game.places[guess])
        if len(self._columns) == len(row):
            return row
        return array(row.typecode, map(row.__getitem__, self._columns))

    @staticmethod
    def table_bytes(game: TableGame) -> int:
        """Return the size in bytes of the table of feedbacks."""
        # Only the first `given` guesses have a row. Each other guess only asks whether a secret is the right one.
        return lane_bytes(game) * game.given * len(game.secrets)


class Search(search.Search):
    """The candidates of a history: the secrets whose columns in the game's table have all feedbacks of the history."""

    def __init__(self, game: TableGame, history: History) -> None:
        columns: Sequence[int] = range(len(game.secrets))
        for guess, feedback in history:
            row = game.row(guess)
            columns = [column for column in columns if row[column] == feedback]
        self.game = game
        self._candidates = [game.secrets[column] for column in columns]
