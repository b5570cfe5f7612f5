"""The policy `positional`: the candidate that looks the least likely, place by place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.policy.one_step import integer_logs


class Positional(NamedTuple):
    """The candidate whose symbols are the least expected at their places, each place by itself.

    Of n candidates m have the symbol c at position p: its surprise is -log2(m/n) bits. The
    candidate with the largest sum over the positions is guessed. A known fallacy, kept to compare:
    it overlooks what a symbol out of place tells.
    """

    name: str = "positional"
    rule: None = None
    consistent_only: bool = True

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        return game.guesses.index(rarest(candidates))

    def work(self, game: Game, candidates: int) -> int:
        """See `Policy.work`."""
        return candidates


def rarest(candidates: Sequence[str]) -> str:
    """The candidate whose symbols are the rarest at their places."""
    logs = integer_logs(len(candidates))
    columns = list(zip(*candidates, strict=True))
    return min(
        candidates,
        key=lambda code: sum(
            logs[column.count(symbol)] for column, symbol in zip(columns, code, strict=True)
        ),
    )
