"""The interval of the blacks in all: no guess that scores enough is outside of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from guessbook.builder.compiler.jit import Native
from guessbook.builder.kernels.blacks import blacks_needed, spreads_of
from guessbook.builder.kernels.promise import Bound
from guessbook.builder.kernels.space import Space, space_for

from guessbook.book import Mastermind
from guessbook.builder.games.codes import scorer as code_scorer
from guessbook.builder.scorers.batch import root_batch, step
from guessbook.policy.one_step import POLICIES


@Native
def ask(n: int, pegs: int, bound: Bound, space: Space, best: int, found: Any) -> None:
    """`blacks_needed`, of the classes that are first in `space`."""
    found[0], found[1] = blacks_needed(n, pegs, 0, bound, space, best)


@pytest.mark.parametrize("policy", ["entropy", "entropy-corrected"])
@pytest.mark.parametrize(
    "game",
    [Mastermind(4, 6), Mastermind(2, 20), Mastermind(7, 3), Mastermind(4, 7, repeats=False)],
    ids=repr,
)
def test_a_guess_has_the_blacks_that_its_score_needs(game: Mastermind, policy: str) -> None:
    """After the first guess, every other guess is inside the interval for its own score."""
    scorer = code_scorer(game, POLICIES[policy])
    below = step(scorer, root_batch(len(game.secrets)))[1]
    every = np.arange(len(game.guesses), dtype=np.uint32)
    space, found = space_for(scorer.orders, 1), np.zeros(2, np.int64)
    totals, blacks = np.divmod(np.arange((game.pegs + 1) ** 2), game.pegs + 1)
    asked = outside = 0
    for node in np.flatnonzero(below.sizes > 64):
        own = below.candidates[below.starts[node] : below.starts[node + 1]]
        cells = np.array(
            [np.bincount(row, minlength=len(totals)) for row in scorer.table(every, own)]
        )
        right = cells[:, -1] > 0
        scores = -scorer.rule.costs[cells].sum(axis=1) + scorer.rule.credit * right
        for guess in range(0, len(every), 7):
            space.classes[0, : game.pegs + 1] = np.bincount(totals, cells[guess], game.pegs + 1)
            has = int(cells[guess] @ blacks)
            ask(len(own), game.pegs, scorer.bound, space, int(scores[guess]), found)
            assert found[0] <= has <= found[1]
            ask(len(own), game.pegs, scorer.bound, space, int(scores.max()), found)
            outside += not found[0] <= has <= found[1]
            asked += 1
    assert 0 < outside < asked


def test_the_sums_of_powers_leave_out_what_cannot_be() -> None:
    """Of 3 pegs, with r = 1: one cell for a total of 0, two for 1, three for 2, and three for 3."""
    spreads = spreads_of(3).reshape(-1, 4)
    assert np.exp2(spreads[len(spreads) // 2]).tolist() == pytest.approx([1, 2, 3, 3])
