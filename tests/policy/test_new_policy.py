"""A policy that the house does not know: a class and a line in the registry, and all of it works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from guessbook.book import BuildError, Mastermind, open_book
from guessbook.book.games.words import WordGame
from guessbook.builder import build_book
from guessbook.lookup import hint
from guessbook.policy.notation import header, policy_of, summary
from guessbook.policy.policy import Policy
from guessbook.policy.registry import KINDS, Kind
from tests.helpers.command import Run, runner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from guessbook.book import Game
    from guessbook.book.games.game import History


class Nth(Policy):
    """The candidate in a place that is told, or the last one before it."""

    name = "nth"

    def __init__(self, width: int = 2) -> None:
        self.width = width

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        return game.guesses.index(candidates[: self.width][-1])


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "nth", Kind(f"{__name__}:Nth", ("width",)))
