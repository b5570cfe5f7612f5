"""The most cells that a guess makes of a set, by blocks of guesses, on every variant."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import numpy as np
import pytest

from guessbook.book import WordGame
from guessbook.builder.limits import MEMORY
from guessbook.builder.scorers.win import WinScorer
from guessbook.engine.sets import Set, SetSearch, SetTable
from guessbook.policy.notation import policy_of
from guessbook.policy.win import Win
from tests.engine.engines import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_guesses_find_one_of_each_cell(variant: int) -> None:
    """What two guesses miss of a set is what the guess with the most cells leaves in each of them.

    In sets of all sizes, also of more candidates than a byte counts, and with few blocks or many.
    """
    draw = Random(1)
    words = list(dict.fromkeys("".join(draw.choices("aeilnorst", k=5)) for _ in range(700)))
    for secrets, guesses in ((300, 700), (600, 600), (60, 70)):
        game = WordGame(words[:secrets], words[:guesses])
        scorer = WinScorer(game, cast("Win", policy_of({"name": "win", "within": 3})), MEMORY)
        problem: Any = scorer.problem
        assert len(problem.peaks) == -(-guesses // 64)
        search = SetSearch(problem, SetTable(1 << 12), variant)
        for size in (3, 7, 20, 64, 255, 256, 500, secrets):
            some = sorted(draw.sample(range(secrets), min(size, secrets)))
            cells = max(len(np.unique(column)) for column in problem.table[some].T)
            found = search.probe(Set(np.array(some, np.uint32), 2), search.whole)
            assert found & 1
            assert found >> 2 == len(some) - cells
